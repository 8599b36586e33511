#include "partage/graphs/balls.hpp"

#include <algorithm>
#include <numeric>

#include "partage/graphs/ball_walks.hpp"

namespace partage {
namespace {

/// Centres in batches of points that lie near each other, so that their walks share their ways.
std::vector<Point> order_by_neighbourhood(const Graph& graph, const std::vector<Point>& centres) {
    std::vector<std::uint8_t> waits(graph.n_points(), 0);
    for (const Point p : centres) waits[p] = 1;
    std::vector<Point> order;
    order.reserve(centres.size());
    for (const Point seed : centres) {
        if (waits[seed] == 0) continue;
        std::size_t next = order.size();
        const std::size_t end = (order.size() / BallWalks::most + 1) * BallWalks::most;
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

/// Marks one ball of each vertex set: that of the smallest centre, then of the smallest radius.
std::vector<std::vector<std::uint8_t>> find_distinct(const std::vector<Walked>& found,
                                                     std::size_t n_objects) {
    struct Place {
        const Raw* raw;
        std::uint8_t* is_kept;
    };
    std::vector<std::vector<std::uint8_t>> kept;
    std::vector<std::uint64_t> ends(n_objects + 2, 0);
    for (const Walked& some : found) {
        kept.emplace_back(some.balls.size(), 0);
        for (const Raw& raw : some.balls) ++ends[raw.size + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<Place> places(ends.back());
    for (std::size_t t = 0; t < found.size(); ++t)
        for (std::size_t i = 0; i < kept[t].size(); ++i) {
            const Raw& raw = found[t].balls[i];
            places[ends[raw.size]++] = {&raw, &kept[t][i]};
        }
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
            *places[i].is_kept = i == first || places[i].raw->hash != places[i - 1].raw->hash;
        first = last;
    }
    return kept;
}

/// Keeps one ball of each vertex set and puts them in the order of centres and radii.
Balls keep_distinct(const std::vector<Walked>& found, std::size_t n_points, std::size_t n_objects,
                    std::size_t n_classes) {
    const auto kept = find_distinct(found, n_objects);
    Balls balls;
    balls.n_classes = n_classes;
    balls.starts.assign(n_points + 1, 0);
    for (std::size_t t = 0; t < found.size(); ++t)
        for (std::size_t i = 0; i < kept[t].size(); ++i)
            balls.starts[found[t].balls[i].centre + 1] += kept[t][i];
    std::partial_sum(balls.starts.begin(), balls.starts.end(), balls.starts.begin());
    const std::size_t n_kept = balls.starts.back();
    balls.radii.resize(n_kept);
    balls.sizes.resize(n_kept);
    balls.hashes.resize(n_kept);
    balls.counts.resize(n_kept * n_classes);
    std::vector<std::uint64_t> next(balls.starts.begin(), balls.starts.end() - 1);
    for (std::size_t t = 0; t < found.size(); ++t)
        for (std::size_t i = 0; i < kept[t].size(); ++i) {
            if (kept[t][i] == 0) continue;
            const Raw& raw = found[t].balls[i];
            const std::uint64_t place = next[raw.centre]++;
            balls.radii[place] = raw.radius;
            balls.sizes[place] = raw.size;
            balls.hashes[place] = raw.hash;
            std::copy_n(found[t].counts.begin() + static_cast<std::ptrdiff_t>(i * n_classes),
                        n_classes,
                        balls.counts.begin() + static_cast<std::ptrdiff_t>(place * n_classes));
        }
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
    std::vector<BallWalks> walks;
    for (std::size_t thread = 0; thread < found.size(); ++thread)
        walks.emplace_back(objects, held, kind, limits);
    for_each_block(workers, order.size(), BallWalks::most,
                   [&](std::size_t thread, std::size_t first, std::size_t last) {
                       walks[thread].run({order.data() + first, last - first}, found[thread]);
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
    BallWalks walks(objects, held, BallKind::global, limits);
    Walked found;
    const std::size_t n_looked_at = std::min(n, n_sampled);
    for (std::size_t k = 0; k < n_looked_at; ++k) {
        workers.stop.check();
        const auto p = static_cast<Point>(k * n / n_looked_at);
        walks.run({&p, 1}, found);
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
