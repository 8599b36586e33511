#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "partage/grids/solve.hpp"

namespace partage {

/// Columns of which pairs are looked at; the rows and the target are those of `GridRows`.
struct PairsQuestion {
    const GridRows& rows;  ///< all columns
    GridMethod method = GridMethod::modl;
    std::vector<std::pair<std::size_t, std::size_t>> pairs = {};
    std::vector<ValueParts> own = {};     ///< best parts of each column alone
    std::vector<double> thresholds = {};  ///< of their garbage groups
    double n_columns = 2.0;               ///< among which Khiops 11 chooses
};

/// What a pair of columns says together.
struct PairFound {
    double cost = infinite;
    double null_cost = 0.0;
    std::size_t n_parts[2] = {1, 1};
    std::size_t n_cells = 1;  ///< that hold rows
};

/// What pairs of columns say, and what the columns save alone at the same resolution.
struct PairsFound {
    std::vector<PairFound> pairs;
    std::vector<double> column_gains;
};

/// Looks at pairs quickly: 32 quantiles of each ordered column, few starts. The gains of the
/// columns alone are those of the same resolution. Threads share the pairs.
PairsFound screen_pairs(const PairsQuestion& question, const Workers& workers);

/// Solves pairs as `solve_grid` does.
PairsFound solve_pairs(const PairsQuestion& question, const Workers& workers);

}  // namespace partage
