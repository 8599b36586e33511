#include <algorithm>

#include "partage/graphs/gabriel_plane.hpp"
#include "partage/graphs/gabriel_tests.hpp"
#include "partage/graphs/kd_tree.hpp"
#include "partage/graphs/proximity.hpp"

namespace partage {
namespace {

constexpr std::size_t most_columns_of_trees = 6;
constexpr std::size_t chunk_size = 512;

/// The neighbours of one point at a time. A killer of the pair ij is a point strictly inside the
/// ball of diameter ij; any point may kill, whether it is a neighbour or not.
class Finder {
public:
    Finder(const KdTree& tree, double slack)
        : tree_(tree),
          slack_(slack),
          n_columns_(tree.n_columns()),
          n_killers_(4 + 4 * n_columns_),
          nearest_(tree, n_killers_),
          centre_(n_columns_),
          other_(n_columns_),
          killers_(n_columns_),
          chunk_(n_columns_, chunk_size) {}

    /// Places of the neighbours of the point at a place, among the places from `from` on.
    const std::vector<std::uint32_t>& neighbours(std::uint32_t place, std::uint32_t from) {
        place_ = place;
        from_ = from;
        tree_.row(place, centre_.data());
        candidates_.clear();
        kept_.clear();
        if (n_columns_ <= most_columns_of_trees)
            find_in_tree();
        else
            find_in_list();
        return kept_;
    }

private:
    void find_in_tree() {
        killers_.clear();
        for (const Near& near : nearest_.of(place_))
            killers_.add(tree_, near.place, centre_.data());
        collect(0);
        flush();
        for (const Candidate& candidate : candidates_) {
            tree_.row(candidate.place, other_.data());
            if (!has_killer(tree_, 0, centre_.data(), other_.data(), candidate.square, slack_))
                kept_.push_back(candidate.place);
        }
    }

    /// Puts the points of a node into the chunk unless one killer strikes its whole box.
    void collect(std::size_t node) {
        const KdTree::Node& here = tree_[node];
        if (here.last <= from_) return;
        if (killers_.strike_box(tree_, node, centre_.data(), slack_)) return;
        if (!here.is_leaf()) {
            collect(node + 1);
            collect(here.right);
            return;
        }
        const std::uint32_t first = std::max(here.first, from_);
        if (chunk_.size() + (here.last - first) > chunk_size) flush();
        for (std::uint32_t place = first; place < here.last; ++place)
            if (place != place_) chunk_.add(tree_, place, centre_.data());
    }

    /// Keeps what the killers leave of the chunk.
    void flush() {
        for (std::size_t k = 0; k < killers_.size() && chunk_.size() > 0; ++k)
            chunk_.strike(killers_.point(k), killers_.from_centre(k), slack_);
        for (std::size_t t = 0; t < chunk_.size(); ++t)
            candidates_.push_back({chunk_.square(t), chunk_.place(t)});
        chunk_.clear();
    }

    void find_in_list() {
        list_.fill(tree_, place_, centre_.data());
        killers_.clear();
        const std::size_t n_listed = list_.size();
        for (std::size_t t = 0; t < std::min(n_killers_, n_listed); ++t)
            killers_.add(tree_, list_.place(t), centre_.data());
        for (std::size_t t = 0; t < n_listed; ++t) {
            if (list_.place(t) < from_) continue;
            if (chunk_.size() == chunk_size) flush();
            chunk_.add(list_, t);
        }
        flush();
        for (const Candidate& candidate : candidates_) {
            tree_.row(candidate.place, other_.data());
            if (!list_.has_killer(other_.data(), candidate.square, slack_))
                kept_.push_back(candidate.place);
        }
    }

    struct Candidate {
        double square;
        std::uint32_t place;
    };

    const KdTree& tree_;
    double slack_;
    std::size_t n_columns_;
    std::size_t n_killers_;
    NearestPoints nearest_;
    std::uint32_t place_ = 0;
    std::uint32_t from_ = 0;
    std::vector<double> centre_;
    std::vector<double> other_;
    Killers killers_;
    Chunk chunk_;
    SortedList list_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> kept_;
};

}  // namespace

Graph gabriel_graph(const Cloud& cloud, const Workers& workers) {
    const KdTree tree(cloud.rows, cloud.n_columns);
    const std::size_t n = cloud.size();
    if (cloud.n_columns == 2) return gabriel_plane(tree, cloud.slack, workers);
    std::vector<std::vector<Edge>> edges(std::max<std::size_t>(1, workers.n_threads));
    std::vector<Finder> finders(edges.size(), Finder(tree, cloud.slack));
    workers.start(n);
    for_each_block(workers, n, 16, [&](std::size_t thread, std::size_t first, std::size_t last) {
        for (std::size_t place = first; place < last; ++place)
            for (const std::uint32_t other : finders[thread].neighbours(
                     static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(place + 1)))
                edges[thread].emplace_back(tree.points()[place], tree.points()[other]);
    });
    return graph_from_edges(n, edges);
}

double sampled_gabriel_degree(const Cloud& cloud, std::size_t n_sampled, const Workers& workers) {
    const std::size_t n = cloud.size();
    if (n < 2) return 0.0;
    const KdTree tree(cloud.rows, cloud.n_columns);
    Finder finder(tree, cloud.slack);
    const std::size_t n_looked_at = std::min(n, n_sampled);
    std::size_t n_found = 0;
    for (std::size_t k = 0; k < n_looked_at; ++k) {
        workers.stop.check();
        n_found += finder.neighbours(static_cast<std::uint32_t>(k * n / n_looked_at), 0).size();
    }
    return static_cast<double>(n_found) / static_cast<double>(n_looked_at);
}

}  // namespace partage
