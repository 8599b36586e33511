#include "partage/grids/prior.hpp"

#include <algorithm>
#include <cmath>

#include "partage/groups/grouping.hpp"
#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"
#include "partage/support/whole_numbers.hpp"

namespace partage {
namespace {

constexpr double log_of_2 = 0.69314718055994530942;

}  // namespace

double GridPrior::structure(std::span<const std::size_t> n_parts,
                            std::span<const std::size_t> n_aside) const noexcept {
    double sum = constant;
    double n_cells = 1.0;
    std::size_t n_cut = 0;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        sum += axes[a][n_parts[a] - 1];
        n_cells *= static_cast<double>(n_parts[a] + n_aside[a]);
        n_cut += n_parts[a] > 1;
    }
    if (!cut_axes.empty()) sum += cut_axes[n_cut];
    if (is_joint) sum += log_factorial(n_samples + n_cells - 1.0) - log_factorial(n_cells - 1.0);
    return sum;
}

std::vector<double> interval_prices(double n_samples, std::size_t most, bool is_joint) {
    std::vector<double> prices(most, portable_log(n_samples));
    if (is_joint) return prices;
    for (std::size_t k = 1; k <= most; ++k) prices[k - 1] += log_choices(n_samples, k);
    return prices;
}

std::vector<double> garbage_prices(std::span<const double> frequencies, double threshold,
                                   std::size_t most) {
    const auto n_pooled = static_cast<std::size_t>(std::ranges::count_if(
        frequencies, [threshold](double frequency) { return frequency < threshold; }));
    const std::size_t n_values = frequencies.size() - n_pooled + (n_pooled > 0);
    std::vector<double> prices(std::min(most, n_values));
    for (std::size_t k = 1; k <= prices.size(); ++k)
        prices[k - 1] = garbage_structure(threshold, n_values, k);
    const std::vector<std::int64_t> one_group(frequencies.size(), 0);
    prices[0] = structure_of_garbage_groups(frequencies, one_group, 1);
    return prices;
}

std::vector<double> group_prices(std::size_t n_values, std::size_t most) {
    std::vector<double> prices(std::min(most, n_values));
    for (std::size_t k = 1; k <= prices.size(); ++k)
        prices[k - 1] =
            portable_log(static_cast<double>(n_values)) + log_set_partitions(n_values, k);
    return prices;
}

std::vector<double> khiops_interval_prices(double n_quantiles, std::size_t most, bool is_joint) {
    std::vector<double> prices(most, 0.0);
    const double n_cuts = n_quantiles - 1.0;
    if (most < 2 || n_cuts < 1.0) return prices;
    const double base = log_sum_of_codes(n_cuts);
    const double log_cuts = portable_log(n_cuts);
    for (std::size_t k = 2; k <= most; ++k) {
        const auto cuts = static_cast<double>(k - 1);
        prices[k - 1] = base + iterated_logs(cuts);
        if (!is_joint) prices[k - 1] += cuts * log_cuts - log_factorial(cuts);
    }
    return prices;
}

std::vector<double> khiops_group_prices(std::size_t n_values, std::size_t most) {
    std::vector<double> prices(std::min(most, n_values), 0.0);
    if (prices.size() < 2) return prices;
    const double gate = n_values > 7 ? log_of_2 : 0.0;
    const double base = log_sum_of_codes(static_cast<double>(n_values) - 1.0);
    for (std::size_t k = 2; k <= prices.size(); ++k)
        prices[k - 1] = gate + base + iterated_logs(static_cast<double>(k - 1)) +
                        log_set_partitions(n_values, k);
    return prices;
}

double khiops_garbage_price(std::size_t n_values, std::size_t n_groups, std::size_t n_garbage) {
    const std::size_t n_kept = n_values - n_garbage;
    const std::size_t n_informative = n_groups - 1;
    if (n_informative < 2 || n_kept < n_informative || n_garbage == 0 || n_values < 3)
        return infinite;
    const auto kept = static_cast<double>(n_kept);
    const auto all = static_cast<double>(n_values);
    return (n_values > 7 ? log_of_2 : 0.0) + bounded_length(kept - 1.0, all - 2.0) +
           kept * portable_log(all) - log_factorial(kept) +
           bounded_length(static_cast<double>(n_informative - 1), kept - 1.0) +
           log_set_partitions(n_kept, n_informative);
}

}  // namespace partage
