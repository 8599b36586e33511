#pragma once

#include "partage/additive/curve.hpp"

namespace partage {

/// The cells of two columns together; cell (i, k) stands at i * n_second + k.
struct PairShape {
    std::size_t n_first = 0;
    std::size_t n_second = 0;
    bool first_is_ordered = true;
    bool second_is_ordered = true;

    std::size_t n_cells() const noexcept { return n_first * n_second; }
};

/// What is thought of pairs before rows are seen; all deviations are as probable.
struct PairPrior {
    double level = 2.0;               ///< deviation of the level of the whole field
    std::span<const double> walks;    ///< deviations of a field along a whole axis
    double split = 0.5;               ///< probability that a rectangle is divided
    std::span<const double> heights;  ///< deviations of the levels of rectangles
};

/// Levels of a field in which neighbours on an ordered axis, and any two values on an unordered
/// one, are alike. O(cells x narrower axis²).
Levels average_fields(const CellSums& sums, const PairShape& shape, const PairPrior& prior);

/// Levels of rectangles: the mean over all ways to divide the cells by straight cuts again and
/// again, each as probable as prior and rows make it. O(cells² x cuts).
Levels average_rectangles(const CellSums& sums, const PairShape& shape, const PairPrior& prior);

/// Their log-evidence alone.
double rectangle_evidence(const CellSums& sums, const PairShape& shape, const PairPrior& prior);

/// The mean of both, as probable as the rows make them.
Levels average_pair(const CellSums& sums, const PairShape& shape, const PairPrior& prior);

/// Log-evidence of the pair beyond that of one level, and of either column alone.
double pair_evidence(const CellSums& sums, const PairShape& shape, const PairPrior& prior);

}  // namespace partage
