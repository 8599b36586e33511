#include <numeric>

#include "partage/groups/atoms.hpp"
#include "partage/groups/search/merging.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Beyond so many groups, those that lose least information are merged first: the best ratio is
/// sought among all pairs, at each step anew.
constexpr std::size_t most_compared = 1000;

/// Information lost by a merge, in nats over all rows.
class LeastInformation {
public:
    using Distance = double;
    static constexpr bool is_reducible = false;

    explicit LeastInformation(Rows rows) : rows_(std::move(rows)), both_(rows_.width()) {
        for (std::size_t i = 0; i < rows_.size(); ++i) entropies_.push_back(entropy_of(rows_[i]));
    }

    double between(std::size_t a, std::size_t b) const noexcept {
        const Numbers x = rows_[a];
        const Numbers y = rows_[b];
        for (std::size_t j = 0; j < x.size(); ++j) both_[j] = x[j] + y[j];
        return on_grid(entropy_of(both_) - entropies_[a] - entropies_[b]);
    }

    bool is_closer(double x, double y) const noexcept { return x < y; }

    void join(std::size_t a, std::size_t b, double) noexcept {
        for (std::size_t j = 0; j < rows_.width(); ++j) rows_[a][j] += rows_[b][j];
        entropies_[a] = entropy_of(rows_[a]);
    }

private:
    Rows rows_;
    std::vector<double> entropies_;
    mutable std::vector<double> both_;
};

/// Groups with what the merge of each pair would take from the gain and from the entropy of sizes.
class RatioMerging {
public:
    RatioMerging(Rows rows, const Limits& limits, const Stop& stop)
        : limits_(limits),
          stop_(stop),
          rows_(std::move(rows)),
          n_(rows_.size()),
          pairs_(n_ * n_),
          parent_(n_),
          both_(rows_.width()) {
        std::iota(parent_.begin(), parent_.end(), Index{0});
        active_ = parent_;
        std::vector<double> totals(rows_.width(), 0.0);
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < totals.size(); ++j) totals[j] += rows_[i][j];
            sizes_.push_back(rows_.weight(i));
            entropies_.push_back(entropy_of(rows_[i]));
        }
        gain_ = entropy_of(totals) - std::accumulate(entropies_.begin(), entropies_.end(), 0.0);
        split_ = entropy_of(sizes_);
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t k = i + 1; k < n_; ++k) compare(i, k);
        if (n_ < limits.least())
            throw NotPossible("more groups are asked for than there are values");
    }

    void run() {
        while (active_.size() > limits_.least()) {
            stop_.check();
            const Choice choice = best();
            const std::size_t n_groups = active_.size();
            const bool is_asked =
                choice.is_forced || n_groups > limits_.most() || limits_.n_parts > 0;
            const double now = split_ > 0.0 ? gain_ / split_ : 0.0;
            if (!is_asked && (n_groups <= 2 || is_lower(-now, -choice.ratio))) break;
            merge(choice.a, choice.b);
        }
    }

    Grouping grouping() const {
        std::vector<Index> number(n_);
        for (std::size_t k = 0; k < active_.size(); ++k) {
            number[active_[k]] = static_cast<Index>(k);
            if (active_.size() > 1 && !limits_.allows(sizes_[active_[k]]))
                throw NotPossible("a group is too small");
        }
        Grouping out;
        out.n_groups = active_.size();
        for (std::size_t i = 0; i < n_; ++i)
            out.group_of.push_back(parent_[i] == i ? number[i] : out.group_of[parent_[i]]);
        return out;
    }

