#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "partage/graphs/description.hpp"

namespace partage {

/// How the balls of groups change, by their sizes.
struct CoverChange {
    std::vector<std::uint32_t> gone;
    std::vector<std::uint32_t> come;
    std::ptrdiff_t n_objects = 0;  ///< how many more the groups hold

    /// How many more balls there are, single objects among them.
    std::ptrdiff_t n_balls() const noexcept;
};

/// Groups that come of those of a partition, with the balls that Cover::decompose gives, found from
/// the balls there were. Balls are described the largest first, so those before the first that
/// changes stay, and what they leave falls into pieces that do not touch each other, of which only
/// those near the change are covered anew. Holds work space: one per thread.
class CoverChanges {
public:
    explicit CoverChanges(Cover& cover);

    /// Two groups as one.
    Group join(const Description& description, std::uint32_t a, std::uint32_t b);
    /// A group and some objects of others. Objects increase, here and below.
    Group gain(const Description& description, std::uint32_t group,
               std::span<const std::uint32_t> objects);
    /// A group without some of its objects.
    Group lose(const Description& description, std::uint32_t group,
               std::span<const std::uint32_t> objects);

    /// The same, without the groups: how their balls change.
    CoverChange change_by_join(const Description& description, std::uint32_t a, std::uint32_t b);
    CoverChange change_by_gain(const Description& description, std::uint32_t group,
                               std::span<const std::uint32_t> objects);
    CoverChange change_by_loss(const Description& description, std::uint32_t group,
                               std::span<const std::uint32_t> objects);

private:
    /// Where a point stands in the group that is to be.
    enum class Side : std::uint8_t {
        as_before,  // inside if it was in the first group
        second,     // in the group that joins it
        fresh,      // in neither before
        outside
    };

    /// A ball that may be described.
    struct Offer {
        std::uint32_t size = 0;
        Point centre = none;
        std::uint64_t ball = 0;
        /// Whether another offer is described before this one.
        bool operator<(const Offer& other) const noexcept {
            return size != other.size ? size < other.size : centre > other.centre;
        }
    };

    void take(const Description& description, std::uint32_t first, std::uint32_t second);
    void collect_growth(std::span<const std::uint32_t> added);
    void collect_loss(std::span<const std::uint32_t> lost);
    void mark_added(std::span<const std::uint32_t> added);
    void mark(Point p, Side side);
    bool is_inside(Point p) const noexcept;
    std::uint32_t depth_before(Point p) const noexcept;
    void find_deeper();
    void add_deeper(Point p);
    void find_depths();
    void offer(Point centre, std::uint32_t radius_below);
    std::uint32_t steps_to_described(const Offer& first);
    void settle_first_offer();
    std::span<const Point> ball_of(Point p) const noexcept;
    void collect_around(std::span<const Point> seeds, const Offer& first);
    std::vector<const Decomposition*> covers_before() const;
    bool is_kept(const Described& ball) const noexcept;
    Decomposition replace_collected(std::size_t n_members);
    CoverChange change_collected(std::ptrdiff_t n_objects);
    void reset() noexcept;

    Cover& cover_;
    const Objects& objects_;
    const Description* description_ = nullptr;
    const Standing* standing_ = nullptr;
    std::uint32_t first_ = none;  // the group that changes, and the one that joins it
    std::uint32_t second_ = none;
    std::vector<Side> side_;
    std::vector<Point> marked_;
    std::vector<std::uint8_t> is_added_;  // objects
    std::vector<std::uint8_t> is_deeper_;
    std::vector<Point> deeper_;         // points that come to lie deeper inside
    std::vector<std::uint32_t> depth_;  // of those
    std::vector<Offer> offers_;         // balls that become possible, a heap
    std::vector<std::uint8_t> is_collected_;
    std::vector<Point> collected_;
    std::vector<std::uint8_t> seen_;
    std::vector<Point> queue_;
};

}  // namespace partage
