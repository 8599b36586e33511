#include <algorithm>
#include <cmath>
#include <map>

#include "partage/groups/grouping.hpp"
#include "partage/groups/ranked.hpp"
#include "partage/groups/solve.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// The least whole number above a weight; beyond 2^53 the next number there is.
double next_whole(double weight) noexcept {
    return std::max(std::floor(weight) + 1.0, std::nextafter(weight, infinite));
}

constexpr double log_2 = 0.69314718055994530942;

/// Cost of the choice of a threshold.
double threshold_cost(double threshold) noexcept {
    return log_2 + (threshold >= 2.0 ? universal_length(threshold) : 0.0);
}

double log_structure(std::size_t n_values, std::size_t n_groups) {
    return portable_log(static_cast<double>(n_values)) + log_set_partitions(n_values, n_groups);
}

/// A threshold of the garbage group that pools other values than the one before.
struct Threshold {
    double frequency;      ///< F: values less frequent are pooled
    std::size_t first;     ///< kind that is not pooled
    std::size_t n_values;  ///< I(F)
};

/// Thresholds that pool different values: 1, and one above each frequency.
std::vector<Threshold> thresholds_of(const RankedValues& values) {
    std::vector<Threshold> thresholds;
    std::size_t left = values.kind_of.size();
    double frequency = 1.0;
    for (std::size_t kind = 0;; ++kind) {
        const bool is_end = kind == values.n_kinds();
        if (is_end || values.frequencies[kind] >= frequency) {
            thresholds.push_back({frequency, kind, left + (kind > 0)});
            if (is_end) break;
            frequency = next_whole(values.frequencies[kind]);
        }
        left -= values.n_values[kind];
    }
    return thresholds;
}

/// Groups of kinds at a threshold.
struct Candidate {
    std::vector<Index> group_of;  ///< of each kind
    std::size_t n_groups = 0;
    std::size_t threshold = 0;
    double cost = infinite;
    bool is_optimal = false;
};

/// Rows of the groups of kinds from `first` on.
Rows sum_groups(const RankedValues& values, const Candidate& candidate, std::size_t first) {
    Rows rows(candidate.n_groups, values.n_classes());
    for (std::size_t i = first; i < values.n_kinds(); ++i)
        values.add(i, rows[candidate.group_of[i]]);
    return rows;
}

/// Searches the threshold of the garbage group. Pooling more values only makes the groups costlier:
/// what the groups cost at one threshold bounds what they cost at every higher one.
class ThresholdSearch {
public:
    explicit ThresholdSearch(const GroupingTask& task)
        : limits_(task.limits),
          stop_(task.stop),
          values_(rank_values(task.values, task.limits.needs_units())),
          thresholds_(thresholds_of(values_)),
          totals_(task.values.totals()) {}

    Grouping run() {
        look(0);
        look(last());
        look_where_likely();
        look_around();
        narrow(0, last());
        if (best_.cost == infinite) throw NotPossible("no grouping satisfies the limits");
        if (!best_.is_optimal && best_.threshold > 0 && is_warm_) solve_anew(best_.threshold);
        return grouping();
    }

private:
    struct Look {
        double cost;  // without the choice of the threshold
        double floor;
        double price;
    };

    std::size_t last() const noexcept { return thresholds_.size() - 1; }

    /// Looks where the threshold is likely best, as long as that finds better ones.
    void look_where_likely() {
        constexpr double near = 8.0;  // nats that solving anew may gain
        constexpr std::size_t most_near = 6;
        bool improved = best_.n_groups > 0;
        for (int round = 0; improved && round < 6; ++round) {
            const double before = best_.cost;
            const std::vector<double> costs = likely_costs(best_);
            std::vector<std::size_t> near_ones;
            for (std::size_t t = 0; t < costs.size(); ++t)
                if (costs[t] < before + near && !looks_.contains(t)) near_ones.push_back(t);
            std::ranges::stable_sort(near_ones, {}, [&](std::size_t t) { return costs[t]; });
            near_ones.resize(std::min(near_ones.size(), most_near));
            improved = false;
            for (const std::size_t t : near_ones) {
                look(t);
                improved = is_lower(best_.cost, before);
                if (improved) break;
            }
        }
    }

