#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "partage/search/sums/sums.hpp"

namespace partage {

/// Terms of a sum that are smaller than e^-40 of its largest are left out.
constexpr double deepest = -40.0;

/// log Σ exp(value[i]) over n values.
double log_sum(const double* values, std::size_t n) noexcept;

/// log Σ exp(value[i] - cost[i]) over n values.
double log_sum(const double* values, const double* costs, std::size_t n) noexcept;

/// log(e^a + e^b).
double log_add(double a, double b) noexcept;

/// The weights of the numbers of parts: what the task gives, minus infinity where limits forbid.
class SizePrior {
public:
    explicit SizePrior(const SumTask& task);
    /// Most parts that have a weight.
    std::size_t most() const noexcept { return most_; }
    double log_of(std::size_t n_parts) const noexcept;
    /// The same of 1, 2, ... parts.
    std::vector<double> logs(std::size_t n) const;
    /// What one part more costs where the partition that is looked at has its parts.
    double price() const noexcept;
    /// Of `sums`, log Σ exp(-Σ part) for 1, 2, ... parts: how many are enough; 0 if they are not.
    std::size_t enough(const std::vector<double>& sums) const noexcept;
    /// Probabilities of 1, 2, ... parts and the total of `sums`.
    Summed weighed(const std::vector<double>& sums) const;

private:
    const SumTask& task_;
    std::size_t most_;
};

/// Parts less probable than this, together, are left out.
double negligible_part(std::size_t n_blocks) noexcept;

/// The sums without a trend in plain numbers; none where these would lose what matters. O(K B²).
std::optional<Summed> sum_at_a_price(const SumTask& task, const SizePrior& prior);

/// The sums without a trend in logarithms, whatever their size. O(K B²), an exponential for each.
Summed sum_in_logarithms(const SumTask& task, const SizePrior& prior);

/// The sums over the partitions whose rates follow the trend of the limits. O(K B² log B).
Summed sum_with_trend(const SumTask& task, const SizePrior& prior);

}  // namespace partage
