#pragma once

#include <vector>

#include "partage/search.hpp"

namespace partage {

/// Improves a partition of `blocks` at full resolution until nothing improves: each cut goes to its
/// best border between its neighbours, parts are split and neighbours are joined.
/// `tiles` are the unit starts of a coarser view that contains the cuts of `starts`; it tells where
/// no cut can be better without looking inside (concave criteria), and changes nothing else.
/// With a fixed number of parts, cuts only move.
Blocks refine(const Task& task, const Blocks& blocks, const Blocks& tiles, Blocks starts);

}  // namespace partage
