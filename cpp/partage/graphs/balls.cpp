#include "partage/graphs/balls.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace partage {
namespace {

constexpr std::size_t lanes = 64;

/// The objects of S at each point.
struct Held {
    struct Entry {
        std::uint32_t label;
        std::uint32_t count;
    };

    Held(const Objects& objects, std::span<const std::uint32_t> members)
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
    bool has(Point p) const noexcept { return starts[p] < starts[p + 1]; }

    std::vector<std::uint32_t> starts;
    std::vector<std::uint64_t> keys;
    std::vector<Entry> entries;
};

struct Raw {
    std::uint64_t hash;
    std::uint32_t size;
    Point centre;
    std::uint32_t radius;
};

/// What one thread found: balls, and the class counts of each.
struct Walked {
    std::vector<Raw> balls;
    std::vector<std::uint32_t> counts;
};

/// Walks from 64 centres side by side: bit b of a word stands for the walk from centre b.
class Sweep {
public:
    Sweep(const Objects& objects, const Held& held, BallKind kind, const BallLimits& limits)
        : objects_(objects),
          held_(held),
          is_local_(kind == BallKind::local),
          limits_(limits),
          seen_(objects.n_points(), 0),
          front_(objects.n_points(), 0),
          next_(objects.n_points(), 0),
          counts_(lanes * objects.n_classes) {}

    void run(std::span<const Point> centres, Walked& out) {
        start(centres);
        for (std::uint32_t radius = 1; alive_ != 0; ++radius) {
            const std::uint64_t moved = step();
            settle(radius, radius == 1 ? alive_ : moved, centres, out);
            alive_ &= moved;
        }
        for (const Point p : touched_) seen_[p] = front_[p] = 0;
        touched_.clear();
        active_.clear();
    }

private:
    void start(std::span<const Point> centres) {
        std::fill(counts_.begin(), counts_.end(), 0);
        std::fill(std::begin(sizes_), std::end(sizes_), 0);
        std::fill(std::begin(hashes_), std::end(hashes_), 0);
        std::fill(std::begin(told_), std::end(told_), 0);
        alive_ =
            centres.size() == lanes ? ~std::uint64_t{0} : (std::uint64_t{1} << centres.size()) - 1;
        for (std::size_t b = 0; b < centres.size(); ++b) {
            const Point p = centres[b];
            seen_[p] = front_[p] = std::uint64_t{1} << b;
            touched_.push_back(p);
            active_.push_back(p);
            gather(p, front_[p]);
        }
    }

    /// Adds the objects of a point to the walks that reach it.
    void gather(Point p, std::uint64_t walks) {
        const std::uint32_t first = held_.starts[p];
        const std::uint32_t last = held_.starts[p + 1];
        if (first == last) return;
        const std::uint64_t key = held_.keys[p];
        if (last - first == 1) {
            const auto [label, count] = held_.entries[first];
            for (; walks != 0; walks &= walks - 1) {
                const auto b = static_cast<std::size_t>(std::countr_zero(walks));
                counts_[b * objects_.n_classes + label] += count;
                sizes_[b] += count;
                hashes_[b] += key;
            }
            return;
        }
        for (; walks != 0; walks &= walks - 1) {
            const auto b = static_cast<std::size_t>(std::countr_zero(walks));
            hashes_[b] += key;
            for (std::uint32_t e = first; e < last; ++e) {
                counts_[b * objects_.n_classes + held_.entries[e].label] += held_.entries[e].count;
                sizes_[b] += held_.entries[e].count;
            }
        }
    }

    /// One more step of every walk; the walks that reached new points.
    std::uint64_t step() {
        reached_.clear();
        for (const Point u : active_) {
            const std::uint64_t walks = front_[u] & alive_;
            front_[u] = 0;
            if (walks == 0) continue;
            for (const Point v : objects_.graph[u]) {
                const std::uint64_t fresh = walks & ~seen_[v];
                if (fresh == 0 || (is_local_ && !held_.has(v))) continue;
                if (next_[v] == 0) reached_.push_back(v);
                next_[v] |= fresh;
            }
        }
        std::uint64_t moved = 0;
        for (const Point v : reached_) {
            const std::uint64_t fresh = next_[v];
            next_[v] = 0;
            if (seen_[v] == 0) touched_.push_back(v);
            seen_[v] |= fresh;
            front_[v] = fresh;
            moved |= fresh;
            gather(v, fresh);
        }
        active_.swap(reached_);
        return moved;
    }

