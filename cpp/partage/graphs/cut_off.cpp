#include "partage/graphs/cut_off.hpp"

#include <algorithm>

namespace partage {

CutOff::CutOff(const Objects& objects)
    : objects_(objects),
      point_of_(objects.size()),
      is_leaving_(objects.size(), 0),
      walk_of_(objects.n_points(), none) {
    for (Point p = 0; p < objects.n_points(); ++p)
        for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o) point_of_[o] = p;
}

void CutOff::take_along(std::span<const std::uint32_t> group_of, std::uint32_t group,
                        std::vector<std::uint32_t>& leaving) {
    group_of_ = group_of;
    group_ = group;
    for (const std::uint32_t o : leaving) is_leaving_[o] = 1;
    start(leaving);
    const std::uint32_t largest = run();
    const std::size_t n_before = leaving.size();
    for (std::uint32_t w = 0; w < n_walks_; ++w) {
        if (into_[w] != w) continue;
        for (const Point p : walks_[w].points) {
            walk_of_[p] = none;
            if (w == largest) continue;
            for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o)
                if (stays(o)) leaving.push_back(o);
        }
    }
    for (std::size_t i = 0; i < n_before; ++i) is_leaving_[leaving[i]] = 0;
    if (leaving.size() > n_before) std::sort(leaving.begin(), leaving.end());
}

/// The walk that has come to a point, as it is called now.
std::uint32_t CutOff::walk_at(Point p) noexcept {
    std::uint32_t& walk = walk_of_[p];
    while (into_[walk] != walk) walk = into_[walk];
    return walk;
}

/// Comes to a point where objects stay.
void CutOff::come_to(Point p, std::uint32_t walk) {
    std::uint32_t first = none;
    std::size_t n = 0;
    for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o) {
        if (!stays(o)) continue;
        first = std::min(first, o);
        ++n;
    }
    if (n == 0) return;
    Walk& here = walks_[walk];
    walk_of_[p] = walk;
    here.points.push_back(p);
    here.n_objects += n;
    here.first = std::min(here.first, first);
}

/// Starts a walk at every point where objects stay next to some that leave.
void CutOff::start(std::span<const std::uint32_t> leaving) {
    n_walks_ = 0;
    into_.clear();
    running_.clear();
    const auto try_point = [&](Point p) {
        if (walk_of_[p] != none) return;
        if (walks_.size() == n_walks_) walks_.emplace_back();
        const auto walk = static_cast<std::uint32_t>(n_walks_);
        walks_[walk].points.clear();
        walks_[walk].next = walks_[walk].n_objects = 0;
        walks_[walk].first = none;
        come_to(p, walk);
        if (walks_[walk].points.empty()) return;
        into_.push_back(walk);
        running_.push_back(walk);
        ++n_walks_;
    };
    for (const std::uint32_t o : leaving) {
        try_point(point_of_[o]);
        for (const Point v : objects_.graph[point_of_[o]]) try_point(v);
    }
}

/// Looks at the neighbours of one more point.
void CutOff::step(std::uint32_t walk) {
    const Point p = walks_[walk].points[walks_[walk].next++];
    for (const Point v : objects_.graph[p]) {
        if (walk_of_[v] == none) {
            come_to(v, walk);
        } else if (const std::uint32_t other = walk_at(v); other != walk) {
            join(walk, other);
        }
    }
}

/// Lets a walk take another in.
void CutOff::join(std::uint32_t a, std::uint32_t b) {
    Walk& here = walks_[a];
    Walk& other = walks_[b];
    here.n_objects += other.n_objects;
    here.first = std::min(here.first, other.first);
    // Points that have been looked at go to the front, so that the others stay in line.
    const auto waiting = static_cast<std::ptrdiff_t>(other.next);
    here.points.insert(here.points.begin(), other.points.begin(), other.points.begin() + waiting);
    here.next += other.next;
    here.points.insert(here.points.end(), other.points.begin() + waiting, other.points.end());
    other.points.clear();
    other.next = 0;
    into_[b] = a;
}

/// Walks until one piece is known to be the largest; its walk, or none.
std::uint32_t CutOff::run() {
    std::uint32_t largest = none;  // of those that are over
    for (;;) {
        std::erase_if(running_, [&](std::uint32_t walk) {
            if (into_[walk] != walk) return true;
            if (!walks_[walk].is_over()) return false;
            if (largest == none || walks_[walk].is_larger_than(walks_[largest])) largest = walk;
            return true;
        });
        if (running_.empty()) return largest;
        if (running_.size() == 1 &&
            (largest == none || walks_[running_.front()].n_objects > walks_[largest].n_objects))
            return running_.front();
        for (const std::uint32_t walk : running_)
            if (into_[walk] == walk && !walks_[walk].is_over()) step(walk);
    }
}

}  // namespace partage
