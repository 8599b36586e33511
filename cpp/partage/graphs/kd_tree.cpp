#include "partage/graphs/kd_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace partage {

KdTree::KdTree(std::span<const double> rows, std::size_t n_columns)
    : n_columns_(n_columns), points_(rows.size() / n_columns), columns_(rows.size()) {
    std::iota(points_.begin(), points_.end(), Point{0});
    if (!points_.empty()) build(rows, 0, static_cast<std::uint32_t>(points_.size()));
    for (std::size_t c = 0; c < n_columns_; ++c)
        for (std::size_t i = 0; i < points_.size(); ++i)
            columns_[c * points_.size() + i] = rows[points_[i] * n_columns_ + c];
}

void KdTree::build(std::span<const double> rows, std::uint32_t first, std::uint32_t last) {
    const std::size_t node = nodes_.size();
    nodes_.push_back({first, last});
    boxes_.resize(boxes_.size() + 2 * n_columns_);
    std::size_t widest = 0;
    double width = -1.0;
    for (std::size_t c = 0; c < n_columns_; ++c) {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (std::uint32_t i = first; i < last; ++i) {
            const double x = rows[points_[i] * n_columns_ + c];
            low = std::min(low, x);
            high = std::max(high, x);
        }
        boxes_[2 * node * n_columns_ + c] = low;
        boxes_[(2 * node + 1) * n_columns_ + c] = high;
        if (high - low > width) {
            width = high - low;
            widest = c;
        }
    }
    if (last - first <= leaf_size) return;
    const std::uint32_t middle = first + (last - first) / 2;
    std::nth_element(points_.begin() + first, points_.begin() + middle, points_.begin() + last,
                     [&](Point a, Point b) {
                         const double x = rows[a * n_columns_ + widest];
                         const double y = rows[b * n_columns_ + widest];
                         return x != y ? x < y : a < b;
                     });
    build(rows, first, middle);
    nodes_[node].right = static_cast<std::uint32_t>(nodes_.size());
    build(rows, middle, last);
}

NearestPoints::NearestPoints(const KdTree& tree, std::size_t n_wanted)
    : tree_(tree), n_wanted_(std::min(n_wanted, tree.size())), centre_(tree.n_columns()) {}

const std::vector<Near>& NearestPoints::of(std::uint32_t place) {
    place_ = place;
    tree_.row(place, centre_.data());
    return search();
}

const std::vector<Near>& NearestPoints::of(const double* coordinates) {
    place_ = std::numeric_limits<std::uint32_t>::max();
    std::copy(coordinates, coordinates + centre_.size(), centre_.begin());
    return search();
}

const std::vector<Near>& NearestPoints::search() {
    found_.clear();
    if (n_wanted_ > 0) visit(0);
    std::sort_heap(found_.begin(), found_.end());
    return found_;
}

double NearestPoints::box_square(std::size_t node) const noexcept {
    const double* low = tree_.low(node);
    const double* high = tree_.high(node);
    double square = 0.0;
    for (std::size_t c = 0; c < centre_.size(); ++c) {
        const double gap = std::max({low[c] - centre_[c], centre_[c] - high[c], 0.0});
        square += gap * gap;
    }
    return square;
}

void NearestPoints::visit(std::size_t node) {
    if (found_.size() == n_wanted_ && box_square(node) > found_.front().square) return;
    const KdTree::Node& here = tree_[node];
    if (here.is_leaf()) {
        look_at(here);
        return;
    }
    const std::size_t left = node + 1;
    const std::size_t right = here.right;
    const bool is_left_first = box_square(left) <= box_square(right);
    visit(is_left_first ? left : right);
    visit(is_left_first ? right : left);
}

void NearestPoints::look_at(const KdTree::Node& leaf) {
    double squares[KdTree::leaf_size] = {};
    const std::size_t n = leaf.last - leaf.first;
    for (std::size_t c = 0; c < centre_.size(); ++c) {
        const double* x = tree_.column(c) + leaf.first;
        for (std::size_t t = 0; t < n; ++t) {
            const double gap = x[t] - centre_[c];
            squares[t] += gap * gap;
        }
    }
    for (std::size_t t = 0; t < n; ++t) {
        const auto place = static_cast<std::uint32_t>(leaf.first + t);
        const Near near{squares[t], place, tree_.points()[place]};
        if (place == place_) continue;
        if (found_.size() == n_wanted_) {
            if (!(near < found_.front())) continue;
            std::pop_heap(found_.begin(), found_.end());
            found_.pop_back();
        }
        found_.push_back(near);
        std::push_heap(found_.begin(), found_.end());
    }
}

}  // namespace partage