    /// Looks at the thresholds around the best known, in shorter and shorter steps.
    void look_around() {
        for (std::size_t step = 4; step > 0; step /= 2) {
            const std::size_t at = best_.threshold;
            if (at >= step) look(at - step);
            if (at + step <= last()) look(at + step);
        }
    }

    void look(std::size_t i) {
        if (looks_.contains(i)) return;
        stop_.check();
        const Threshold& threshold = thresholds_[i];
        if (threshold.n_values < std::max<std::size_t>(limits_.n_parts, 1)) {
            looks_[i] = {infinite, -infinite, 0.0};
            return;
        }
        const Atoms atoms = pool_below(values_, threshold.first);
        const GroupCriterion modl(criterion_named("modl"), totals_, threshold.n_values);
        is_warm_ = can_start_from_best(atoms);
        const SolvedGroups solved =
            is_warm_ ? improve_groups(atoms, modl, limits_, stop_, start_from_best(atoms, i))
                     : solve_groups(atoms, modl, limits_, stop_);
        all_exact_ = all_exact_ && solved.is_optimal;
        const bool has_floor = solved.is_optimal;
        looks_[i] = {solved.cost, has_floor ? solved.groups.floor : -infinite, solved.groups.price};
        keep(i, atoms, solved);
    }

    /// Solves from the start where the groups were only improved.
    void solve_anew(std::size_t i) {
        const Atoms atoms = pool_below(values_, thresholds_[i].first);
        const GroupCriterion modl(criterion_named("modl"), totals_, thresholds_[i].n_values);
        keep(i, atoms, solve_groups(atoms, modl, limits_, stop_));
    }

    void keep(std::size_t i, const Atoms& atoms, const SolvedGroups& solved) {
        const double cost = solved.cost + threshold_cost(thresholds_[i].frequency);
        if (!is_lower(cost, best_.cost)) return;
        best_ = {std::vector<Index>(values_.n_kinds()), solved.groups.n_groups, i, cost,
                 solved.is_optimal};
        for (std::size_t kind = 0; kind < values_.n_kinds(); ++kind)
            best_.group_of[kind] = solved.groups.group_of[atoms.atom_of[kind]];
    }

    /// Groups change little with the threshold: where looks prove nothing, the best groups known
    /// are a start.
    bool can_start_from_best(const Atoms& atoms) const noexcept {
        return best_.n_groups > 0 && atoms.size() > most_for_subsets && !limits_.needs_units() &&
               most_looks() == 0;
    }

    /// The best groups known, for the atoms of another threshold; the garbage group is a group of
    /// its own if there may be one more.
    AtomGroups start_from_best(const Atoms& atoms, std::size_t i) const {
        constexpr Index none = std::numeric_limits<Index>::max();
        const Candidate known = with_likely_groups(best_);
        std::vector<Index> renumbered(known.n_groups, none);
        AtomGroups start{std::vector<Index>(atoms.size()), 0};
        const std::size_t first = thresholds_[i].first;
        for (std::size_t kind = first; kind < values_.n_kinds(); ++kind) {
            Index& group = renumbered[known.group_of[kind]];
            if (group == none) group = static_cast<Index>(start.n_groups++);
            start.group_of[atoms.atom_of[kind]] = group;
        }
        if (first > 0) {
            const bool may_grow = start.n_groups < limits_.most();
            start.group_of.back() = static_cast<Index>(may_grow ? start.n_groups++ : 0);
        }
        // Kinds of one atom may have had several groups, so that one of them is left empty.
        std::vector<bool> is_used(start.n_groups, false);
        for (const Index group : start.group_of) is_used[group] = true;
        std::vector<Index> dense(start.n_groups, 0);
        std::size_t n_used = 0;
        for (std::size_t k = 0; k < start.n_groups; ++k)
            if (is_used[k]) dense[k] = static_cast<Index>(n_used++);
        for (Index& group : start.group_of) group = dense[group];
        start.n_groups = n_used;
        return start;
    }

