#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "check.hpp"
#include "partage/graphs/adjacency_code.hpp"
#include "partage/graphs/agglomerate.hpp"
#include "partage/graphs/bipartition.hpp"
#include "partage/graphs/cover_changes.hpp"
#include "partage/graphs/prototypes.hpp"
#include "partage/graphs/proximity.hpp"

namespace {

using namespace partage;

const Stop no_stop;

Workers threads(std::size_t n) { return Workers{no_stop, n, nullptr}; }

/// Distinct points; whole numbers where `side` > 0, so that many distances tie.
std::vector<double> draw_points(std::size_t n, std::size_t n_columns, int side, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::set<std::vector<double>> seen;
    std::vector<double> rows;
    for (std::size_t tries = 0; seen.size() < n && tries < 20 * n; ++tries) {
        std::vector<double> row(n_columns);
        for (double& x : row)
            x = side > 0 ? static_cast<double>(random() % static_cast<unsigned>(side))
                         : normal(random);
        if (seen.insert(row).second) rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
}

double square(const std::vector<double>& rows, std::size_t d, std::size_t i, std::size_t j) {
    double sum = 0.0;
    for (std::size_t c = 0; c < d; ++c)
        sum += (rows[i * d + c] - rows[j * d + c]) * (rows[i * d + c] - rows[j * d + c]);
    return sum;
}

Graph slow_graph(const std::vector<double>& rows, std::size_t d, Proximity proximity,
                 double slack) {
    const std::size_t n = rows.size() / d;
    std::vector<std::vector<Edge>> edges(1);
    for (Point i = 0; i < n; ++i)
        for (Point j = i + 1; j < n; ++j) {
            const double limit = square(rows, d, i, j) * (1.0 - slack);
            bool apart = false;
            for (std::size_t o = 0; o < n; ++o) {
                const double a = square(rows, d, i, o);
                const double b = square(rows, d, j, o);
                apart |= (proximity == Proximity::gabriel ? a + b : std::max(a, b)) < limit;
            }
            if (!apart) edges[0].emplace_back(i, j);
        }
    return graph_from_edges(n, edges);
}

TEST(proximity_graphs_are_those_of_the_definition) {
    for (const std::size_t d : {1, 2, 3, 5, 7, 12})
        for (const int side : {0, 3, 6}) {
            const std::vector<double> rows = draw_points(
                90, d, side, static_cast<unsigned>(100 * d) + static_cast<unsigned>(side));
            const double slack = side > 0 ? 0.0 : 1e-10;
            const Cloud cloud{rows, d, slack};
            const Graph gabriel = gabriel_graph(cloud, threads(2));
            CHECK(gabriel.neighbours == slow_graph(rows, d, Proximity::gabriel, slack).neighbours);
            const Graph relative = relative_neighbours(cloud, threads(2));
            CHECK(relative.neighbours ==
                  slow_graph(rows, d, Proximity::relative, slack).neighbours);
        }
}

struct Sample {
    std::vector<double> rows;
    Graph graph;
    std::vector<std::uint32_t> starts{0};
    std::vector<std::uint32_t> classes;
    Objects objects() const { return {graph, starts, classes, 3}; }
};

/// Points of a plane, one to three objects at each, three classes.
Sample draw_sample(std::size_t n, unsigned seed) {
    Sample sample;
    std::mt19937 random(seed);
    sample.rows = draw_points(n, 2, 12, seed);
    sample.graph = gabriel_graph({sample.rows, 2, 0.0}, threads(1));
    for (std::size_t p = 0; p < sample.graph.n_points(); ++p) {
        const std::size_t n_here = 1 + (random() % 4 == 0) * (random() % 3);
        for (std::size_t k = 0; k < n_here; ++k)
            sample.classes.push_back(sample.rows[2 * p] > 5.0 ? random() % 2 : 2);
        sample.starts.push_back(static_cast<std::uint32_t>(sample.classes.size()));
    }
    return sample;
}

bool are_the_same(const Group& a, const Group& b) {
    const auto key = [](const Group& group) {
        std::vector<std::uint64_t> balls;
        for (const Described& ball : group.cover.balls) balls.push_back(ball.ball);
        return balls;
    };
    const auto points = [](const Group& group) {
        std::vector<Point> all = group.cover.points;
        std::sort(all.begin(), all.end());
        return all;
    };
    return a.members == b.members && a.counts == b.counts && a.labels == b.labels &&
           key(a) == key(b) && points(a) == points(b) && a.cover.n_singles == b.cover.n_singles;
}

/// Stripes, with objects here and there in the wrong one, so that groups meet at points.
std::vector<std::uint32_t> draw_stripes(const Sample& sample, std::mt19937& random) {
    std::vector<std::uint32_t> group_of(sample.classes.size());
    for (Point p = 0; p < sample.graph.n_points(); ++p)
        for (std::uint32_t o = sample.starts[p]; o < sample.starts[p + 1]; ++o)
            group_of[o] = random() % 20 == 0 ? random() % 3
                                             : static_cast<std::uint32_t>(sample.rows[2 * p]) / 5;
    return group_of;
}

/// Some objects of a group: any, a run of them, one, or those of a described ball.
std::vector<std::uint32_t> draw_some(const Sample& sample, const Group& group,
                                     std::mt19937& random) {
    std::vector<std::uint32_t> some;
    const unsigned kind = random() % 4;
    if (kind == 0 && !group.cover.balls.empty()) {
        const auto& balls = group.cover.balls;
        for (const Point p : group.cover.points_of(balls[random() % balls.size()]))
            for (std::uint32_t o = sample.starts[p]; o < sample.starts[p + 1]; ++o)
                some.push_back(o);
        std::sort(some.begin(), some.end());
        return some;
    }
    const std::size_t first = random() % group.members.size();
    const std::size_t length = kind == 1 ? 1 : 1 + random() % 6;
    for (std::size_t i = 0; i < group.members.size(); ++i)
        if (kind == 2 ? random() % 9 == 0 : i >= first && i < first + length)
            some.push_back(group.members[i]);
    return some;
}

TEST(changed_groups_have_the_balls_of_a_new_decomposition) {
    for (unsigned seed = 0; seed < 12; ++seed) {
        const Sample sample = draw_sample(seed % 2 == 0 ? 70 : 110, seed);
        const Objects objects = sample.objects();
        const Balls balls = find_all_balls(objects, {}, threads(1));
        Cover cover(objects, balls);
        CoverChanges changes(cover);
        std::mt19937 random(seed);
        const Description description(
            objects, groups_from_labels(cover, draw_stripes(sample, random), 3), GroupingCode::any);
        const auto& groups = description.groups();
        using Members = std::vector<std::uint32_t>;
        const auto together = [](const Members& a, const Members& b) {
            Members all;
            std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
            return all;
        };
        for (int trial = 0; trial < 60; ++trial) {
            const std::uint32_t from = random() % 3;
            const std::uint32_t to = (from + 1 + random() % 2) % 3;
            const Group both =
                make_group(cover, together(groups[from].members, groups[to].members));
            CHECK(are_the_same(changes.join(description, from, to), both));
            const Members moved = draw_some(sample, groups[from], random);
            Members kept;
            std::set_difference(groups[from].members.begin(), groups[from].members.end(),
                                moved.begin(), moved.end(), std::back_inserter(kept));
            CHECK(are_the_same(changes.lose(description, from, moved), make_group(cover, kept)));
            const Group more = make_group(cover, together(groups[to].members, moved));
            CHECK(are_the_same(changes.gain(description, to, moved), more));
        }
    }
}

TEST(every_ball_is_found_once) {
    const Sample sample = draw_sample(60, 4);
    const Objects objects = sample.objects();
    std::vector<std::uint32_t> all(objects.size());
    std::iota(all.begin(), all.end(), 0U);
    std::set<std::vector<Point>> wanted;
    std::vector<std::uint8_t> seen(objects.n_points(), 0);
    std::vector<Point> ball;
    for (Point p = 0; p < objects.n_points(); ++p)
        for (std::size_t radius = 1; radius < objects.n_points(); ++radius) {
            walk_ball(objects.graph, p, radius, {}, seen, ball);
            std::sort(ball.begin(), ball.end());
            wanted.insert(ball);
        }
    const Balls balls = find_balls(objects, all, BallKind::global, {}, threads(2));
    CHECK(balls.size() == wanted.size());
    for (Point p = 0; p < objects.n_points(); ++p)
        for (std::uint64_t b = balls.starts[p]; b < balls.starts[p + 1]; ++b) {
            CHECK(balls.centre(b) == p);
            walk_ball(objects.graph, p, balls.radii[b], {}, seen, ball);
            std::size_t size = 0;
            for (const Point v : ball) size += objects.n_at(v);
            CHECK(balls.sizes[b] == size);
            const auto row = balls.row(b);
            CHECK(std::accumulate(row.begin(), row.end(), 0U) == size);
        }
}

TEST(bipartition_is_the_same_on_any_number_of_threads) {
    const Sample sample = draw_sample(120, 5);
    for (const BallKind kind : {BallKind::global, BallKind::local, BallKind::trace}) {
        BipartitionSettings settings;
        settings.kind = kind;
        const Balls balls = find_all_balls(sample.objects(), {}, threads(2));
        const Bipartition one = split_recursively(sample.objects(), balls, settings, threads(1));
        const Bipartition three = split_recursively(sample.objects(), balls, settings, threads(3));
        CHECK(one.leaf_of == three.leaf_of);
        CHECK(one.nodes.size() == three.nodes.size());
        CHECK(one.nodes.size() > 1);
    }
}

TEST(agglomeration_ends_no_higher_than_it_starts) {
    for (const unsigned seed : {6U, 7U}) {
        const Sample sample = draw_sample(100, seed);
        const Objects objects = sample.objects();
        const Balls balls = find_all_balls(objects, {}, threads(1));
        Cover cover(objects, balls);
        for (const GroupingCode code : {GroupingCode::any, GroupingCode::connected})
            for (const InitialGroups initial :
                 {InitialGroups::all, InitialGroups::balls, InitialGroups::classes,
                  InitialGroups::bipartition, InitialGroups::singletons}) {
                const auto cost = [&](const std::vector<std::uint32_t>& group_of) {
                    const std::size_t n =
                        *std::max_element(group_of.begin(), group_of.end()) + std::size_t{1};
                    return Description(objects, groups_from_labels(cover, group_of, n), code)
                        .cost(cover)
                        .total();
                };
                AgglomerationSettings settings;
                settings.code = code;
                settings.initial = initial;
                settings.moves = false;
                const auto plain = agglomerate(objects, balls, settings, threads(1));
                CHECK(plain == agglomerate(objects, balls, settings, threads(3)));
                CHECK(cost(plain) <= cost(std::vector<std::uint32_t>(objects.size(), 0)) + 1e-9);
                if (initial == InitialGroups::all) continue;
                settings.moves = true;
                const auto moved = agglomerate(objects, balls, settings, threads(1));
                CHECK(cost(moved) <= cost(plain) + 1e-9);
                settings.initial = InitialGroups::all;
                if (initial != InitialGroups::singletons)
                    CHECK(cost(agglomerate(objects, balls, settings, threads(1))) <=
                          cost(moved) + 1e-9);
            }
    }
}

TEST(adjacency_code_sums_to_one) {
    const Graph graph = graph_from_edges(5, {{{0, 1}, {1, 2}, {2, 0}, {3, 4}}});
    double sum = 0.0;
    std::vector<std::uint32_t> groups(5, 0);
    const auto visit = [&](auto& self, std::size_t i, std::uint32_t n_open) -> void {
        if (i == groups.size()) {
            sum += std::exp(-adjacency_grouping_length(graph, groups));
            return;
        }
        for (std::uint32_t g = 0; g <= n_open; ++g) {
            groups[i] = g;
            self(self, i + 1, std::max(n_open, g + 1));
        }
    };
    visit(visit, 0, 0);
    CHECK_NEAR(sum, 1.0, 1e-12);
}

TEST(prototypes_cost_what_their_cells_cost) {
    const Sample sample = draw_sample(110, 8);
    const std::size_t n = sample.graph.n_points();
    std::vector<Point> candidates(n);
    std::iota(candidates.begin(), candidates.end(), 0U);
    const Distances distances{n, sample.rows, 2, {}};
    const Prototypes found =
        choose_prototypes(sample.starts, sample.classes, 3, distances, candidates, threads(2));
    std::vector<double> table;
    for (std::size_t p = 0; p < n; ++p)
        for (std::size_t k = 0; k < n; ++k) table.push_back(square(sample.rows, 2, p, k));
    const Prototypes same = choose_prototypes(sample.starts, sample.classes, 3, {n, {}, 0, table},
                                              candidates, threads(1));
    CHECK(found.points == same.points);
    CHECK(found.cell_of == same.cell_of);
    CHECK(found.cost <= found.null_cost + 1e-9);
    double cost = prototypes_structure(sample.classes.size(), found.points.size());
    for (std::size_t k = 0; k < found.points.size(); ++k) {
        std::vector<std::uint32_t> counts(3, 0);
        for (std::size_t p = 0; p < n; ++p)
            if (found.cell_of[p] == k)
                for (std::uint32_t o = sample.starts[p]; o < sample.starts[p + 1]; ++o)
                    ++counts[sample.classes[o]];
        cost += label_length(counts);
    }
    CHECK_NEAR(found.cost, cost, 1e-12);
}

TEST(work_on_graphs_stops_when_asked) {
    const std::vector<double> rows = draw_points(400, 8, 0, 9);
    const std::atomic<bool> asked{true};
    const Stop stop(&asked);
    bool is_stopped = false;
    try {
        gabriel_graph({rows, 8, 1e-10}, Workers{stop, 2, nullptr});
    } catch (const Interrupted&) {
        is_stopped = true;
    }
    CHECK(is_stopped);
}

}  // namespace
