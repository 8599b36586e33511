#include "partage/search/bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "partage/search/program/part_costs.hpp"
#include "partage/search/proof/proof.hpp"

namespace partage {
namespace {

/// Rounding of the sums of a bound, as a share of its terms.
double below_rounding(double value) noexcept { return value - 1e-11 * std::abs(value) - 1e-11; }

Row row_between(const Cumulative& sums, std::size_t first, std::size_t last,
                std::vector<double>& row) {
    sums.subtract(first, last, row);
    if (sums.layout().reads == Reads::counts)
        for (double& number : row) number = std::max(number, 0.0);
    return sums.layout().row(row);
}

/// What is known of blocks that are joined, if they are cut inside: the least cost of their pieces
/// for each number of cuts. The first and the last piece belong to parts that reach beyond.
struct Cuttings {
    static constexpr std::size_t most_cuts = 7;
    double lowest[most_cuts];  // with one cut, two cuts, ...
    double alone;              // with more: every block alone

    /// The least with two cuts or more, where each part inside has a price.
    double several(double price) const noexcept {
        double found = alone + static_cast<double>(most_cuts) * price;
        for (std::size_t c = 1; c < most_cuts; ++c)
            found = std::min(found, lowest[c] + static_cast<double>(c) * price);
        return found;
    }
};

/// Blocks joined to leaves and leaves to tiles, with what is known of the pieces inside each.
class Tiles {
public:
    Tiles(const Task& task, const Blocks& blocks, BoundSizes sizes)
        : criterion_(task.partition_criterion()),
          in_leaf_(sizes.in_leaf),
          rows_(0, task.line.layout()),
          row_(task.line.layout().n_numbers) {
        const std::vector<Index>& fixed = task.limits.fixed;
        Blocks held;
        for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
            held.push_back(blocks[i]);
            const bool is_full = held.size() == sizes.in_leaf * sizes.in_tile;
            const bool is_end = i + 2 == blocks.size();
            if (!is_full && !is_end &&
                !std::binary_search(fixed.begin(), fixed.end(), blocks[i + 1]))
                continue;
            task.stop.check();
            units_.push_back(held.front());
            held.push_back(blocks[i + 1]);
            close(Cumulative(block_rows(task.line, held)));
            held.clear();
        }
    }

    Cumulative sums() const { return Cumulative(rows_); }
    const std::vector<Index>& units() const noexcept { return units_; }
    /// What all blocks cost at least, each alone.
    double alone() const noexcept { return alone_; }

    /// Least cost of what is in each tile if it is cut, where each part inside has a price.
    std::vector<Bridge> bridges(double price) {
        std::vector<Bridge> found;
        const double* costs = costs_.data();
        const Cuttings* leaves = leaves_.data();
        for (std::size_t i = 0; i < units_.size(); ++i) {
            const std::size_t n = n_leaves_[i];
            found.push_back({i, i + 1, std::min(once_[i], cut_more({leaves, n}, costs, price))});
            costs += (n + 1) * (n + 1);
            leaves += n;
        }
        return found;
    }

private:
    double growth(const Cumulative& sums, std::size_t first, std::size_t last) {
        return criterion_.least_growth(row_between(sums, first, last, row_));
    }

    /// Adds a tile, given its blocks.
    void close(const Cumulative& sums) {
        const std::size_t n = sums.n_blocks();
        const Numbers all = sums.before(n);
        rows_.values().insert(rows_.values().end(), all.begin(), all.end());
        double once = infinite;
        for (std::size_t i = 1; i < n; ++i)
            once = std::min(once, growth(sums, 0, i) + growth(sums, i, n));
        once_.push_back(once);
        borders_.clear();
        for (std::size_t first = 0; first < n; first += in_leaf_) {
            borders_.push_back(first);
            leaves_.push_back(cut_leaf(sums, first, std::min(first + in_leaf_, n)));
            alone_ += leaves_.back().alone;
        }
        n_leaves_.push_back(borders_.size());
        borders_.push_back(n);
        measure(sums);
    }

