#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "partage/graphs/balls.hpp"

namespace partage {

/// What the null hypothesis, no split, is given before the data are seen.
enum class NullPrior {
    paper,  ///< 1/N(S), as any size of ball
    half    ///< one half
};

/// log C(n+J-1, J-1) + log( n! / Π n_j! ) of class counts, in nats.
double label_length(std::span<const std::uint32_t> counts) noexcept;

/// The terms of l(S,S) and l(S,B) that do not depend on the classes, in nats.
double null_structure(std::size_t n_members, NullPrior prior) noexcept;
double split_structure(std::size_t n_members, std::size_t n_balls, NullPrior prior) noexcept;

/// A subset that the recursion examined: its best ball, and whether it was cut off.
struct SplitNode {
    std::int64_t parent = -1;
    bool is_ball = false;  ///< the ball of its parent's split, rather than the rest
    std::vector<std::uint32_t> counts;
    double null_cost = 0.0;
    double split_cost = 0.0;    ///< infinite where S has no ball but itself
    std::uint32_t n_balls = 0;  ///< β of the best ball
    std::int64_t centre = -1;   ///< an object; -1: there is no ball
    std::int64_t radius = -1;
    std::uint32_t size = 0;
    bool accepted = false;

    std::size_t n_members() const noexcept {
        return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    }
};

/// The recursive rule: nodes in the order they were examined, and the leaf of each object.
struct Bipartition {
    std::vector<SplitNode> nodes;
    std::vector<std::uint32_t> leaf_of;

    /// The length of the recursive code, in nats: each subset that was cut pays for its ball, each
    /// one that was not for saying so and for its classes.
    double cost(NullPrior prior) const;
    /// Undoes cuts whose subtree costs no less than leaving the subset whole.
    void prune(NullPrior prior);
};

struct BipartitionSettings {
    BallKind kind = BallKind::global;
    NullPrior prior = NullPrior::paper;
    bool prunes = true;
    BallLimits limits;
};

/// `balls` are those of the whole graph; local balls and traces are found anew in each subset.
Bipartition split_recursively(const Objects& objects, const Balls& balls,
                              const BipartitionSettings& settings, const Workers& workers);

/// Balls of the whole graph that lie inside S.
std::vector<std::uint64_t> balls_inside(const Objects& objects, const Balls& balls,
                                        std::span<const std::uint32_t> members);

}  // namespace partage
