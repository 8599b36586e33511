#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace partage {

using Point = std::uint32_t;

/// A number that stands for no point, no group or no piece.
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// An undirected graph without loops: the neighbours of each point, increasing.
struct Graph {
    std::vector<std::uint64_t> starts{0};
    std::vector<Point> neighbours;

    std::size_t n_points() const noexcept { return starts.size() - 1; }
    std::span<const Point> operator[](std::size_t p) const noexcept {
        return {neighbours.data() + starts[p], neighbours.data() + starts[p + 1]};
    }
};

using Edge = std::pair<Point, Point>;

/// The graph of edges that are each given once, in any order. O(n + E log degree).
Graph graph_from_edges(std::size_t n_points, const std::vector<std::vector<Edge>>& edges);

}  // namespace partage
