#pragma once

#include <cstddef>
#include <vector>

#include "partage/rows/row.hpp"
#include "partage/support/stop.hpp"

namespace partage {

/// How intervals of ranks are told: chosen among the borders of a grid of even frequency, with what
/// known totals take from the laws of parts; or as published (Hue and Boullé, 2007), by the number
/// of rows of each, whichever these are.
enum class RankCode { quantiles, published };

/// Nats that tell intervals of the ranks of a number, which parts then tell like classes: their
/// grid of `n_grid` intervals of even frequency, which of its borders are kept, and what class
/// totals being known takes from the laws of `n_sets` sets.
double price_of_rank_classes(std::size_t n_grid, std::size_t n_classes, std::size_t n_sets);

/// The same beyond the laws of parts, of N rows: Σ_k log C(n_k+L-1, L-1) is not in it. Known totals
/// take log C(N+L-1, L-1) from these laws; as published, telling the totals costs as much.
double price_of_intervals(RankCode code, double total, std::size_t n_grid, std::size_t n_classes,
                          std::size_t n_sets);

/// Intervals of the ranks of a number: runs of the cells in which it is counted.
struct RankClasses {
    std::vector<std::size_t> starts;   ///< first cell of each, then the number of cells
    std::size_t n_grid = 1;            ///< intervals of even frequency they were chosen among
    std::vector<std::size_t> parts{};  ///< first block of each they were found with, then the end
    double cost = 0.0;  ///< Σ over intervals of log N_l! - Σ_k log n_kl!, and their price, in nats
};

/// The cheapest intervals of ranks on some grids, given how many rows of each cell the sets hold (a
/// row of `sets` each). O(G² K) for a grid of G.
RankClasses best_rank_classes(const Rows& sets, const std::vector<std::size_t>& grids,
                              RankCode code = RankCode::quantiles);

/// The same on a grid and on those half and twice as fine, from there on while one is cheaper, up
/// to the finest.
RankClasses climb_rank_classes(const Rows& sets, std::size_t n_grid, std::size_t finest,
                               RankCode code = RankCode::quantiles);

/// Intervals of ranks that suit some partition of consecutive blocks: the cheapest found by
/// dividing blocks and ranks in turn, over grids of 2, 4, 8, ... intervals. `beside` are sets of
/// rows that are no part of any.
RankClasses find_rank_classes(const Rows& blocks, const Rows& beside, const Stop& stop,
                              RankCode code = RankCode::quantiles);

}  // namespace partage
