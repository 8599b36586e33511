#include "partage/space/read.hpp"

#include <stdexcept>
#include <utility>

#include "partage/space/range.hpp"
#include "partage/support/cells.hpp"

namespace partage {
namespace {

/// Cells up to which several tables are counted at once: equal neighbours then do not wait for each
/// other.
constexpr std::size_t most_cells = 4096;
constexpr std::size_t n_tables = 4;

/// Lays out a column of two classes: the first from the start on, the second from the end. Both
/// places of a value are free, so it is written to both, and one of them is kept.
template <class Value>
ByClass<Value> split_two(std::span<const Value> values, std::span<const Code> codes) {
    ByClass<Value> out;
    out.values.resize(values.size());
    Value* first = out.values.data();
    Value* last = first + values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Value value = values[i] + Value{0};
        *first = value;
        last[-1] = value;
        first += 1 - codes[i];
        last -= codes[i];
    }
    const auto n_first = static_cast<std::int64_t>(first - out.values.data());
    out.offsets = {0, n_first, static_cast<std::int64_t>(values.size())};
    out.missing.assign(2, 0.0);
    return out;
}

}  // namespace

template <class Value>
ByClass<Value> split_by_class(std::span<const Value> values, std::span<const Code> codes,
                              std::span<const std::uint8_t> is_missing, std::size_t n_classes) {
    const bool none_missing = !has_missing(values, is_missing);
    if (none_missing && n_classes == 2) return split_two(values, codes);
    const auto missing = [&](std::size_t i) {
        return values[i] != values[i] || (!is_missing.empty() && is_missing[i] != 0);
    };
    std::vector<std::int64_t> present(n_classes, 0);
    std::vector<std::int64_t> absent(n_classes, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool gone = !none_missing && missing(i);
        present[codes[i]] += !gone;
        absent[codes[i]] += gone;
    }
    ByClass<Value> out;
    out.missing.assign(absent.begin(), absent.end());
    out.offsets.assign(n_classes + 1, 0);
    for (std::size_t j = 0; j < n_classes; ++j) out.offsets[j + 1] = out.offsets[j] + present[j];
    out.values.resize(static_cast<std::size_t>(out.offsets[n_classes]));
    std::vector<std::int64_t> next(out.offsets.begin(), out.offsets.end() - 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!none_missing && missing(i)) continue;
        out.values[static_cast<std::size_t>(next[codes[i]]++)] = values[i] + Value{0};
    }
    return out;
}

std::vector<std::int64_t> count_classes(std::span<const std::int32_t> values,
                                        std::span<const Code> codes, std::size_t n_values,
                                        std::size_t n_classes) {
    const std::size_t n = values.size();
    if (n > 0 && std::cmp_greater_equal(range_of(values).second, n_values))
        throw std::out_of_range("a code stands for no value");
    if (n > 0 && range_of(codes).second >= n_classes)
        throw std::out_of_range("a code stands for no class");
    n_cells_of(n_values, n_classes);  // one more row would wrap around at the largest number
    const std::size_t n_cells = n_cells_of(n_values + 1, n_classes);
    const bool is_small = n_cells <= most_cells;
    std::vector<std::int64_t> counts(is_small ? n_tables * n_cells : n_cells, 0);
    const auto cell = [&](std::size_t i) {
        const std::size_t row = values[i] < 0 ? n_values : static_cast<std::size_t>(values[i]);
        return row * n_classes + codes[i];
    };
    std::size_t i = 0;
    if (is_small) {
        for (; i + n_tables <= n; i += n_tables)
            for (std::size_t t = 0; t < n_tables; ++t) ++counts[t * n_cells + cell(i + t)];
        for (std::size_t c = n_cells; c < counts.size(); ++c) counts[c % n_cells] += counts[c];
        counts.resize(n_cells);
    }
    for (; i < n; ++i) ++counts[cell(i)];
    return counts;
}

template ByClass<double> split_by_class<double>(std::span<const double>, std::span<const Code>,
                                                std::span<const std::uint8_t>, std::size_t);
template ByClass<std::int64_t> split_by_class<std::int64_t>(std::span<const std::int64_t>,
                                                            std::span<const Code>,
                                                            std::span<const std::uint8_t>,
                                                            std::size_t);

}  // namespace partage
