#include "partage/search/proof/cut_tree.hpp"

#include <algorithm>
#include <optional>

#include "partage/search/proof/hull.hpp"

namespace partage {
namespace {

constexpr CutTree::Prices infinite_prices = {infinite, infinite, infinite,
                                             infinite, infinite, infinite};

Rows rows_between(const Cumulative& sums, std::span<const std::size_t> borders) {
    Rows rows(borders.size() - 1, sums.layout());
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
        sums.subtract(borders[i], borders[i + 1], rows[i]);
    return rows;
}

}  // namespace

CutTree::CutTree(const PartitionCriterion& criterion, const Cumulative& sums, const Prices& prices,
                 const Stop& stop)
    : criterion_(criterion), sums_(sums), prices_(prices), row_(sums.layout().n_numbers) {
    do {
        add_level(stop);
    } while (n_nodes(n_levels() - 1) > 1);
}

std::span<const std::size_t> CutTree::vertices(std::size_t level, std::size_t node) const noexcept {
    const Level& here = levels_[level];
    const std::size_t from = node == 0 ? 0 : here.ends[node - 1];
    return {here.vertices.data() + from, here.ends[node] - from};
}

/// The borders of the programs of a level are its places: all borders for leaves, else the vertices
/// of the nodes below.
void CutTree::add_level(const Stop& stop) {
    const std::size_t level = levels_.size();
    std::vector<std::size_t> places;
    std::vector<std::size_t> ends;  // the last place of each node, or of each child
    if (level == 0) {
        places.resize(sums_.n_blocks() + 1);
        for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    } else {
        places.push_back(0);
        for (std::size_t child = 0; child < n_nodes(level - 1); ++child) {
            const auto own = vertices(level - 1, child);
            places.insert(places.end(), own.begin() + 1, own.end());
            ends.push_back(places.size() - 1);
        }
    }
    levels_.emplace_back();
    Level& here = levels_.back();
    here.relaxed = prices_;  // one part
    const std::size_t size = level == 0 ? in_leaf : in_node;
    const std::size_t n_items = level == 0 ? sums_.n_blocks() : ends.size();
    std::optional<Cumulative> own;
    if (level > 0) own.emplace(rows_between(sums_, places));
    std::size_t first = 0;
    for (std::size_t item = 0; item < n_items; item += size) {
        stop.check();
        const std::size_t end = std::min(item + size, n_items);
        children_.clear();
        if (level == 0) {
            children_.push_back({0, end - item, infinite_prices});
        } else {
            for (std::size_t child = item; child < end; ++child)
                children_.push_back({child == item ? 0 : ends[child - 1] - first,
                                     ends[child] - first, levels_[level - 1].more[child]});
        }
        close(level == 0 ? sums_ : *own, first, here);
        keep_vertices(places.data() + first, here);
        first += n_;
    }
}

/// Adds a node, given its children.
void CutTree::close(const Cumulative& sums, std::size_t first, Level& level) {
    n_ = children_.back().last;
    measure(sums, first);
    double once = infinite;
    for (std::size_t b = 1; b < n_; ++b) once = std::min(once, left_[b] + right_[b]);
    level.more.push_back(cut_more());
    for (std::size_t p = 0; p < n_prices; ++p)
        level.relaxed[p] += std::min(left_[n_], std::min(once, level.more.back()[p]) + prices_[p]);
}

/// Costs of the parts and the pieces between the places.
void CutTree::measure(const Cumulative& sums, std::size_t first) {
    costs_.resize((n_ + 1) * (n_ + 1));
    left_.resize(n_ + 1);
    right_.resize(n_ + 1);
    any_.resize(n_ + 1);
    const auto growth = [&](std::size_t a, std::size_t b) {
        if (sums.is_whole()) return criterion_.growth_between(sums, first + a, first + b, row_);
        sums.subtract(first + a, first + b, row_);
        for (double& number : row_) number = std::max(number, 0.0);  // rounding of real weights
        return criterion_.least_growth(sums.layout().row(row_));
    };
    left_[0] = 0.0;
    right_[n_] = 0.0;
    for (std::size_t b = 1; b <= n_; ++b) left_[b] = growth(0, b);
    right_[0] = left_[n_];
    for (std::size_t b = 1; b < n_; ++b) right_[b] = growth(b, n_);
    for (const Child& child : children_)
        for (std::size_t b = child.first + 1; b <= child.last && b < n_; ++b)
            if (const std::size_t end = end_of_starts(child, b); end > 1)
                criterion_.parts_ending_at(sums, first + 1, first + end, first + b,
                                           costs_.data() + b * (n_ + 1) + 1);
}

/// The lowest cost of the pieces if there are two cuts or more.
/// A cut that was moved to a vertex may meet the end of the node, or another cut: what is between
/// the two costs its price, and not less than its piece.
CutTree::Prices CutTree::cut_more() noexcept {
    const bool may_meet = levels_.size() > 1;
    Prices least = infinite_prices;
    Prices closed = infinite_prices;  // if a part ends where the next child starts, or inside it
    if (may_meet)
        for (std::size_t p = 0; p < n_prices; ++p) least[p] = prices_[p] + right_[0];
    for (const Child& child : children_)
        for (std::size_t b = child.first + 1; b <= child.last; ++b) {
            const bool is_end = b == child.last;
            Prices ended = infinite_prices;
            const double* costs = costs_.data() + b * (n_ + 1);
            const std::size_t end = b < n_ ? end_of_starts(child, b) : 0;
            for (std::size_t a = 1; a < end; ++a)
                for (std::size_t p = 0; p < n_prices; ++p) {
                    const double value = any_[a][p] + costs[a];
                    ended[p] = value < ended[p] ? value : ended[p];
                }
            const double once = b < n_ ? left_[b] : infinite;
            for (std::size_t p = 0; p < n_prices; ++p) {
                const double price = prices_[p];
                ended[p] += price;
                double more = may_meet ? std::min(ended[p], once + price) : ended[p];
                if (is_end)
                    more = std::min(more, std::min(left_[child.first], closed[p]) + child.more[p]);
                any_[b][p] = std::min(once, more);
                least[p] = std::min(least[p], more + right_[b]);
                if (is_end) closed[p] = std::min(ended[p], any_[b][p] + price);
            }
        }
    return least;
}

/// Parts that end at a place start at 1 or later, and not inside its own child: these are left to
/// the child.
std::size_t CutTree::end_of_starts(const Child& child, std::size_t place) const noexcept {
    return place == child.last || levels_.size() == 1 ? place : child.first + 1;
}

/// The convex hull of the counts before the places.
void CutTree::keep_vertices(const std::size_t* places, Level& level) {
    std::vector<std::size_t>& kept = level.vertices;
    const std::size_t from = kept.size();
    kept.push_back(places[0]);
    kept.push_back(places[n_]);
    for_each_vertex(
        0, n_, chain_, [&](std::size_t i) { return sums_.before(places[i]); },
        [&](std::size_t i) { kept.push_back(places[i]); });
    const auto begin = kept.begin() + static_cast<std::ptrdiff_t>(from);
    std::sort(begin, kept.end());
    kept.erase(std::unique(begin, kept.end()), kept.end());
    level.ends.push_back(kept.size());
}

/// Values are concave in the price, grow with it, are known at some and not below 0 at none.
double CutTree::interpolate(const Prices& values, double price) const noexcept {
    std::size_t i = 0;
    while (i < n_prices && prices_[i] < price) ++i;
    if (i == n_prices) return values[n_prices - 1];
    const double low = i == 0 ? 0.0 : prices_[i - 1];
    const double value = i == 0 ? 0.0 : values[i - 1];
    if (values[i] == infinite) return infinite;
    return value + (price - low) / (prices_[i] - low) * (values[i] - value);
}

double CutTree::more_cuts(std::size_t level, std::size_t node, double price) const noexcept {
    const double known = interpolate(levels_[level].more[node], price);
    // With two cuts there is a part inside, which pays the price; with more there are more.
    return known + std::max(price - prices_.back(), 0.0);
}

double CutTree::relaxed(double price) const noexcept {
    double highest = -infinite;
    for (const Level& level : levels_)
        highest = std::max(highest, interpolate(level.relaxed, price));
    return highest;
}

}  // namespace partage
