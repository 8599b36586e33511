#include "partage/graphs/ball_cover.hpp"

#include <algorithm>

#include "partage/support/combinatorics.hpp"

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
      free_ends_(balls.starts.begin() + 1, balls.starts.end()),
      left_(objects.size() + 1, 0),
      reach_(objects.size() + 1, 0),
      distance_(objects.n_points(), Region::endless) {
    for (std::size_t b = 0; b < balls.size(); ++b) {
        ++left_[balls.sizes[b]];
        reach_[balls.sizes[b]] = std::max(reach_[balls.sizes[b]], balls.radii[b]);
    }
    for (std::size_t size = 1; size < reach_.size(); ++size)
        reach_[size] = std::max(reach_[size], reach_[size - 1]);
}

Decomposition Cover::decompose(std::span<const std::uint32_t> members) {
    region_.set(objects_, members);
    return take_largest(members.size());
}

Decomposition Cover::decompose_points(std::span<const Point> points) {
    region_.set(objects_.graph, points);
    std::size_t n_objects = 0;
    for (const Point p : points) n_objects += objects_.n_at(p);
    return take_largest(n_objects);
}

/// Takes balls out of the region, the largest first.
Decomposition Cover::take_largest(std::size_t n_objects) {
    Decomposition result;
    result.n_singles = n_objects;
    std::vector<Offer> offers;
    const auto end_inside = [&](Point p) { return balls_.end_below(p, region_.depth(p)); };
    const auto offer = [&](Point p) {
        const std::uint64_t end = end_inside(p);
        if (end > balls_.starts[p]) offers.push_back({balls_.sizes[end - 1], p, end - 1});
    };
    for (const Point p : region_.points()) offer(p);
    std::make_heap(offers.begin(), offers.end());
    while (!offers.empty()) {
        std::pop_heap(offers.begin(), offers.end());
        const Offer best = offers.back();
        offers.pop_back();
        if (end_inside(best.centre) != best.ball + 1) {
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
        result.n_singles -= best.size;
        region_.remove(objects_.graph, found_, [](Point) {});
    }
    return result;
}

double Cover::ball_set_length(std::span<const Entry> description, bool has_singles) {
    std::size_t n_shared = 0;
    while (n_shared < std::min(told_.size(), description.size()) &&
           told_[n_shared].ball == description[n_shared].ball.ball)
        ++n_shared;
    take_back(n_shared);
    for (std::size_t i = n_shared; i < description.size(); ++i) tell(description, i);
    if (told_.empty()) return portable_log(static_cast<double>(objects_.size()));
    const Told& last = told_.back();
    return last.length + (has_singles ? portable_log(last.size - 1.0) : 0.0);
}

/// Adds the next ball to what is told.
void Cover::tell(std::span<const Entry> description, std::size_t i) {
    const Described& ball = description[i].ball;
    double length = portable_log(static_cast<double>(objects_.size()));
    if (i > 0) {
        const Told& last = told_.back();
        // The last ball of a description strikes none until another follows.
        if (changes_.size() == last.n_changes) strike(description[i - 1].points, last.size);
        length = last.length;
        if (ball.size < last.size) length += portable_log(last.size - 1.0);
    }
    length += portable_log(left_[ball.size]);
    told_.push_back({ball.ball, ball.size, length, changes_.size()});
}

std::vector<double> Cover::lengths_by_size(std::span<const Entry> description) {
    take_back(0);
    std::vector<double> lengths(objects_.size() + 1, 0.0);
    std::size_t size = objects_.size();
    std::size_t n_of_size = 0;
    double sum = 0.0;
    const auto pass_to = [&](std::size_t next) {
        if (n_of_size > 0) lengths[size--] = sum / static_cast<double>(n_of_size);
        for (; size > next; --size)
            lengths[size] = portable_log(std::max(1.0, static_cast<double>(left_[size])));
        n_of_size = 0;
        sum = 0.0;
    };
    for (std::size_t i = 0; i < description.size(); ++i) {
        tell(description, i);
        if (description[i].ball.size < size || n_of_size == 0) pass_to(description[i].ball.size);
        sum += portable_log(left_[size]);
        ++n_of_size;
    }
    pass_to(0);
    return lengths;
}

/// Strikes the balls that meet a described one. Balls described later are no larger, so only short
/// ones can still count.
void Cover::strike(std::span<const Point> points, std::uint32_t size) {
    const std::uint32_t reach = reach_[size];
    queue_.clear();
    const auto come_to = [&](Point p, std::uint32_t distance) {
        const std::uint64_t end = free_ends_[p];
        changes_.push_back({p, distance_[p], end});
        distance_[p] = distance;
        queue_.push_back(p);
        free_ends_[p] = balls_.end_below(p, distance);
        for (std::uint64_t b = free_ends_[p]; b < end && balls_.sizes[b] <= size; ++b)
            --left_[balls_.sizes[b]];
    };
    for (const Point p : points) come_to(p, 0);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const std::uint32_t next = distance_[queue_[i]] + 1;
        if (next > reach) break;
        for (const Point v : objects_.graph[queue_[i]])
            if (distance_[v] > next) come_to(v, next);
    }
}

/// Forgets all but the first balls of the description that was priced last.
void Cover::take_back(std::size_t n_kept) noexcept {
    for (; told_.size() > n_kept; told_.pop_back()) {
        const Told& last = told_.back();
        while (changes_.size() > last.n_changes) {
            const auto [centre, distance, end] = changes_.back();
            changes_.pop_back();
            distance_[centre] = distance;
            for (std::uint64_t b = free_ends_[centre]; b < end && balls_.sizes[b] <= last.size; ++b)
                ++left_[balls_.sizes[b]];
            free_ends_[centre] = end;
        }
    }
}

double Cover::grouping_length(std::size_t n_balls, std::size_t n_groups) {
    const auto [place, is_new] = groupings_.try_emplace(n_balls << 32 | n_groups, 0.0);
    if (is_new)
        place->second =
            portable_log(static_cast<double>(n_balls)) + log_set_partitions(n_balls, n_groups);
    return place->second;
}

}  // namespace partage
