#include "partage/graphs/connected.hpp"

#include <algorithm>
#include <limits>

#include "partage/combinatorics.hpp"

namespace partage {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// The ball of each object; balls of several objects first, largest first.
std::vector<std::uint32_t> ball_of_objects(const Cover& cover,
                                           std::span<const Decomposition* const> groups) {
    const Objects& objects = cover.objects();
    const Balls& balls = cover.balls();
    std::vector<std::pair<std::uint64_t, std::span<const Point>>> described;
    for (const Decomposition* group : groups)
        for (std::size_t i = 0; i < group->balls.size(); ++i)
            described.emplace_back(group->balls[i], group->ball(i));
    // Balls are numbered by centre and radius.
    std::sort(described.begin(), described.end(), [&](const auto& a, const auto& b) {
        return balls.sizes[a.first] != balls.sizes[b.first]
                   ? balls.sizes[a.first] > balls.sizes[b.first]
                   : a.first < b.first;
    });
    std::vector<std::uint32_t> ball_of(objects.size(), none);
    std::uint32_t n_balls = 0;
    for (const auto& [ball, points] : described) {
        for (const Point p : points)
            for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
                ball_of[o] = n_balls;
        ++n_balls;
    }
    for (std::uint32_t& ball : ball_of)
        if (ball == none) ball = n_balls++;
    return ball_of;
}

/// Which balls hold objects that are neighbours.
Graph graph_of_balls(const Objects& objects, std::span<const std::uint32_t> ball_of) {
    const std::size_t n_balls = *std::max_element(ball_of.begin(), ball_of.end()) + 1ULL;
    std::vector<std::vector<Edge>> edges(1);
    const auto link = [&](std::uint32_t o, std::uint32_t other) {
        const auto [low, high] = std::minmax(ball_of[o], ball_of[other]);
        if (low != high) edges[0].emplace_back(low, high);
    };
    const auto step = [&](Point p, std::uint32_t o) {
        // A ball of several objects holds all objects of its points.
        return o + 1 < objects.starts[p + 1] && ball_of[o + 1] == ball_of[o] ? objects.starts[p + 1]
                                                                             : o + 1;
    };
    for (Point p = 0; p < objects.n_points(); ++p)
        for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; o = step(p, o)) {
            for (std::uint32_t twin = o + 1; twin < objects.starts[p + 1]; ++twin) link(o, twin);
            for (const Point v : objects.graph[p])
                if (v > p)
                    for (std::uint32_t w = objects.starts[v]; w < objects.starts[v + 1];
                         w = step(v, w))
                        link(o, w);
        }
    std::sort(edges[0].begin(), edges[0].end());
    edges[0].erase(std::unique(edges[0].begin(), edges[0].end()), edges[0].end());
    return graph_from_edges(n_balls, edges);
}

}  // namespace

double connected_grouping_length(const Graph& graph, std::span<const std::uint32_t> group_of) {
    const std::size_t n = graph.n_points();
    std::vector<std::uint8_t> has_group(n, 0);
    std::vector<std::uint32_t> asked_by(n, none);
    std::vector<std::uint8_t> is_open(n, 0);  // by group: started already
    std::vector<Point> queue;
    std::size_t n_answers = 0;
    std::size_t n_yes = 0;
    for (Point seed = 0; seed < n; ++seed) {
        if (has_group[seed] != 0) continue;
        if (group_of[seed] >= n || is_open[group_of[seed]] != 0)
            throw NotPossible("a group is not connected");
        is_open[group_of[seed]] = 1;
        has_group[seed] = 1;
        queue.assign(1, seed);
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (const Point v : graph[queue[i]]) {
                if (has_group[v] != 0 || asked_by[v] == seed) continue;
                asked_by[v] = seed;
                ++n_answers;
                if (group_of[v] != group_of[seed]) continue;
                ++n_yes;
                has_group[v] = 1;
                queue.push_back(v);
            }
    }
    const auto answers = static_cast<double>(n_answers);
    return portable_log(answers + 1.0) + log_binomial(answers, static_cast<double>(n_yes));
}

double connected_grouping_length(const Cover& cover, std::span<const Decomposition* const> groups,
                                 std::span<const std::uint32_t> group_of) {
    const Objects& objects = cover.objects();
    const std::vector<std::uint32_t> ball_of = ball_of_objects(cover, groups);
    const Graph balls = graph_of_balls(objects, ball_of);
    std::vector<std::uint32_t> group_of_ball(balls.n_points());
    for (std::size_t o = 0; o < ball_of.size(); ++o) group_of_ball[ball_of[o]] = group_of[o];
    return connected_grouping_length(balls, group_of_ball);
}

}  // namespace partage
