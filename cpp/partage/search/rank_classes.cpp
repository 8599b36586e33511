#include "partage/search/rank_classes.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

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

/// The cheapest intervals of ranks for sets counted in the cells between some borders.
RankClasses classes_of(const Rows& sets, const CellStarts& borders, std::size_t n_grid,
                       RankCode code);

/// First cells of at most n intervals of even weight, each border at the cell that ends nearest.
CellStarts even_cells(const std::vector<double>& weights, std::size_t n) {
    const std::size_t n_cells = weights.size();
    std::vector<double> ends(n_cells, 0.0);
    double total = 0.0;
    for (std::size_t cell = 0; cell < n_cells; ++cell) ends[cell] = total += weights[cell];
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

/// Rows that are summed over runs of rows and runs of columns in O(1) each.
class SummedTable {
public:
    explicit SummedTable(const Rows& rows) : sums_(rows.size() + 1, rows.width() + 1) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double left = 0.0;
            for (std::size_t j = 0; j < rows.width(); ++j) {
                left += rows[i][j];
                sums_[i + 1][j + 1] = sums_[i][j + 1] + left;
            }
        }
    }
    std::size_t n_rows() const noexcept { return sums_.size() - 1; }
    /// Weights of the columns.
    std::vector<double> totals() const {
        const Numbers last = sums_[n_rows()];
        std::vector<double> out(last.size() - 1);
        for (std::size_t j = 0; j < out.size(); ++j) out[j] = last[j + 1] - last[j];
        return out;
    }
    /// The runs [first, last) of rows: the sum of each of some runs of columns.
    void add(std::size_t first, std::size_t last, const CellStarts& columns,
             std::span<double> to) const noexcept {
        const Numbers from = sums_[first];
        const Numbers until = sums_[last];
        for (std::size_t l = 0; l + 1 < columns.size(); ++l)
            to[l] += std::max((until[columns[l + 1]] - from[columns[l + 1]]) -
                                  (until[columns[l]] - from[columns[l]]),
                              0.0);
    }
    /// One row for each run of rows, one column for each run of columns.
    Rows joined(const CellStarts& rows, const CellStarts& columns) const {
        Rows out(rows.size() - 1, columns.size() - 1);
        for (std::size_t k = 0; k + 1 < rows.size(); ++k)
            add(rows[k], rows[k + 1], columns, out[k]);
        return out;
    }

private:
    Rows sums_;
};

/// Every row or column by itself.
CellStarts singles(std::size_t n) {
    CellStarts starts(n + 1);
    std::iota(starts.begin(), starts.end(), std::size_t{0});
    return starts;
}

/// What the laws of sets cost beyond their runs, and the intervals.
double price_of_laws(const std::vector<double>& sizes, std::size_t n_grid, std::size_t n_classes,
                     RankCode code) {
    double price = 0.0;
    double total = 0.0;
    for (const double n : sizes) {
        price += log_choices(n, n_classes);
        total += n;
    }
    return price + price_of_intervals(code, total, n_grid, n_classes, sizes.size());
}

