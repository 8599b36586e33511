#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace partage {

/// What rows ask of the cells of a term, for each output: a level f of cell c has, up to a
/// constant, the log-likelihood pull f - weight f² / 2.
struct CellSums {
    std::size_t n_outputs = 1;
    std::span<const double> pulls;    ///< n_outputs numbers for each cell
    std::span<const double> weights;  ///< as many, at least 0

    std::size_t n_cells() const noexcept { return pulls.size() / n_outputs; }
    /// The cells [first, last).
    CellSums cells(std::size_t first, std::size_t last) const noexcept {
        const std::size_t at = first * n_outputs, n = (last - first) * n_outputs;
        return {n_outputs, pulls.subspan(at, n), weights.subspan(at, n)};
    }
};

/// What is thought of curves before rows are seen.
struct CurvePrior {
    double level = 1.0;             ///< deviation of the level at which a part starts
    double value = 0.7;             ///< deviation of the level of a value of an unordered column
    double jump = 1.0 / 128;        ///< probability that a part ends between two cells
    std::span<const double> walks;  ///< deviations of the walk over all cells, as probable
};

/// Levels of cells, averaged, and how sure they are.
struct Levels {
    std::vector<double> means;      ///< n_outputs numbers for each cell
    std::vector<double> variances;  ///< as many
    double log_evidence = 0.0;      ///< of the rows, against levels of 0
};

/// Levels of ordered cells: the mean over all partitions of the cells and all walks, each as
/// probable as prior and rows make it. The level of a part starts anywhere and walks from cell to
/// cell; `steps` holds the share of the whole walk between each two neighbours. O(n_cells²) a walk.
Levels average_curves(const CellSums& sums, std::span<const double> steps, const CurvePrior& prior);

/// Levels of cells that have nothing to do with each other.
Levels shrink_levels(const CellSums& sums, double deviation);

/// Log-evidence of one level for all cells.
double constant_evidence(const CellSums& sums, double deviation);

/// Makes levels rise (sign 1) or fall (-1) along cells: least squares by the weights.
void make_monotone(const CellSums& sums, int sign, Levels& levels);

}  // namespace partage