    /// Gives each pooled kind the group in which its classes are the most likely.
    Candidate with_likely_groups(const Candidate& candidate) const {
        Candidate likely = candidate;
        const std::size_t first = thresholds_[candidate.threshold].first;
        if (first == 0) return likely;
        const Rows rows = sum_groups(values_, candidate, 0);
        Rows prices(candidate.n_groups, values_.n_classes());
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const double n = rows.weight(k) + 0.5 * static_cast<double>(values_.n_classes());
            for (std::size_t j = 0; j < values_.n_classes(); ++j)
                prices[k][j] = portable_log(n / (rows[k][j] + 0.5));
        }
        for (std::size_t kind = 0; kind < first; ++kind) {
            double lowest = infinite;
            for (std::size_t k = 0; k < rows.size(); ++k) {
                double price = 0.0;
                for (std::size_t j = 0; j < values_.n_classes(); ++j)
                    price += values_.rows[kind][j] * prices[k][j];
                if (price < lowest) {
                    lowest = price;
                    likely.group_of[kind] = static_cast<Index>(k);
                }
            }
        }
        return likely;
    }

    /// Cost at each threshold if all groups but the garbage stay as they are.
    std::vector<double> likely_costs(const Candidate& candidate) const {
        const GroupCriterion modl(criterion_named("modl"), totals_, values_.kind_of.size());
        const PartitionCriterion& criterion = *modl;
        const Candidate likely = with_likely_groups(candidate);
        Rows rows = sum_groups(values_, likely, 0);
        std::vector<double> costs(rows.size());
        std::vector<double> garbage(values_.n_classes(), 0.0);
        std::vector<double> joined(values_.n_classes());
        std::vector<double> all_costs{infinite};
        for (std::size_t t = 1; t < thresholds_.size(); ++t) {
            for (std::size_t kind = thresholds_[t - 1].first; kind < thresholds_[t].first; ++kind) {
                const std::span<double> from = rows[likely.group_of[kind]];
                values_.add(kind, garbage);
                for (std::size_t j = 0; j < from.size(); ++j) {
                    const double n = static_cast<double>(values_.n_values[kind]);
                    from[j] = std::max(from[j] - n * values_.rows[kind][j], 0.0);
                }
            }
            double sum = 0.0;
            std::size_t n_groups = 0;
            for (std::size_t k = 0; k < rows.size(); ++k) {
                costs[k] = rows.weight(k) > 0.0 ? criterion.part(rows.row(k)) : 0.0;
                sum += costs[k];
                n_groups += rows.weight(k) > 0.0;
            }
            const std::size_t n_values = thresholds_[t].n_values;
            double cost = log_structure(n_values, n_groups + 1) + sum +
                          criterion.part(row_of_counts(garbage));
            for (std::size_t k = 0; k < rows.size(); ++k) {
                if (!(rows.weight(k) > 0.0)) continue;
                for (std::size_t j = 0; j < joined.size(); ++j) joined[j] = rows[k][j] + garbage[j];
                const double own = criterion.part(row_of_counts(joined)) - costs[k];
                cost = std::min(cost, log_structure(n_values, n_groups) + sum + own);
            }
            all_costs.push_back(cost + threshold_cost(thresholds_[t].frequency));
        }
        return all_costs;
    }

    /// Looks at thresholds between two that were looked at, where they could be better.
    void narrow(std::size_t low, std::size_t high) {
        if (high - low < 2) return;
        auto between = looks_.upper_bound(low);
        if (between->first < high) {
            const std::size_t middle = between->first;
            narrow(low, middle);
            narrow(middle, high);
            return;
        }
        if (looks_.size() >= most_looks()) {
            all_bounded_ = false;
            return;
        }
        if (!is_lower(bound(low, high), best_.cost)) return;
        const std::size_t middle = low + (high - low) / 2;
        look(middle);
        narrow(low, middle);
        narrow(middle, high);
    }

    /// Lower bound of the cost at thresholds strictly between two. Into k groups the parts cost at
    /// least what the optimum at `low` leaves for them, and no part costs less than one row.
    double bound(std::size_t low, std::size_t high) const {
        const Look& look = looks_.at(low);
        if (look.cost == infinite) return -infinite;
        const std::size_t fewest = thresholds_[high - 1].n_values;
        const double row_cost = portable_log(static_cast<double>(totals_.size()));
        double lowest = infinite;
        for (std::size_t k = 1; k <= fewest; ++k) {
            const double left = look.cost - log_structure(thresholds_[low].n_values, k);
            const double least = std::max(static_cast<double>(k) * row_cost,
                                          look.floor - look.price * static_cast<double>(k));
            const double value = log_structure(fewest, k) + std::max(left, least);
            lowest = std::min(lowest, value);
            // Beyond, the structure alone grows by more than the floor gives way.
            if (left <= least && value > lowest) break;
        }
        return lowest + threshold_cost(thresholds_[low + 1].frequency);
    }

    /// Thresholds that may be looked at: all where that is quick and proves something.
    std::size_t most_looks() const noexcept {
        constexpr std::size_t most_values = 500;
        return all_exact_ && values_.kind_of.size() <= most_values ? thresholds_.size() : 0;
    }

    Grouping grouping() const {
        Grouping grouping;
        grouping.n_groups = best_.n_groups;
        grouping.cost = best_.cost;
        grouping.is_optimal = best_.is_optimal && all_bounded_;
        grouping.threshold = thresholds_[best_.threshold].frequency;
        grouping.group_of.reserve(values_.kind_of.size());
        for (const Index kind : values_.kind_of) grouping.group_of.push_back(best_.group_of[kind]);
        if (thresholds_[best_.threshold].first > 0) grouping.garbage = best_.group_of.front();
        return grouping;
    }

    const Limits& limits_;
    const Stop& stop_;
    RankedValues values_;
    std::vector<Threshold> thresholds_;
    std::vector<double> totals_;
    std::map<std::size_t, Look> looks_;
    bool all_exact_ = true;
    bool all_bounded_ = true;
    bool is_warm_ = false;  // whether the last look started from the best groups known
    Candidate best_;
};

