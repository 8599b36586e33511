#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "partage/grids/search.hpp"

namespace partage {

/// Whose prior a grid is judged by.
enum class GridMethod {
    modl,      ///< the published criteria
    khiops11,  ///< Khiops 11: parts of quantiles at some granularity, and a price for each column
};

/// What a grid costs under a method, in nats, by its parts alone: the one home of these costs.
class GridPricer {
public:
    /// `n_columns` are those among which Khiops 11 chooses; `n_families` its constructed kinds.
    GridPricer(const GridRows& rows, GridMethod method, double n_columns, double n_families);

    const GridRows& rows() const noexcept { return rows_; }
    GridMethod method() const noexcept { return method_; }
    bool is_joint() const noexcept { return !rows_.has_target(); }
    double total() const noexcept { return total_; }
    /// Weights of the values of an axis that may join.
    std::span<const double> weights(std::size_t axis) const noexcept {
        return std::span(weights_[axis]).first(rows_.columns[axis].n_values);
    }

    struct Price {
        double cost = infinite;
        int granularity = 0;  ///< of Khiops 11 with a target; else 0
    };
    Price price(std::span<const ValueParts> axes) const;
    /// Cost of one cell of all rows, also of those set aside; without a target that of each axis in
    /// one part beside its rows set aside, whatever the others hold.
    double null_cost() const;
    /// What one axis adds to that cost without a target.
    double cost_alone(std::size_t axis) const;

    // What a search of Khiops 11's grids needs.
    int most_granularity() const noexcept;      ///< ceil(log2 N)
    int explored_granularity() const noexcept;  ///< the finest that Khiops looks at
    /// Values of an axis put together at a granularity: the unit of each.
    std::vector<Index> pool(std::size_t axis, int granularity) const;
    /// The prior of search at a granularity, 0 for MODL; `n_units` are the values of each axis
    /// after pooling, `thresholds` those of MODL's garbage groups.
    GridPrior prior(int granularity, std::span<const std::size_t> n_units,
                    std::span<const double> thresholds) const;

private:
    double khiops_base(std::size_t n_cut, int granularity) const;
    double khiops_axis(std::size_t axis, const ValueParts& parts, int granularity) const;
    double khiops_groups(const ValueParts& parts, std::span<const Index> pool_of) const;
    double modl_axis(std::size_t axis, const ValueParts& parts) const;
    double aside_price() const noexcept;
    /// What it takes to tell the parts that sets aside of an axis joined: log K each.
    double merged_price(std::size_t axis, std::size_t n_parts) const noexcept;
    double present(std::size_t axis) const noexcept { return present_[axis]; }

    const GridRows& rows_;
    GridMethod method_;
    double n_columns_;
    double n_families_;
    double total_;
    std::vector<std::vector<double>> weights_;
    std::vector<double> present_;
};

/// Units of the ordered values at 2^g quantiles by Khiops' rule: of each quantile's end the nearest
/// end of a value.
std::vector<Index> khiops_quantiles(std::span<const double> weights, int granularity);

/// Units of values without an order at a granularity: those that are frequent, and all others as
/// the last one. `total` is the weight of all rows.
std::vector<Index> khiops_pool(std::span<const double> weights, double total, int granularity);

}  // namespace partage
