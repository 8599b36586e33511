#include "partage/graphs/ball_walks.hpp"

#include <algorithm>
#include <numeric>

namespace partage {

Held::Held(const Objects& objects, std::span<const std::uint32_t> members)
    : starts(objects.n_points() + 1, 0), keys(objects.n_points(), 0) {
    std::vector<std::uint8_t> is_member(objects.size(), 0);
    for (const std::uint32_t o : members) is_member[o] = 1;
    std::vector<std::uint32_t> row(objects.n_classes, 0);
    for (std::size_t p = 0; p < objects.n_points(); ++p) {
        for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
            if (is_member[o] != 0) {
                keys[p] += object_key(o);
                ++row[objects.classes[o]];
            }
        // Classes in the order of the objects, so that no loop runs over all classes.
        for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
            if (is_member[o] != 0 && row[objects.classes[o]] > 0) {
                entries.push_back({objects.classes[o], row[objects.classes[o]]});
                row[objects.classes[o]] = 0;
            }
        starts[p + 1] = static_cast<std::uint32_t>(entries.size());
    }
}

BallWalks::BallWalks(const Objects& objects, const Held& held, BallKind kind,
                     const BallLimits& limits)
    : objects_(objects),
      held_(held),
      is_local_(kind == BallKind::local),
      limits_(limits),
      visits_(objects.n_points()),
      counts_(most * objects.n_classes),
      told_(most),
      hashes_(most),
      reached_(objects.n_points() + 1) {}

void BallWalks::run(std::span<const Point> centres, Walked& out) {
    start(centres);
    for (std::uint32_t radius = 1; !alive_.is_empty(); ++radius) {
        const Walks moved = step();
        settle(radius, radius == 1 ? alive_ : moved, centres, out);
        alive_.keep(moved);
    }
    for (const Point p : touched_) visits_[p] = {};
    touched_.clear();
    active_.clear();
}

void BallWalks::start(std::span<const Point> centres) {
    std::fill(counts_.begin(), counts_.end(), 0);
    std::fill(hashes_.begin(), hashes_.end(), 0);
    std::fill(told_.begin(), told_.end(), 0);
    for (std::size_t b = 0; b < centres.size(); ++b) {
        const Point p = centres[b];
        alive_.add(b);
        visits_[p].seen.add(b);
        visits_[p].front.add(b);
        touched_.push_back(p);
        active_.push_back(p);
        gather(p, visits_[p].front);
    }
}

/// Adds the objects of a point to the walks that reach it.
void BallWalks::gather(Point p, const Walks& walks) {
    const std::uint32_t first = held_.starts[p];
    const std::uint32_t last = held_.starts[p + 1];
    if (first == last) return;
    const std::uint64_t key = held_.keys[p];
    if (last - first == 1) {
        const auto entry = held_.entries[first];
        walks.for_each([&](std::size_t b) {
            counts_[b * objects_.n_classes + entry.label] += entry.count;
            hashes_[b] += key;
        });
        return;
    }
    walks.for_each([&](std::size_t b) {
        hashes_[b] += key;
        for (std::uint32_t e = first; e < last; ++e)
            counts_[b * objects_.n_classes + held_.entries[e].label] += held_.entries[e].count;
    });
}

/// One more step of every walk; the walks that reached new points. Whether a walk has been at a
/// neighbour before is a coin toss, so it is asked once for each point and not for each edge.
BallWalks::Walks BallWalks::step() {
    std::size_t n_reached = 0;
    for (const Point u : active_) {
        Walks walks = visits_[u].front;
        walks.keep(alive_);
        visits_[u].front = {};
        if (walks.is_empty()) continue;
        for (const Point v : objects_.graph[u]) {
            if (is_local_ && !held_.has(v)) continue;
            reached_[n_reached] = v;
            n_reached += visits_[v].next.is_empty() ? 1 : 0;
            visits_[v].next.unite(walks);
        }
    }
    active_.clear();
    Walks moved;
    for (const Point v : std::span(reached_).first(n_reached)) {
        Visits& here = visits_[v];
        const Walks fresh = here.next.without(here.seen);
        here.next = {};
        if (fresh.is_empty()) continue;
        if (here.seen.is_empty()) touched_.push_back(v);
        here.seen.unite(fresh);
        here.front = fresh;
        moved.unite(fresh);
        active_.push_back(v);
        gather(v, fresh);
    }
    return moved;
}

/// Notes the balls that grew, and ends the walks that are too large.
void BallWalks::settle(std::uint32_t radius, const Walks& walks, std::span<const Point> centres,
                       Walked& out) {
    walks.for_each([&](std::size_t b) {
        const auto counts = std::span(counts_).subspan(b * objects_.n_classes, objects_.n_classes);
        const std::uint32_t size = std::accumulate(counts.begin(), counts.end(), 0U);
        if (!limits_.allows(centres[b], size)) {
            alive_.remove(b);
            return;
        }
        if (size < 2 || size == told_[b]) return;
        told_[b] = size;
        out.balls.push_back({hashes_[b], size, centres[b], radius});
        out.counts.insert(out.counts.end(), counts.begin(), counts.end());
    });
}

}  // namespace partage