    /// One program for each number of cuts of the blocks of a leaf.
    Cuttings cut_leaf(const Cumulative& sums, std::size_t first, std::size_t last) {
        const std::size_t n = last - first;
        Cuttings found;
        found.alone = 0.0;
        std::fill(std::begin(found.lowest), std::end(found.lowest), infinite);
        for (std::size_t i = first; i < last; ++i) found.alone += growth(sums, i, i + 1);
        if (n < 2) return found;
        open_.assign(n, infinite);
        rest_.assign(n, infinite);
        inside_.assign(n * n, infinite);  // parts [a, b) at b n + a
        for (std::size_t b = 1; b < n; ++b) {
            open_[b] = growth(sums, first, first + b);
            rest_[b] = growth(sums, first + b, last);
            criterion_.parts_ending_at(sums, first + 1, first + b, first + b,
                                       inside_.data() + b * n + 1);
        }
        for (std::size_t c = 0; c < Cuttings::most_cuts && c + 1 < n; ++c) {
            for (std::size_t b = c + 1; b < n; ++b)
                found.lowest[c] = std::min(found.lowest[c], open_[b] + rest_[b]);
            for (std::size_t b = n; b-- > 1;) {
                double lowest = infinite;
                for (std::size_t a = 1; a < b; ++a)
                    lowest = std::min(lowest, open_[a] + inside_[b * n + a]);
                open_[b] = lowest;
            }
        }
        return found;
    }

    /// Keeps the costs of the leaves [a, b) of a tile at b (n + 1) + a: what they add to a part
    /// that goes on beyond the tile, or of a part inside.
    void measure(const Cumulative& sums) {
        const std::size_t n = borders_.size() - 1;
        const std::size_t at = costs_.size();
        costs_.resize(at + (n + 1) * (n + 1), 0.0);
        Rows rows(n, sums.layout());
        for (std::size_t i = 0; i < n; ++i) sums.subtract(borders_[i], borders_[i + 1], rows[i]);
        const Cumulative leaves(rows);
        double* costs = costs_.data() + at;
        for (std::size_t b = 1; b <= n; ++b) {
            costs[b * (n + 1)] = growth(leaves, 0, b);
            if (b < n) costs[n * (n + 1) + b] = growth(leaves, b, n);
            if (b < n) criterion_.parts_ending_at(leaves, 1, b, b, costs + b * (n + 1) + 1);
        }
    }

    /// The program of two cuts or more, each between leaves or in some leaf.
    double cut_more(std::span<const Cuttings> leaves, const double* costs, double price) {
        const std::size_t n = leaves.size();
        any_.assign(n + 1, infinite);  // of all that is left of a border where a part starts
        double lowest = infinite;
        double whole = 0.0;        // of all that is left of a border if nothing is cut there
        double closed = infinite;  // if a part inside ends there, or in the next leaf
        for (std::size_t b = 1; b <= n; ++b) {
            const double once = leaves[b - 1].lowest[0];
            const double several = leaves[b - 1].several(price);
            double more = std::min(whole + several, closed + std::min(once, several));
            double one = whole + once;  // after a single cut
            whole = costs[b * (n + 1)];
            closed = infinite;
            if (b < n) {
                const double* ending = costs + b * (n + 1);
                for (std::size_t a = 1; a < b; ++a) closed = std::min(closed, any_[a] + ending[a]);
                closed += price;
                one = std::min(one, whole);
                more = std::min(more, closed);
            }
            any_[b] = std::min(one, more);
            closed = std::min(closed, any_[b] + price);
            lowest = std::min(lowest, more + (b < n ? costs[n * (n + 1) + b] : 0.0));
        }
        return lowest;
    }

    const PartitionCriterion& criterion_;
    std::size_t in_leaf_;
    Rows rows_;                          // of the tiles
    std::vector<Index> units_;           // first of each tile
    std::vector<double> once_;           // least cost of the pieces of each tile that is cut once
    std::vector<std::size_t> n_leaves_;  // of each tile
    std::vector<Cuttings> leaves_;
    std::vector<double> costs_;
    double alone_ = 0.0;
    std::vector<double> row_;
    std::vector<std::size_t> borders_;
    std::vector<double> open_;
    std::vector<double> rest_;
    std::vector<double> inside_;
    std::vector<double> any_;
};

/// The relaxed program at several prices, and what they say of each number of parts.
class Relaxed {
public:
    Relaxed(const Task& task, const Blocks& blocks, BoundSizes sizes)
        : task_(task),
          tiles_(task, blocks, sizes),
          limits_(limits_on_tiles()),
          sums_(tiles_.sums()),
          costs_(task.partition_criterion(), sums_, limits_) {
        solved_.push_back({0.0, tiles_.alone()});
    }

