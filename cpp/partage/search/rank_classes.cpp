#include "partage/search/rank_classes.hpp"

#include <algorithm>
#include <bit>

#include "partage/criteria/criterion.hpp"
#include "partage/search/program/program.hpp"
#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"

namespace partage {
namespace {

using CellStarts = std::vector<std::size_t>;

/// Intervals of ranks at most; laws of more are not told apart by a few parts.
constexpr std::size_t most_classes = 40;
/// Grids up to this are tried whatever the smaller ones gave, and so many idle ones beyond.
constexpr std::size_t least_last_grid = 32;
constexpr int most_idle = 3;
/// Grids that start with an interval for each of their own.
constexpr std::size_t most_whole = 16;
constexpr int most_turns = 20;

/// Σ over the rows of each of some runs of columns.
Rows joined_cells(const Rows& rows, const CellStarts& starts) {
    Rows out(rows.size(), starts.size() - 1);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t l = 0; l + 1 < starts.size(); ++l)
            for (std::size_t cell = starts[l]; cell < starts[l + 1]; ++cell)
                out[i][l] += rows[i][cell];
    return out;
}

/// Σ of each of some runs of rows, then other rows.
Rows parts_of(const Rows& blocks, const CellStarts& starts, const Rows& beside) {
    Rows out(starts.size() - 1 + beside.size(), blocks.width());
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
        for (std::size_t i = starts[k]; i < starts[k + 1]; ++i) add(blocks[i], out[k]);
    for (std::size_t a = 0; a < beside.size(); ++a) add(beside[a], out[starts.size() - 1 + a]);
    return out;
}

/// First cells of at most n intervals of even weight, each border at the cell that ends nearest.
CellStarts even_cells(const Rows& sets, std::size_t n) {
    const std::size_t n_cells = sets.width();
    std::vector<double> ends(n_cells, 0.0);
    double total = 0.0;
    for (std::size_t cell = 0; cell < n_cells; ++cell) {
        for (std::size_t k = 0; k < sets.size(); ++k) total += sets[k][cell];
        ends[cell] = total;
    }
    CellStarts starts{0};
    for (std::size_t i = 1; i < n; ++i) {
        const double wanted = total * static_cast<double>(i) / static_cast<double>(n);
        const auto after = static_cast<std::size_t>(
            std::lower_bound(ends.begin(), ends.end() - 1, wanted) - ends.begin());
        const std::size_t before = after > 0 ? after - 1 : 0;
        const std::size_t end = wanted - ends[before] <= ends[after] - wanted ? before : after;
        if (end + 1 > starts.back() && end + 1 < n_cells) starts.push_back(end + 1);
    }
    starts.push_back(n_cells);
    return starts;
}

/// Costs of runs of the cells of a grid: log N! - Σ_k log n_k! for the cells [first, last).
class RankRunCosts {
public:
    explicit RankRunCosts(const Rows& grid) : sums_(grid.width() + 1, grid.size()) {
        for (std::size_t cell = 0; cell < grid.width(); ++cell)
            for (std::size_t k = 0; k < grid.size(); ++k)
                sums_[cell + 1][k] = sums_[cell][k] + grid[k][cell];
    }
    double operator()(std::size_t first, std::size_t last) const noexcept {
        double n = 0.0;
        double cost = 0.0;
        for (std::size_t k = 0; k < sums_.width(); ++k) {
            const double count = sums_[last][k] - sums_[first][k];
            n += count;
            cost -= log_factorial(count);
        }
        return cost + log_factorial(n);
    }

private:
    Rows sums_;
};

/// The cheapest division of the cells of a grid into each number of intervals up to `most`.
class RankLayers {
public:
    RankLayers(const Rows& grid, std::size_t most) : n_cells_(grid.width()), from_(most + 1) {
        const RankRunCosts cost(grid);
        std::vector<double> before(n_cells_ + 1, infinite);
        before[0] = 0.0;
        std::vector<std::vector<double>> runs(n_cells_ + 1);
        for (std::size_t last = 1; last <= n_cells_; ++last)
            for (std::size_t first = 0; first < last; ++first)
                runs[last].push_back(cost(first, last));
        for (std::size_t n = 1; n <= most; ++n) {
            std::vector<double> lowest(n_cells_ + 1, infinite);
            from_[n].assign(n_cells_ + 1, 0);
            for (std::size_t last = n; last <= n_cells_; ++last)
                for (std::size_t first = n - 1; first < last; ++first) {
                    const double value = before[first] + runs[last][first];
                    if (!is_lower(value, lowest[last])) continue;
                    lowest[last] = value;
                    from_[n][last] = first;
                }
            costs_.push_back(lowest[n_cells_]);
            before = std::move(lowest);
        }
    }
    double cost(std::size_t n) const noexcept { return costs_[n - 1]; }
    CellStarts starts(std::size_t n) const {
        CellStarts path{n_cells_};
        for (; n > 0; --n) path.push_back(from_[n][path.back()]);
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    std::size_t n_cells_;
    std::vector<CellStarts> from_;
    std::vector<double> costs_;
};

/// What the laws of sets cost beyond their runs: Σ_k log C(n_k+L-1, L-1) - log C(N+L-1, L-1).
double price_of_laws(const std::vector<double>& sizes, std::size_t n_classes) {
    double price = 0.0;
    double total = 0.0;
    for (const double n : sizes) {
        price += log_choices(n, n_classes);
        total += n;
    }
    return price - log_choices(total, n_classes);
}

/// A partition of blocks and intervals of ranks that go with each other.
struct PartsAndClasses {
    CellStarts parts;
    RankClasses classes;
    double cost = infinite;
};

/// Divides blocks and ranks in turn.
class RankTurns {
public:
    RankTurns(const Rows& blocks, const Rows& beside, const Stop& stop)
        : blocks_(blocks), beside_(beside), stop_(stop) {
        for (std::size_t i = 0; i < blocks.size(); ++i) total_ += blocks.weight(i);
    }