/// The cheapest division of the cells of a grid into intervals: a row of `grid` for each set. A run
/// of cells costs log N! - Σ_k log n_k!, and more intervals are never dearer but for their price.
class RankLayers {
public:
    RankLayers(const Rows& grid, std::size_t n_grid, RankCode code)
        : n_cells_(grid.width()), runs_(n_cells_ + 1) {
        std::vector<double> sizes;
        for (std::size_t k = 0; k < grid.size(); ++k) sizes.push_back(grid.weight(k));
        const std::size_t most = std::min(n_cells_, most_classes);
        measure_runs(grid);
        double finest = 0.0;
        for (std::size_t cell = 0; cell < n_cells_; ++cell) finest += runs_[cell + 1][cell];
        std::vector<double> prices(most + 1);
        for (std::size_t n = 1; n <= most; ++n) prices[n] = price_of_laws(sizes, n_grid, n, code);
        std::vector<double> before(n_cells_ + 1, infinite);
        before[0] = 0.0;
        from_.resize(1);
        for (std::size_t n = 1; n <= most; ++n) {
            before = extend(n, before);
            if (n == 1 && most > 1) continue;
            const double cost = before[n_cells_] + prices[n];
            if (is_lower(cost, lowest_)) {
                lowest_ = cost;
                chosen_ = n;
            }
            const double next =
                n < most
                    ? *std::min_element(prices.begin() + static_cast<long>(n) + 1, prices.end())
                    : infinite;
            if (!is_lower(finest + next, lowest_)) break;
        }
    }
    double cost() const noexcept { return lowest_; }
    CellStarts starts() const {
        CellStarts path{n_cells_};
        for (std::size_t n = chosen_; n > 0; --n) path.push_back(from_[n][path.back()]);
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    void measure_runs(const Rows& grid) {
        const std::size_t n_sets = grid.size();
        std::vector<double> counts(n_sets);
        for (std::size_t last = 1; last <= n_cells_; ++last) {
            runs_[last].resize(last);
            std::fill(counts.begin(), counts.end(), 0.0);
            for (std::size_t first = last; first-- > 0;) {
                double n = 0.0;
                double cost = 0.0;
                for (std::size_t k = 0; k < n_sets; ++k) {
                    counts[k] += grid[k][first];
                    n += counts[k];
                    cost -= log_factorial(counts[k]);
                }
                runs_[last][first] = cost + log_factorial(n);
            }
        }
    }

    /// One interval more.
    std::vector<double> extend(std::size_t n, const std::vector<double>& before) {
        std::vector<double> lowest(n_cells_ + 1, infinite);
        CellStarts from(n_cells_ + 1, 0);
        for (std::size_t last = n; last <= n_cells_; ++last) {
            const double* run = runs_[last].data();
            double best = infinite;
            for (std::size_t first = n - 1; first < last; ++first)
                best = std::min(best, before[first] + run[first]);
            // The first that ties with the best.
            std::size_t first = n - 1;
            while (is_lower(best, before[first] + run[first])) ++first;
            lowest[last] = before[first] + run[first];
            from[last] = first;
        }
        from_.push_back(std::move(from));
        return lowest;
    }

    std::size_t n_cells_;
    std::vector<std::vector<double>> runs_;  // [last][first]
    std::vector<CellStarts> from_;
    double lowest_ = infinite;
    std::size_t chosen_ = 1;
};

/// A partition of blocks and intervals of ranks that go with each other.
struct PartsAndClasses {
    CellStarts parts;
    RankClasses classes;
    double cost = infinite;
};

/// Divides blocks and ranks in turn.
class RankTurns {
public:
    RankTurns(const Rows& blocks, const Rows& beside, const Stop& stop, RankCode code)
        : blocks_(blocks),
          beside_(beside),
          n_beside_(beside.size()),
          stop_(stop),
          code_(code),
          weights_(blocks_.totals()),
          every_block_(singles(blocks.size())) {
        for (const double weight : weights_) total_ += weight;
        const std::vector<double> others = beside_.totals();
        for (std::size_t cell = 0; cell < others.size(); ++cell) weights_[cell] += others[cell];
    }

    /// Weight of all rows.
    double whole() const noexcept {
        double sum = 0.0;
        for (const double weight : weights_) sum += weight;
        return sum;
    }
    CellStarts grid(std::size_t n_grid) const { return even_cells(weights_, n_grid); }

    /// The blocks that suit intervals of ranks, then both in turn until nothing is cheaper.
    PartsAndClasses from_classes(const CellStarts& cells, std::size_t n_grid) {
        PartsAndClasses best;
        CellStarts starts = cells;
        for (int turn = 0; turn < most_turns; ++turn) {
            stop_.check();
            PartsAndClasses next = from_parts(best_parts(starts), n_grid);
            if (!is_lower(next.cost, best.cost)) break;
            best = std::move(next);
            starts = best.classes.starts;
        }
        return best;
    }

