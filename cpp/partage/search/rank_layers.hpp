#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "partage/rows/row.hpp"
#include "partage/search/rank_classes.hpp"

namespace partage {

/// First row or column of each of some runs, then their number.
using CellStarts = std::vector<std::size_t>;

/// Rows that are summed over runs of rows and runs of columns in O(1) each.
class SummedTable {
public:
    explicit SummedTable(const Rows& rows);
    std::size_t n_rows() const noexcept { return sums_.size() - 1; }
    std::size_t n_columns() const noexcept { return sums_.width() - 1; }
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

/// First cells of at most n intervals of even weight, each border at the cell that ends nearest.
CellStarts even_cells(const std::vector<double>& weights, std::size_t n);

/// Every row or column by itself.
CellStarts singles(std::size_t n);

/// Grids of even frequency over the cells of a number. The borders of a grid are among those of one
/// twice as fine.
class RankGrids {
public:
    explicit RankGrids(std::vector<double> weights) : weights_(std::move(weights)) {}

    /// First cells of the intervals of a grid.
    const CellStarts& grid(std::size_t n_grid);
    /// Whether all borders of a grid are tried.
    static bool is_coarse(std::size_t n_grid) noexcept { return n_grid <= most_tried; }
    /// A grid, or the finest coarse one.
    static std::size_t coarse(std::size_t n_grid) noexcept { return std::min(n_grid, most_tried); }
    /// The grid that is tried after one, and the one before a fine one.
    static std::size_t finer(std::size_t n_grid) noexcept {
        return n_grid * (n_grid < most_tried ? 2 : step);
    }
    static std::size_t coarser(std::size_t n_grid) noexcept {
        return std::max(n_grid / step, most_tried);
    }
    /// The cheapest intervals of ranks of a grid, for sets that `count` counts between some
    /// borders: of all borders of a coarse grid; of a fine one of those near the intervals that a
    /// coarser grid gave.
    RankClasses cheapest(std::size_t n_grid, const CellStarts* coarser,
                         const std::function<Rows(const CellStarts&)>& count, RankCode code);

private:
    /// The borders of a grid near the ends of some intervals, the first and the last one, and those
    /// of the finest grid that is coarse.
    CellStarts near(std::size_t n_grid, const CellStarts& starts);

    static constexpr std::size_t most_tried = 64;
    static constexpr std::size_t step = 4;  // from one fine grid to the next
    /// Borders on each side.
    static constexpr std::size_t reach = 8;

    std::vector<double> weights_;
    std::map<std::size_t, CellStarts> grids_;
};

}  // namespace partage
