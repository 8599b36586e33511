#pragma once

#include <array>
#include <span>
#include <vector>

#include "partage/support/arrays.hpp"

namespace partage {

/// Where the sums of a number are rounded to: powers of two on which they add up without rounding.
struct SumSteps {
    std::array<double, 2> away;     ///< of deviations, coarse and fine
    std::array<double, 2> squares;  ///< of their squares
};

/// Sums of runs of rows, and their least and greatest amount.
struct RunSums {
    std::vector<double> sums;  ///< of each run: deviations and squares, each in two, and zeros
    std::vector<double>
        extremes;  ///< of each run: the least, the greatest; infinities without rows
};

/// Sums the amounts between consecutive edges, as deviations from a centre. Each is divided into a
/// coarse and a fine piece on grids, so that the order of rows does not matter.
RunSums run_sums(std::span<const double> amounts, std::span<const Index> edges, double center,
                 const SumSteps& steps);

}  // namespace partage
