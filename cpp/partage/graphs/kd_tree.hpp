#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/graph.hpp"

namespace partage {

/// Points in boxes of boxes. The points of a node stand side by side in the order of the tree, one
/// coordinate after the other, so that loops over the points of a leaf run over whole columns.
class KdTree {
public:
    static constexpr std::size_t leaf_size = 16;

    struct Node {
        std::uint32_t first;      ///< place of its first point
        std::uint32_t last;       ///< and behind its last one
        std::uint32_t right = 0;  ///< its second child, the first is the next node; 0: a leaf
        bool is_leaf() const noexcept { return right == 0; }
    };

    /// Rows of coordinates, one point each. O(n log n).
    KdTree(std::span<const double> rows, std::size_t n_columns);

    std::size_t size() const noexcept { return points_.size(); }
    std::size_t n_columns() const noexcept { return n_columns_; }
    const Node& operator[](std::size_t node) const noexcept { return nodes_[node]; }
    const double* low(std::size_t node) const noexcept { return &boxes_[2 * node * n_columns_]; }
    const double* high(std::size_t node) const noexcept { return low(node) + n_columns_; }
    /// One coordinate of all points, by place.
    const double* column(std::size_t c) const noexcept { return &columns_[c * size()]; }
    /// The point at each place.
    const std::vector<Point>& points() const noexcept { return points_; }
    /// All coordinates of the point at a place.
    void row(std::size_t place, double* out) const noexcept {
        for (std::size_t c = 0; c < n_columns_; ++c) out[c] = column(c)[place];
    }

private:
    void build(std::span<const double> rows, std::uint32_t first, std::uint32_t last);

    std::size_t n_columns_;
    std::vector<Point> points_;
    std::vector<Node> nodes_;
    std::vector<double> boxes_;
    std::vector<double> columns_;
};

/// A point at some squared distance; nearer first, then the smaller point.
struct Near {
    double square;
    std::uint32_t place;
    Point point;
    bool operator<(const Near& other) const noexcept {
        return square != other.square ? square < other.square : point < other.point;
    }
};

/// The nearest points of the point at a place, nearest first, itself not among them.
class NearestPoints {
public:
    NearestPoints(const KdTree& tree, std::size_t n_wanted);
    const std::vector<Near>& of(std::uint32_t place);
    /// The same of any coordinates.
    const std::vector<Near>& of(const double* coordinates);

private:
    const std::vector<Near>& search();
    void visit(std::size_t node);
    double box_square(std::size_t node) const noexcept;
    void look_at(const KdTree::Node& leaf);

    const KdTree& tree_;
    std::size_t n_wanted_;
    std::uint32_t place_ = 0;
    std::vector<double> centre_;
    std::vector<Near> found_;  // a heap while it is being filled, farthest first
};

}  // namespace partage
