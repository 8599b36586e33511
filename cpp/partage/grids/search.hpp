#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "partage/grids/state.hpp"
#include "partage/grids/table.hpp"
#include "partage/support/parallel.hpp"

namespace partage {

/// How long a grid is searched.
struct GridEffort {
    std::vector<std::size_t> resolutions{16, 32, 64, 128};  ///< quantiles of ordered axes
    std::vector<std::size_t> starts{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};
    std::size_t most_steps = 12;
    std::size_t n_rounds = 4;     ///< of perturbing the best grid, then looking closer at its cuts
    std::size_t n_perturbed = 8;  ///< grids of a round
    bool lists = true;            ///< whether an axis of few values is enumerated
    std::size_t most_merged = 150;  ///< units of an unordered axis that are merged one by one

    static GridEffort thorough();
    static GridEffort screen();
    static GridEffort refine();
};

/// Parts of the values of one axis. On an ordered axis parts follow the values.
struct ValueParts {
    std::vector<Index> part_of;
    std::size_t n_parts = 1;
};

/// What the search of a grid is given beside the rows and the prior.
struct GridTask {
    const GridRows& rows;
    const GridPrior& prior;
    const Factorials& factorials;
    std::vector<std::size_t> max_parts;     ///< of each axis
    std::vector<std::vector<Index>> fixed;  ///< of each ordered axis: values where parts start
    double min_cell = 0.0;
    std::vector<std::vector<ValueParts>> known;  ///< grids to start from, axis by axis
    GridEffort effort;
};

/// A grid of the values.
struct FoundGrid {
    std::vector<ValueParts> axes;
    double cost = infinite;
    bool is_optimal = false;
};

/// The best grid that is found: each axis in turn is solved exactly, or nearly so, with the others
/// given, from starts that cut one axis blindly, at several resolutions, then with finer units
/// around its cuts down to single values. The same for any number of threads.
FoundGrid search_grid(const GridTask& task, const Workers& workers);

/// Solves the axes in turn, `first` first, until nothing improves.
void alternate(const FineTable& table, const GridJudge& judge, const GridEffort& effort,
               std::size_t first, GridState& state);

/// Exact optimum where one axis can be enumerated: whether it was, and the grid.
bool enumerate_grid(const GridTask& task, const Workers& workers, FoundGrid& best);

}  // namespace partage
