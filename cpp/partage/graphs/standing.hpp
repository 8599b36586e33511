#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/ball_cover.hpp"
#include "partage/graphs/regions.hpp"

namespace partage {

/// Where each point stands in a partition.
class Standing {
public:
    explicit Standing(const Objects& objects);

    Point point_of(std::uint32_t object) const noexcept { return point_of_[object]; }
    /// The group that holds all objects of a point; `none` where groups meet.
    std::uint32_t group(Point p) const noexcept { return group_[p]; }
    /// Steps from a point to the outside of its group; 0 where groups meet.
    std::uint32_t depth(Point p) const noexcept { return depth_[p]; }
    /// Whether a ball that describes the group of a point holds it, and which.
    bool is_covered(Point p) const noexcept { return ball_size_[p] > 0; }
    std::uint32_t ball_size(Point p) const noexcept { return ball_size_[p]; }
    Point ball_centre(Point p) const noexcept { return ball_centre_[p]; }
    /// Whether the ball that holds a point is described before one of some size and centre.
    bool is_described_before(Point p, std::uint32_t size, Point centre) const noexcept {
        return ball_size_[p] != size ? ball_size_[p] > size : ball_centre_[p] < centre;
    }

    /// Takes a group in, or forgets it.
    void add(std::uint32_t number, std::span<const std::uint32_t> members,
             const Decomposition& cover);
    void forget(std::span<const std::uint32_t> members);

private:
    const Objects& objects_;
    Region region_;
    std::vector<Point> point_of_;
    std::vector<std::uint32_t> group_;
    std::vector<std::uint32_t> depth_;
    std::vector<std::uint32_t> ball_size_;
    std::vector<Point> ball_centre_;
};

}  // namespace partage
