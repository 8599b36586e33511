#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "partage/atoms.hpp"
#include "partage/combinatorics.hpp"
#include "partage/grouping.hpp"

namespace partage {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double log_2 = 0.69314718055994530942;
/// Classes whose shares order the atoms of a start, beside the main direction.
constexpr std::size_t most_orders = 6;
/// Starts that are improved.
constexpr std::size_t most_improved = 3;

/// The rows of values with those below a threshold pooled into one, which is the last.
struct Pooled {
    Rows rows;
    std::vector<Index> row_of;  ///< of each value
    bool has_garbage = false;
};

Pooled pool(const Values& values, const std::vector<double>& frequencies, double threshold) {
    std::size_t n_kept = 0;
    for (const double frequency : frequencies) n_kept += frequency >= threshold;
    const bool has_garbage = n_kept < frequencies.size();
    Pooled pooled{Rows(n_kept + has_garbage, values.n_classes), {}, has_garbage};
    pooled.row_of.reserve(frequencies.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        const std::size_t row = frequencies[i] >= threshold ? next++ : n_kept;
        values.add(values.starts[i], values.starts[i + 1], pooled.rows[row]);
        pooled.row_of.push_back(static_cast<Index>(row));
    }
    return pooled;
}

std::vector<double> frequencies_of(const Values& values) {
    std::vector<double> frequencies(values.n_units());
    for (std::size_t i = 0; i < frequencies.size(); ++i)
        frequencies[i] = values.weight(values.starts[i], values.starts[i + 1]);
    return frequencies;
}

/// The best grouping of rows found, and whether it is proven.
struct Solved {
    std::vector<Index> group_of;  ///< of each row
    std::size_t n_groups = 0;
    double cost = infinite;
    bool is_optimal = false;
    double floor = -infinite;  ///< K groups cost at least floor - price K
    double price = 0.0;
};

/// Several classes: the optimum along the share of each of the heavier classes and along the main
/// direction; the cheapest few of these are improved until nothing helps.
AtomGroups group_many(const Atoms& atoms, const std::vector<double>& totals,
                      const SeparableCriterion& criterion, const Problem& problem,
                      const Limits& limits, const Stop& stop) {
    std::vector<std::size_t> labels;
    for (std::size_t j = 0; j < totals.size(); ++j)
        if (totals[j] > 0.0) labels.push_back(j);
    std::stable_sort(labels.begin(), labels.end(),
                     [&](std::size_t a, std::size_t b) { return totals[a] > totals[b]; });
    labels.resize(std::min(labels.size(), most_orders));
    std::vector<std::pair<double, AtomGroups>> starts;
    for (std::size_t start = 0; start <= labels.size(); ++start) {
        const std::vector<Index> order = start == labels.size()
                                             ? order_by_direction(atoms)
                                             : order_by_share(atoms, labels[start]);
        AtomGroups groups = group_in_order(atoms, order, criterion, problem, limits, stop, false);
        const double cost = cost_of(atoms, criterion, groups);
        starts.emplace_back(cost, std::move(groups));
    }
    std::stable_sort(starts.begin(), starts.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    starts.resize(std::min(starts.size(), most_improved));
    AtomGroups best;
    double lowest = infinite;
    for (auto& [cost, groups] : starts) {
        improve(atoms, criterion, limits, stop, groups);
        cost = cost_of(atoms, criterion, groups);
        if (!is_lower(cost, lowest)) continue;
        lowest = cost;
        best = std::move(groups);
    }
    return best;
}

/// MODL's best grouping of some rows: exact for two classes and for a dozen atoms; else from
/// several orders, improved until nothing helps.
Solved solve(const Rows& rows, const Limits& limits, const Stop& stop) {
    std::vector<double> totals(rows.n_classes(), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < totals.size(); ++j) totals[j] += rows[i][j];
    const Problem problem(totals, rows.size());
    const AnyCriterion made = criterion_named("modl").make(problem, {});
    const auto& criterion = dynamic_cast<const SeparableCriterion&>(
        *std::get<std::unique_ptr<PartitionCriterion>>(made));
    Atoms atoms = join_equal_shares(rows);
    // Joining is free at the overall optimum, not at a given number or size of groups.
    if (limits.needs_units()) atoms = keep_apart(rows);
    if (limits.n_parts > atoms.size())
        throw NotPossible("more groups are asked for than there are values");
    const std::size_t n_classes = static_cast<std::size_t>(
        std::count_if(totals.begin(), totals.end(), [](double total) { return total > 0.0; }));
    AtomGroups best;
    bool is_optimal = true;
    if (atoms.size() <= most_for_subsets) {
        best = group_by_subsets(atoms, criterion, limits, stop);
    } else if (n_classes <= 2) {
        const std::size_t label = static_cast<std::size_t>(
            std::find_if(totals.begin(), totals.end(), [](double t) { return t > 0.0; }) -
            totals.begin());
        best = group_in_order(atoms, order_by_share(atoms, label), criterion, problem, limits, stop,
                              true);
        is_optimal = !limits.needs_units();
        if (!is_optimal) improve(atoms, criterion, limits, stop, best);
    } else {
        is_optimal = false;
        best = group_many(atoms, totals, criterion, problem, limits, stop);
    }
    Solved solved{std::vector<Index>(rows.size()), best.n_groups, cost_of(atoms, criterion, best),
                  is_optimal};
    for (std::size_t i = 0; i < rows.size(); ++i)
        solved.group_of[i] = best.group_of[atoms.atom_of[i]];
    return solved;
}

/// Cost of the choice of a threshold.
double threshold_cost(double threshold) noexcept {
    return log_2 + (threshold >= 2.0 ? universal_length(threshold) : 0.0);
}

/// Thresholds that pool different values: 1, and one above each frequency.
std::vector<double> thresholds_of(const std::vector<double>& frequencies) {
    std::vector<double> thresholds(frequencies.begin(), frequencies.end());
    for (double& threshold : thresholds) threshold = std::floor(threshold) + 1.0;
    thresholds.push_back(1.0);
    std::sort(thresholds.begin(), thresholds.end());
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    return thresholds;
}

Grouping grouping_of(const Pooled& pooled, const Solved& solved, double threshold,
                     double extra_cost) {
    Grouping grouping;
    grouping.n_groups = solved.n_groups;
    grouping.cost = solved.cost + extra_cost;
    grouping.is_optimal = solved.is_optimal;
    grouping.threshold = threshold;
    grouping.group_of.reserve(pooled.row_of.size());
    for (const Index row : pooled.row_of) grouping.group_of.push_back(solved.group_of[row]);
    if (pooled.has_garbage) grouping.garbage = solved.group_of.back();
    return grouping;
}

/// Searches the threshold of the garbage group. Pooling more values only makes the groups dearer:
/// what the groups cost at one threshold bounds what they cost at every higher one.
class ThresholdSearch {
public:
    explicit ThresholdSearch(const GroupingTask& task)
        : task_(task),
          frequencies_(frequencies_of(task.values)),
          thresholds_(thresholds_of(frequencies_)) {
        std::vector<double> sorted = frequencies_;
        std::sort(sorted.begin(), sorted.end());
        for (const double threshold : thresholds_) {
            const auto kept = static_cast<std::size_t>(
                sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), threshold));
            n_rows_.push_back(kept + (kept < sorted.size()));
        }
    }

