#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/ball_cover.hpp"
#include "partage/graphs/graph.hpp"

namespace partage {

/// Length in nats of a grouping of the nodes of a graph, short where groups are connected. Nodes
/// are encoded in the order of a breadth-first walk, neighbours by number. A node with encoded
/// neighbours in `a` groups joins one of them, log a, or goes elsewhere: to one of the other groups
/// so far or a new one, all equally likely. Which of the n nodes go elsewhere, E of them, takes
/// log(n+1) + log C(n, E). These are the lengths of a sequential code, so Σ e^-length over all
/// groupings is 1. O(nodes + edges).
double adjacency_grouping_length(const Graph& graph, std::span<const std::uint32_t> group_of);

/// The same for the balls of a description in its order, then the objects left over; two are
/// neighbours if objects of them are. `group_of` is that of each object.
double adjacency_grouping_length(const Objects& objects, std::span<const Entry> description,
                                 std::span<const std::uint32_t> group_of);

}  // namespace partage
