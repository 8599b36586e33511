#include "partage/search/rank_layers.hpp"

#include <numeric>

#include "partage/support/combinatorics.hpp"
#include "partage/support/dispatch.hpp"
#include "partage/support/lengths.hpp"
#include "partage/support/ties.hpp"

namespace partage {
namespace {

/// Intervals of ranks at most; laws of more are not told apart by a few parts.
constexpr std::size_t most_classes = 40;

/// The first of the lowest sums of two numbers that tie. The lowest is the same in any order, so
/// that halves of chunks are compared side by side.
struct FirstLowest {
    static constexpr std::size_t size = 64;  // of a chunk

    PARTAGE_INLINE static std::size_t run(const double* one, const double* other, std::size_t n) {
        double best = infinite;
        for (std::size_t i = 0; i < n; i += size)
            best = std::min(best, lowest_of(one + i, other + i, std::min(size, n - i)));
        std::size_t i = 0;  // no number of a chunk ties if its lowest does not
        while (n - i > size && is_lower(best, lowest_of(one + i, other + i, size))) i += size;
        while (is_lower(best, one[i] + other[i])) ++i;
        return i;
    }

private:
    PARTAGE_INLINE static double lowest_of(const double* one, const double* other, std::size_t n) {
        double sums[size];
        for (std::size_t i = 0; i < n; ++i) sums[i] = one[i] + other[i];
        while (n > 1) {
            const std::size_t half = n / 2;
            const double* rest = sums + (n - half);
            for (std::size_t i = 0; i < half; ++i) sums[i] = rest[i] < sums[i] ? rest[i] : sums[i];
            n -= half;
        }
        return sums[0];
    }
};

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
            const std::size_t first =
                n - 1 + dispatch<FirstLowest>(before.data() + n - 1, run + n - 1, last - n + 1);
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

}  // namespace

SummedTable::SummedTable(const Rows& rows) : sums_(rows.size() + 1, rows.width() + 1) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double left = 0.0;
        for (std::size_t j = 0; j < rows.width(); ++j) {
            left += rows[i][j];
            sums_[i + 1][j + 1] = sums_[i][j + 1] + left;
        }
    }
}

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

CellStarts singles(std::size_t n) {
    CellStarts starts(n + 1);
    std::iota(starts.begin(), starts.end(), std::size_t{0});
    return starts;
}

const CellStarts& RankGrids::grid(std::size_t n_grid) {
    const auto [place, is_new] = grids_.try_emplace(n_grid);
    if (is_new) place->second = even_cells(weights_, n_grid);
    return place->second;
}

CellStarts RankGrids::near(std::size_t n_grid, const CellStarts& starts) {
    const CellStarts& fine = grid(n_grid);
    CellStarts tried = grid(most_tried);
    tried.push_back(fine[1]);
    tried.push_back(fine[fine.size() - 2]);
    for (std::size_t l = 1; l + 1 < starts.size(); ++l) {
        const auto at = static_cast<std::size_t>(
            std::lower_bound(fine.begin(), fine.end(), starts[l]) - fine.begin());
        const std::size_t last = std::min(at + reach + 1, fine.size());
        for (std::size_t i = at > reach ? at - reach : 0; i < last; ++i) tried.push_back(fine[i]);
    }
    std::sort(tried.begin(), tried.end());
    tried.erase(std::unique(tried.begin(), tried.end()), tried.end());
    return tried;
}

RankClasses RankGrids::cheapest(std::size_t n_grid, const CellStarts* coarser,
                                const std::function<Rows(const CellStarts&)>& count,
                                RankCode code) {
    const CellStarts borders = coarser == nullptr ? grid(n_grid) : near(n_grid, *coarser);
    const RankLayers layers(count(borders), n_grid, code);
    RankClasses best{{}, n_grid, {}, layers.cost()};
    for (const std::size_t start : layers.starts()) best.starts.push_back(borders[start]);
    return best;
}

}  // namespace partage
