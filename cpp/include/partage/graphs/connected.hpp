#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/cover.hpp"
#include "partage/graphs/graph.hpp"

namespace partage {

/// Length in nats of a grouping of the nodes of a graph into connected groups. The first node
/// without a group starts one, which grows along its border: of each node next to it one answer
/// says whether it belongs too. M answers of which m are yes take log(M+1) + log C(M, m): these are
/// the lengths of a sequential code, so Σ e^-length over all groupings is at most 1.
/// Throws NotPossible if a group is not connected.
double connected_grouping_length(const Graph& graph, std::span<const std::uint32_t> group_of);

/// The same for the balls of decomposed groups: balls in the order they are described, then single
/// objects; two are neighbours if objects of them are.
double connected_grouping_length(const Cover& cover, std::span<const Decomposition* const> groups,
                                 std::span<const std::uint32_t> group_of);

}  // namespace partage
