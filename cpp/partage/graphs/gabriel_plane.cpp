#include "partage/graphs/gabriel_plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "partage/graphs/gabriel_tests.hpp"
#include "partage/support/dispatch.hpp"

namespace partage {
namespace {

constexpr std::size_t most_killers = 16;
constexpr std::size_t most_in_window = 1024;

/// All points of a rectangle.
struct Window {
    double low[2];
    double high[2];
    std::vector<double> x;
    std::vector<double> y;
    std::vector<std::uint32_t> places;

    std::size_t size() const noexcept { return places.size(); }

    bool holds(const double* point) const noexcept {
        return point[0] >= low[0] && point[0] <= high[0] && point[1] >= low[1] &&
               point[1] <= high[1];
    }

    /// Whether a node has points outside or in it, by its box.
    bool holds_box(const KdTree& tree, std::size_t node) const noexcept {
        return holds(tree.low(node)) && holds(tree.high(node));
    }
    bool meets_box(const KdTree& tree, std::size_t node) const noexcept {
        for (std::size_t c = 0; c < 2; ++c)
            if (tree.high(node)[c] < low[c] || tree.low(node)[c] > high[c]) return false;
        return true;
    }

    /// Whether the ball of diameter a-b, with room for rounding, lies in the rectangle.
    bool holds_ball(const double* a, const double* b, double square) const noexcept {
        const double radius = 0.51 * std::sqrt(square);
        for (std::size_t c = 0; c < 2; ++c) {
            const double middle = 0.5 * a[c] + 0.5 * b[c];
            if (middle - radius < low[c] || middle + radius > high[c]) return false;
        }
        return true;
    }

    void clear() noexcept {
        x.clear();
        y.clear();
        places.clear();
    }
};

/// Squared distances of the points of a window from a centre.
struct SquaresInPlane {
    PARTAGE_INLINE static void run(double centre_x, double centre_y, const double* x,
                                   const double* y, std::size_t n, double* squares) {
        for (std::size_t t = 0; t < n; ++t) {
            const double across = centre_x - x[t];
            const double up = centre_y - y[t];
            squares[t] = across * across + up * up;
        }
    }
};

/// least[t] = the least product (o - centre).(o - x[t]) over the killers o.
struct StrikeInPlane {
    PARTAGE_INLINE static void run(const Killers* killers, const double* x, const double* y,
                                   std::size_t n, double* least) {
        for (std::size_t t = 0; t < n; ++t) least[t] = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < killers->size(); ++k) {
            const double* o = killers->point(k);
            const double* v = killers->from_centre(k);
            const double ox = o[0];
            const double oy = o[1];
            const double vx = v[0];
            const double vy = v[1];
            for (std::size_t t = 0; t < n; ++t) {
                const double product = vx * (ox - x[t]) + vy * (oy - y[t]);
                least[t] = product < least[t] ? product : least[t];
            }
        }
    }
};

/// Whether a point of a window lies inside the ball of diameter a-b.
struct HasKillerInPlane {
    PARTAGE_INLINE static bool run(const double* a, const double* b, const double* x,
                                   const double* y, std::size_t n, double limit) {
        const double ax = a[0];
        const double ay = a[1];
        const double bx = b[0];
        const double by = b[1];
        constexpr std::size_t block = 32;
        for (std::size_t first = 0; first < n; first += block) {
            const std::size_t last = std::min(n, first + block);
            int n_inside = 0;
            for (std::size_t t = first; t < last; ++t)
                n_inside += (x[t] - ax) * (x[t] - bx) + (y[t] - ay) * (y[t] - by) < limit;
            if (n_inside > 0) return true;
        }
        return false;
    }
};

class PlaneFinder {
public:
    PlaneFinder(const KdTree& tree, double slack) : tree_(tree), slack_(slack), killers_(2) {}

    /// Adds the edges from the points of a leaf to points at later places.
    void add_edges(std::size_t leaf, std::vector<Edge>& edges) {
        open_window(leaf);
        const KdTree::Node& here = tree_[leaf];
        for (std::uint32_t place = here.first; place < here.last; ++place) {
            find(place);
            for (const std::uint32_t other : kept_)
                edges.emplace_back(tree_.points()[place], tree_.points()[other]);
        }
    }

private:
    /// Takes the leaf and as much on each side as it is wide, less where points are dense.
    void open_window(std::size_t leaf) {
        const double* low = tree_.low(leaf);
        const double* high = tree_.high(leaf);
        double margin = std::max(high[0] - low[0], high[1] - low[1]);
        for (int attempt = 0;; ++attempt, margin = attempt < 8 ? 0.5 * margin : 0.0) {
            for (std::size_t c = 0; c < 2; ++c) {
                window_.low[c] = low[c] - margin;
                window_.high[c] = high[c] + margin;
            }
            window_.clear();
            const bool may_be_full = margin <= 0.0;
            if (gather(0, may_be_full ? tree_.size() : most_in_window)) break;
        }
        squares_.resize(window_.size());
        least_.resize(window_.size());
    }

