#pragma once

#include "partage/search/task.hpp"

namespace partage {

/// Whether tiles hide borders, and the cost is a sum that the number of parts is free in.
bool can_focus(const Task& task, const Blocks& blocks, const CountedBlocks& tiles);

/// A second exact program, over more borders where they matter. Given the best partition whose cuts
/// are borders of `tiles`, tiles are opened where a cut costs little more than the best partition,
/// found by a forward and a backward program over the tiles. Of an open tile the program gets the
/// borders at which a single cut may be best. Only for what `can_focus`.
Blocks focus(const Task& task, const Blocks& blocks, const CountedBlocks& tiles, Blocks starts);

}  // namespace partage
