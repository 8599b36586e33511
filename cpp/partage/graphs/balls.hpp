#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "partage/graphs/graph.hpp"
#include "partage/support/parallel.hpp"

namespace partage {

/// Objects on a graph. Objects that lie at one point are adjacent and share their neighbours, so
/// the graph is kept between points only: those of point p are starts[p] .. starts[p+1].
struct Objects {
    const Graph& graph;
    std::span<const std::uint32_t> starts;
    std::span<const std::uint32_t> classes;  ///< of each object
    std::size_t n_classes;

    std::size_t size() const noexcept { return classes.size(); }
    std::size_t n_points() const noexcept { return graph.n_points(); }
    std::size_t n_at(Point p) const noexcept { return starts[p + 1] - starts[p]; }
};

/// Which balls are examined, regardless of the classes. Balls of one object always are.
struct BallLimits {
    std::size_t max_size = std::numeric_limits<std::size_t>::max();  ///< in objects
    std::vector<std::uint8_t> is_free;  ///< centres without that limit; empty: none

    bool allows(Point centre, std::size_t size) const noexcept {
        return size <= max_size || (!is_free.empty() && is_free[centre] != 0);
    }
};

/// Distinct balls of two objects or more, by centre and then radius; each vertex set is kept once,
/// with its smallest centre and smallest radius. Memberships are never kept.
struct Balls {
    std::size_t n_classes = 0;
    std::vector<std::uint64_t> starts;  ///< first ball of each centre, then their number
    std::vector<std::uint32_t> radii;
    std::vector<std::uint32_t> sizes;   ///< in objects
    std::vector<std::uint32_t> counts;  ///< n_classes for each ball
    std::vector<std::uint64_t> hashes;  ///< sums of the keys of the objects

    std::size_t size() const noexcept { return radii.size(); }
    std::span<const std::uint32_t> row(std::size_t ball) const noexcept {
        return {counts.data() + ball * n_classes, n_classes};
    }
    Point centre(std::size_t ball) const noexcept;
    /// Behind the last ball of a centre whose radius is below some number. Radii are whole and
    /// increase, so few steps lead there.
    std::uint64_t end_below(Point centre, std::uint32_t radius) const noexcept {
        const std::uint64_t first = starts[centre];
        if (radius <= 1) return first;
        std::uint64_t end = std::min<std::uint64_t>(starts[centre + 1], first + radius - 1);
        while (end > first && radii[end - 1] >= radius) --end;
        return end;
    }
};

/// Key of an object; the sum of the keys of a set stands for the set.
inline std::uint64_t object_key(std::uint64_t object) noexcept {
    std::uint64_t z = (object + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// What the balls of a subset S are made of.
enum class BallKind {
    global,  ///< balls of the whole graph
    local,   ///< balls of the graph that S induces
    trace    ///< balls of the whole graph, cut down to S
};

/// The balls of the objects of S by breadth-first walks from 128 centres at a time; `global` asks
/// for S = all objects. O(n E / 128 + n²) at worst.
Balls find_balls(const Objects& objects, std::span<const std::uint32_t> members, BallKind kind,
                 const BallLimits& limits, const Workers& workers);

/// The balls of all objects.
Balls find_all_balls(const Objects& objects, const BallLimits& limits, const Workers& workers);

/// Mean number of balls of a few centres, to estimate the memory that all of them need.
double sampled_balls_per_centre(const Objects& objects, const BallLimits& limits,
                                std::size_t n_sampled, const Workers& workers);

/// Points within `radius` steps of a centre, walking through `is_open` points only (empty: all).
void walk_ball(const Graph& graph, Point centre, std::size_t radius,
               const std::vector<std::uint8_t>& is_open, std::vector<std::uint8_t>& seen,
               std::vector<Point>& out);

}  // namespace partage
