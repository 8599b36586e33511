#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/graphs/adjacency_code.hpp"
#include "partage/graphs/agglomerate.hpp"
#include "partage/graphs/bipartition.hpp"
#include "partage/graphs/description.hpp"
#include "partage/graphs/pieces.hpp"
#include "workers.hpp"

namespace partage::bindings {
namespace {

/// Objects and classes on a graph, owned; checked once, when it is made.
struct ObjectGraph {
    Graph graph;
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> classes;
    std::size_t n_classes;

    Objects view() const { return {graph, starts, classes, n_classes}; }
};

Graph checked_graph(Array<std::uint64_t> starts, Array<std::uint32_t> neighbours) {
    Graph graph;
    graph.starts.assign(starts.data(), starts.data() + starts.size());
    graph.neighbours.assign(neighbours.data(), neighbours.data() + neighbours.size());
    if (graph.starts.empty() || graph.starts.front() != 0 ||
        graph.starts.back() != graph.neighbours.size() ||
        !std::is_sorted(graph.starts.begin(), graph.starts.end()))
        throw std::invalid_argument("the starts do not fit the neighbours");
    const std::size_t n = graph.n_points();
    if (std::any_of(graph.neighbours.begin(), graph.neighbours.end(),
                    [n](Point p) { return p >= n; }))
        throw std::invalid_argument("a neighbour is no point");
    return graph;
}

ObjectGraph make_objects(Array<std::uint64_t> starts, Array<std::uint32_t> neighbours,
                         Array<std::uint32_t> object_starts, Array<std::uint32_t> classes,
                         std::size_t n_classes) {
    ObjectGraph made{checked_graph(starts, neighbours),
                     {object_starts.data(), object_starts.data() + object_starts.size()},
                     {classes.data(), classes.data() + classes.size()},
                     n_classes};
    const auto& firsts = made.starts;
    if (firsts.size() != made.graph.n_points() + 1 || firsts.front() != 0 ||
        firsts.back() != made.classes.size() ||
        std::adjacent_find(firsts.begin(), firsts.end(), std::greater_equal<>()) != firsts.end())
        throw std::invalid_argument("the objects do not fit the points");
    if (std::any_of(made.classes.begin(), made.classes.end(),
                    [n_classes](std::uint32_t label) { return label >= n_classes; }))
        throw std::invalid_argument("a class is out of range");
    return made;
}

void check_members(const ObjectGraph& objects, std::span<const std::uint32_t> members) {
    std::vector<std::uint8_t> seen(objects.classes.size(), 0);
    for (const std::uint32_t o : members)
        if (o >= seen.size() || seen[o]++ != 0)
            throw std::invalid_argument("the members are no set of objects");
}

BallKind ball_kind(std::string_view name) {
    if (name == "global") return BallKind::global;
    if (name == "local") return BallKind::local;
    if (name == "trace") return BallKind::trace;
    throw std::invalid_argument("no kind of balls has that name");
}

BallLimits ball_limits(const ObjectGraph& objects, std::size_t max_size,
                       Array<std::uint32_t> free_centres) {
    BallLimits limits;
    if (max_size > 0) limits.max_size = max_size;
    if (free_centres.size() > 0) {
        limits.is_free.assign(objects.graph.n_points(), 0);
        for (const std::uint32_t p : view(free_centres)) {
            if (p >= limits.is_free.size()) throw std::invalid_argument("a centre is no point");
            limits.is_free[p] = 1;
        }
    }
    return limits;
}

nb::list nodes_to_python(const std::vector<SplitNode>& nodes) {
    nb::list out;
    for (const SplitNode& node : nodes) {
        nb::dict row;
        row["parent"] = node.parent;
        row["is_ball"] = node.is_ball;
        row["counts"] = node.counts;
        row["null_cost"] = node.null_cost;
        row["split_cost"] = node.split_cost;
        row["n_balls"] = node.n_balls;
        row["centre"] = node.centre;
        row["radius"] = node.radius;
        row["size"] = node.size;
        row["accepted"] = node.accepted;
        out.append(row);
    }
    return out;
}

/// The length of a partition and that of one group.
struct Price {
    CoverCost cost;
    double null_cost = 0.0;

