#pragma once

#include "partage/criteria/criterion.hpp"

namespace partage {

/// Joins neighbouring blocks until at most `target` are left. A sweep first brings a long column to
/// some thousand blocks, in which dense rows begin to exist; then rounds join the pairs whose loss
/// is lowest among their neighbours', the cheapest first. O(B) for any number of classes.
CountedBlocks coarsen(const Line& line, const Blocks& blocks, const PartitionCriterion& criterion,
                      std::size_t target, const Stop& stop);

}  // namespace partage