/// MODL without a garbage group: log I + log B(I, K) + Σ L_k.
Grouping group_modl_standard(const GroupingTask& task) {
    const RankedValues values = rank_values(task.values, task.limits.needs_units());
    const Atoms atoms = pool_below(values, 0);
    const GroupCriterion modl(criterion_named("modl"), task.values.totals(), values.kind_of.size());
    std::vector<Index> atom_of;
    for (const Index kind : values.kind_of) atom_of.push_back(atoms.atom_of[kind]);
    return grouping_of(solve_groups(atoms, modl, task.limits, task.stop), atom_of);
}

/// MODL with a garbage group of the values less frequent than a threshold F:
/// log 2 + [F >= 2] L(F) + log I(F) + log B(I(F), K) + Σ L_k.
Grouping group_modl(const GroupingTask& task) { return ThresholdSearch(task).run(); }

}  // namespace

double null_cost_of_garbage_groups(const Values& values) {
    double lowest = infinite;
    for (const Threshold& threshold : thresholds_of(rank_values(values, false)))
        lowest = std::min(
            lowest, threshold_cost(threshold.frequency) + log_structure(threshold.n_values, 1));
    const std::vector<double> totals = values.totals();
    const GroupCriterion modl(criterion_named("modl"), totals, values.n_units());
    return lowest + modl->part(row_of_counts(totals));
}

double garbage_structure(double threshold, std::size_t n_values, std::size_t n_groups) {
    return threshold_cost(threshold) + log_structure(n_values, n_groups);
}

double structure_of_garbage_groups(std::span<const double> frequencies,
                                   std::span<const std::int64_t> group_of, std::size_t n_groups) {
    const std::size_t n = frequencies.size();
    std::vector<std::pair<double, std::int64_t>> units;  // frequency and group, rare ones first
    for (std::size_t i = 0; i < n; ++i) units.emplace_back(frequencies[i], group_of[i]);
    std::ranges::stable_sort(units, {}, [](const auto& unit) { return unit.first; });
    double lowest = infinite;
    double threshold = 1.0;
    for (std::size_t n_pooled = 0;; threshold = next_whole(units[n_pooled].first)) {
        while (n_pooled < n && units[n_pooled].first < threshold) {
            if (units[n_pooled].second != units.front().second) return lowest;
            ++n_pooled;
        }
        const std::size_t n_values = n - n_pooled + (n_pooled > 0);
        if (n_values < n_groups) return lowest;
        lowest = std::min(lowest, garbage_structure(threshold, n_values, n_groups));
        if (n_pooled == n) return lowest;
    }
}

extern const GroupingEntry grouping_modl{
    .name = "modl",
    .meaning = "Bayes optimal groups, rare values in a garbage group",
    .run = group_modl};
extern const GroupingEntry grouping_modl_standard{
    .name = "modl-standard",
    .meaning = "Bayes optimal groups without a garbage group",
    .run = group_modl_standard};

}  // namespace partage
