#pragma once

#include <cstddef>

#include "partage/search/task.hpp"

namespace partage {

/// How fine the blocks of a bound are: finer ones bound more tightly and take longer.
struct BoundSizes {
    std::size_t in_leaf = 8;   ///< blocks of a leaf
    std::size_t in_tile = 32;  ///< leaves of a tile
};

/// A cost that no partition of the line within the limits is below; minus infinity where the
/// criterion claims neither `least_growth` nor `least_part`. Of the limits it knows the numbers of
/// parts, the cuts that are fixed and those that may be made; the others only raise the optimum.
///
/// Blocks are joined to tiles. A part costs at least what the whole tiles inside it cost, plus the
/// least growth of the pieces of tiles at its ends; and the pieces of a tile that is cut cost at
/// least its cheapest pieces, which the same argument bounds from the leaves inside it. So a
/// program over tiles in which a cut may be at a border, or anywhere in a tile at that cost, has an
/// optimum below that of every partition. O(N J), and a program over the tiles for each price. A
/// bound that reaches the cost of a partition that is known need not be higher. Where the optimum
/// can be proven, it is the bound.
double lower_bound(const Task& task, double known, BoundSizes sizes = {});

/// The same from the rows of units that may join in any way: their least growths, and the price of
/// the number of parts, of which there are from `least` to `most`.
double lower_bound_of_rows(const PartitionCriterion& criterion, const Rows& rows, std::size_t least,
                           std::size_t most);

}  // namespace partage