    /// The blocks that suit intervals of ranks, then both in turn until nothing is cheaper.
    PartsAndClasses from_classes(const CellStarts& cells, std::size_t n_grid) const {
        PartsAndClasses best;
        CellStarts starts = cells;
        for (int turn = 0; turn < most_turns; ++turn) {
            stop_.check();
            const CellStarts parts = best_parts(starts);
            PartsAndClasses next = from_parts(parts, n_grid);
            if (!is_lower(next.cost, best.cost)) break;
            best = std::move(next);
            starts = best.classes.starts;
        }
        return best;
    }

    /// The ranks that suit a partition.
    PartsAndClasses from_parts(const CellStarts& parts, std::size_t n_grid) const {
        const Rows sets = parts_of(blocks_, parts, beside_);
        PartsAndClasses pair{parts, best_rank_classes(sets, n_grid), 0.0};
        double tables = 0.0;  // Σ_k log n_k!
        for (std::size_t k = 0; k < sets.size(); ++k) tables += log_factorial(sets.weight(k));
        pair.cost = pair.classes.cost + tables + log_choices(total_, parts.size() - 1);
        return pair;
    }

private:
    CellStarts best_parts(const CellStarts& cells) const {
        const Rows rows = joined_cells(blocks_, cells);
        std::vector<double> totals(rows.width(), 0.0);
        for (std::size_t i = 0; i < rows.size(); ++i) add(rows[i], totals);
        Problem problem(totals);
        problem.of_log_parts = 0.5 * (static_cast<double>(rows.width()) - 1.0);
        problem.n_beside = static_cast<double>(beside_.size());
        const auto modl = make_partition_criterion(criterion_named("modl"), problem, {});
        return best_partition(*modl, Cumulative(rows), Limits{}, stop_).starts;
    }

    const Rows& blocks_;
    const Rows& beside_;
    const Stop& stop_;
    double total_ = 0.0;
};

}  // namespace

double price_of_rank_classes(std::size_t n_grid, std::size_t n_classes, std::size_t n_sets) {
    const auto classes = static_cast<double>(n_classes);
    const auto grid = static_cast<double>(n_grid);
    double price = portable_log(grid) + log_binomial(grid - 1.0, classes - 1.0);
    if (n_classes < 2 || n_sets < 2) return price;
    // Laws of parts scatter around the known one of all rows: the density of their mean there, for
    // parts of one size.
    constexpr double two_pi = 6.283185307179586476925;
    const double logs = portable_log(static_cast<double>(n_sets)) +
                        portable_log(classes * (classes + 1.0) / two_pi);
    price += 0.5 * (classes - 1.0) * logs + 0.5 * portable_log(classes);
    return price - log_factorial(classes - 1.0);
}

RankClasses best_rank_classes(const Rows& sets, std::size_t n_grid) {
    const CellStarts borders = even_cells(sets, n_grid);
    const Rows grid = joined_cells(sets, borders);
    const std::size_t most = std::min(grid.width(), most_classes);
    const RankLayers layers(grid, most);
    std::vector<double> sizes;
    for (std::size_t k = 0; k < sets.size(); ++k) sizes.push_back(sets.weight(k));
    RankClasses best{{}, n_grid, infinite};
    std::size_t chosen = 1;
    for (std::size_t n = std::min<std::size_t>(2, most); n <= most; ++n) {
        const double cost = layers.cost(n) + price_of_laws(sizes, n) +
                            price_of_rank_classes(n_grid, n, sets.size());
        if (!is_lower(cost, best.cost)) continue;
        best.cost = cost;
        chosen = n;
    }
    for (const std::size_t start : layers.starts(chosen)) best.starts.push_back(borders[start]);
    return best;
}

RankClasses find_rank_classes(const Rows& blocks, const Rows& beside, const Stop& stop) {
    const RankTurns turns(blocks, beside, stop);
    double total = 0.0;
    Rows all(blocks.size() + beside.size(), blocks.width());
    for (std::size_t i = 0; i < blocks.size(); ++i) add(blocks[i], all[i]);
    for (std::size_t a = 0; a < beside.size(); ++a) add(beside[a], all[blocks.size() + a]);
    for (std::size_t i = 0; i < all.size(); ++i) total += all.weight(i);
    PartsAndClasses best;
    int n_idle = 0;
    const auto n_cells = static_cast<double>(std::bit_ceil(blocks.width()));
    for (std::size_t n_grid = 2; n_grid == 2 || 4.0 * static_cast<double>(n_grid) <= total;
         n_grid *= 2) {
        if (static_cast<double>(n_grid) > n_cells && n_grid > 2) break;
        const CellStarts cells = even_cells(all, n_grid);
        std::vector<PartsAndClasses> tried;
        if (n_grid <= most_whole) tried.push_back(turns.from_classes(cells, n_grid));
        if (cells.size() > 4)
            tried.push_back(
                turns.from_classes({0, cells[1], cells[cells.size() - 2], cells.back()}, n_grid));
        if (best.cost < infinite) {
            const PartsAndClasses known = turns.from_parts(best.parts, n_grid);
            tried.push_back(turns.from_classes(known.classes.starts, n_grid));
        }
        bool has_improved = false;
        for (PartsAndClasses& pair : tried)
            if (is_lower(pair.cost, best.cost)) {
                best = std::move(pair);
                has_improved = true;
            }
        n_idle = has_improved ? 0 : n_idle + 1;
        if (n_grid >= least_last_grid && n_idle >= most_idle) break;
    }
    return best.classes;
}

}  // namespace partage
