#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "partage/support/arrays.hpp"

namespace partage {

/// One column of the rows that a grid divides: the value of each row, by number. On an ordered axis
/// the numbers follow the order. Values from `n_values` on are set aside (missing, special): each
/// is a part of its own, or it joins the part of a value.
struct GridColumn {
    static constexpr Index apart = std::numeric_limits<Index>::max();

    std::span<const Index> codes;
    std::size_t n_values = 0;
    std::size_t n_aside = 0;
    bool is_ordered = true;
    std::span<const Index> anchors = {};  ///< value that each set aside joins; empty: all apart

    Index anchor(std::size_t i) const noexcept { return anchors.empty() ? apart : anchors[i]; }
    std::size_t n_merged() const noexcept {
        std::size_t n = 0;
        for (const Index value : anchors) n += value != apart;
        return n;
    }
};

/// The rows of a grid: two columns or more, and the class of each row if there is a target.
struct GridRows {
    std::vector<GridColumn> columns;
    std::span<const Code> labels;     ///< empty: no target
    std::span<const double> weights;  ///< empty: one each
    std::size_t n_classes = 1;

    std::size_t size() const noexcept { return columns.front().codes.size(); }
    double weight(std::size_t i) const noexcept { return weights.empty() ? 1.0 : weights[i]; }
    bool has_target() const noexcept { return !labels.empty(); }
    double total() const noexcept;
    /// Weight of each value of a column, those set aside included.
    std::vector<double> value_weights(std::size_t axis) const;
};

/// What may join on one axis: values put together into units.
struct AxisUnits {
    std::vector<Index> unit_of;        ///< of each value; those set aside have the last units
    std::vector<double> n_values;      ///< of each unit that may join
    std::vector<std::uint8_t> starts;  ///< of each unit: whether a part must start there
    std::size_t n_aside = 0;
    bool is_ordered = true;

    std::size_t size() const noexcept { return n_values.size(); }
    std::size_t n_all() const noexcept { return size() + n_aside; }
};

/// Units of an ordered axis that start at these values, 0 the first; `fixed` are those at which a
/// part must start, among them.
AxisUnits ordered_units(const GridColumn& column, std::span<const Index> starts,
                        std::span<const Index> fixed);

/// Units of an unordered axis, one for each value, or fewer where `pool_of` says which values stay
/// together.
AxisUnits unordered_units(const GridColumn& column, std::span<const Index> pool_of = {});

/// First values of the units between n quantiles of the weight of an ordered column, `also` among
/// them. The quantiles of n lie among those of 2n.
std::vector<Index> quantile_starts(std::span<const double> value_weights, std::size_t n,
                                   std::span<const Index> also = {});

/// How often each combination of units and class occurs: after it was counted nothing depends on
/// the number of rows. Only combinations that occur are kept, in the order of their units.
class FineTable {
public:
    FineTable(const GridRows& rows, std::vector<AxisUnits> axes);

    std::size_t n_axes() const noexcept { return axes_.size(); }
    const AxisUnits& axis(std::size_t a) const noexcept { return axes_[a]; }
    std::size_t n_classes() const noexcept { return n_classes_; }
    bool has_target() const noexcept { return has_target_; }
    double total() const noexcept { return total_; }
    std::size_t size() const noexcept { return weights_.size(); }
    Index unit(std::size_t a, std::size_t entry) const noexcept { return units_[a][entry]; }
    Index label(std::size_t entry) const noexcept { return labels_[entry]; }
    double weight(std::size_t entry) const noexcept { return weights_[entry]; }
    /// Entries of one unit of an axis.
    std::span<const Index> entries(std::size_t a, std::size_t unit) const noexcept {
        const std::vector<Index>& first = first_[a];
        return {places_[a].data() + first[unit], first[unit + 1] - first[unit]};
    }

private:
    void count_dense(const GridRows& rows, std::span<const std::size_t> strides, std::size_t n);
    void count_sorted(const GridRows& rows, std::span<const std::size_t> strides);
    void push(std::size_t key, double weight);
    void index();

    std::vector<AxisUnits> axes_;
    std::size_t n_classes_;
    bool has_target_;
    double total_;
    std::vector<std::vector<Index>> units_;
    std::vector<Index> labels_;
    std::vector<double> weights_;
    std::vector<std::vector<Index>> first_;
    std::vector<std::vector<Index>> places_;
};

}  // namespace partage
