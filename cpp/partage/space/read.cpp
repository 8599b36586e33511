#include "partage/space/read.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "partage/support/dispatch.hpp"

namespace partage {
namespace {

/// Cuts that are compared one after the other; more are searched.
constexpr std::size_t most_compared = 48;
constexpr std::size_t block = 512;

PARTAGE_DISPATCH void count_cuts_below(const double* values, std::size_t n, const double* cuts,
                                       std::size_t n_cuts, std::int64_t missing_code,
                                       std::int64_t* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = values[i] == values[i] ? 0 : missing_code;
    for (std::size_t k = 0; k < n_cuts; ++k) {
        const double cut = cuts[k];
        for (std::size_t i = 0; i < n; ++i) out[i] += values[i] > cut;
    }
}

PARTAGE_DISPATCH void count_cuts_below(const std::int64_t* values, std::size_t n,
                                       const std::int64_t* cuts, std::size_t n_cuts, std::int64_t,
                                       std::int64_t* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = 0;
    for (std::size_t k = 0; k < n_cuts; ++k) {
        const std::int64_t cut = cuts[k];
        for (std::size_t i = 0; i < n; ++i) out[i] += values[i] > cut;
    }
}

template <class Value>
std::int64_t search_cuts(Value value, std::span<const Value> cuts) noexcept {
    const Value* base = cuts.data();
    std::size_t length = cuts.size();
    while (length > 1) {
        const std::size_t half = length / 2;
        base += (base[half - 1] < value) ? half : 0;
        length -= half;
    }
    return (base - cuts.data()) + (length == 1 && *base < value);
}

template <class Value>
bool is_nan(Value value) noexcept {
    return value != value;
}

std::uint64_t mix(std::uint64_t h) noexcept {
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ULL;
    h ^= h >> 32;
    return h;
}

std::uint64_t hash_record(const std::uint8_t* record, std::size_t width) noexcept {
    std::uint64_t h = width;
    std::size_t i = 0;
    for (; i + 8 <= width; i += 8) {
        std::uint64_t word;
        std::memcpy(&word, record + i, 8);
        h = mix(h ^ word) + 0x9e3779b97f4a7c15ULL;
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, record + i, width - i);
    return mix(h ^ rest);
}

template <class Whole>
std::pair<Whole, Whole> range_of(std::span<const Whole> values) noexcept {
    Whole low = values.front();
    Whole high = low;
    for (const Whole value : values) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    return {low, high};
}

/// Cells up to which several tables are counted at once: equal neighbours then do not wait for each
/// other.
constexpr std::size_t most_cells = 4096;
constexpr std::size_t n_tables = 4;

}  // namespace

template <class Value>
ByClass<Value> split_by_class(std::span<const Value> values, std::span<const Code> codes,
                              std::span<const std::uint8_t> is_missing, std::size_t n_classes) {
    const auto missing = [&](std::size_t i) {
        return is_nan(values[i]) || (!is_missing.empty() && is_missing[i] != 0);
    };
    std::vector<std::int64_t> present(n_classes, 0);
    std::vector<std::int64_t> absent(n_classes, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool gone = missing(i);
        present[codes[i]] += !gone;
        absent[codes[i]] += gone;
    }
    ByClass<Value> out;
    out.missing.assign(absent.begin(), absent.end());
    out.offsets.assign(n_classes + 1, 0);
    for (std::size_t j = 0; j < n_classes; ++j) out.offsets[j + 1] = out.offsets[j] + present[j];
    out.values.resize(static_cast<std::size_t>(out.offsets[n_classes]));
    const bool none_missing = out.values.size() == values.size();
    std::vector<std::int64_t> next(out.offsets.begin(), out.offsets.end() - 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!none_missing && missing(i)) continue;
        out.values[static_cast<std::size_t>(next[codes[i]]++)] = values[i] + Value{0};
    }
    return out;
}

