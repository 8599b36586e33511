#include <algorithm>
#include <queue>

#include "partage/search.hpp"
#include "partage/walk.hpp"

namespace partage {
namespace {

/// The best cut of each part in turn, the highest gain first.
class Splitter {
public:
    explicit Splitter(const Task& task)
        : task_(task), blocks_(starting_blocks(task)) {}

    Found run() {
        std::priority_queue<Candidate> queue;
        queue.push(candidate(0, blocks_.size() - 1));
        std::vector<std::size_t> cuts{0, blocks_.size() - 1};
        double parts = whole_cost();
        while (!queue.empty() && cuts.size() - 1 < task_.limits.most()) {
            task_.stop.check();
            const Candidate next = queue.top();
            queue.pop();
            if (next.split.at == 0 || !accepts(next.split, cuts.size() - 1, parts)) continue;
            parts -= next.split.gain;
            cuts.push_back(next.split.at);
            queue.push(candidate(next.first, next.split.at));
            queue.push(candidate(next.split.at, next.last));
        }
        if (cuts.size() - 1 < task_.limits.least())
            throw NotPossible("no partition satisfies the limits");
        std::sort(cuts.begin(), cuts.end());
        Found found;
        for (const std::size_t cut : cuts) found.starts.push_back(blocks_[cut]);
        return found;
    }

private:
    struct Candidate {
        Split split;
        std::size_t first;
        std::size_t last;
        bool operator<(const Candidate& other) const noexcept {
            return split.gain < other.split.gain ||
                   (split.gain == other.split.gain && first > other.first);
        }
    };

    const PartitionCriterion* partition_criterion() const noexcept {
        const auto* held = std::get_if<std::unique_ptr<PartitionCriterion>>(&task_.criterion);
        return held == nullptr ? nullptr : held->get();
    }

    double whole_cost() const {
        const PartitionCriterion* criterion = partition_criterion();
        return criterion == nullptr ? 0.0 : criterion->part(task_.problem.totals);
    }

    Candidate candidate(std::size_t first, std::size_t last) const {
        if (last - first < 2) return {{}, first, last};
        if (const PartitionCriterion* criterion = partition_criterion())
            return {best_split(*criterion, first, last), first, last};
        CutWalk cuts(task_.line, blocks_, first, last, task_.limits);
        const auto& criterion = *std::get<std::unique_ptr<SplitCriterion>>(task_.criterion);
        Split split = criterion.best(cuts);
        if (split.at == 0) split.gain = -std::numeric_limits<double>::infinity();
        return {split, first, last};
    }

    Split best_split(const PartitionCriterion& criterion, std::size_t first,
                     std::size_t last) const {
        std::vector<double> row(task_.line.n_classes, 0.0);
        const std::vector<double> nothing(task_.line.n_classes, 0.0);
        task_.line.add(task_.line.starts[blocks_[first]], task_.line.starts[blocks_[last]], row);
        Split split;
        double lowest = std::numeric_limits<double>::infinity();
        const auto look = [&](auto walk, auto cost) {
            while (walk.at() + 1 < last) {
                walk.step();
                if (!task_.limits.allows(walk.left_weight()) ||
                    !task_.limits.allows(walk.right_weight()))
                    continue;
                const double value = cost(walk);
                if (!is_lower(value, lowest)) continue;
                lowest = value;
                split.at = walk.at();
            }
        };
        if (const auto* separable = dynamic_cast<const SeparableCriterion*>(&criterion))
            look(Walk<TermTracker>(task_.line, blocks_, first, nothing, row,
                                   TermTracker(*separable)),
                 [](const auto& w) { return w.tracker().cost(w.left_weight(), w.right_weight()); });
        else
            look(Walk<NoTracker>(task_.line, blocks_, first, nothing, row, NoTracker{}),
                 [&](const auto& w) { return criterion.part(w.left()) + criterion.part(w.right()); });
        split.gain = criterion.part(row) - lowest;
        return split;
    }

    bool accepts(const Split& split, std::size_t n_parts, double parts) const noexcept {
        if (task_.limits.n_parts > 0) return true;
        const PartitionCriterion* criterion = partition_criterion();
        if (criterion == nullptr) return split.accepted;
        return n_parts < criterion->least_parts() ||
               is_lower(criterion->total(n_parts + 1, parts - split.gain),
                        criterion->total(n_parts, parts));
    }

    const Task& task_;
    Blocks blocks_;
};

Found run_top_down(const Task& task) { return Splitter(task).run(); }

}  // namespace

extern const SearchEntry top_down{
    "top-down", "splits the part that gains most while it pays", run_top_down};

}  // namespace partage
