#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "partage/support/stop.hpp"
#include "partage/support/ties.hpp"

namespace partage {

/// Columns coded by their parts, and the probability of each part given each class.
struct CodedColumns {
    std::size_t n_rows;
    std::size_t n_classes;
    std::span<const std::uint32_t> codes;   ///< column by column, n_rows each
    std::span<const std::int64_t> offsets;  ///< first code of each column in `tables`, then the end
    std::span<const double> tables;         ///< P(part | class): n_classes numbers for each code
    std::span<const std::uint16_t> labels;  ///< class of each row
    std::span<const double> weights;        ///< of the rows; empty: 1 each
    std::span<const double> prior;          ///< P(class)

    std::size_t n_columns() const noexcept { return offsets.size() - 1; }
    /// Throws std::invalid_argument unless sizes, codes and labels fit together.
    void check() const;
};

/// Adds the rows of a table, by code, to the scores of rows: `scores` has n_classes numbers a row.
/// Throws std::invalid_argument if a code has no row in the table.
void add_by_code(std::span<double> scores, std::span<const std::int64_t> codes,
                 std::span<const double> table, std::size_t n_classes);

/// Posteriors of training rows under a naive Bayes model that gains and loses columns.
///
/// Rows hold P(class) Π P(part | class), rescaled by powers of two: products alone, so that every
/// CPU has the same bits.
class Posteriors {
public:
    explicit Posteriors(const CodedColumns& columns);

    /// Area under the lift curve, averaged over the classes by frequency; between 0 and 1.
    double lift_area() const;
    /// The area if one column more were taken, for each of these columns. O(n J) a column.
    std::vector<double> lift_areas(std::span<const std::uint32_t> candidates,
                                   const Stop& stop) const;
    /// Numbers that those areas do not exceed, and seldom stay below by more than 1e-4, from
    /// counts of rows in buckets of odds; several times as fast where rows of a class follow each
    /// other. O(n J) a column.
    std::vector<double> lift_bounds(std::span<const std::uint32_t> candidates,
                                    const Stop& stop) const;
    /// Takes a column, with its whole weight.
    void take(std::size_t column);

    /// Weights of the columns, in [0, 1], that lower - Σ log P(class | row) +
    /// `selection_prior` of their sum among `n_known` columns, in nats; `order` says which may
    /// enter, first ones first. Starts from no column with whole steps, which are halved
    /// `n_halvings` times.
    std::vector<double> weigh(std::span<const std::uint32_t> order, std::size_t n_known,
                              unsigned n_halvings, const Stop& stop);
    /// - Σ log P(class | row) of the columns taken, in nats.
    double log_loss() const;

private:
    void reset();
    double area_of(std::span<const double> rows, std::vector<std::uint64_t>& keys,
                   std::vector<std::uint64_t>& spare) const;
    template <class Count>
    std::vector<double> bounds_of(std::span<const std::uint32_t> candidates,
                                  const Stop& stop) const;
    /// The loss if the rows of a column were multiplied by these factors, if any.
    double loss_with(std::size_t column, std::span<const double> factors) const;
    void multiply(std::size_t column, std::span<const double> factors);
    double weight(std::size_t row) const noexcept {
        return columns_.weights.empty() ? 1.0 : columns_.weights[row];
    }

    CodedColumns columns_;
    std::vector<double> rows_;  ///< n_classes numbers for each row
    std::vector<double> class_weights_;
    double total_weight_ = 0.0;
};

/// log of 1 / prior of a sum s of weights among p columns: log(p+1) + log C(p+s-1, s), in nats.
double selection_prior(double n_columns, double sum) noexcept;

}  // namespace partage