    /// Puts the points below a node that lie in the window into it; false where they are too many.
    bool gather(std::size_t node, std::size_t most) {
        if (!window_.meets_box(tree_, node)) return true;
        const KdTree::Node& here = tree_[node];
        if (!here.is_leaf()) return gather(node + 1, most) && gather(here.right, most);
        for (std::uint32_t place = here.first; place < here.last; ++place) {
            const double point[2] = {tree_.column(0)[place], tree_.column(1)[place]};
            if (!window_.holds(point)) continue;
            window_.x.push_back(point[0]);
            window_.y.push_back(point[1]);
            window_.places.push_back(place);
        }
        return window_.size() <= most;
    }

    void find(std::uint32_t place) {
        place_ = place;
        tree_.row(place, centre_);
        kept_.clear();
        const std::size_t n = window_.size();
        dispatch<SquaresInPlane>(centre_[0], centre_[1], window_.x.data(), window_.y.data(), n,
                                 squares_.data());
        choose_killers();
        dispatch<StrikeInPlane>(static_cast<const Killers*>(&killers_), window_.x.data(),
                                window_.y.data(), n, least_.data());
        for (std::size_t t = 0; t < n; ++t) {
            const std::uint32_t other = window_.places[t];
            if (other == place || least_[t] < -slack_ * squares_[t]) continue;
            if (other > place) keep_if_free(other, squares_[t]);
            killers_.add(tree_, other, centre_);
        }
        look_outside(0);
    }

    /// The points in a disc that holds about so many of them.
    void choose_killers() {
        killers_.clear();
        const double area = (window_.high[0] - window_.low[0]) * (window_.high[1] - window_.low[1]);
        const double radius = 0.3 * most_killers * area / static_cast<double>(window_.size());
        for (std::size_t t = 0; t < window_.size() && killers_.size() < most_killers; ++t)
            if (squares_[t] <= radius && window_.places[t] != place_)
                killers_.add(tree_, window_.places[t], centre_);
    }

    void keep_if_free(std::uint32_t place, double square) {
        double other[2];
        tree_.row(place, other);
        if (dispatch<HasKillerInPlane>(static_cast<const double*>(centre_),
                                       static_cast<const double*>(other), window_.x.data(),
                                       window_.y.data(), window_.size(), -slack_ * square))
            return;
        if (window_.holds_ball(centre_, other, square) ||
            !has_killer(tree_, 0, centre_, other, square, slack_))
            kept_.push_back(place);
    }

    /// Looks at the points outside the window.
    void look_outside(std::size_t node) {
        const KdTree::Node& here = tree_[node];
        if (here.last <= place_ + 1 || window_.holds_box(tree_, node)) return;
        if (!is_around(node) && killers_.strike_box(tree_, node, centre_, slack_)) return;
        if (!here.is_leaf()) {
            look_outside(node + 1);
            look_outside(here.right);
            return;
        }
        for (std::uint32_t place = std::max(here.first, place_ + 1); place < here.last; ++place) {
            const double other[2] = {tree_.column(0)[place], tree_.column(1)[place]};
            if (window_.holds(other)) continue;
            double square = 0.0;
            for (std::size_t c = 0; c < 2; ++c)
                square += (centre_[c] - other[c]) * (centre_[c] - other[c]);
            if (!is_struck(other, square)) keep_if_free(place, square);
        }
    }

    /// Whether the centre lies in the box of a node, which nothing strikes then.
    bool is_around(std::size_t node) const noexcept {
        const double* low = tree_.low(node);
        const double* high = tree_.high(node);
        return centre_[0] >= low[0] && centre_[0] <= high[0] && centre_[1] >= low[1] &&
               centre_[1] <= high[1];
    }

    bool is_struck(const double* other, double square) const noexcept {
        for (std::size_t k = 0; k < killers_.size(); ++k) {
            const double* o = killers_.point(k);
            const double* v = killers_.from_centre(k);
            if (v[0] * (o[0] - other[0]) + v[1] * (o[1] - other[1]) < -slack_ * square) return true;
        }
        return false;
    }

    const KdTree& tree_;
    double slack_;
    Window window_;
    std::vector<double> squares_;  // from the centre, of the points of the window
    std::vector<double> least_;
    Killers killers_;
    double centre_[2] = {};
    std::uint32_t place_ = 0;
    std::vector<std::uint32_t> kept_;
};

}  // namespace

Graph gabriel_plane(const KdTree& tree, double slack, const Workers& workers) {
    std::vector<std::uint32_t> leaves;
    if (tree.size() > 0)
        for (std::uint32_t node = 0;; ++node) {
            if (!tree[node].is_leaf()) continue;
            leaves.push_back(node);
            if (tree[node].last == tree.size()) break;
        }
    std::vector<std::vector<Edge>> edges(std::max<std::size_t>(1, workers.n_threads));
    std::vector<PlaneFinder> finders(edges.size(), PlaneFinder(tree, slack));
    workers.start(leaves.size());
    for_each_block(workers, leaves.size(), 4,
                   [&](std::size_t thread, std::size_t first, std::size_t last) {
                       for (std::size_t i = first; i < last; ++i)
                           finders[thread].add_edges(leaves[i], edges[thread]);
                   });
    return graph_from_edges(tree.size(), edges);
}

}  // namespace partage