private:
    struct Pair {
        double gain;   // lost by the merge
        double split;  // lost by the merge
    };
    struct Choice {
        Index a = 0;
        Index b = 0;
        double ratio = 0.0;
        bool is_forced = false;
    };

    void compare(std::size_t a, std::size_t b) noexcept {
        for (std::size_t j = 0; j < both_.size(); ++j) both_[j] = rows_[a][j] + rows_[b][j];
        pairs_[a * n_ + b] = {
            entropy_of(both_) - entropies_[a] - entropies_[b],
            x_log_x(sizes_[a] + sizes_[b]) - x_log_x(sizes_[a]) - x_log_x(sizes_[b])};
    }

    /// The pair whose merge leaves the best ratio; pairs with a group too small come first.
    Choice best() const noexcept {
        Choice best;
        bool is_first = true;
        for (std::size_t p = 0; p < active_.size(); ++p) {
            const Index a = active_[p];
            const bool is_small = !limits_.allows(sizes_[a]);
            for (std::size_t q = p + 1; q < active_.size(); ++q) {
                const Index b = active_[q];
                const bool is_forced = is_small || !limits_.allows(sizes_[b]);
                if (!is_first && best.is_forced && !is_forced) continue;
                const Pair& pair = pairs_[a * n_ + b];
                const double gain = gain_ - pair.gain;
                const double split = split_ - pair.split;
                // A tie keeps the leftmost pair; below, what rounding leaves of no gain at all.
                constexpr double slack = 1.0 + 4e-10;
                constexpr double nothing = 1e-12;
                const bool is_better = gain > best.ratio * slack * split + nothing;
                if (!is_first && !is_better && is_forced == best.is_forced) continue;
                best = {a, b, split > nothing && gain > nothing ? gain / split : 0.0, is_forced};
                is_first = false;
            }
        }
        return best;
    }

    void merge(Index a, Index b) {
        gain_ -= pairs_[a * n_ + b].gain;
        split_ -= pairs_[a * n_ + b].split;
        for (std::size_t j = 0; j < both_.size(); ++j) rows_[a][j] += rows_[b][j];
        sizes_[a] += sizes_[b];
        entropies_[a] = entropy_of(rows_[a]);
        parent_[b] = a;
        active_.erase(std::lower_bound(active_.begin(), active_.end(), b));
        for (const Index other : active_)
            if (other != a) compare(std::min(a, other), std::max(a, other));
    }

    const Limits& limits_;
    const Stop& stop_;
    Rows rows_;
    std::size_t n_;
    std::vector<Pair> pairs_;
    std::vector<Index> parent_;
    std::vector<Index> active_;
    std::vector<double> both_;
    std::vector<double> sizes_;
    std::vector<double> entropies_;
    double gain_ = 0.0;   // nats over all rows
    double split_ = 0.0;  // entropy of the sizes, likewise
};

/// C4.5's groups: the merge that leaves the best gain ratio, while that does not fall, never below
/// two groups.
Grouping group_gain_ratio(const GroupingTask& task) {
    if (is_one_class(task)) return one_group(task.values);
    Rows rows = block_rows(task.values, unit_blocks(task.values));
    if (rows.size() <= most_compared) {
        RatioMerging merging(std::move(rows), task.limits, task.stop);
        merging.run();
        return merging.grouping();
    }
    const std::size_t wanted = std::max(most_compared, task.limits.n_parts);
    const Atoms atoms = atoms_of(task.values, wanted);
    LeastInformation rule(atoms.rows);
    Limits few;
    few.n_parts = wanted;
    Merging first(rule, atoms.rows, few, task.stop);
    first.run([](double, std::size_t) { return true; });
    const std::vector<Index> first_of = grouping_of(first, atoms.atom_of).group_of;
    Rows fewer(first.n_groups(), rows.width());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows.width(); ++j) fewer[first_of[i]][j] += rows[i][j];
    RatioMerging merging(std::move(fewer), task.limits, task.stop);
    merging.run();
    Grouping grouping = merging.grouping();
    std::vector<Index> group_of;
    for (const Index k : first_of) group_of.push_back(grouping.group_of[k]);
    grouping.group_of = std::move(group_of);
    return grouping;
}

}  // namespace

extern const GroupingEntry grouping_gain_ratio{.name = "gain-ratio",
                                               .meaning = "merges while C4.5's gain ratio grows",
                                               .run = group_gain_ratio};

}  // namespace partage
