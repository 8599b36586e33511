#pragma once

#include <cstddef>

#include "partage/search/task.hpp"

namespace partage {

/// A partition, and a cost that no partition of the line is below.
struct Proof {
    Blocks starts;  ///< first unit of each part, then the number of units
    double cost = infinite;
    double floor = -infinite;
    bool is_optimal = false;
};

/// Whether `prove` serves the criterion and the limits: two classes, a concave cost, parts of any
/// size.
bool can_prove(const Task& task);

/// The optimum over all borders of the blocks, from programs over few of them (see `CutTree`):
/// nodes of the tree are tiles, whose vertices are the borders of a program in which a tile may
/// also be cut twice or more, at the least cost of its pieces. Where that is cheaper than every
/// partition known, the tile is divided. `most_work` bounds the borders of all programs together;
/// beyond it the best partition found and the floor that was reached are given.
Proof prove(const Task& task, const Blocks& blocks, double most_work);

/// As many borders as take some seconds.
inline constexpr double much_work = 3e6;

}  // namespace partage
