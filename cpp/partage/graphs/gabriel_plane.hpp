#pragma once

#include "partage/graphs/graph.hpp"
#include "partage/graphs/kd_tree.hpp"
#include "partage/support/parallel.hpp"

namespace partage {

/// The Gabriel graph of points of a plane, leaf by leaf: the points of a leaf share a window of
/// points around them that holds most of what they need. About O(n log n).
Graph gabriel_plane(const KdTree& tree, double slack, const Workers& workers);

}  // namespace partage
