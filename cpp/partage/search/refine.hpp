#pragma once

#include "partage/search/task.hpp"

namespace partage {

/// Improves a partition of `blocks` at full resolution until nothing improves: each cut goes to its
/// best border between its neighbours, parts are split and neighbours are joined.
/// `tiles` is a coarser view, its starts among the blocks': it shows where no cut can be better
/// without looking inside (concave criteria), and changes nothing else.
/// With a fixed number of parts, cuts only move.
Blocks refine(const Task& task, const Blocks& blocks, const CountedBlocks& tiles, Blocks starts);

}  // namespace partage
