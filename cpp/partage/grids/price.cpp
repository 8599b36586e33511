#include "partage/grids/price.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "partage/groups/grouping.hpp"
#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"
#include "partage/support/whole_numbers.hpp"

namespace partage {
namespace {

constexpr double log_two = 0.69314718055994530942;
constexpr std::size_t most_intervals = 512;  // of one axis that a search looks at
constexpr std::size_t most_groups = 200;

/// Parts of an axis as units of a table.
AxisUnits units_of_parts(const GridColumn& column, const ValueParts& parts) {
    AxisUnits units = unordered_units(column, parts.part_of);
    units.is_ordered = column.is_ordered;
    return units;
}

std::size_t n_of(std::span<const Index> unit_of) {
    return unit_of.empty() ? 0 : std::size_t{*std::ranges::max_element(unit_of)} + 1;
}

}  // namespace

GridPricer::GridPricer(const GridRows& rows, GridMethod method, double n_columns, double n_families)
    : rows_(rows),
      method_(method),
      n_columns_(n_columns),
      n_families_(n_families),
      total_(rows.total()) {
    for (std::size_t a = 0; a < rows.columns.size(); ++a) {
        weights_.push_back(rows.value_weights(a));
        double sum = 0.0;
        for (const double weight : weights(a)) sum += weight;
        present_.push_back(sum);
    }
}

int GridPricer::most_granularity() const noexcept {
    int g = 1;
    while (std::ldexp(1.0, g) < total_) ++g;
    return g;
}

int GridPricer::explored_granularity() const noexcept {
    const int most = most_granularity();
    if (!(total_ > 500.0)) return most;
    const double rest = total_ - 500.0;
    const double limit = 500.0 + std::sqrt(rest * portable_log(std::max(rest, 1.0)) / log_two);
    int g = 1;
    while (std::ldexp(1.0, g) < limit) ++g;
    return std::min(g, most);
}

std::vector<Index> khiops_quantiles(std::span<const double> weights, int granularity) {
    double total = 0.0;
    for (const double weight : weights) total += weight;
    const double n_quantiles = std::min(std::ldexp(1.0, granularity), std::max(total, 1.0));
    std::vector<Index> unit_of(weights.size());
    constexpr double most_counted = 1 << 22;  // beyond, every value is taken as a quantile
    if (n_quantiles > most_counted) {
        for (std::size_t i = 0; i < unit_of.size(); ++i) unit_of[i] = static_cast<Index>(i);
        return unit_of;
    }
    std::size_t v = 0;
    double before = 0.0;  // weight of the values before v
    std::size_t first = 0;
    Index unit = 0;
    for (double q = 1.0; q < n_quantiles && v < weights.size(); q += 1.0) {
        const double nudge = q - 1.0 < 0.5 * n_quantiles ? -1e-10 : 1e-10;
        const double target = std::floor(total * q / n_quantiles + nudge + 0.5);
        while (v < weights.size() && before + weights[v] < target) before += weights[v++];
        if (v >= weights.size()) break;
        // The value that reaches the quantile, or the one before where that ends as near.
        const bool is_back = v > 0 && target - before <= before + weights[v] - target;
        const std::size_t end = is_back ? v : v + 1;
        if (end <= first || end >= weights.size()) continue;
        for (std::size_t i = first; i < end; ++i) unit_of[i] = unit;
        ++unit;
        first = end;
    }
    for (std::size_t i = first; i < weights.size(); ++i) unit_of[i] = unit;
    return unit_of;
}

std::vector<Index> khiops_pool(std::span<const double> weights, double total, int granularity) {
    double n = std::ldexp(1.0, granularity);
    if (n >= total) n *= 0.5;
    const double least = std::ceil(total / n);
    std::vector<Index> unit_of(weights.size());
    Index next = 0;
    for (std::size_t v = 0; v < weights.size(); ++v)
        if (weights[v] >= least) unit_of[v] = next++;
    for (std::size_t v = 0; v < weights.size(); ++v)
        if (weights[v] < least) unit_of[v] = next;
    return unit_of;
}

std::vector<Index> GridPricer::pool(std::size_t axis, int granularity) const {
    const auto sizes = weights(axis);
    if (rows_.columns[axis].is_ordered) return khiops_quantiles(sizes, granularity);
    return khiops_pool(sizes, total_, granularity);
}

double GridPricer::khiops_base(std::size_t n_cut, int granularity) const {
    if (n_cut == 0) return log_two;
    const auto cut = static_cast<double>(n_cut);
    const double choice = unbounded_length(cut) - log_factorial(cut);
    if (is_joint()) return log_two + choice + cut * portable_log(n_columns_);
    const double size = bounded_length(granularity, most_granularity());
    return log_two + portable_log(n_columns_ + n_families_) + choice + size +
           cut * portable_log(n_columns_);
}

GridPrior GridPricer::prior(int granularity, std::span<const std::size_t> n_units,
                            std::span<const double> thresholds) const {
    GridPrior prior;
    prior.is_joint = is_joint();
    prior.n_samples = total_;
    prior.constant = aside_price();
    prior.axes.reserve(n_units.size());
    if (method_ == GridMethod::khiops11)
        for (std::size_t n = 0; n <= n_units.size(); ++n)
            prior.cut_axes.push_back(khiops_base(n, granularity));
    for (std::size_t a = 0; a < n_units.size(); ++a) {
        const bool is_ordered = rows_.columns[a].is_ordered;
        const std::size_t most = std::min(n_units[a], is_ordered ? most_intervals : most_groups);
        if (method_ == GridMethod::khiops11 && is_ordered) {
            const double n = is_joint() ? total_ : std::min(std::ldexp(1.0, granularity), total_);
            prior.axes.push_back(khiops_interval_prices(n, most, is_joint()));
        } else if (method_ == GridMethod::khiops11) {
            prior.axes.push_back(khiops_group_prices(n_units[a], most));
        } else if (is_ordered) {
            prior.axes.push_back(interval_prices(present(a), most, is_joint()));
        } else if (is_joint()) {
            prior.axes.push_back(group_prices(n_units[a], most));
        } else {
            prior.axes.push_back(garbage_prices(weights(a), thresholds[a], most));
        }
        for (std::size_t k = 1; k <= prior.axes[a].size(); ++k)
            prior.axes[a][k - 1] += merged_price(a, k);
    }
    return prior;
}

double GridPricer::aside_price() const noexcept {
    double sum = 0.0;
    for (const GridColumn& column : rows_.columns)
        sum += log_two * static_cast<double>(column.n_aside);
    return sum;
}

double GridPricer::merged_price(std::size_t axis, std::size_t n_parts) const noexcept {
    return static_cast<double>(rows_.columns[axis].n_merged()) *
           portable_log(static_cast<double>(n_parts));
}

double GridPricer::modl_axis(std::size_t axis, const ValueParts& parts) const {
    const GridColumn& column = rows_.columns[axis];
    if (column.is_ordered) {
        const double choice = is_joint() ? 0.0 : log_choices(present(axis), parts.n_parts);
        return portable_log(present(axis)) + choice;
    }
    if (is_joint())
        return portable_log(static_cast<double>(column.n_values)) +
               log_set_partitions(column.n_values, parts.n_parts);
    const std::vector<std::int64_t> group_of(parts.part_of.begin(), parts.part_of.end());
    return structure_of_garbage_groups(weights(axis), group_of, parts.n_parts);
}

double GridPricer::khiops_groups(const ValueParts& parts, std::span<const Index> pool_of) const {
    const std::size_t n_values = n_of(pool_of);
    double lowest = khiops_group_prices(n_values, parts.n_parts).back();
    std::vector<std::size_t> sizes(parts.n_parts, 0);
    std::vector<std::uint8_t> is_seen(n_values, 0);
    for (std::size_t v = 0; v < pool_of.size(); ++v) {
        if (is_seen[pool_of[v]]) continue;
        is_seen[pool_of[v]] = 1;
        ++sizes[parts.part_of[v]];
    }
    for (const std::size_t size : sizes)
        lowest = std::min(lowest, khiops_garbage_price(n_values, parts.n_parts, size));
    return lowest;
}

double GridPricer::khiops_axis(std::size_t axis, const ValueParts& parts, int granularity) const {
    if (parts.n_parts < 2) return 0.0;
    const bool is_ordered = rows_.columns[axis].is_ordered;
    if (is_joint()) {
        if (is_ordered) return khiops_interval_prices(total_, parts.n_parts, true).back();
        std::vector<Index> alone(parts.part_of.size());
        for (std::size_t v = 0; v < alone.size(); ++v) alone[v] = static_cast<Index>(v);
        return khiops_groups(parts, alone);
    }
    const std::vector<Index> pool_of = pool(axis, granularity);
    std::vector<Index> part_of_pool(n_of(pool_of), std::numeric_limits<Index>::max());
    for (std::size_t v = 0; v < pool_of.size(); ++v) {
        Index& part = part_of_pool[pool_of[v]];
        if (part != std::numeric_limits<Index>::max() && part != parts.part_of[v]) return infinite;
        part = parts.part_of[v];
    }
    if (!is_ordered) return khiops_groups(parts, pool_of);
    const double n = std::min(std::ldexp(1.0, granularity), total_);
    if (static_cast<double>(parts.n_parts) > n) return infinite;
    return khiops_interval_prices(n, parts.n_parts, false).back();
}

GridPricer::Price GridPricer::price(std::span<const ValueParts> axes) const {
    GridPrior nothing;
    nothing.is_joint = is_joint();
    nothing.n_samples = total_;
    std::vector<AxisUnits> units;
    std::size_t n_cut = 0;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        nothing.axes.emplace_back(axes[a].n_parts, 0.0);
        units.push_back(units_of_parts(rows_.columns[a], axes[a]));
        n_cut += axes[a].n_parts > 1;
    }
    const FineTable table(rows_, std::move(units));
    GridState state;
    state.part_of.resize(axes.size());
    state.n_parts.resize(axes.size());
    for (std::size_t a = 0; a < axes.size(); ++a) {
        std::vector<Index> part_of(axes[a].n_parts);
        for (std::size_t k = 0; k < part_of.size(); ++k) part_of[k] = static_cast<Index>(k);
        set_parts(state, table.axis(a), a, std::move(part_of), axes[a].n_parts);
    }
    const Factorials none(0.0);
    double cost = grid_cost(table, state, {nothing, none, {}, 0.0}) + aside_price();
    for (std::size_t a = 0; a < axes.size(); ++a) cost += merged_price(a, axes[a].n_parts);
    if (is_joint())
        for (std::size_t a = 0; a < axes.size(); ++a)
            for (std::size_t v = 0; v < weights_[a].size(); ++v)
                if (!rows_.columns[a].is_ordered || v >= rows_.columns[a].n_values)
                    cost -= log_factorial(weights_[a][v]);
    if (method_ == GridMethod::modl) {
        for (std::size_t a = 0; a < axes.size(); ++a) cost += modl_axis(a, axes[a]);
        return {cost, 0};
    }
    Price best;
    const int most = is_joint() || n_cut == 0 ? 1 : most_granularity();
    for (int g = 1; g <= most; ++g) {
        double prior = khiops_base(n_cut, g);
        for (std::size_t a = 0; a < axes.size(); ++a) prior += khiops_axis(a, axes[a], g);
        if (is_lower(cost + prior, best.cost)) best = {cost + prior, is_joint() ? 0 : g};
    }
    return best;
}