    Grouping run() {
        const std::size_t last = thresholds_.size() - 1;
        look(0);
        look(last);
        if (last > 1 && first_.n_groups > 0) look(estimate());
        // Around the best known, in shorter and shorter steps.
        for (std::size_t step = 4; step > 0; step /= 2) {
            const std::size_t at = best_idx_;
            if (at >= step) look(at - step);
            if (at + step <= last) look(at + step);
        }
        narrow(0, last);
        if (best_.cost == infinite) throw NotPossible("no grouping satisfies the limits");
        best_.is_optimal = best_.is_optimal && all_bounded_;
        return std::move(best_);
    }

private:
    /// The threshold that looks best if the groups found without a garbage group stay as they are.
    std::size_t estimate() const {
        const Problem problem(task_.values.totals());
        const AnyCriterion made = criterion_named("modl").make(problem, {});
        const auto& criterion = *std::get<std::unique_ptr<PartitionCriterion>>(made);
        const std::size_t n_groups = first_.n_groups;
        Rows rows(n_groups + 1, task_.values.n_classes);
        std::vector<std::size_t> order(frequencies_.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
            task_.values.add(task_.values.starts[i], task_.values.starts[i + 1],
                             rows[first_.group_of[i]]);
        }
        std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
            return frequencies_[a] < frequencies_[b];
        });
        std::size_t best = 0;
        double lowest = infinite;
        std::size_t next = 0;
        for (std::size_t t = 1; t < thresholds_.size(); ++t) {
            for (; next < order.size() && frequencies_[order[next]] < thresholds_[t]; ++next)
                move_to_garbage(order[next], rows);
            double cost = threshold_cost(thresholds_[t]) + log_structure(n_rows_[t], n_groups);
            for (std::size_t k = 0; k <= n_groups; ++k) cost += criterion.part(Row(rows[k]));
            if (!(cost < lowest)) continue;
            lowest = cost;
            best = t;
        }
        return best;
    }

    void move_to_garbage(std::size_t value, Rows& rows) const {
        const std::size_t first = task_.values.starts[value];
        const std::size_t last = task_.values.starts[value + 1];
        const std::span<double> from = rows[first_.group_of[value]];
        const std::span<double> garbage = rows[first_.n_groups];
        for (std::size_t i = first; i < last; ++i) {
            const double amount = task_.values.entry_weight(i);
            from[task_.values.codes[i]] = std::max(from[task_.values.codes[i]] - amount, 0.0);
            garbage[task_.values.codes[i]] += amount;
        }
    }

    void look(std::size_t i) {
        if (looks_.contains(i)) return;
        task_.stop.check();
        if (n_rows_[i] < std::max<std::size_t>(task_.limits.n_parts, 1)) {
            looks_[i] = {infinite, -infinite, 0.0};
            return;
        }
        const Pooled pooled = pool(task_.values, frequencies_, thresholds_[i]);
        const Solved solved = solve(pooled.rows, task_.limits, task_.stop);
        all_exact_ = all_exact_ && solved.is_optimal;
        const double choice = threshold_cost(thresholds_[i]);
        looks_[i] = {solved.cost, solved.floor, solved.price};
        if (i == 0) first_ = grouping_of(pooled, solved, thresholds_[i], choice);
        if (!is_lower(solved.cost + choice, best_.cost)) return;
        best_ = grouping_of(pooled, solved, thresholds_[i], choice);
        best_idx_ = i;
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

    struct Look {
        double cost;  // without the choice of the threshold
        double floor;
        double price;
    };

    /// Lower bound of the cost at thresholds strictly between two. Into k groups the parts cost at
    /// least what the optimum at `low` leaves for them, and no part costs less than one row.
    double bound(std::size_t low, std::size_t high) const {
        const Look& look = looks_.at(low);
        if (look.cost == infinite) return -infinite;
        const std::size_t fewest = n_rows_[high - 1];
        const double row_cost = portable_log(static_cast<double>(task_.values.n_classes));
        double lowest = infinite;
        for (std::size_t k = 1; k <= fewest; ++k) {
            const double left = look.cost - log_structure(n_rows_[low], k);
            const double least = std::max(static_cast<double>(k) * row_cost,
                                          look.floor - look.price * static_cast<double>(k));
            const double value = log_structure(fewest, k) + std::max(left, least);
            lowest = std::min(lowest, value);
            // Beyond, the structure alone grows by more than the floor gives way.
            if (left <= least && value > lowest) break;
        }
        return lowest + threshold_cost(thresholds_[low + 1]);
    }

    static double log_structure(std::size_t n_rows, std::size_t n_groups) {
        return portable_log(static_cast<double>(n_rows)) + log_set_partitions(n_rows, n_groups);
    }

    /// Thresholds that may be looked at: all where that is quick and proves something.
    std::size_t most_looks() const noexcept {
        constexpr std::size_t most_values = 500;
        return all_exact_ && n_rows_[0] <= most_values ? thresholds_.size() : 0;
    }

    const GroupingTask& task_;
    std::vector<double> frequencies_;
    std::vector<double> thresholds_;
    std::vector<std::size_t> n_rows_;  // I(F) at each threshold
    std::map<std::size_t, Look> looks_;
    bool all_exact_ = true;
    bool all_bounded_ = true;
    Grouping first_;  // without a garbage group
    std::size_t best_idx_ = 0;
    Grouping best_{{}, 0, infinite, false, 1.0, Grouping::no_garbage};
};

