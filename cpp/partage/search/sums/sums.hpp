#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/search/limits.hpp"

namespace partage {

/// Sums over all partitions of consecutive blocks, each weighed by exp(-cost).
struct SumTask {
    const PartitionCriterion& criterion;  ///< whose costs are sums: structure(K) + Σ part
    const Cumulative& sums;
    const Limits& limits;  ///< partitions outside them weigh nothing
    /// Logarithm of the weight of 1, 2, ... parts, the most there may be; empty: minus `structure`.
    std::span<const double> log_prior{};
    /// Logarithm of the number of places that each inner border stands for; empty: one each.
    std::span<const double> log_places{};
    std::size_t least_followed = 1;  ///< numbers of parts that are summed in any case
    const Stop& stop;
};

/// Probabilities of parts [first, last), in the order of their first block, then of their last.
struct PartProbabilities {
    std::vector<Index> first;
    std::vector<Index> last;
    std::vector<double> probability;

    std::size_t size() const noexcept { return first.size(); }
    void add(std::size_t from, std::size_t to, double p) {
        first.push_back(static_cast<Index>(from));
        last.push_back(static_cast<Index>(to));
        probability.push_back(p);
    }
    /// Puts parts in the order of their last block into that of their first.
    void sort(std::size_t n_blocks);
};

/// What the sums say.
struct Summed {
    double log_total = 0.0;       ///< log Σ exp(-cost) over all partitions
    std::vector<double> n_parts;  ///< probability of 1, 2, ... parts; what follows is negligible
    PartProbabilities parts;      ///< together negligible ones are left out
};

/// The sums, in logarithms. Numbers of parts are followed until the rest is below 1e-9 of the
/// total; O(K B²) for K of them. Throws NotPossible if no partition satisfies the limits, and
/// std::invalid_argument if costs are no sums.
Summed sum_partitions(const SumTask& task);

}  // namespace partage
