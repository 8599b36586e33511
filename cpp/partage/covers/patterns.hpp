#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "partage/support/arrays.hpp"
#include "partage/support/stop.hpp"

namespace partage {

/// Rows as bits: literal 2k is discriminant k, literal 2k + 1 its opposite. A row that lacks the
/// value satisfies neither.
class Literals {
public:
    using Words = std::span<const std::uint64_t>;

    /// `holds` and `fails` are laid out discriminant by discriminant.
    Literals(std::span<const std::uint8_t> holds, std::span<const std::uint8_t> fails,
             std::size_t n_rows, std::span<const double> weights);

    std::size_t size() const noexcept { return n_literals_; }
    std::size_t n_rows() const noexcept { return n_rows_; }
    std::size_t n_words() const noexcept { return n_words_; }
    Words operator[](std::size_t literal) const noexcept {
        return {&bits_[literal * n_words_], n_words_};
    }
    bool holds(std::size_t literal, std::size_t row) const noexcept {
        return ((bits_[literal * n_words_ + row / 64] >> (row % 64)) & 1) != 0;
    }
    /// Weight of the rows of a set.
    double weigh(Words rows) const noexcept;

private:
    std::size_t n_literals_;
    std::size_t n_rows_;
    std::size_t n_words_;
    std::vector<std::uint64_t> bits_;
    std::vector<double> weights_;  ///< empty: one each
};

/// A conjunction of literals, and the weight of the rows it covers in its class and outside.
struct Pattern {
    std::vector<Index> literals;
    double positives = 0.0;
    double negatives = 0.0;
    double gain = 0.0;  ///< nats that it saves, its own length paid
};

/// What a pattern of a class must be.
struct PatternTask {
    const Literals& literals;
    std::span<const std::uint8_t> is_positive;  ///< which rows are of the class
    std::size_t max_degree = 3;                 ///< literals of an enumerated pattern
    double min_precision = 1.0;  ///< least share of its class among the rows it covers
    double min_support = 0.0;    ///< least share of its class that an enumerated pattern covers
    std::size_t n_best = 1;      ///< patterns that each row of the class gives to the theory
    std::size_t budget = 0;      ///< words that an enumeration may read, which bounds its degree
    double price = 1.0;          ///< of a nat of the length of a pattern
    const Stop& stop;
};

/// Degree up to which all terms can be enumerated within the budget; 2 is always allowed.
std::size_t affordable_degree(const PatternTask& task);

/// What patterns of a class save: the length of which rows are of the class, less that inside and
/// outside the rows covered, less that of the pattern (its degree, its conditions, their signs).
class PatternPrices {
public:
    explicit PatternPrices(const PatternTask& task);

    double positives() const noexcept { return positives_; }
    double length(std::size_t degree) const noexcept;
    double gain(const Pattern& pattern) const noexcept;
    /// Whether a term inside one that covers so much of the class may still pay for itself.
    bool may_pay(double positives, std::size_t degree) const noexcept;

private:
    double saved(double positives, double negatives) const noexcept;

    double price_;
    double n_discriminants_;
    double max_degree_;
    double positives_ = 0.0;
    double rows_ = 0.0;
    double whole_ = 0.0;
};

/// Patterns up to the degree bound that pay for themselves, the `n_best` of each row of the class
/// that save most. In that order.
std::vector<Pattern> find_priced_patterns(const PatternTask& task);

/// Prime patterns up to the degree bound, the widest `n_best` of each row of the class; a row that
/// none covers gives the widest pattern found from it. In the order of coverage.
std::vector<Pattern> find_prime_patterns(const PatternTask& task);

/// For every row of the class a prime pattern of wide coverage, grown from that row.
std::vector<Pattern> find_wide_patterns(const PatternTask& task);

}  // namespace partage
