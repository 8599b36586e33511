#pragma once

#include "partage/search.hpp"

namespace partage {

/// Joins neighbouring blocks until at most `target` are left, the cheapest joins first: in each
/// round the borders whose loss is lowest among their neighbours' go. O(B) for any number of rounds.
/// Dense rows exist for a chunk of blocks at a time, so memory does not grow with the column.
Blocks coarsen(const Line& line, Blocks blocks, const PartitionCriterion& criterion,
               std::size_t target, const Stop& stop);

}  // namespace partage
