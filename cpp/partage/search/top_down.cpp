#include <algorithm>
#include <queue>

#include "partage/search/cut.hpp"
#include "partage/search/task.hpp"

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
        return criterion == nullptr
                   ? 0.0
                   : criterion->part(task_.line.layout().row(task_.problem.totals));
    }

    Candidate candidate(std::size_t first, std::size_t last) const {
        if (last - first < 2) return {{}, first, last};
        if (const PartitionCriterion* criterion = partition_criterion())
            return {best_split(*criterion, first, last), first, last};
        const auto& criterion = *std::get<std::unique_ptr<SplitCriterion>>(task_.criterion);
        Split split =
            criterion.best(cuts_of(task_.line, blocks_, first, last), task_.limits.min_weight);
        if (split.at == 0) split.gain = -infinite;
        return {split, first, last};
    }

    Split best_split(const PartitionCriterion& criterion, std::size_t first,
                     std::size_t last) const {
        Cuts cuts = cuts_of(task_.line, blocks_, first, last);
        const double whole = criterion.part(task_.line.layout().row(cuts.right));
        Cut cut;
        look(*criterion.walk(std::move(cuts)), task_.limits, cut);
        return {cut.at, whole - cut.cost, false};
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