    double alone() const noexcept { return solved_.front().value; }
    double whole() const {
        double cost = 0.0;
        costs_.ending_at(costs_.n_blocks(), 0, 1, &cost);
        return cost;
    }

    /// Solves the program at a price, if it was not.
    void solve(double price) {
        if (!(price > 0.0) || is_solved(price)) return;
        const double value = bridged_value(price, costs_, task_.stop, tiles_.bridges(price)).value;
        const auto place = std::find_if(solved_.begin(), solved_.end(),
                                        [price](const Solved& s) { return s.price > price; });
        solved_.insert(place, {price, value});
    }

    bool is_solved(double price) const noexcept {
        return std::any_of(solved_.begin(), solved_.end(),
                           [price](const Solved& s) { return s.price == price; });
    }

    /// Below Σ part + price K of every partition: the value is concave in the price, and grows.
    double at(double price) const noexcept {
        const auto above = std::find_if(solved_.begin(), solved_.end(),
                                        [price](const Solved& s) { return s.price >= price; });
        if (above == solved_.end()) return solved_.back().value;
        if (above == solved_.begin()) return above->value;
        const auto below = above - 1;
        const double share = (price - below->price) / (above->price - below->price);
        return below->value + share * (above->value - below->value);
    }

    /// Below Σ part of every partition into so many parts.
    double of_size(std::size_t n_parts) const noexcept {
        double highest = -infinite;
        for (const Solved& one : solved_)
            highest = std::max(highest, one.value - one.price * static_cast<double>(n_parts));
        return highest;
    }

private:
    struct Solved {
        double price;
        double value;
    };

    Limits limits_on_tiles() const {
        Limits limits;
        const std::vector<Index>& units = tiles_.units();
        for (const Index unit : task_.limits.fixed) {
            const auto at = std::lower_bound(units.begin(), units.end(), unit);
            limits.fixed.push_back(static_cast<Index>(at - units.begin()));
        }
        return limits;
    }

    const Task& task_;
    Tiles tiles_;
    Limits limits_;
    Cumulative sums_;
    PartCosts costs_;
    std::vector<Solved> solved_;  // by price
};

/// Where the structure cost is linear or concave: as `TangentSearch`, below every partition.
class StretchBound {
public:
    StretchBound(const Task& task, Relaxed& relaxed, std::size_t least, std::size_t most,
                 double known)
        : known_(known),
          criterion_(task.partition_criterion()),
          n_empty_(task.limits.n_empty),
          relaxed_(relaxed) {
        constexpr std::size_t one_by_one = 64;
        for (std::size_t k = least; k < most; k = open_.back().high)
            open_.push_back({k, std::min(k < one_by_one ? k + 1 : 2 * k, most)});
        if (open_.empty()) open_.push_back({least, least});
    }

    double run() {
        const bool is_linear = criterion_.growth() == Growth::linear;
        relaxed_.solve(slope(open_.front()));
        if (is_linear) return lowest_of(open_.front());
        for (std::size_t step = 0; step < most_steps; ++step) {
            const auto next = std::min_element(open_.begin(), open_.end(), [&](auto a, auto b) {
                return lowest_of(a) < lowest_of(b);
            });
            const Stretch stretch = *next;
            const double price = slope(stretch);
            if (!(lowest_of(stretch) < known_)) break;
            if (!relaxed_.is_solved(price)) {
                relaxed_.solve(price);
            } else if (stretch.high - stretch.low < 2) {
                break;
            } else {
                const std::size_t middle = stretch.low + (stretch.high - stretch.low) / 2;
                *next = {stretch.low, middle};
                open_.push_back({middle, stretch.high});
            }
        }
        double lowest = infinite;
        for (const Stretch stretch : open_) lowest = std::min(lowest, lowest_of(stretch));
        return lowest;
    }

private:
    /// Numbers of parts from `low` to `high`.
    struct Stretch {
        std::size_t low;
        std::size_t high;
    };
    static constexpr std::size_t most_steps = 24;

