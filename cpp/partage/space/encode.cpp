#include "partage/space/encode.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "partage/space/range.hpp"

namespace partage {
namespace {

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

/// How far numbers are above the lowest, where none is missing between them.
template <class Whole>
struct PlaceLoop {
    PARTAGE_INLINE static void run(const Whole* values, std::size_t n, Whole low,
                                   Code* out) noexcept {
        for (std::size_t i = 0; i < n; ++i)
            out[i] = static_cast<Code>(static_cast<Code>(values[i]) - static_cast<Code>(low));
    }
};

}  // namespace

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
    // Differences without a sign are right for any signs of the values.
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
    if (out.distinct.size() == last + 1)
        dispatch<PlaceLoop<Whole>>(values.data(), values.size(), low, out.codes.data());
    else
        for (std::size_t i = 0; i < values.size(); ++i) out.codes[i] = code_of[place(values[i])];
    return out;
}

template <class Given>
ReadCodes read_codes(std::span<const Given> codes, std::size_t n_values) {
    if (std::cmp_greater(n_values, std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("more values than codes of 32 bits can tell apart");
    ReadCodes out;
    out.is_used.assign(n_values, 0);
    out.codes.resize(codes.size());
    if (codes.empty()) return out;
    const auto [low, high] = range_of(codes);
    if (std::cmp_less(low, -1) || std::cmp_greater_equal(high, n_values))
        throw std::out_of_range("a code stands for no value");
    std::copy(codes.begin(), codes.end(), out.codes.begin());
    out.is_used.push_back(0);  // of missing values, for now
    std::uint8_t* const used = out.is_used.data();
    for (const Given code : codes) used[std::min(static_cast<std::size_t>(code), n_values)] = 1;
    out.is_used.pop_back();
    return out;
}

PARTAGE_WHOLE_NUMBERS()

}  // namespace partage
