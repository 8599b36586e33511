#pragma once

#include <cstddef>
#include <vector>

#include "partage/grids/price.hpp"

namespace partage {

/// What is asked of a grid.
struct GridQuestion {
    const GridRows& rows;
    GridMethod method = GridMethod::modl;
    double n_columns = 2.0;   ///< among which Khiops 11 chooses
    double n_families = 1.0;  ///< of constructed columns, pairs being one
    std::vector<std::size_t> max_parts = {};
    std::vector<std::vector<Index>> fixed = {};
    double min_cell = 0.0;
    std::vector<ValueParts> own = {};     ///< best parts of each column alone; or empty
    std::vector<double> thresholds = {};  ///< of MODL's garbage groups of each column alone
    GridEffort effort = {};
};

struct GridAnswer {
    FoundGrid grid;
    double null_cost = 0.0;
    int granularity = 0;
};

/// Finds the grid of least cost: under MODL with the garbage groups of the columns alone and
/// without them, under Khiops 11 at every granularity.
GridAnswer solve_grid(const GridQuestion& question, const Workers& workers);

}  // namespace partage
