#include "partage/space/sort.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace partage {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// A whole number that is ordered like the value.
std::uint64_t key_of(double value) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}
std::uint64_t key_of(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) ^ sign_bit;
}

/// Bits that hold the number of a row.
int row_bits(std::size_t n_rows) noexcept {
    return static_cast<int>(std::bit_width(n_rows > 0 ? n_rows - 1 : n_rows));
}

/// Rows in the order of their values, and the first of each distinct value, then their number.
struct Order {
    Buffer<Index> rows;
    Buffer<Index> starts;
};

/// Follows packed rows that are sorted; rows whose packed values agree are sorted by their values.
template <class Value>
Order order_of(std::span<const Value> values, std::span<const std::uint64_t> packed) {
    const int bits = row_bits(values.size());
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const std::size_t n = packed.size();
    Order out{Buffer<Index>(n), Buffer<Index>(n + 1)};
    std::uint64_t highest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        out.rows[i] = static_cast<Index>(packed[i] & mask);
        highest = std::max(highest, packed[i] & mask);
    }
    if (n > 0 && highest >= values.size()) throw std::out_of_range("a packed row is none");
    std::size_t n_units = 0;
    std::vector<std::pair<std::uint64_t, Index>> run;
    for (std::size_t first = 0; first < n;) {
        std::size_t last = first + 1;
        while (last < n && packed[last] >> bits == packed[first] >> bits) ++last;
        out.starts[n_units++] = static_cast<Index>(first);
        if (last - first > 1) {
            run.clear();
            bool is_one = true;
            for (std::size_t i = first; i < last; ++i) {
                run.emplace_back(key_of(values[out.rows[i]]), out.rows[i]);
                is_one = is_one && run.back().first == run.front().first;
            }
            if (!is_one) std::sort(run.begin(), run.end());
            for (std::size_t i = is_one ? last : first; i < last; ++i) {
                out.rows[i] = run[i - first].second;
                const bool is_new = i > first && run[i - first].first != run[i - first - 1].first;
                if (is_new) out.starts[n_units++] = static_cast<Index>(i);
            }
        }
        first = last;
    }
    out.starts.resize(n_units + 1);
    out.starts[n_units] = static_cast<Index>(n);
    return out;
}

/// Sorts codes, by counting them where they are many.
void sort_codes(std::span<Code> codes, std::vector<Index>& counts) {
    if (2 * codes.size() < counts.size()) return std::sort(codes.begin(), codes.end());
    std::fill(counts.begin(), counts.end(), 0);
    for (const Code code : codes) ++counts[code];
    Code* place = codes.data();
    for (std::size_t code = 0; code < counts.size(); ++code)
        place = std::fill_n(place, counts[code], static_cast<Code>(code));
}

}  // namespace

template <class Value>
Buffer<std::uint64_t> pack_rows(std::span<const Value> values,
                                std::span<const std::uint8_t> is_missing) {
    const auto is_held = [&](std::size_t i) {
        return !(values[i] != values[i] || (!is_missing.empty() && is_missing[i] != 0));
    };
    std::uint64_t low = ~std::uint64_t{0};
    std::uint64_t high = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t key = key_of(values[i]);
        low = std::min(low, is_held(i) ? key : low);
        high = std::max(high, is_held(i) ? key : high);
    }
    const int bits = row_bits(values.size());
    const std::uint64_t widest = high > low ? high - low : 0;
    const int dropped = std::max(static_cast<int>(std::bit_width(widest)) + bits - 64, 0);
    Buffer<std::uint64_t> out(values.size());
    std::size_t n = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        out[n] = ((key_of(values[i]) - low) >> dropped) << bits | i;  // written always
        n += is_held(i);
    }
    out.resize(n);
    return out;
}

template <class Value>
SortedRows<Value> sort_rows(std::span<const Value> values, std::span<const Code> codes,
                            std::span<const double> amounts, std::span<const std::uint64_t> packed,
                            std::size_t n_classes) {
    Order order = order_of(values, packed);
    const std::size_t n = order.rows.size();
    const std::size_t n_units = order.starts.size() - 1;
    SortedRows<Value> out;
    Line& line = out.column.line;
    line.n_classes = n_classes;
    line.codes.resize(n);
    out.amounts.resize(n);
    out.column.values.resize(n_units);
    std::vector<Index> counts(n_classes);
    for (std::size_t unit = 0; unit < n_units; ++unit) {
        const Index first = order.starts[unit];
        const Index last = order.starts[unit + 1];
        out.column.values[unit] = values[order.rows[first]] + Value{0};
        for (Index i = first; i < last; ++i) {
            line.codes[i] = codes[order.rows[i]];
            out.amounts[i] = amounts[order.rows[i]];
        }
        if (last - first > 1) sort_codes({line.codes.data() + first, last - first}, counts);
    }
    out.starts = order.starts;
    line.starts = std::move(order.starts);
    return out;
}

RankCells rank_cells(std::span<const double> numbers, std::span<const std::uint64_t> packed,
                     std::size_t most) {
    const Order order = order_of(numbers, packed);
    const Buffer<Index>& starts = order.starts;
    const std::size_t n_values = starts.size() - 1;
    std::vector<std::size_t> cells{0};  // first value of each cell, then their number
    if (n_values <= most) {
        for (std::size_t v = 1; v <= n_values; ++v) cells.push_back(v);
    } else {
        const auto whole = static_cast<double>(numbers.size());
        const auto end_of = [&](std::size_t v) { return static_cast<double>(starts[v + 1]); };
        for (std::size_t i = 1; i < most; ++i) {
            const double wanted = whole * static_cast<double>(i) / static_cast<double>(most);
            const auto place = std::lower_bound(
                starts.begin() + 1, starts.end() - 1, wanted,
                [](Index end, double share) { return static_cast<double>(end) < share; });
            const auto after = static_cast<std::size_t>(place - starts.begin()) - 1;
            const std::size_t before = after > 0 ? after - 1 : 0;
            const bool is_nearer = wanted - end_of(before) <= end_of(after) - wanted;
            const std::size_t first = (is_nearer ? before : after) + 1;
            if (first > cells.back() && first < n_values) cells.push_back(first);
        }
        cells.push_back(n_values);
    }
    RankCells out;
    out.codes.resize(numbers.size());
    for (std::size_t c = 0; c + 1 < cells.size(); ++c) {
        const Index first = starts[cells[c]];
        const Index last = starts[cells[c + 1]];
        out.lows.push_back(numbers[order.rows[first]] + 0.0);
        out.highs.push_back(numbers[order.rows[last - 1]] + 0.0);
        out.weights.push_back(static_cast<double>(last - first));
        for (Index i = first; i < last; ++i) out.codes[order.rows[i]] = static_cast<Code>(c);
    }
    return out;
}

PARTAGE_SORTED(, double)
PARTAGE_SORTED(, std::int64_t)

}  // namespace partage
