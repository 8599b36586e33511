#pragma once

#include <cstddef>
#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/search/limits.hpp"

namespace partage {

/// The best partition of consecutive blocks: exact dynamic programs over their borders.
struct Program {
    std::vector<std::size_t> starts;  ///< first block of each part, then the number of blocks
    double cost = 0.0;
    /// The parts of any partition into K parts cost at least floor - price K (free optimum only).
    double floor = -infinite;
    double price = 0.0;
    double least = -infinite;  ///< no partition costs less (free optimum only)
};

/// The partition of lowest total cost among all whose cuts are block borders, within the limits.
/// O(B²) part costs for linear and concave growth, O(B² K) steps where the number of parts binds.
/// Throws NotPossible if no partition satisfies the limits.
Program best_partition(const PartitionCriterion& criterion, const Cumulative& sums,
                       const Limits& limits, const Stop& stop);

}  // namespace partage