    double structure(std::size_t n_parts) const noexcept {
        return criterion_.structure(n_parts + n_empty_);
    }
    double slope(Stretch stretch) const noexcept {
        const std::size_t high = std::max(stretch.high, stretch.low + 1);
        return (structure(high) - structure(stretch.low)) / static_cast<double>(high - stretch.low);
    }
    double lowest_of(Stretch stretch) const noexcept {
        if (stretch.high == stretch.low) {
            return structure(stretch.low) + relaxed_.of_size(stretch.low);
        }
        const double price = slope(stretch);
        return structure(stretch.low) - price * static_cast<double>(stretch.low) +
               relaxed_.at(price);
    }

    double known_;
    const PartitionCriterion& criterion_;
    std::size_t n_empty_;
    Relaxed& relaxed_;
    std::vector<Stretch> open_;
};

/// Where the number of parts is given, or the cost is no sum: some prices, then every number.
double bound_of_sizes(const Task& task, Relaxed& relaxed, std::size_t least, std::size_t most,
                      bool has_fixed) {
    const PartitionCriterion& criterion = task.partition_criterion();
    const std::size_t n_empty = task.limits.n_empty;
    const double whole = has_fixed ? relaxed.alone() : relaxed.whole();
    const double range = std::abs(whole - relaxed.alone());
    constexpr std::size_t n_prices = 8;
    double divisor = static_cast<double>(least);
    for (std::size_t i = 0; i < n_prices; ++i, divisor *= 3.0) relaxed.solve(range / divisor);
    double lowest = infinite;
    for (std::size_t k = least; k <= most; ++k) {
        const double parts = k == 1 && !has_fixed ? whole : relaxed.of_size(k);
        lowest = std::min(lowest, criterion.total(k + n_empty, parts));
    }
    return lowest;
}

bool knows_growth(const PartitionCriterion& criterion, Layout layout) {
    const std::vector<double> nothing(layout.n_numbers, 0.0);
    return criterion.least_growth(layout.row(nothing)) > -infinite;
}

double bound_of_least_parts(const PartitionCriterion& criterion, std::size_t least,
                            std::size_t most, std::size_t n_empty) {
    if (criterion.least_part() == -infinite) return -infinite;
    double lowest = infinite;
    for (std::size_t k = least; k <= most; ++k)
        lowest = std::min(
            lowest, criterion.total(k + n_empty, criterion.least_part() * static_cast<double>(k)));
    return lowest;
}

}  // namespace

double lower_bound(const Task& task, double known, BoundSizes sizes) {
    const PartitionCriterion& criterion = task.partition_criterion();
    const Blocks blocks = starting_blocks(task);
    const std::size_t most = std::min(task.limits.most(), blocks.size() - 1);
    const std::size_t least =
        std::min(std::max(task.limits.least(), task.limits.fixed.size() + 1), most);
    if (!knows_growth(criterion, task.line.layout()))
        return below_rounding(bound_of_least_parts(criterion, least, most, task.limits.n_empty));
    double proven = -infinite;
    if (can_prove(task)) {
        constexpr double most_work = 60'000.0;
        const Proof proof = prove(task, blocks, most_work);
        proven = below_rounding(proof.floor);
        if (proof.is_optimal && proof.starts.size() - 1 <= most) return proven;
    }
    const bool is_sum = criterion.growth() != Growth::other && task.limits.n_parts == 0;
    Relaxed relaxed(task, blocks, sizes);
    const double found =
        is_sum ? StretchBound(task, relaxed, least, most, known).run()
               : bound_of_sizes(task, relaxed, least, most, !task.limits.fixed.empty());
    return std::max(proven, below_rounding(found));
}

double lower_bound_of_rows(const PartitionCriterion& criterion, const Rows& rows, std::size_t least,
                           std::size_t most) {
    most = std::min(most, rows.size());
    least = std::min(least, most);
    if (!knows_growth(criterion, rows.layout()))
        return below_rounding(bound_of_least_parts(criterion, least, most, 0));
    std::vector<double> all(rows.width(), 0.0);
    double finest = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        add(rows[i], all);
        finest += criterion.least_growth(rows.row(i));
    }
    double lowest = infinite;
    for (std::size_t k = least; k <= most; ++k) {
        const double parts = k == 1 ? criterion.part(rows.layout().row(all)) : finest;
        lowest = std::min(lowest, criterion.total(k, parts));
    }
    return below_rounding(lowest);
}

}  // namespace partage