    /// The ranks that suit a partition.
    PartsAndClasses from_parts(const CellStarts& parts, std::size_t n_grid) {
        const auto [place, is_new] = classes_.try_emplace({n_grid, parts});
        if (is_new) place->second = found_classes(parts, n_grid);
        return place->second;
    }

private:
    PartsAndClasses found_classes(const CellStarts& parts, std::size_t n_grid) const {
        const CellStarts borders = grid(n_grid);
        Rows sets(parts.size() - 1 + n_beside_, borders.size() - 1);
        for (std::size_t k = 0; k + 1 < parts.size(); ++k)
            blocks_.add(parts[k], parts[k + 1], borders, sets[k]);
        for (std::size_t a = 0; a < n_beside_; ++a)
            beside_.add(a, a + 1, borders, sets[parts.size() - 1 + a]);
        PartsAndClasses pair{parts, classes_of(sets, borders, n_grid, code_), 0.0};
        double tables = 0.0;  // Σ_k log n_k!
        for (std::size_t k = 0; k < sets.size(); ++k) tables += log_factorial(sets.weight(k));
        pair.cost = pair.classes.cost + tables + log_choices(total_, parts.size() - 1);
        return pair;
    }

    const CellStarts& best_parts(const CellStarts& cells) {
        const auto [place, is_new] = parts_.try_emplace(cells);
        if (!is_new) return place->second;
        const Rows rows = blocks_.joined(every_block_, cells);
        std::vector<double> totals(rows.width(), 0.0);
        for (std::size_t i = 0; i < rows.size(); ++i) add(rows[i], totals);
        Problem problem(totals);
        if (code_ == RankCode::quantiles)
            problem.of_log_parts = 0.5 * (static_cast<double>(rows.width()) - 1.0);
        problem.n_beside = static_cast<double>(n_beside_);
        const auto modl = make_partition_criterion(criterion_named("modl"), problem, {});
        place->second = best_partition(*modl, Cumulative(rows), Limits{}, stop_).starts;
        return place->second;
    }

    SummedTable blocks_;
    SummedTable beside_;
    std::size_t n_beside_;
    const Stop& stop_;
    RankCode code_;
    std::vector<double> weights_;  // of the cells, over all rows
    CellStarts every_block_;
    double total_ = 0.0;
    std::map<CellStarts, CellStarts> parts_;  // found so far
    std::map<std::pair<std::size_t, CellStarts>, PartsAndClasses> classes_;
};

RankClasses classes_of(const Rows& sets, const CellStarts& borders, std::size_t n_grid,
                       RankCode code) {
    const RankLayers layers(sets, n_grid, code);
    RankClasses best{{}, n_grid, layers.cost()};
    for (const std::size_t start : layers.starts()) best.starts.push_back(borders[start]);
    return best;
}

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

double price_of_intervals(RankCode code, double total, std::size_t n_grid, std::size_t n_classes,
                          std::size_t n_sets) {
    if (code == RankCode::published) return portable_log(total);
    return price_of_rank_classes(n_grid, n_classes, n_sets) - log_choices(total, n_classes);
}

RankClasses best_rank_classes(const Rows& sets, std::size_t n_grid, RankCode code) {
    const SummedTable table(sets);
    const CellStarts borders = even_cells(table.totals(), n_grid);
    return classes_of(table.joined(singles(sets.size()), borders), borders, n_grid, code);
}

RankClasses find_rank_classes(const Rows& blocks, const Rows& beside, const Stop& stop,
                              RankCode code) {
    RankTurns turns(blocks, beside, stop, code);
    const double total = turns.whole();
    PartsAndClasses best;
    int n_idle = 0;
    const auto n_cells = static_cast<double>(std::bit_ceil(blocks.width()));
    for (std::size_t n_grid = 2; n_grid == 2 || 4.0 * static_cast<double>(n_grid) <= total;
         n_grid *= 2) {
        if (static_cast<double>(n_grid) > n_cells && n_grid > 2) break;
        const CellStarts cells = turns.grid(n_grid);
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
