#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/support/stop.hpp"

namespace partage {

/// Blocks of two classes joined to the nodes of a tree: eight to a leaf, four nodes to one of the
/// next level. What is known of each node lets programs leave out most borders.
///
/// The cost of two neighbouring parts is a concave function of the counts before the cut between
/// them. Of the borders inside a node, if one of them is its only cut, the best is then a vertex of
/// the convex hull of these counts in the plane of the two classes: a few of hundreds.
///
/// The pieces of a node with two cuts or more cost at least what a program over the vertices of its
/// children says: the first and the last piece belong to parts that reach beyond the node, which
/// grow by their least growth, and a child with two cuts or more has such a cost of its own. It is
/// computed for some prices of a part, and concave in the price.
class CutTree {
public:
    static constexpr std::size_t in_leaf = 8;
    static constexpr std::size_t in_node = 4;

    static constexpr std::size_t n_prices = 6;
    using Prices = std::array<double, n_prices>;

    /// `prices` ascend. O(N), with a dozen costs of parts for each block.
    CutTree(const PartitionCriterion& criterion, const Cumulative& sums, const Prices& prices,
            const Stop& stop);

    std::size_t n_levels() const noexcept { return levels_.size(); }
    std::size_t n_nodes(std::size_t level) const noexcept { return levels_[level].ends.size(); }
    std::size_t first(std::size_t level, std::size_t node) const noexcept {
        return node << shift(level);
    }
    std::size_t last(std::size_t level, std::size_t node) const noexcept {
        return std::min(sums_.n_blocks(), (node + 1) << shift(level));
    }
    /// Borders at which a single cut of the node may be, its first and its last too.
    std::span<const std::size_t> vertices(std::size_t level, std::size_t node) const noexcept;
    /// Least cost of the pieces of a node with two cuts or more inside, where each part inside it
    /// costs a price.
    double more_cuts(std::size_t level, std::size_t node, double price) const noexcept;
    /// Below Σ (part + price) of every partition.
    double relaxed(double price) const noexcept;

private:
    struct Level {
        std::vector<std::size_t> ends;      // of the vertices of each node
        std::vector<std::size_t> vertices;  // of all nodes
        std::vector<Prices> more;           // cost of two cuts or more
        Prices relaxed;                     // every node apart
    };
    /// A node at hand and what it knows of its children.
    struct Child {
        std::size_t first;  // places
        std::size_t last;
        Prices more;
    };

    static std::size_t shift(std::size_t level) noexcept { return 3 + 2 * level; }
    void add_level(const Stop& stop);
    void close(const Cumulative& sums, std::size_t first, Level& level);
    void measure(const Cumulative& sums, std::size_t first);
    Prices cut_more() noexcept;
    std::size_t end_of_starts(const Child& child, std::size_t place) const noexcept;
    void keep_vertices(const std::size_t* places, Level& level);
    double interpolate(const Prices& values, double price) const noexcept;

    const PartitionCriterion& criterion_;
    const Cumulative& sums_;
    Prices prices_;
    std::vector<Level> levels_;
    // Of the node at hand, whose borders are places:
    std::size_t n_ = 0;  // last place
    std::vector<Child> children_;
    std::vector<double> costs_;  // of the parts [a, b) at b (n + 1) + a
    std::vector<double> left_;   // least growth by what is before a place, and after it
    std::vector<double> right_;
    std::vector<Prices> any_;
    std::vector<double> row_;
    std::vector<std::size_t> chain_;
};

}  // namespace partage
