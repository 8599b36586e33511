#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/balls.hpp"

namespace partage {

/// What a group loses with some of its objects because nothing else links it to the rest. Holds
/// work space.
class CutOff {
public:
    explicit CutOff(const Objects& objects);

    /// Adds to the objects that leave a connected group all that they cut off from the largest
    /// piece of the rest; of equal pieces that of the first object is the largest. Objects
    /// increase, before and after. Walks start around what leaves, side by side, and end once the
    /// largest piece is known, so that the work does not grow with the group.
    void take_along(std::span<const std::uint32_t> group_of, std::uint32_t group,
                    std::vector<std::uint32_t>& leaving);

private:
    /// A walk, or several that have met.
    struct Walk {
        std::vector<Point> points;  // those from `next` on have neighbours to look at
        std::size_t next = 0;
        std::size_t n_objects = 0;
        std::uint32_t first = none;  // object

        bool is_over() const noexcept { return next == points.size(); }
        bool is_larger_than(const Walk& other) const noexcept {
            return n_objects != other.n_objects ? n_objects > other.n_objects : first < other.first;
        }
    };

    bool stays(std::uint32_t object) const noexcept {
        return group_of_[object] == group_ && is_leaving_[object] == 0;
    }
    std::uint32_t walk_at(Point p) noexcept;
    void come_to(Point p, std::uint32_t walk);
    void start(std::span<const std::uint32_t> leaving);
    void step(std::uint32_t walk);
    void join(std::uint32_t a, std::uint32_t b);
    std::uint32_t run();

    const Objects& objects_;
    std::span<const std::uint32_t> group_of_;
    std::uint32_t group_ = none;
    std::vector<Point> point_of_;
    std::vector<std::uint8_t> is_leaving_;
    std::vector<std::uint32_t> walk_of_;  // of each point
    std::vector<std::uint32_t> into_;     // the walk that each has been joined to
    std::vector<Walk> walks_;
    std::size_t n_walks_ = 0;
    std::vector<std::uint32_t> running_;
};

}  // namespace partage