    nb::tuple to_python() const {
        return nb::make_tuple(cost.balls, cost.grouping, cost.labels, cost.n_balls, null_cost);
    }
};

Price price_groups(const ObjectGraph& objects, const Balls& balls, GroupingCode code,
                   std::vector<std::uint32_t> group_of) {
    const Objects seen = objects.view();
    Cover cover(seen, balls);
    const auto price = [&](std::size_t n_groups) {
        return Description(seen, groups_from_labels(cover, group_of, n_groups), code).cost(cover);
    };
    Price found;
    found.cost = price(number_by_first(group_of));
    std::fill(group_of.begin(), group_of.end(), 0U);
    found.null_cost = price(1).total();
    return found;
}

nb::tuple bipartition(const ObjectGraph& objects, std::string_view kind,
                      std::string_view null_prior, bool prune, std::size_t max_ball_size,
                      Array<std::uint32_t> free_centres, std::size_t n_jobs, Progress* progress) {
    BipartitionSettings settings;
    settings.prunes = prune;
    settings.kind = ball_kind(kind);
    settings.prior = null_prior == "half" ? NullPrior::half : NullPrior::paper;
    settings.limits = ball_limits(objects, max_ball_size, free_centres);
    Bipartition found;
    run_workers(n_jobs, progress, [&](const Workers& workers) {
        const Balls balls = find_all_balls(objects.view(), settings.limits, workers);
        found = split_recursively(objects.view(), balls, settings, workers);
    });
    const double cost = found.cost(settings.prior);
    return nb::make_tuple(to_numpy(std::move(found.leaf_of)), cost, nodes_to_python(found.nodes));
}

double balls_per_centre(const ObjectGraph& objects, std::size_t max_ball_size,
                        Array<std::uint32_t> free_centres, std::size_t n_sampled) {
    const BallLimits limits = ball_limits(objects, max_ball_size, free_centres);
    double mean = 0.0;
    run_workers(1, nullptr, [&](const Workers& workers) {
        mean = sampled_balls_per_centre(objects.view(), limits, n_sampled, workers);
    });
    return mean;
}

/// Distinct balls of each size inside S, and whether `ball` is one of them.
nb::tuple count_balls(const ObjectGraph& objects, Array<std::uint32_t> members,
                      Array<std::uint32_t> ball, std::string_view kind) {
    check_members(objects, view(members));
    check_members(objects, view(ball));
    std::vector<std::int64_t> counts(members.size() + 1, 0);
    bool is_found = ball.size() == 1;
    const BallKind balls_of = ball_kind(kind);
    std::uint64_t wanted = 0;
    for (const std::uint32_t o : view(ball)) wanted += object_key(o);
    run_workers(1, nullptr, [&](const Workers& workers) {
        const Balls balls = balls_of == BallKind::global
                                ? find_all_balls(objects.view(), {}, workers)
                                : find_balls(objects.view(), view(members), balls_of, {}, workers);
        if (counts.size() > 1) counts[1] = static_cast<std::int64_t>(members.size());
        const auto count = [&](std::uint64_t b) {
            ++counts[balls.sizes[b]];
            is_found |= balls.sizes[b] == ball.size() && balls.hashes[b] == wanted;
        };
        if (balls_of == BallKind::global)
            for (const std::uint64_t b : balls_inside(objects.view(), balls, view(members)))
                count(b);
        else
            for (std::uint64_t b = 0; b < balls.size(); ++b) count(b);
    });
    return nb::make_tuple(to_numpy(std::move(counts)), is_found);
}

GroupingCode grouping_code(std::string_view name) {
    if (name == "any") return GroupingCode::any;
    if (name == "connected") return GroupingCode::connected;
    throw std::invalid_argument("no grouping has that name");
}

void check_groups(const ObjectGraph& objects, std::span<const std::uint32_t> groups,
                  std::size_t n_groups) {
    if (groups.size() != objects.classes.size())
        throw std::invalid_argument("the groups do not fit the objects");
    std::vector<std::uint8_t> is_used(n_groups, 0);
    for (const std::uint32_t group : groups) {
        if (group >= n_groups) throw std::invalid_argument("a group is out of range");
        is_used[group] = 1;
    }
    if (std::find(is_used.begin(), is_used.end(), 0) != is_used.end())
        throw std::invalid_argument("a group is empty");
}

nb::tuple partition_cost(const ObjectGraph& objects, Array<std::uint32_t> groups,
                         std::size_t n_groups, std::string_view grouping) {
    check_groups(objects, view(groups), n_groups);
    const GroupingCode code = grouping_code(grouping);
    Price price;
    run_workers(1, nullptr, [&](const Workers& workers) {
        const Balls balls = find_all_balls(objects.view(), {}, workers);
        price = price_groups(objects, balls, code, {groups.data(), groups.data() + groups.size()});
    });
    return price.to_python();
}

InitialGroups initial_groups(std::string_view name) {
    if (name == "all") return InitialGroups::all;
    if (name == "balls") return InitialGroups::balls;
    if (name == "classes") return InitialGroups::classes;
    if (name == "bipartition") return InitialGroups::bipartition;
    if (name == "singletons") return InitialGroups::singletons;
    throw std::invalid_argument("no start has that name");
}

nb::tuple run_agglomerate(const ObjectGraph& objects, std::string_view init,
                          std::string_view grouping, bool moves, std::size_t max_ball_size,
                          Array<std::uint32_t> free_centres, std::size_t n_jobs,
                          Progress* progress) {
    AgglomerationSettings settings;
    settings.initial = initial_groups(init);
    settings.code = grouping_code(grouping);
    settings.moves = moves;
    settings.limits = ball_limits(objects, max_ball_size, free_centres);
    std::vector<std::uint32_t> groups;
    Price price;
    run_workers(n_jobs, progress, [&](const Workers& workers) {
        const Balls balls = find_all_balls(objects.view(), settings.limits, workers);
        groups = agglomerate(objects.view(), balls, settings, workers);
        price = price_groups(objects, balls, settings.code, groups);
    });
    return nb::make_tuple(to_numpy(std::move(groups)), price.to_python());
}

double label_length_of(Array<std::uint32_t> counts) {
    if (counts.size() == 0) throw std::invalid_argument("there are no classes");
    return label_length(view(counts));
}

double grouping_length_of(Array<std::uint64_t> starts, Array<std::uint32_t> neighbours,
                          Array<std::uint32_t> groups) {
    const Graph graph = checked_graph(starts, neighbours);
    if (groups.size() != graph.n_points())
        throw std::invalid_argument("the groups do not fit the nodes");
    return adjacency_grouping_length(graph, view(groups));
}

}  // namespace

void bind_graphs(nb::module_& m) {
    nb::class_<ObjectGraph>(m, "ObjectGraph", "Objects, their classes, and who is whose neighbour.")
        .def(
            "__init__",
            [](ObjectGraph* self, Array<std::uint64_t> starts, Array<std::uint32_t> neighbours,
               Array<std::uint32_t> object_starts, Array<std::uint32_t> classes,
               std::size_t n_classes) {
                new (self) ObjectGraph(
                    make_objects(starts, neighbours, object_starts, classes, n_classes));
            },
            nb::arg("starts").noconvert(), nb::arg("neighbours").noconvert(),
            nb::arg("object_starts").noconvert(), nb::arg("classes").noconvert(),
            nb::arg("n_classes"));
    m.def("bipartition", &bipartition, nb::arg("objects"), nb::arg("kind"), nb::arg("null_prior"),
          nb::arg("prune"), nb::arg("max_ball_size"), nb::arg("free_centres").noconvert(),
          nb::arg("n_jobs"), nb::arg("progress").none(),
          "Cut balls off recursively: the last subset of each object, the length of the recursive "
          "code, and the subsets examined.");
    m.def("balls_per_centre", &balls_per_centre, nb::arg("objects"), nb::arg("max_ball_size"),
          nb::arg("free_centres").noconvert(), nb::arg("n_sampled"),
          "Mean number of balls of a few centres.");
    m.def("count_balls", &count_balls, nb::arg("objects"), nb::arg("members").noconvert(),
          nb::arg("ball").noconvert(), nb::arg("kind"),
          "Distinct balls of each size inside a set of objects, and whether a set is one of them.");
    m.def("partition_cost", &partition_cost, nb::arg("objects"), nb::arg("groups").noconvert(),
          nb::arg("n_groups"), nb::arg("grouping"),
          "Length of a partition in nats: balls, grouping, labels; the number of balls; the length "
          "of one group.");
    m.def("agglomerate", &run_agglomerate, nb::arg("objects"), nb::arg("init"), nb::arg("grouping"),
          nb::arg("moves"), nb::arg("max_ball_size"), nb::arg("free_centres").noconvert(),
          nb::arg("n_jobs"), nb::arg("progress").none(),
          "Merge adjacent groups: the group of each object in the cheapest partition met, and its "
          "length.");
    m.def("label_length", &label_length_of, nb::arg("counts").noconvert(),
          "log C(n+J-1, J-1) + log(n! / prod n_j!) of class counts, in nats.");
    m.def(
        "adjacency_grouping_length", &grouping_length_of, nb::arg("starts").noconvert(),
        nb::arg("neighbours").noconvert(), nb::arg("groups").noconvert(),
        "Length in nats of a grouping of the nodes of a graph, short where groups are connected.");
}

}  // namespace partage::bindings