double GridPricer::cost_alone(std::size_t axis) const {
    const GridColumn& column = rows_.columns[axis];
    const auto n_aside = static_cast<double>(column.n_aside);
    double cost = log_two * n_aside + log_factorial(total_ + n_aside) - log_factorial(n_aside);
    for (std::size_t v = column.n_values; v < weights_[axis].size(); ++v)
        cost -= log_factorial(weights_[axis][v]);
    const ValueParts one{std::vector<Index>(column.n_values, 0), 1};
    if (method_ == GridMethod::modl) cost += modl_axis(axis, one);
    if (column.is_ordered) return cost;
    const auto n_values = static_cast<double>(column.n_values);
    cost += log_factorial(present(axis) + n_values - 1.0) - log_factorial(n_values - 1.0) -
            log_factorial(present(axis));
    for (const double weight : weights(axis)) cost -= log_factorial(weight);
    return cost;
}

double GridPricer::null_cost() const {
    double cost = 0.0;
    if (!is_joint()) {
        std::vector<double> totals(rows_.n_classes, 0.0);
        for (std::size_t i = 0; i < rows_.size(); ++i) totals[rows_.labels[i]] += rows_.weight(i);
        cost = class_length(totals);
    }
    if (method_ == GridMethod::khiops11) cost += log_two;
    for (std::size_t a = 0; a < rows_.columns.size(); ++a) {
        if (is_joint()) {
            cost += cost_alone(a);
        } else if (method_ == GridMethod::modl && rows_.columns[a].is_ordered) {
            cost += portable_log(total_);
        } else if (method_ == GridMethod::modl) {
            cost += structure_of_garbage_groups(
                weights(a), std::vector<std::int64_t>(rows_.columns[a].n_values, 0), 1);
        }
    }
    return cost;
}

}  // namespace partage