/// MODL without a garbage group: log I + log B(I, K) + Σ L_k.
Grouping group_modl_standard(const GroupingTask& task) {
    const Pooled pooled = pool(task.values, frequencies_of(task.values), 0.0);
    return grouping_of(pooled, solve(pooled.rows, task.limits, task.stop), 1.0, 0.0);
}

/// MODL with a garbage group of the values less frequent than a threshold F:
/// log 2 + [F >= 2] L(F) + log I(F) + log B(I(F), K) + Σ L_k.
Grouping group_modl(const GroupingTask& task) { return ThresholdSearch(task).run(); }

}  // namespace

double null_cost_of_garbage_groups(const Values& values) {
    const std::vector<double> frequencies = frequencies_of(values);
    std::vector<double> sorted = frequencies;
    std::sort(sorted.begin(), sorted.end());
    double lowest = infinite;
    for (const double threshold : thresholds_of(frequencies)) {
        const auto kept = static_cast<std::size_t>(
            sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), threshold));
        const std::size_t n_rows = kept + (kept < sorted.size());
        lowest = std::min(lowest, threshold_cost(threshold) + log_set_partitions(n_rows, 1) +
                                      portable_log(static_cast<double>(n_rows)));
    }
    const Problem problem(values.totals());
    const AnyCriterion made = criterion_named("modl").make(problem, {});
    return lowest + std::get<std::unique_ptr<PartitionCriterion>>(made)->part(problem.totals);
}

extern const GroupingEntry grouping_modl{
    "modl", "Bayes optimal groups, rare values in a garbage group", "modl", 0, {}, group_modl};
extern const GroupingEntry grouping_modl_standard{
    "modl-standard",    "Bayes optimal groups without a garbage group", "modl", 0, {},
    group_modl_standard};

}  // namespace partage
