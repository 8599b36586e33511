#include "partage/graphs/cover.hpp"

#include <algorithm>

#include "partage/combinatorics.hpp"

namespace partage {
namespace {

/// The largest ball still possible at a centre.
struct Offer {
    std::uint32_t size;
    Point centre;
    std::uint64_t ball;
    /// Whether another offer is taken before this one.
    bool operator<(const Offer& other) const noexcept {
        return size != other.size ? size < other.size : centre > other.centre;
    }
};

}  // namespace

Cover::Cover(const Objects& objects, const Balls& balls)
    : objects_(objects),
      balls_(balls),
      region_(objects.n_points()),
      seen_(objects.n_points(), 0),
      ends_(balls.starts.begin() + 1, balls.starts.end()),
      n_of_size_(objects.size() + 1, 0),
      reach_(objects.size() + 1, 0),
      distance_(objects.n_points(), Region::endless) {
    for (std::size_t b = 0; b < balls.size(); ++b) {
        ++n_of_size_[balls.sizes[b]];
        reach_[balls.sizes[b]] = std::max(reach_[balls.sizes[b]], balls.radii[b]);
    }
    for (std::size_t size = 1; size < reach_.size(); ++size)
        reach_[size] = std::max(reach_[size], reach_[size - 1]);
}

std::uint64_t Cover::largest_inside(Point p) noexcept {
    while (ends_[p] > balls_.starts[p] && balls_.radii[ends_[p] - 1] >= region_.depth(p))
        --ends_[p];
    return ends_[p];
}

Decomposition Cover::decompose(std::span<const std::uint32_t> members) {
    Decomposition result;
    region_.set(objects_, members);
    std::vector<Offer> offers;
    const auto offer = [&](Point p) {
        const std::uint64_t end = largest_inside(p);
        if (end > balls_.starts[p]) offers.push_back({balls_.sizes[end - 1], p, end - 1});
    };
    for (const Point p : region_.points()) offer(p);
    std::make_heap(offers.begin(), offers.end());
    std::size_t n_covered = 0;
    while (!offers.empty()) {
        std::pop_heap(offers.begin(), offers.end());
        const Offer best = offers.back();
        offers.pop_back();
        if (largest_inside(best.centre) != best.ball + 1) {
            const std::size_t before = offers.size();
            offer(best.centre);
            if (offers.size() > before) std::push_heap(offers.begin(), offers.end());
            continue;
        }
        walk_ball(objects_.graph, best.centre, balls_.radii[best.ball], {}, seen_, found_);
        const auto first = static_cast<std::uint32_t>(result.points.size());
        result.points.insert(result.points.end(), found_.begin(), found_.end());
        result.balls.push_back({best.size, best.centre, best.ball, first,
                                static_cast<std::uint32_t>(result.points.size())});
        n_covered += best.size;
        region_.remove(objects_.graph, found_, [](Point) {});
    }
    for (const Point p : region_.points()) ends_[p] = balls_.starts[p + 1];
    result.n_singles = members.size() - n_covered;
    return result;
}

double Cover::ball_set_length(std::span<const Entry> description, bool has_singles) {
    double length = portable_log(static_cast<double>(objects_.size()));
    left_ = n_of_size_;
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < description.size(); ++i) {
        const Entry& entry = description[i];
        if (i > 0 && entry.ball.size < size) length += portable_log(size - 1.0);
        size = entry.ball.size;
        length += portable_log(left_[size]);
        if (i + 1 < description.size()) strike(entry.points, size);
    }
    if (has_singles && size > 1) length += portable_log(size - 1.0);
    reset();
    return length;
}

void Cover::strike(std::span<const Point> points, std::uint32_t size) noexcept {
    // Balls described later are no larger, so only short ones can still count.
    const std::uint32_t reach = reach_[size];
    queue_.clear();
    const auto come_to = [&](Point p, std::uint32_t distance) {
        if (distance_[p] == Region::endless) spoilt_.push_back(p);
        distance_[p] = distance;
        queue_.push_back(p);
        while (ends_[p] > balls_.starts[p] && balls_.radii[ends_[p] - 1] >= distance)
            --left_[balls_.sizes[--ends_[p]]];
    };
    for (const Point p : points) come_to(p, 0);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const std::uint32_t next = distance_[queue_[i]] + 1;
        if (next > reach) break;
        for (const Point v : objects_.graph[queue_[i]])
            if (distance_[v] > next) come_to(v, next);
    }
}

void Cover::reset() noexcept {
    for (const Point p : spoilt_) {
        distance_[p] = Region::endless;
        ends_[p] = balls_.starts[p + 1];
    }
    spoilt_.clear();
}

double Cover::grouping_length(std::size_t n_balls, std::size_t n_groups) {
    const auto [place, is_new] = groupings_.try_emplace(n_balls << 32 | n_groups, 0.0);
    if (is_new)
        place->second =
            portable_log(static_cast<double>(n_balls)) + log_set_partitions(n_balls, n_groups);
    return place->second;
}

}  // namespace partage
