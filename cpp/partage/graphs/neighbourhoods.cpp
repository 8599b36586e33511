#include <algorithm>
#include <limits>

#include "partage/graphs/kd_tree.hpp"
#include "partage/graphs/proximity.hpp"

namespace partage {
namespace {

/// Looks for a point that is nearer to both ends of an edge than they are to each other.
class Lune {
public:
    Lune(const KdTree& tree, double slack)
        : tree_(tree), slack_(slack), a_(tree.n_columns()), b_(tree.n_columns()) {}

    bool is_empty(std::uint32_t a, std::uint32_t b) {
        tree_.row(a, a_.data());
        tree_.row(b, b_.data());
        double square = 0.0;
        for (std::size_t c = 0; c < a_.size(); ++c) square += (a_[c] - b_[c]) * (a_[c] - b_[c]);
        limit_ = square - slack_ * square;
        return !has_point(0);
    }

private:
    bool has_point(std::size_t node) const noexcept {
        if (!(box_square(node, a_) < limit_) || !(box_square(node, b_) < limit_)) return false;
        const KdTree::Node& here = tree_[node];
        if (!here.is_leaf()) return has_point(node + 1) || has_point(here.right);
        double from_a[KdTree::leaf_size] = {};
        double from_b[KdTree::leaf_size] = {};
        const std::size_t n = here.last - here.first;
        for (std::size_t c = 0; c < a_.size(); ++c) {
            const double* x = tree_.column(c) + here.first;
            for (std::size_t t = 0; t < n; ++t) {
                from_a[t] += (x[t] - a_[c]) * (x[t] - a_[c]);
                from_b[t] += (x[t] - b_[c]) * (x[t] - b_[c]);
            }
        }
        for (std::size_t t = 0; t < n; ++t)
            if (from_a[t] < limit_ && from_b[t] < limit_) return true;
        return false;
    }

    double box_square(std::size_t node, const std::vector<double>& from) const noexcept {
        double square = 0.0;
        for (std::size_t c = 0; c < from.size(); ++c) {
            const double gap =
                std::max({tree_.low(node)[c] - from[c], from[c] - tree_.high(node)[c], 0.0});
            square += gap * gap;
        }
        return square;
    }

    const KdTree& tree_;
    double slack_;
    double limit_ = 0.0;
    std::vector<double> a_;
    std::vector<double> b_;
};

/// Whether some point keeps i and j apart; points are looked at from the nearest of i on.
bool is_kept_apart(std::span<const double> distances, std::size_t n, std::size_t i, std::size_t j,
                   std::span<const Point> nearest, Proximity proximity, double slack) noexcept {
    const double* from_i = distances.data() + i * n;
    const double* from_j = distances.data() + j * n;
    const double square = from_i[j] * from_i[j];
    const double limit = square - slack * square;
    for (const Point o : nearest) {
        if (from_i[o] >= from_i[j]) return false;
        const double a = from_i[o] * from_i[o];
        const double b = from_j[o] * from_j[o];
        if ((proximity == Proximity::gabriel ? a + b : std::max(a, b)) < limit) return true;
    }
    return false;
}

}  // namespace

Graph relative_neighbours(const Cloud& cloud, const Workers& workers) {
    const Graph gabriel = gabriel_graph(cloud, workers);
    const KdTree tree(cloud.rows, cloud.n_columns);
    std::vector<std::uint32_t> place_of(tree.size());
    for (std::uint32_t place = 0; place < tree.size(); ++place)
        place_of[tree.points()[place]] = place;
    std::vector<std::vector<Edge>> edges(std::max<std::size_t>(1, workers.n_threads));
    std::vector<Lune> lunes(edges.size(), Lune(tree, cloud.slack));
    workers.start(gabriel.n_points());
    for_each_block(workers, gabriel.n_points(), 16,
                   [&](std::size_t thread, std::size_t first, std::size_t last) {
                       for (auto p = static_cast<Point>(first); p < last; ++p)
                           for (const Point v : gabriel[p])
                               if (v > p && lunes[thread].is_empty(place_of[p], place_of[v]))
                                   edges[thread].emplace_back(p, v);
                   });
    return graph_from_edges(gabriel.n_points(), edges);
}

Graph nearest_neighbours(const Cloud& cloud, std::size_t n_neighbours, const Workers& workers) {
    const KdTree tree(cloud.rows, cloud.n_columns);
    std::vector<std::vector<Edge>> found(std::max<std::size_t>(1, workers.n_threads));
    std::vector<NearestPoints> nearest(found.size(), NearestPoints(tree, n_neighbours));
    workers.start(tree.size());
    for_each_block(
        workers, tree.size(), 16, [&](std::size_t thread, std::size_t first, std::size_t last) {
            for (auto place = static_cast<std::uint32_t>(first); place < last; ++place)
                for (const Near& near : nearest[thread].of(place))
                    found[thread].push_back(std::minmax(tree.points()[place], near.point));
        });
    std::vector<std::vector<Edge>> edges(1);
    for (const auto& some : found) edges[0].insert(edges[0].end(), some.begin(), some.end());
    std::sort(edges[0].begin(), edges[0].end());
    edges[0].erase(std::unique(edges[0].begin(), edges[0].end()), edges[0].end());
    return graph_from_edges(tree.size(), edges);
}

std::vector<Point> nearest_points(const Cloud& cloud, std::span<const double> rows,
                                  const Workers& workers) {
    const KdTree tree(cloud.rows, cloud.n_columns);
    std::vector<Point> found(rows.size() / cloud.n_columns);
    std::vector<NearestPoints> nearest(std::max<std::size_t>(1, workers.n_threads),
                                       NearestPoints(tree, 1));
    for_each_block(workers, found.size(), 64,
                   [&](std::size_t thread, std::size_t first, std::size_t last) {
                       for (std::size_t i = first; i < last; ++i)
                           found[i] = nearest[thread].of(&rows[i * cloud.n_columns]).front().point;
                   });
    return found;
}

Graph graph_from_distances(std::span<const double> distances, std::size_t n_points,
                           Proximity proximity, double slack, const Workers& workers) {
    std::vector<std::vector<Edge>> edges(std::max<std::size_t>(1, workers.n_threads));
    workers.start(n_points);
    for_each_block(
        workers, n_points, 4, [&](std::size_t thread, std::size_t first, std::size_t last) {
            std::vector<Point> nearest(n_points);
            for (auto i = static_cast<Point>(first); i < last; ++i) {
                const double* from_i = distances.data() + i * n_points;
                for (Point p = 0; p < n_points; ++p) nearest[p] = p;
                std::sort(nearest.begin(), nearest.end(), [from_i](Point a, Point b) {
                    return from_i[a] != from_i[b] ? from_i[a] < from_i[b] : a < b;
                });
                for (Point j = i + 1; j < n_points; ++j)
                    if (!is_kept_apart(distances, n_points, i, j, nearest, proximity, slack))
                        edges[thread].emplace_back(i, j);
            }
        });
    return graph_from_edges(n_points, edges);
}

}  // namespace partage
