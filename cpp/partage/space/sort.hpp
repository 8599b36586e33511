#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "partage/space/line.hpp"
#include "partage/support/arrays.hpp"

namespace partage {

/// A column sorted by value, then class, and the rows behind it.
template <class Value>
struct SortedRows {
    SortedColumn<Value> column;
    Buffer<Index> rows;    ///< of the column as it was, in the order of the line
    Buffer<Index> starts;  ///< first of these rows of each unit, then their number
};

/// Sorts the rows of a column that are not missing (NaN, or where `is_missing`, if not empty, is
/// set). -0.0 becomes 0.0. Rows go into buckets of about even size, by a sample, and are near their
/// place inside a bucket where the values spread smoothly: O(N) then, O(N log N) always.
template <class Value>
SortedRows<Value> sort_rows(std::span<const Value> values, std::span<const Code> codes,
                            std::span<const std::uint8_t> is_missing, std::size_t n_classes);

/// Intervals of the ranks of finite numbers: one for each value, or at most `most` of even size.
struct RankCells {
    Buffer<double> lows;     ///< least value of each
    Buffer<double> highs;    ///< greatest value
    Buffer<double> weights;  ///< rows
    Buffer<Code> codes;      ///< cell of each number
};

/// The cells of some numbers; each border is the end of the value nearest to its share of the rows.
RankCells rank_cells(std::span<const double> numbers, std::size_t most);

extern template SortedRows<double> sort_rows<double>(std::span<const double>, std::span<const Code>,
                                                     std::span<const std::uint8_t>, std::size_t);
extern template SortedRows<std::int64_t> sort_rows<std::int64_t>(std::span<const std::int64_t>,
                                                                 std::span<const Code>,
                                                                 std::span<const std::uint8_t>,
                                                                 std::size_t);

}  // namespace partage
