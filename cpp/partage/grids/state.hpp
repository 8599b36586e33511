#pragma once

#include <cstddef>
#include <vector>

#include "partage/grids/factorials.hpp"
#include "partage/grids/prior.hpp"
#include "partage/grids/table.hpp"
#include "partage/support/ties.hpp"

namespace partage {

/// A grid on a fine table: the part of each unit of each axis. Units set aside have the parts after
/// those found, in their order.
struct GridState {
    std::vector<std::vector<Index>> part_of;
    std::vector<std::size_t> n_parts;
    double cost = infinite;

    std::size_t n_cells() const noexcept {
        std::size_t n = 1;
        for (const std::size_t parts : n_parts) n *= parts;
        return n;
    }
};

/// What a grid is judged by: the prior of its shape, and what its cells must hold.
struct GridJudge {
    const GridPrior& prior;
    const Factorials& factorials;
    std::vector<std::size_t> max_parts;  ///< of each axis
    double min_cell = 0.0;               ///< least weight of a cell that is not empty

    std::size_t most(std::size_t axis) const noexcept {
        return std::min(max_parts[axis], prior.most(axis));
    }
};

/// Sets the parts of the units of an axis that may join; those aside follow.
void set_parts(GridState& state, const AxisUnits& units, std::size_t axis,
               std::vector<Index> part_of, std::size_t n_parts);

/// The grid of one part on each axis, but for parts that must start somewhere.
GridState one_cell(const FineTable& table);

/// Cost of a grid in nats, from its cells; infinite where a cell holds too little.
double grid_cost(const FineTable& table, const GridState& state, const GridJudge& judge);

/// Whether grid `a` is better than `b`: lower, or on a tie of fewer cells, then of fewer parts on
/// the first axis.
bool is_better(const GridState& a, const GridState& b) noexcept;

}  // namespace partage
