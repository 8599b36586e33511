#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace partage {

/// What the shape of a grid costs, in nats: each axis by its number of parts, how many axes are cut
/// and, without a target, how the rows share the cells.
struct GridPrior {
    std::vector<std::vector<double>> axes;  ///< [axis][K - 1]: of K parts
    std::vector<double> cut_axes;           ///< by how many axes have two parts or more; or empty
    double constant = 0.0;                  ///< of axes with rows aside
    bool is_joint = false;                  ///< no target: the cells tell the rows themselves
    double n_samples = 0.0;

    /// Cost of so many parts on each axis, beside those set aside.
    double structure(std::span<const std::size_t> n_parts,
                     std::span<const std::size_t> n_aside) const noexcept;
    std::size_t most(std::size_t axis) const noexcept { return axes[axis].size(); }
};

/// MODL's price of K = 1, 2, ..., `most` intervals of an axis whose rows weigh `n_samples`:
/// log N + log C(N+K-1, K-1); without a target log N, since the cells give the places of the cuts.
std::vector<double> interval_prices(double n_samples, std::size_t most, bool is_joint);

/// MODL's price of K groups of the values of an axis with a target, those less frequent than
/// `threshold` being one value; one group has the cheapest price at any threshold.
std::vector<double> garbage_prices(std::span<const double> frequencies, double threshold,
                                   std::size_t most);

/// MODL's price of K groups of V values without a garbage group: log V + log B(V, K).
std::vector<double> group_prices(std::size_t n_values, std::size_t most);

/// Khiops 11's price of K intervals, K = 1 free: log of the number of parts and of the choice of
/// cuts among `n_quantiles` - 1; without a target the number of parts only.
std::vector<double> khiops_interval_prices(double n_quantiles, std::size_t most, bool is_joint);

/// Khiops 11's price of K groups of V values without a garbage group; K = 1 is free.
std::vector<double> khiops_group_prices(std::size_t n_values, std::size_t most);

/// Khiops 11's price of groups of V values of which one, of `n_garbage` values, is the garbage
/// group; infinite where that form does not exist. `n_groups` counts it.
double khiops_garbage_price(std::size_t n_values, std::size_t n_groups, std::size_t n_garbage);

}  // namespace partage
