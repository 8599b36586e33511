#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "partage/graphs/balls.hpp"
#include "partage/graphs/regions.hpp"

namespace partage {

/// A ball of two objects or more that a description names.
struct Described {
    std::uint32_t size;  ///< in objects
    Point centre;
    std::uint64_t ball;
    std::uint32_t first;  ///< its points among those of its decomposition
    std::uint32_t last;
    /// Whether it is described before another: larger first, then smaller centre.
    bool operator<(const Described& other) const noexcept {
        return size != other.size ? size > other.size : centre < other.centre;
    }
};

/// The balls a group is described with (Algorithm 1), in the order they are described.
struct Decomposition {
    std::vector<Described> balls;
    std::vector<Point> points;  ///< of these balls, one ball after the other
    std::size_t n_singles = 0;  ///< objects left over, each a ball of its own

    std::size_t n_balls() const noexcept { return balls.size() + n_singles; }
    std::span<const Point> points_of(const Described& ball) const noexcept {
        return {points.data() + ball.first, points.data() + ball.last};
    }
};

/// A described ball with its points, in the description of a whole partition.
struct Entry {
    Described ball;
    std::span<const Point> points;
    std::uint32_t group = 0;
    bool operator<(const Entry& other) const noexcept { return ball < other.ball; }
};

/// Covers groups with balls and prices partitions. Holds work space: one per thread.
class Cover {
public:
    Cover(const Objects& objects, const Balls& balls);

    const Objects& objects() const noexcept { return objects_; }
    const Balls& balls() const noexcept { return balls_; }

    /// The ball decomposition of a group, which depends on no other group.
    Decomposition decompose(std::span<const std::uint32_t> members);
    /// The same for all objects of some points.
    Decomposition decompose_points(std::span<const Point> points);

    /// l_ballsset of a description in its order: log N, the next sizes, and for each ball of two
    /// objects or more the number of balls of its size that meet none described before. The strikes
    /// of the first balls are kept, since descriptions that follow each other share them.
    double ball_set_length(std::span<const Entry> description, bool has_singles);

    /// For each size, the mean length of naming a ball of that size at its turn in a description.
    std::vector<double> lengths_by_size(std::span<const Entry> description);

    /// log K_B + log B(K_B, K): the grouping of n_balls balls into n_groups groups of any shape.
    double grouping_length(std::size_t n_balls, std::size_t n_groups);

private:
    /// What a ball did to a centre: its distance and the end of its balls before.
    struct Change {
        Point centre;
        std::uint32_t distance;
        std::uint64_t end;
    };

    /// A ball of the description that was priced last.
    struct Told {
        std::uint64_t ball;
        std::uint32_t size;
        double length;          // of the description so far
        std::size_t n_changes;  // before its own
    };

    Decomposition take_largest(std::size_t n_objects);
    void tell(std::span<const Entry> description, std::size_t i);
    void strike(std::span<const Point> points, std::uint32_t size);
    void take_back(std::size_t n_kept) noexcept;

    const Objects& objects_;
    const Balls& balls_;
    Region region_;
    std::vector<std::uint8_t> seen_;
    std::vector<Point> found_;
    std::vector<std::uint64_t> free_ends_;  // behind the last that meets no described ball
    std::vector<Told> told_;
    std::vector<Change> changes_;
    std::vector<std::uint32_t> left_;      // balls of each size that meet no described ball
    std::vector<std::uint32_t> reach_;     // largest radius of the balls of at most a size
    std::vector<std::uint32_t> distance_;  // from what is described
    std::vector<Point> queue_;
    std::unordered_map<std::uint64_t, double> groupings_;  // lengths worked out so far
};

}  // namespace partage
