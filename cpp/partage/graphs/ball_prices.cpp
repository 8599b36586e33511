#include "partage/graphs/ball_prices.hpp"

namespace partage {

void BallPrices::look(const Description& description, Cover& cover) {
    of_size_ = cover.lengths_by_size(description.entries());
}

double BallPrices::length(const Group& group) const noexcept {
    double length = group.labels;
    for (const Described& ball : group.cover.balls) length += of_size_[ball.size];
    return length;
}

double BallPrices::growth(const Description& description, Cover& cover,
                          std::span<const std::uint32_t> gone,
                          std::span<const Group* const> come) const {
    std::size_t n_balls = description.n_balls();
    const std::size_t n_groups = description.n_groups();
    double growth = -cover.grouping_length(n_balls, n_groups);
    for (const std::uint32_t number : gone) {
        const Group& group = description.groups()[number];
        growth -= length(group);
        n_balls -= group.cover.n_balls();
    }
    for (const Group* group : come) {
        growth += length(*group);
        n_balls += group->cover.n_balls();
    }
    return growth + cover.grouping_length(n_balls, n_groups + come.size() - gone.size());
}

}  // namespace partage
