#include "partage/graphs/proximity.hpp"

#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/graphs/prototypes.hpp"
#include "workers.hpp"

namespace partage::bindings {
namespace {

nb::tuple graph_to_python(Graph graph) {
    return nb::make_tuple(to_numpy(std::move(graph.starts)), to_numpy(std::move(graph.neighbours)));
}

Cloud make_cloud(Table<double> rows, double slack) {
    if (rows.shape(1) == 0) throw std::invalid_argument("the points have no coordinates");
    return {{rows.data(), rows.shape(0) * rows.shape(1)}, rows.shape(1), slack};
}

nb::tuple make_graph(Table<double> rows, double slack, std::string_view kind,
                     std::size_t n_neighbours, std::size_t n_jobs, Progress* progress) {
    const Cloud cloud = make_cloud(rows, slack);
    Graph graph;
    run_workers(n_jobs, progress, [&](const Workers& workers) {
        if (kind == "gabriel")
            graph = gabriel_graph(cloud, workers);
        else if (kind == "rng")
            graph = relative_neighbours(cloud, workers);
        else if (kind == "knn")
            graph = nearest_neighbours(cloud, n_neighbours, workers);
        else
            throw std::invalid_argument("no graph has that name");
    });
    return graph_to_python(std::move(graph));
}

nb::tuple make_graph_from_distances(Table<double> distances, std::string_view kind, double slack,
                                    std::size_t n_jobs, Progress* progress) {
    if (distances.shape(0) != distances.shape(1))
        throw std::invalid_argument("the distances are no square");
    Graph graph;
    const std::size_t n = distances.shape(0);
    run_workers(n_jobs, progress, [&](const Workers& workers) {
        graph = graph_from_distances({distances.data(), n * n}, n,
                                     kind == "rng" ? Proximity::relative : Proximity::gabriel,
                                     slack, workers);
    });
    return graph_to_python(std::move(graph));
}

double gabriel_degree(Table<double> rows, double slack, std::size_t n_sampled) {
    const Cloud cloud = make_cloud(rows, slack);
    double degree = 0.0;
    run_workers(1, nullptr, [&](const Workers& workers) {
        degree = sampled_gabriel_degree(cloud, n_sampled, workers);
    });
    return degree;
}

nb::ndarray<nb::numpy, Point, nb::ndim<1>> find_nearest(Table<double> points, Table<double> rows,
                                                        std::size_t n_jobs) {
    const Cloud cloud = make_cloud(points, 0.0);
    if (cloud.size() == 0 || rows.shape(1) != cloud.n_columns)
        throw std::invalid_argument("the rows do not fit the points");
    std::vector<Point> found;
    run_workers(n_jobs, nullptr, [&](const Workers& workers) {
        found = nearest_points(cloud, {rows.data(), rows.size()}, workers);
    });
    return to_numpy(std::move(found));
}

nb::tuple run_prototypes(Table<double> rows, Array<std::uint32_t> object_starts,
                         Array<std::uint32_t> classes, std::size_t n_classes,
                         Array<std::uint32_t> candidates, Table<double> table, std::size_t n_jobs,
                         Progress* progress) {
    const auto starts = view(object_starts);
    const std::size_t n_points = rows.shape(0);
    if (starts.size() != n_points + 1 || n_points == 0 || starts.front() != 0 ||
        starts.back() != classes.size() ||
        std::adjacent_find(starts.begin(), starts.end(), std::greater_equal<>()) != starts.end())
        throw std::invalid_argument("the objects do not fit the points");
    for (const std::uint32_t label : view(classes))
        if (label >= n_classes) throw std::invalid_argument("a class is out of range");
    const auto chosen = view(candidates);
    if (chosen.empty() || chosen.back() >= n_points ||
        std::adjacent_find(chosen.begin(), chosen.end(), std::greater_equal<>()) != chosen.end())
        throw std::invalid_argument("the candidates are no set of points");
    const bool has_table = table.size() > 0;
    if (has_table && (table.shape(0) != n_points || table.shape(1) != chosen.size()))
        throw std::invalid_argument("the distances do not fit the candidates");
    Distances distances{n_points, {}, 0, {}};
    if (has_table) {
        distances.table = {table.data(), table.size()};
    } else {
        distances.rows = {rows.data(), rows.size()};
        distances.n_columns = rows.shape(1);
    }
    Prototypes found;
    run_workers(n_jobs, progress, [&](const Workers& workers) {
        found = choose_prototypes(starts, view(classes), n_classes, distances, chosen, workers);
    });
    return nb::make_tuple(to_numpy(std::move(found.points)), to_numpy(std::move(found.cell_of)),
                          found.cost, found.null_cost);
}

}  // namespace

void bind_proximity(nb::module_& m) {
    nb::class_<Progress>(m, "Progress", "How far a long piece of work is.")
        .def(nb::init<>())
        .def_prop_ro("done", [](const Progress& p) { return p.done.load(); })
        .def_prop_ro("total", [](const Progress& p) { return p.total.load(); });
    m.def("proximity_graph", &make_graph, nb::arg("rows").noconvert(), nb::arg("slack"),
          nb::arg("kind"), nb::arg("n_neighbours"), nb::arg("n_jobs"), nb::arg("progress").none(),
          "Gabriel graph, relative neighbours or nearest neighbours of distinct points: where the "
          "neighbours of each point start, and the neighbours.");
    m.def("graph_from_distances", &make_graph_from_distances, nb::arg("distances").noconvert(),
          nb::arg("kind"), nb::arg("slack"), nb::arg("n_jobs"), nb::arg("progress").none(),
          "The same from a square table of distances.");
    m.def("nearest_points", &find_nearest, nb::arg("points").noconvert(),
          nb::arg("rows").noconvert(), nb::arg("n_jobs"),
          "The nearest point to each row, of equals the first.");
    m.def("gabriel_degree", &gabriel_degree, nb::arg("rows").noconvert(), nb::arg("slack"),
          nb::arg("n_sampled"), "Mean number of Gabriel neighbours of a few points.");
    m.def("prototypes", &run_prototypes, nb::arg("rows").noconvert(),
          nb::arg("object_starts").noconvert(), nb::arg("classes").noconvert(),
          nb::arg("n_classes"), nb::arg("candidates").noconvert(), nb::arg("table").noconvert(),
          nb::arg("n_jobs"), nb::arg("progress").none(),
          "Choose prototypes among candidates: their points, the cell of each point, the cost and "
          "the cost of one cell in nats. Distances are Euclid's unless a table of them is given.");
}

}  // namespace partage::bindings
