#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/balls.hpp"
#include "partage/graphs/regions.hpp"

namespace partage {

/// How the grouping of the balls into K groups is described.
enum class GroupingCode {
    any,       ///< any grouping: log K_B + log B(K_B, K)
    connected  ///< groupings into connected groups, by yes and no along the borders
};

/// The balls a group is described with (Algorithm 1): largest first, then smallest centre.
struct Decomposition {
    std::vector<std::uint64_t> balls;  ///< of two objects or more
    std::vector<Point> points;         ///< of these balls, one ball after the other
    std::vector<std::uint32_t> ends;   ///< behind the last point of each ball
    std::size_t n_singles = 0;         ///< objects left over, each a ball of its own

    std::size_t n_balls() const noexcept { return balls.size() + n_singles; }
    std::span<const Point> ball(std::size_t i) const noexcept {
        const std::size_t first = i == 0 ? 0 : ends[i - 1];
        return {points.data() + first, ends[i] - first};
    }
};

/// l(π) and its terms, in nats.
struct CoverCost {
    double balls = 0.0;
    double grouping = 0.0;
    double labels = 0.0;
    std::size_t n_balls = 0;  ///< K_B

    double total() const noexcept { return balls + grouping + labels; }
};

/// Covers groups with balls and prices partitions. Holds work space: one per thread.
class Cover {
public:
    Cover(const Objects& objects, const Balls& balls);

    const Objects& objects() const noexcept { return objects_; }
    const Balls& balls() const noexcept { return balls_; }

    /// The ball decomposition of a group, which depends on no other group.
    Decomposition decompose(std::span<const std::uint32_t> members);

    /// l_ballsset of groups decomposed one by one: log N, the next sizes, and for each ball of two
    /// objects or more the number of balls of its size that meet none described before.
    double ball_set_length(std::span<const Decomposition* const> groups);

private:
    struct Described {
        std::uint32_t size;
        Point centre;
        std::span<const Point> points;
    };
    std::uint64_t largest_inside(Point p) noexcept;
    std::vector<Described> in_order(std::span<const Decomposition* const> groups) const;
    void reset() noexcept;
    void strike(std::span<const Point> points, std::uint32_t size) noexcept;

    const Objects& objects_;
    const Balls& balls_;
    Region region_;
    std::vector<std::uint8_t> seen_;
    std::vector<Point> found_;
    std::vector<std::uint64_t> ends_;       // behind the last ball of each centre still possible
    std::vector<Point> spoilt_;             // centres whose end has moved
    std::vector<std::uint32_t> n_of_size_;  // distinct balls of each size
    std::vector<std::uint32_t> left_;       // of them, those that meet no described ball
    std::vector<std::uint32_t> reach_;      // largest radius of the balls of at most a size
    std::vector<std::uint32_t> distance_;   // from what is described
    std::vector<Point> queue_;
};

/// Length of the grouping of n_balls balls into n_groups groups of any shape.
double grouping_length(std::size_t n_balls, std::size_t n_groups);

/// l(π) of a partition given by the group of each object, 0 to n_groups - 1.
CoverCost cover_cost(Cover& cover, std::span<const std::uint32_t> group_of, std::size_t n_groups,
                     GroupingCode code);

}  // namespace partage