template <class Value>
void assign_parts(std::span<const Value> values, std::span<const Value> cuts,
                  std::int64_t missing_code, std::int64_t* out) {
    const std::size_t n = values.size();
    if (cuts.size() <= most_compared) {
        for (std::size_t i = 0; i < n; i += block)
            count_cuts_below(values.data() + i, std::min(block, n - i), cuts.data(), cuts.size(),
                             missing_code, out + i);
    } else {
        for (std::size_t i = 0; i < n; ++i)
            out[i] = is_nan(values[i]) ? missing_code : search_cuts(values[i], cuts);
    }
}

Encoded encode_records(const std::uint8_t* data, std::size_t n_records, std::size_t width) {
    Encoded out;
    out.codes.resize(n_records);
    if (n_records == 0) return out;
    std::size_t size = 1024;
    std::vector<std::int32_t> table(size, -1);
    const auto record = [data, width](std::size_t i) { return data + i * width; };
    const auto slot_of = [&](const std::uint8_t* key) {
        std::size_t slot = hash_record(key, width) & (size - 1);
        while (table[slot] >= 0 &&
               std::memcmp(record(static_cast<std::size_t>(
                               out.first[static_cast<std::size_t>(table[slot])])),
                           key, width) != 0)
            slot = (slot + 1) & (size - 1);
        return slot;
    };
    for (std::size_t i = 0; i < n_records; ++i) {
        const std::size_t slot = slot_of(record(i));
        if (table[slot] < 0) {
            table[slot] = static_cast<std::int32_t>(out.first.size());
            out.first.push_back(static_cast<std::int64_t>(i));
            out.codes[i] = table[slot];
            if (2 * out.first.size() > size) {
                size *= 4;
                table.assign(size, -1);
                for (std::size_t code = 0; code < out.first.size(); ++code)
                    table[slot_of(record(static_cast<std::size_t>(out.first[code])))] =
                        static_cast<std::int32_t>(code);
            }
        } else {
            out.codes[i] = table[slot];
        }
    }
    return out;
}

template <class Whole>
std::optional<Numbered<Whole>> number_whole(std::span<const Whole> values) {
    constexpr std::uint64_t widest = 1 << 16;
    Numbered<Whole> out;
    if (values.empty()) return out;
    const auto [low, high] = range_of(values);
    // Differences without a sign are right whatever the signs of the values.
    const auto place = [low = static_cast<std::uint64_t>(low)](Whole value) {
        return static_cast<std::uint64_t>(value) - low;
    };
    const std::uint64_t last = place(high);
    if (last >= widest) return std::nullopt;
    std::vector<Code> code_of(last + 1, last == 1);  // both ends are there
    if (last > 1)
        for (const Whole value : values) code_of[place(value)] = 1;
    code_of[0] = 1;
    Code next = 0;
    for (std::uint64_t i = 0; i <= last; ++i) {
        if (code_of[i] == 0) continue;
        out.distinct.push_back(static_cast<Whole>(static_cast<std::uint64_t>(low) + i));
        code_of[i] = next++;
    }
    out.codes.resize(values.size());
    const bool is_full = out.distinct.size() == last + 1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t at = place(values[i]);
        out.codes[i] = is_full ? static_cast<Code>(at) : code_of[at];
    }
    return out;
}

template <class Given>
ReadCodes read_codes(std::span<const Given> codes, std::size_t n_values) {
    ReadCodes out;
    out.is_used.assign(n_values, 0);
    out.codes.resize(codes.size());
    if (codes.empty()) return out;
    const auto [low, high] = range_of(codes);
    if (std::cmp_less(low, -1) || std::cmp_greater_equal(high, n_values))
        throw std::out_of_range("a code stands for no value");
    std::copy(codes.begin(), codes.end(), out.codes.begin());
    std::vector<std::uint8_t> is_met(n_values + 1, 0);  // missing first
    std::uint8_t* const met = is_met.data() + 1;
    for (const Given code : codes) met[static_cast<std::ptrdiff_t>(code)] = 1;
    std::copy(is_met.begin() + 1, is_met.end(), out.is_used.begin());
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
    const std::size_t n_cells = (n_values + 1) * n_classes;
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

PARTAGE_COLUMNS(, double)
PARTAGE_COLUMNS(, std::int64_t)
PARTAGE_WHOLE_NUMBERS()

}  // namespace partage