    /// Notes the balls that grew, and ends the walks that are too large.
    void settle(std::uint32_t radius, std::uint64_t walks, std::span<const Point> centres,
                Walked& out) {
        for (; walks != 0; walks &= walks - 1) {
            const auto b = static_cast<std::size_t>(std::countr_zero(walks));
            if (!limits_.allows(centres[b], sizes_[b])) {
                alive_ &= ~(std::uint64_t{1} << b);
                continue;
            }
            if (sizes_[b] < 2 || sizes_[b] == told_[b]) continue;
            told_[b] = sizes_[b];
            out.balls.push_back({hashes_[b], sizes_[b], centres[b], radius});
            const auto first =
                counts_.begin() + static_cast<std::ptrdiff_t>(b * objects_.n_classes);
            out.counts.insert(out.counts.end(), first,
                              first + static_cast<std::ptrdiff_t>(objects_.n_classes));
        }
    }

    const Objects& objects_;
    const Held& held_;
    bool is_local_;
    const BallLimits& limits_;
    std::vector<std::uint64_t> seen_;
    std::vector<std::uint64_t> front_;
    std::vector<std::uint64_t> next_;
    std::vector<std::uint32_t> counts_;
    std::uint32_t sizes_[lanes] = {};
    std::uint32_t told_[lanes] = {};
    std::uint64_t hashes_[lanes] = {};
    std::uint64_t alive_ = 0;
    std::vector<Point> active_;
    std::vector<Point> reached_;
    std::vector<Point> touched_;
};

/// Centres in batches of points that lie near each other, so that their walks share their ways.
std::vector<Point> order_by_neighbourhood(const Graph& graph, const std::vector<Point>& centres) {
    std::vector<std::uint8_t> waits(graph.n_points(), 0);
    for (const Point p : centres) waits[p] = 1;
    std::vector<Point> order;
    order.reserve(centres.size());
    for (const Point seed : centres) {
        if (waits[seed] == 0) continue;
        std::size_t next = order.size();
        const std::size_t end = (order.size() / lanes + 1) * lanes;
        waits[seed] = 0;
        order.push_back(seed);
        for (; next < order.size() && order.size() < end; ++next)
            for (const Point v : graph[order[next]])
                if (waits[v] != 0 && order.size() < end) {
                    waits[v] = 0;
                    order.push_back(v);
                }
    }
    return order;
}

std::vector<std::uint32_t> all_objects(const Objects& objects) {
    std::vector<std::uint32_t> all(objects.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

/// Keeps one ball of each vertex set and sorts them by centre and radius.
Balls keep_distinct(const std::vector<Walked>& found, std::size_t n_points, std::size_t n_objects,
                    std::size_t n_classes) {
    struct Place {
        const Raw* raw;
        const std::uint32_t* counts;
    };
    std::vector<std::uint64_t> ends(n_objects + 2, 0);
    std::size_t n_found = 0;
    for (const Walked& some : found) {
        n_found += some.balls.size();
        for (const Raw& raw : some.balls) ++ends[raw.size + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<Place> places(n_found);
    for (const Walked& some : found)
        for (std::size_t i = 0; i < some.balls.size(); ++i)
            places[ends[some.balls[i].size]++] = {&some.balls[i], &some.counts[i * n_classes]};
    std::size_t kept = 0;
    std::size_t first = 0;
    for (std::size_t size = 0; size <= n_objects; ++size) {
        const std::size_t last = ends[size];
        std::sort(places.begin() + static_cast<std::ptrdiff_t>(first),
                  places.begin() + static_cast<std::ptrdiff_t>(last),
                  [](const Place& a, const Place& b) {
                      if (a.raw->hash != b.raw->hash) return a.raw->hash < b.raw->hash;
                      if (a.raw->centre != b.raw->centre) return a.raw->centre < b.raw->centre;
                      return a.raw->radius < b.raw->radius;
                  });
        for (std::size_t i = first; i < last; ++i)
            if (i == first || places[i].raw->hash != places[i - 1].raw->hash)
                places[kept++] = places[i];
        first = last;
    }
    places.resize(kept);
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return a.raw->centre != b.raw->centre ? a.raw->centre < b.raw->centre
                                              : a.raw->radius < b.raw->radius;
    });
    Balls balls;
    balls.n_classes = n_classes;
    balls.starts.assign(n_points + 1, 0);
    balls.radii.reserve(kept);
    balls.sizes.reserve(kept);
    balls.hashes.reserve(kept);
    balls.counts.reserve(kept * n_classes);
    for (const Place& place : places) {
        ++balls.starts[place.raw->centre + 1];
        balls.radii.push_back(place.raw->radius);
        balls.sizes.push_back(place.raw->size);
        balls.hashes.push_back(place.raw->hash);
        balls.counts.insert(balls.counts.end(), place.counts, place.counts + n_classes);
    }
    std::partial_sum(balls.starts.begin(), balls.starts.end(), balls.starts.begin());
    return balls;
}

}  // namespace

Point Balls::centre(std::size_t ball) const noexcept {
    const auto behind = std::upper_bound(starts.begin(), starts.end(), ball);
    return static_cast<Point>(behind - starts.begin() - 1);
}

Balls find_balls(const Objects& objects, std::span<const std::uint32_t> members, BallKind kind,
                 const BallLimits& limits, const Workers& workers) {
    const Held held(objects, members);
    std::vector<Point> centres;
    for (Point p = 0; p < objects.n_points(); ++p)
        if (kind == BallKind::trace || held.has(p)) centres.push_back(p);
    const std::vector<Point> order = order_by_neighbourhood(objects.graph, centres);
    std::vector<Walked> found(std::max<std::size_t>(1, workers.n_threads));
    std::vector<Sweep> sweeps;
    for (std::size_t thread = 0; thread < found.size(); ++thread)
        sweeps.emplace_back(objects, held, kind, limits);
    for_each_block(workers, order.size(), lanes,
                   [&](std::size_t thread, std::size_t first, std::size_t last) {
                       sweeps[thread].run({order.data() + first, last - first}, found[thread]);
                   });
    return keep_distinct(found, objects.n_points(), objects.size(), objects.n_classes);
}

Balls find_all_balls(const Objects& objects, const BallLimits& limits, const Workers& workers) {
    workers.start(objects.n_points());
    return find_balls(objects, all_objects(objects), BallKind::global, limits, workers);
}

double sampled_balls_per_centre(const Objects& objects, const BallLimits& limits,
                                std::size_t n_sampled, const Workers& workers) {
    const std::size_t n = objects.n_points();
    if (n == 0) return 0.0;
    const Held held(objects, all_objects(objects));
    Sweep sweep(objects, held, BallKind::global, limits);
    Walked found;
    const std::size_t n_looked_at = std::min(n, n_sampled);
    for (std::size_t k = 0; k < n_looked_at; ++k) {
        workers.stop.check();
        const auto p = static_cast<Point>(k * n / n_looked_at);
        sweep.run({&p, 1}, found);
    }
    return static_cast<double>(found.balls.size()) / static_cast<double>(n_looked_at);
}

void walk_ball(const Graph& graph, Point centre, std::size_t radius,
               const std::vector<std::uint8_t>& is_open, std::vector<std::uint8_t>& seen,
               std::vector<Point>& out) {
    out.assign(1, centre);
    seen[centre] = 1;
    std::size_t first = 0;
    for (std::size_t r = 0; r < radius && first < out.size(); ++r) {
        const std::size_t last = out.size();
        for (; first < last; ++first)
            for (const Point v : graph[out[first]])
                if (seen[v] == 0 && (is_open.empty() || is_open[v] != 0)) {
                    seen[v] = 1;
                    out.push_back(v);
                }
    }
    for (const Point p : out) seen[p] = 0;
}

}  // namespace partage
