#include "partage/space/sort.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "partage/space/compress.hpp"
#include "partage/space/range.hpp"
#include "partage/support/dispatch.hpp"

namespace partage {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// A whole number that is ordered like the value.
PARTAGE_INLINE std::uint64_t key_of(double value) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}
PARTAGE_INLINE std::uint64_t key_of(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) ^ sign_bit;
}

/// Lowest and highest key of values of which none is missing.
template <class Value>
struct KeyRangeLoop {
    PARTAGE_INLINE static std::pair<std::uint64_t, std::uint64_t> run(
        std::span<const Value> values) noexcept {
        std::uint64_t low = ~std::uint64_t{0};
        std::uint64_t high = 0;
        for (const Value value : values) {
            low = std::min(low, key_of(value));
            high = std::max(high, key_of(value));
        }
        return {low, high};
    }
};

/// Packs rows of which none is missing.
template <class Value>
struct PackLoop {
    PARTAGE_INLINE static void run(std::span<const Value> values, std::uint64_t low, int dropped,
                                   int bits, std::uint64_t* out) noexcept {
        for (std::size_t i = 0; i < values.size(); ++i)
            out[i] = ((key_of(values[i]) - low) >> dropped) << bits | i;
    }
};

/// Takes the numbers of rows out of packed ones; the highest.
struct UnpackLoop {
    PARTAGE_INLINE static std::uint64_t run(std::span<const std::uint64_t> packed,
                                            std::uint64_t mask, Index* rows) noexcept {
        std::uint64_t highest = 0;
        for (std::size_t i = 0; i < packed.size(); ++i) {
            rows[i] = static_cast<Index>(packed[i] & mask);
            highest = std::max(highest, packed[i] & mask);
        }
        return highest;
    }
};

/// How many of n packed values agree with the one behind them.
struct AgreeLoop {
    PARTAGE_INLINE static std::uint64_t run(const std::uint64_t* packed, std::size_t n,
                                            int bits) noexcept {
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < n; ++i) found += packed[i] >> bits == packed[i + 1] >> bits;
        return found;
    }
};

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
class Follow {
public:
    Follow(std::span<const Value> values, std::span<const std::uint64_t> packed)
        : values_(values), packed_(packed), bits_(row_bits(values.size())) {}

    Order run() {
        const std::size_t n = packed_.size();
        out_ = {Buffer<Index>(n), Buffer<Index>(n + 1)};
        const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
        const std::uint64_t highest = dispatch<UnpackLoop>(packed_, mask, out_.rows.data());
        if (n > 0 && highest >= values_.size()) throw std::out_of_range("a packed row is none");
        constexpr std::size_t stretch = 512;  // most of them hold distinct values only
        for (std::size_t first = 0; first < n;) {
            const std::size_t stop = std::min(first + stretch, n);
            if (stop < n && dispatch<AgreeLoop>(packed_.data() + first, stretch, bits_) == 0)
                for (; first < stop; ++first) start_unit(first);
            while (first < stop) first = add_run(first);
        }
        out_.starts.resize(n_units_ + 1);
        out_.starts[n_units_] = static_cast<Index>(n);
        return std::move(out_);
    }

private:
    void start_unit(std::size_t first) noexcept {
        out_.starts[n_units_++] = static_cast<Index>(first);
    }

    /// Adds the units of packed values that agree with the first; the first behind them.
    std::size_t add_run(std::size_t first) {
        std::size_t last = first + 1;
        const std::uint64_t value = packed_[first] >> bits_;
        while (last < packed_.size() && packed_[last] >> bits_ == value) ++last;
        start_unit(first);
        if (last - first == 1) return last;
        run_.clear();
        bool is_one = true;
        for (std::size_t i = first; i < last; ++i) {
            run_.emplace_back(key_of(values_[out_.rows[i]]), out_.rows[i]);
            is_one = is_one && run_.back().first == run_.front().first;
        }
        if (is_one) return last;
        std::sort(run_.begin(), run_.end());
        for (std::size_t i = first; i < last; ++i) {
            out_.rows[i] = run_[i - first].second;
            if (i > first && run_[i - first].first != run_[i - first - 1].first) start_unit(i);
        }
        return last;
    }

    std::span<const Value> values_;
    std::span<const std::uint64_t> packed_;
    int bits_;
    Order out_;
    std::size_t n_units_ = 0;
    std::vector<std::pair<std::uint64_t, Index>> run_;
};

template <class Value>
Order order_of(std::span<const Value> values, std::span<const std::uint64_t> packed) {
    return Follow<Value>(values, packed).run();
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
    const bool are_all_held = !has_missing(values, is_missing);
    std::uint64_t low = ~std::uint64_t{0};
    std::uint64_t high = 0;
    if (are_all_held) {
        std::tie(low, high) = dispatch<KeyRangeLoop<Value>>(values);
    } else {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::uint64_t key = key_of(values[i]);
            low = std::min(low, is_held(i) ? key : low);
            high = std::max(high, is_held(i) ? key : high);
        }
    }
    const int bits = row_bits(values.size());
    const std::uint64_t widest = high > low ? high - low : 0;
    const int dropped = std::max(static_cast<int>(std::bit_width(widest)) + bits - 64, 0);
    Buffer<std::uint64_t> out(values.size());
    if (are_all_held) {
        dispatch<PackLoop<Value>>(values, low, dropped, bits, out.data());
        return out;
    }
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
    out.column.values.resize(n_units);
    std::vector<Index> counts(n_classes);
    // Loops that do nothing else wait for many rows at once.
    for (std::size_t unit = 0; unit < n_units; ++unit)
        out.column.values[unit] = values[order.rows[order.starts[unit]]] + Value{0};
    for (std::size_t i = 0; i < n; ++i) line.codes[i] = codes[order.rows[i]];
    out.amounts.resize(amounts.empty() ? 0 : n);
    for (std::size_t i = 0; i < out.amounts.size(); ++i) out.amounts[i] = amounts[order.rows[i]];
    for (std::size_t unit = 0; unit < n_units && n_units < n; ++unit) {
        const Index first = order.starts[unit];
        const Index last = order.starts[unit + 1];
        if (last - first > 1) sort_codes({line.codes.data() + first, last - first}, counts);
    }
    if (!amounts.empty()) out.starts = order.starts;
    line.starts = std::move(order.starts);
    if (amounts.empty()) compress_units(line);
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
