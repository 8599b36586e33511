#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "partage/rows.hpp"

namespace partage {

using Code = std::uint16_t;   ///< class of an entry
using Index = std::uint32_t;  ///< position of an entry or a unit

/// A column as a line: entries sorted by value, equal values together in one unit.
/// Class counts are kept as codes, never as a dense row for each unit.
struct Line {
    std::vector<Code> codes;      ///< class of each entry
    std::vector<double> weights;  ///< weight of each entry; empty: one each
    std::vector<Index> starts;    ///< first entry of each unit, then the number of entries
    std::size_t n_classes = 0;

    std::size_t n_units() const noexcept { return starts.empty() ? 0 : starts.size() - 1; }
    std::size_t n_entries() const noexcept { return codes.size(); }
    double entry_weight(std::size_t i) const noexcept { return weights.empty() ? 1.0 : weights[i]; }
    /// Adds the entries [first, last) to a row.
    void add(std::size_t first, std::size_t last, std::span<double> row) const noexcept;
    /// Weight of the entries [first, last).
    double weight(std::size_t first, std::size_t last) const noexcept;
    /// Weight of each class over the whole line.
    std::vector<double> totals() const;
};

/// Consecutive blocks of units, the candidates of a search: the unit each block starts at, then
/// the number of units.
using Blocks = std::vector<Index>;

/// One block for each unit.
Blocks unit_blocks(const Line& line);

/// Units joined into runs: neighbours that hold one and the same class only.
Blocks run_blocks(const Line& line);

/// The dense rows of blocks.
Rows block_rows(const Line& line, const Blocks& blocks);

/// A sorted column: its line and the value of each unit.
template <class Value>
struct SortedColumn {
    Line line;
    std::vector<Value> values;
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
