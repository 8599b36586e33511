#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "partage/rows/row.hpp"

namespace partage {

using Code = std::uint16_t;   ///< class of an entry
using Index = std::uint32_t;  ///< position of an entry or a unit

/// Leaves new elements unset: arrays that are written at once need no zeros first.
template <class Value>
struct Unset : std::allocator<Value> {
    template <class Other>
    struct rebind {
        using other = Unset<Other>;
    };
    template <class Other>
    void construct(Other* place) noexcept {
        ::new (static_cast<void*>(place)) Other;
    }
    template <class Other, class... Arguments>
    void construct(Other* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) Other(std::forward<Arguments>(arguments)...);
    }
};

template <class Value>
using Buffer = std::vector<Value, Unset<Value>>;

/// A column as a line: entries sorted by value, equal values together in one unit.
/// Class counts are kept as codes, never as a dense row for each unit.
struct Line {
    Buffer<Code> codes;      ///< class of each entry
    Buffer<double> weights;  ///< weight of each entry; empty: one each
    Buffer<Index> starts;    ///< first entry of each unit, then the number of entries
    std::size_t n_classes = 0;

    std::size_t n_units() const noexcept { return starts.empty() ? 0 : starts.size() - 1; }
    std::size_t n_entries() const noexcept { return codes.size(); }
    double entry_weight(std::size_t i) const noexcept { return weights.empty() ? 1.0 : weights[i]; }
    /// Adds the entries [first, last) to a row.
    void add(std::size_t first, std::size_t last, std::span<double> row) const noexcept;
    /// Weight of the entries [first, last).
    double weight(std::size_t first, std::size_t last) const noexcept {
        if (weights.empty()) return static_cast<double>(last - first);
        double total = 0.0;
        for (std::size_t i = first; i < last; ++i) total += weights[i];
        return total;
    }
    /// Weight of each class over the whole line.
    std::vector<double> totals() const;
};

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
