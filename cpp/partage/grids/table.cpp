#include "partage/grids/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace partage {

double GridRows::total() const noexcept {
    if (weights.empty()) return static_cast<double>(size());
    double sum = 0.0;
    for (const double weight : weights) sum += weight;
    return sum;
}

std::vector<double> GridRows::value_weights(std::size_t axis) const {
    const GridColumn& column = columns[axis];
    std::vector<double> sums(column.n_values + column.n_aside, 0.0);
    for (std::size_t i = 0; i < column.codes.size(); ++i) sums[column.codes[i]] += weight(i);
    return sums;
}

namespace {

/// Numbers the sets aside behind the units; those that join a value have its unit.
void add_aside(const GridColumn& column, std::size_t n_units, AxisUnits& units) {
    units.n_aside = 0;
    for (std::size_t i = 0; i < column.n_aside; ++i) {
        const Index anchor = column.anchor(i);
        units.unit_of[column.n_values + i] = anchor == GridColumn::apart
                                                 ? static_cast<Index>(n_units + units.n_aside++)
                                                 : units.unit_of[anchor];
    }
}

}  // namespace

AxisUnits ordered_units(const GridColumn& column, std::span<const Index> starts,
                        std::span<const Index> fixed) {
    AxisUnits units;
    units.is_ordered = true;
    units.unit_of.resize(column.n_values + column.n_aside);
    units.n_values.assign(starts.size(), 0.0);
    units.starts.assign(starts.size(), 0);
    for (std::size_t u = 0; u < starts.size(); ++u) {
        const std::size_t end = u + 1 < starts.size() ? starts[u + 1] : column.n_values;
        units.n_values[u] = static_cast<double>(end - starts[u]);
        for (std::size_t v = starts[u]; v < end; ++v) units.unit_of[v] = static_cast<Index>(u);
        units.starts[u] = std::ranges::binary_search(fixed, starts[u]);
    }
    add_aside(column, starts.size(), units);
    return units;
}

AxisUnits unordered_units(const GridColumn& column, std::span<const Index> pool_of) {
    AxisUnits units;
    units.is_ordered = false;
    units.unit_of.resize(column.n_values + column.n_aside);
    std::size_t n = 0;
    for (std::size_t v = 0; v < column.n_values; ++v) {
        const std::size_t unit = pool_of.empty() ? v : pool_of[v];
        units.unit_of[v] = static_cast<Index>(unit);
        n = std::max(n, unit + 1);
    }
    units.n_values.assign(n, 0.0);
    units.starts.assign(n, 0);
    for (std::size_t v = 0; v < column.n_values; ++v) units.n_values[units.unit_of[v]] += 1.0;
    add_aside(column, n, units);
    return units;
}

std::vector<Index> quantile_starts(std::span<const double> value_weights, std::size_t n,
                                   std::span<const Index> also) {
    std::vector<Index> starts(also.begin(), also.end());
    starts.push_back(0);
    double total = 0.0;
    for (const double weight : value_weights) total += weight;
    double sum = 0.0;
    std::size_t v = 0;
    for (std::size_t q = 1; q < n; ++q) {
        const double target = total * (static_cast<double>(q) / static_cast<double>(n));
        while (v < value_weights.size() && sum + value_weights[v] <= target)
            sum += value_weights[v++];
        // The nearer end of the value that holds the quantile.
        const bool is_after =
            v < value_weights.size() && target - sum > sum + value_weights[v] - target;
        const std::size_t start = v + is_after;
        if (start < value_weights.size()) starts.push_back(static_cast<Index>(start));
    }
    std::ranges::sort(starts);
    starts.erase(std::ranges::unique(starts).begin(), starts.end());
    return starts;
}

FineTable::FineTable(const GridRows& rows, std::vector<AxisUnits> axes)
    : axes_(std::move(axes)),
      n_classes_(rows.n_classes),
      has_target_(rows.has_target()),
      total_(rows.total()),
      units_(axes_.size()) {
    std::vector<std::size_t> strides(axes_.size() + 1);
    strides.back() = 1;
    std::size_t n = n_classes_;
    for (std::size_t a = axes_.size(); a-- > 0;) {
        strides[a] = n;
        if (n > std::numeric_limits<std::size_t>::max() / 4 /
                    std::max<std::size_t>(1, axes_[a].n_all()))
            throw std::length_error("the axes have too many combinations of values");
        n *= axes_[a].n_all();
    }
    constexpr std::size_t small = std::size_t{1} << 16;
    if (n <= std::max(small, 4 * rows.size()))
        count_dense(rows, strides, n);
    else
        count_sorted(rows, strides);
    index();
}

void FineTable::count_dense(const GridRows& rows, std::span<const std::size_t> strides,
                            std::size_t n) {
    std::vector<double> cells(n, 0.0);
    std::vector<std::size_t> keys(std::min<std::size_t>(rows.size(), 4096));
    for (std::size_t first = 0; first < rows.size(); first += keys.size()) {
        const std::size_t size = std::min(keys.size(), rows.size() - first);
        for (std::size_t i = 0; i < size; ++i)
            keys[i] = has_target_ ? rows.labels[first + i] : std::size_t{0};
        for (std::size_t a = 0; a < axes_.size(); ++a) {
            const Index* codes = rows.columns[a].codes.data() + first;
            const Index* unit_of = axes_[a].unit_of.data();
            for (std::size_t i = 0; i < size; ++i) keys[i] += unit_of[codes[i]] * strides[a];
        }
        for (std::size_t i = 0; i < size; ++i) cells[keys[i]] += rows.weight(first + i);
    }
    for (std::size_t key = 0; key < n; ++key)
        if (cells[key] > 0.0) push(key, cells[key]);
}

void FineTable::count_sorted(const GridRows& rows, std::span<const std::size_t> strides) {
    std::vector<std::pair<std::size_t, double>> keyed(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::size_t key = has_target_ ? rows.labels[i] : 0;
        for (std::size_t a = 0; a < axes_.size(); ++a)
            key += axes_[a].unit_of[rows.columns[a].codes[i]] * strides[a];
        keyed[i] = {key, rows.weight(i)};
    }
    std::ranges::sort(keyed);
    for (std::size_t i = 0; i < keyed.size();) {
        double sum = 0.0;
        const std::size_t key = keyed[i].first;
        for (; i < keyed.size() && keyed[i].first == key; ++i) sum += keyed[i].second;
        push(key, sum);
    }
}

void FineTable::push(std::size_t key, double weight) {
    labels_.push_back(static_cast<Index>(key % n_classes_));
    key /= n_classes_;
    for (std::size_t a = axes_.size(); a-- > 0;) {
        const std::size_t n = axes_[a].n_all();
        units_[a].push_back(static_cast<Index>(key % n));
        key /= n;
    }
    weights_.push_back(weight);
}

void FineTable::index() {
    first_.resize(axes_.size());
    places_.resize(axes_.size());
    for (std::size_t a = 0; a < axes_.size(); ++a) {
        std::vector<Index>& first = first_[a];
        first.assign(axes_[a].n_all() + 1, 0);
        for (const Index unit : units_[a]) ++first[unit + 1];
        for (std::size_t u = 1; u < first.size(); ++u) first[u] += first[u - 1];
        places_[a].resize(size());
        std::vector<Index> next(first.begin(), first.end() - 1);
        for (std::size_t e = 0; e < size(); ++e)
            places_[a][next[units_[a][e]]++] = static_cast<Index>(e);
    }
}

}  // namespace partage
