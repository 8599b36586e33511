#include "partage/graphs/regions.hpp"

#include <algorithm>
#include <utility>

namespace partage {

void Region::set(const Objects& objects, std::span<const std::uint32_t> members) {
    for (const Point p : points_) depth_[p] = 0;
    points_.clear();
    queue_.clear();
    // Members come in the order of their points or not at all sorted; both work.
    Point point = 0;
    for (const std::uint32_t o : members) {
        if (o < objects.starts[point] || o >= objects.starts[point + 1]) {
            const auto behind = std::upper_bound(objects.starts.begin(), objects.starts.end(), o);
            point = static_cast<Point>(behind - objects.starts.begin() - 1);
        }
        if (n_held_[point]++ == 0) queue_.push_back(point);
    }
    std::erase_if(queue_, [&](Point p) { return std::exchange(n_held_[p], 0) != objects.n_at(p); });
    points_.swap(queue_);
    find_depths(objects.graph);
}

void Region::set(const Graph& graph, std::span<const Point> points) {
    for (const Point p : points_) depth_[p] = 0;
    points_.assign(points.begin(), points.end());
    find_depths(graph);
}

/// Walks inwards from the border.
void Region::find_depths(const Graph& graph) {
    for (const Point p : points_) depth_[p] = endless;
    queue_.clear();
    for (const Point p : points_) {
        const auto neighbours = graph[p];
        if (std::any_of(neighbours.begin(), neighbours.end(),
                        [&](Point v) { return depth_[v] == 0; })) {
            depth_[p] = 1;
            queue_.push_back(p);
        }
    }
    for (std::size_t i = 0; i < queue_.size(); ++i)
        for (const Point v : graph[queue_[i]])
            if (depth_[v] == endless) {
                depth_[v] = depth_[queue_[i]] + 1;
                queue_.push_back(v);
            }
}

}  // namespace partage
