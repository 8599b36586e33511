#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/additive/laws.hpp"
#include "partage/additive/pair.hpp"
#include "partage/support/parallel.hpp"

namespace partage {

/// The rows of an additive model.
struct ModelRows {
    Law law = Law::two_classes;
    std::size_t n_outputs = 1;
    std::span<const double> y;        ///< numbers, or classes from 0 on
    std::span<const double> offsets;  ///< n_outputs numbers a row, added to the scores; empty: 0
};

/// A term: the cell of each row, and how its cells are related.
struct Term {
    enum class Kind { line, values, pair };
    Kind kind = Kind::line;
    std::span<const std::uint32_t> codes;
    std::size_t n_cells = 1;
    std::size_t n_ordered = 0;  ///< line: cells in order; those behind have levels of their own
    std::span<const double> steps;
    int trend = 0;    ///< line: 1 rises, -1 falls
    PairShape shape;  ///< pair: the cell behind its lattice has the level 0
};

struct FitSettings {
    CurvePrior curves;
    PairPrior pairs;
    std::size_t max_cycles = 30;
    double tolerance = 1e-3;  ///< root mean square of the last change of a term
};

/// Scores of rows as sums of terms. A cycle brings each term in turn to its mean given the others:
/// the mean over all its curves, by the likelihood's second order at the present scores.
class AdditiveModel {
public:
    /// Throws std::invalid_argument unless classes, numbers and outputs fit together.
    explicit AdditiveModel(const ModelRows& rows);

    /// Adds a term and gives its number.
    std::size_t add(const Term& term);
    /// Starts again with these weights of the rows: no term has any effect.
    void start(std::span<const double> weights);
    /// Fits these terms from where they are; the others lose their effect. Gives the number of
    /// cycles.
    std::size_t fit(std::span<const std::uint32_t> active, const FitSettings& settings,
                    const Workers& workers);
    /// Multiplies all that terms add by a factor, and settles what all rows share.
    void stretch(double factor, const Workers& workers);
    /// Weighted sum of the losses of rows, were terms stretched by a factor.
    double loss(std::span<const double> weights, double factor = 1.0) const;
    /// Log-evidence, beyond one level and either column, of pairs of coded columns: `codes` has
    /// one row of codes for each column, of rows 0, stride, 2 stride, ...; a code at or above the
    /// number of cells belongs to none.
    std::vector<double> screen(std::span<const std::uint8_t> codes, std::size_t stride,
                               std::span<const PairShape> shapes,
                               std::span<const std::uint32_t> columns, const PairPrior& prior,
                               const Workers& workers) const;

    const Levels& levels(std::size_t term) const { return held_.at(term).levels; }
    /// Log-evidence of a term against one level for all rows.
    double evidence(std::size_t term) const { return held_.at(term).evidence; }
    std::span<const double> intercept() const noexcept { return intercept_; }
    double dispersion() const noexcept { return dispersion_; }
    std::size_t n_rows() const noexcept { return rows_.y.size(); }

private:
    struct Held {
        Term term;
        Levels levels;
        std::vector<double> cell_weights;
        double evidence = 0.0;
        double freedom = 0.0;  ///< numbers that the term fits, as rows see it
    };
    struct Sums {
        std::vector<double> pulls, weights;
    };

    template <Law law>
    void sum_block(const Term* term, std::size_t first, std::size_t last, Sums& to) const;
    /// Sums of a term's cells; of all rows without one.
    Sums sum_cells(const Term* term, std::size_t n_cells, const Workers& workers) const;
    void weigh_cells(Held& held) const;
    /// Brings a term to its mean; the root mean square of its change.
    double update(Held& held, const FitSettings& settings, const Workers& workers);
    Levels find_levels(const Held& held, const Sums& sums, const FitSettings& settings,
                       double& evidence) const;
    void drop(Held& held, const Workers& workers);
    void add_scores(const Term* term, std::span<const double> changes, const Workers& workers);
    void update_intercept(const Workers& workers);
    void update_dispersion(std::span<const std::uint32_t> active);
    /// Score i, of all rows and outputs, were terms stretched by a factor.
    double stretched(std::size_t i, double factor) const noexcept;
    std::size_t block() const noexcept;

    ModelRows rows_;
    std::vector<double> weights_;
    double total_weight_ = 0.0;
    std::vector<double> scores_;
    std::vector<double> intercept_;
    double dispersion_ = 1.0;
    std::vector<Held> held_;
};

}  // namespace partage
