#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "partage/rows/row.hpp"
#include "partage/support/arrays.hpp"

namespace partage {

/// A column as a line: entries sorted by value, equal values together in one unit.
/// Class counts are kept as codes, never as a dense row for each unit; of a number the amounts of
/// entries are what a criterion reads.
struct Line {
    Buffer<Code> codes;      ///< class of each entry
    Buffer<double> weights;  ///< weight of each entry; empty: one each
    Buffer<Index> starts;    ///< first entry of each unit, then the number of entries
    std::size_t n_classes = 0;
    /// Of a number: weight and sums of each entry, or, where there are codes, of an entry of each
    /// class; else empty.
    Buffer<double> amounts;
    std::size_t n_amounts = 0;  ///< of an entry; 0: classes are counted

    /// How the rows of its units are stored.
    Layout layout() const noexcept {
        return n_amounts > 0 ? Layout{Reads::moments, n_amounts} : counts_of(n_classes);
    }
    std::size_t n_units() const noexcept { return starts.empty() ? 0 : starts.size() - 1; }
    std::size_t n_entries() const noexcept { return starts.empty() ? 0 : starts.back(); }
    double entry_weight(std::size_t i) const noexcept { return weights.empty() ? 1.0 : weights[i]; }
    /// Weight and sums of an entry of a number.
    const double* amounts_of(std::size_t i) const noexcept {
        return amounts.data() + (codes.empty() ? i : codes[i]) * n_amounts;
    }
    /// Adds the entries [first, last) to the numbers of a row.
    void add(std::size_t first, std::size_t last, std::span<double> numbers) const noexcept;
    /// Weight of the entries [first, last).
    double weight(std::size_t first, std::size_t last) const noexcept {
        if (weights.empty()) return static_cast<double>(last - first);
        double total = 0.0;
        for (std::size_t i = first; i < last; ++i) total += weights[i];
        return total;
    }
    /// Whether a unit holds no entry.
    bool has_empty_unit() const noexcept;
    /// Numbers of the whole line: the weight of each class.
    std::vector<double> totals() const;
};

/// A line of units whose amounts are known, `n_amounts` of each, its weight first.
Line line_of_amounts(std::span<const double> amounts, std::size_t n_amounts);

/// The weight and the sums of each unit, where a row of class j adds the j-th `n_sums` of scores.
Buffer<double> scored_units(const Line& line, std::span<const double> scores, std::size_t n_sums);

/// The line of these. Where most units are single rows, their codes are kept.
Line scored_line(const Line& line, std::span<const double> scores, std::size_t n_sums);

/// The line in which class j is classes[j], which does not fall with j.
Line with_classes(const Line& line, std::span<const Code> classes, std::size_t n_classes);

/// Calls f(code, weight) for each class of a block, given by its entries: a run of one class, or a
/// unit, whose entries are in the order of their classes.
template <class F>
void for_each_class(const Line& line, std::size_t first, std::size_t last, F f) {
    if (line.codes[first] == line.codes[last - 1]) {
        f(line.codes[first], line.weight(first, last));
        return;
    }
    while (first < last) {
        const Code code = line.codes[first];
        std::size_t end = first + 1;
        while (end < last && line.codes[end] == code) ++end;
        f(code, line.weight(first, end));
        first = end;
    }
}

/// Consecutive blocks of units, the candidates of a search: the unit each block starts at, then
/// the number of units.
using Blocks = Buffer<Index>;

/// Places among blocks of some that start with one of them each; O(n log U).
std::vector<std::size_t> places_of(const Blocks& some, const Blocks& blocks);

/// One block for each unit.
Blocks unit_blocks(const Line& line);

/// Units joined into runs: neighbours that hold one and the same class only.
Blocks run_blocks(const Line& line);

/// Blocks between the borders nearest to n - 1 quantiles of the weight, the lower one on a tie.
/// O(n log U), or O(U) where entries have weights.
Blocks quantile_blocks(const Line& line, std::size_t n);

/// Blocks and their dense rows.
struct CountedBlocks {
    Blocks blocks;
    Rows rows;
};

/// The dense rows of blocks.
Rows block_rows(const Line& line, const Blocks& blocks);

/// A sorted column: its line and the value of each unit.
template <class Value>
struct SortedColumn {
    Line line;
    Buffer<Value> values;
};

/// Merges the values of each class, each sorted, into one line. `offsets` has one entry more than
/// there are classes. O(N log J).
template <class Value>
SortedColumn<Value> merge_classes(std::span<const Value> values,
                                  std::span<const std::int64_t> offsets);

extern template SortedColumn<double> merge_classes<double>(std::span<const double>,
                                                           std::span<const std::int64_t>);
extern template SortedColumn<std::int64_t> merge_classes<std::int64_t>(
    std::span<const std::int64_t>, std::span<const std::int64_t>);

}  // namespace partage
