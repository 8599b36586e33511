#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "partage/space/line.hpp"
#include "partage/support/arrays.hpp"

namespace partage {

/// The rows of a column that are not missing (NaN, or where `is_missing`, if not empty, is set):
/// the leading bits of the value of each, then its number. Whole numbers of 64 bits are what sorts
/// fastest; a few rows whose values agree in the bits that are kept are told apart later.
template <class Value>
Buffer<std::uint64_t> pack_rows(std::span<const Value> values,
                                std::span<const std::uint8_t> is_missing);

/// A column sorted by value, then class, and the amounts behind it.
template <class Value>
struct SortedRows {
    SortedColumn<Value> column;
    Buffer<double> amounts;  ///< of the rows, unit by unit
    Buffer<Index> starts;    ///< first of these of each unit, then their number
};

/// Sorts the rows of a column, given its packed rows sorted. Without amounts units of many rows are
/// compressed. -0.0 becomes 0.0. O(N), or O(N log N) where most values agree in their leading bits.
template <class Value>
SortedRows<Value> sort_rows(std::span<const Value> values, std::span<const Code> codes,
                            std::span<const double> amounts, std::span<const std::uint64_t> packed,
                            std::size_t n_classes);

/// Intervals of the ranks of finite numbers: one for each value, or at most `most` of even size.
struct RankCells {
    Buffer<double> lows;     ///< least value of each
    Buffer<double> highs;    ///< greatest value
    Buffer<double> weights;  ///< rows
    Buffer<Code> codes;      ///< cell of each number
};

/// The cells of some numbers, given their packed rows sorted; each border is the end of the value
/// nearest to its share of the rows.
RankCells rank_cells(std::span<const double> numbers, std::span<const std::uint64_t> packed,
                     std::size_t most);

#define PARTAGE_SORTED(KEYWORD, VALUE)                                                      \
    KEYWORD template Buffer<std::uint64_t> pack_rows<VALUE>(std::span<const VALUE>,         \
                                                            std::span<const std::uint8_t>); \
    KEYWORD template SortedRows<VALUE> sort_rows<VALUE>(                                    \
        std::span<const VALUE>, std::span<const Code>, std::span<const double>,             \
        std::span<const std::uint64_t>, std::size_t);
PARTAGE_SORTED(extern, double)
PARTAGE_SORTED(extern, std::int64_t)

}  // namespace partage
