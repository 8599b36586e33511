#include <algorithm>
#include <queue>

#include "partage/search/task.hpp"
#include "partage/criteria/separable.hpp"
#include "partage/criteria/walk.hpp"

namespace partage {
namespace {

/// The best cut of each part in turn, the highest gain first.
class Splitter {
public:
    explicit Splitter(const Task& task) : task_(task), blocks_(starting_blocks(task)) {}

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
            const double own = on_grid(split.gain);
            const double others = on_grid(other.split.gain);
            return own < others || (own == others && first > other.first);
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
        if (split.at == 0) split.gain = -infinite;
        return {split, first, last};
    }

    Split best_split(const PartitionCriterion& criterion, std::size_t first,
                     std::size_t last) const {
        std::vector<double> row(task_.line.n_classes, 0.0);
        const std::vector<double> nothing(task_.line.n_classes, 0.0);
        task_.line.add(task_.line.starts[blocks_[first]], task_.line.starts[blocks_[last]], row);
        Cut cut;
        if (const auto* separable = dynamic_cast<const SeparableCriterion*>(&criterion))
            separable->look_inside(task_.line, blocks_, first, last, nothing, row, task_.limits,
                                   cut);
        else
            look_at_rows(criterion, first, last, row, cut);
        return {cut.at, criterion.part(row) - cut.cost, false};
    }

    /// The same for a criterion that reads whole rows.
    void look_at_rows(const PartitionCriterion& criterion, std::size_t first, std::size_t last,
                      std::vector<double> right, Cut& cut) const {
        std::vector<double> left(right.size(), 0.0);
        for (std::size_t at = first; at + 1 < last; ++at) {
            const std::size_t begin = task_.line.starts[blocks_[at]];
            const std::size_t end = task_.line.starts[blocks_[at + 1]];
            for_each_class(task_.line, begin, end, [&](Code code, double amount) {
                left[code] += amount;
                right[code] = std::max(right[code] - amount, 0.0);
            });
            if (task_.limits.allows(weight(left)) && task_.limits.allows(weight(right)))
                cut.consider(at + 1, criterion.part(left) + criterion.part(right));
        }
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

extern const SearchEntry top_down{"top-down", "splits the part that gains most while it pays",
                                  run_top_down};

}  // namespace partage
