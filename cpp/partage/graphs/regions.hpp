#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "partage/graphs/balls.hpp"

namespace partage {

/// The points all of whose objects belong to some set, and how deep inside it they lie: a ball
/// (centre, radius) of at least one step lies in the set iff radius < depth(centre).
class Region {
public:
    static constexpr std::uint32_t endless = std::numeric_limits<std::uint32_t>::max();

    explicit Region(std::size_t n_points) : depth_(n_points, 0), n_held_(n_points, 0) {}

    /// Takes the set; one walk inwards from its border. O(objects + edges of the set).
    void set(const Objects& objects, std::span<const std::uint32_t> members);
    /// The same for the points that the set holds, each given once.
    void set(const Graph& graph, std::span<const Point> points);
    /// Steps from a point to the outside: 0 outside, `endless` where no walk leads out.
    std::uint32_t depth(Point p) const noexcept { return depth_[p]; }
    /// Points that lie in the set with all their objects.
    const std::vector<Point>& points() const noexcept { return points_; }
    /// Takes points out; `changed` is called with every point that has come nearer to the outside.
    template <class Changed>
    void remove(const Graph& graph, std::span<const Point> points, Changed changed) {
        for (const Point p : points) {
            depth_[p] = 0;
            changed(p);
        }
        queue_.assign(points.begin(), points.end());
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const std::uint32_t next = depth_[queue_[i]] + 1;
            for (const Point v : graph[queue_[i]])
                if (depth_[v] > next) {
                    depth_[v] = next;
                    queue_.push_back(v);
                    changed(v);
                }
        }
    }

private:
    void find_depths(const Graph& graph);

    std::vector<std::uint32_t> depth_;
    std::vector<std::uint32_t> n_held_;
    std::vector<Point> points_;
    std::vector<Point> queue_;
};

}  // namespace partage
