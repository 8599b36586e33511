#include "partage/graphs/standing.hpp"

namespace partage {

Standing::Standing(const Objects& objects)
    : objects_(objects),
      region_(objects.n_points()),
      point_of_(objects.size()),
      group_(objects.n_points(), none),
      depth_(objects.n_points(), 0),
      ball_size_(objects.n_points(), 0),
      ball_centre_(objects.n_points(), none) {
    for (Point p = 0; p < objects.n_points(); ++p)
        for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o) point_of_[o] = p;
}

void Standing::add(std::uint32_t number, std::span<const std::uint32_t> members,
                   const Decomposition& cover) {
    region_.set(objects_, members);
    for (const Point p : region_.points()) {
        group_[p] = number;
        depth_[p] = region_.depth(p);
    }
    for (const Described& ball : cover.balls)
        for (const Point p : cover.points_of(ball)) {
            ball_size_[p] = ball.size;
            ball_centre_[p] = ball.centre;
        }
}

void Standing::forget(std::span<const std::uint32_t> members) {
    for (const std::uint32_t o : members) {
        const Point p = point_of_[o];
        group_[p] = none;
        depth_[p] = 0;
        ball_size_[p] = 0;
        ball_centre_[p] = none;
    }
}

}  // namespace partage
