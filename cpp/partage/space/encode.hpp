#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "partage/support/arrays.hpp"

namespace partage {

/// Distinct records of `width` bytes in the order they are met, and the code of each record.
struct Encoded {
    std::vector<std::int64_t> first;  ///< position where each code is met first
    Buffer<std::int32_t> codes;
};
Encoded encode_records(const std::uint8_t* data, std::size_t n_records, std::size_t width);

/// Distinct whole numbers in increasing order, and the code of each number among them.
template <class Whole>
struct Numbered {
    std::vector<Whole> distinct;
    Buffer<Code> codes;
};

/// Numbers whole numbers by a table over their range; none where that is 2^16 wide or wider.
template <class Whole>
std::optional<Numbered<Whole>> number_whole(std::span<const Whole> values);

/// Codes of values, -1 where missing, and which of the values are met.
struct ReadCodes {
    Buffer<std::int32_t> codes;
    std::vector<std::uint8_t> is_used;
};

/// Takes over codes of any width. Codes that are no value and not -1 throw std::out_of_range, 2^31
/// values and more std::invalid_argument.
template <class Given>
ReadCodes read_codes(std::span<const Given> codes, std::size_t n_values);

#define PARTAGE_WHOLE_NUMBER(KEYWORD, WHOLE)                                                     \
    KEYWORD template std::optional<Numbered<WHOLE>> number_whole<WHOLE>(std::span<const WHOLE>); \
    KEYWORD template ReadCodes read_codes<WHOLE>(std::span<const WHOLE>, std::size_t);
#define PARTAGE_WHOLE_NUMBERS(KEYWORD)           \
    PARTAGE_WHOLE_NUMBER(KEYWORD, std::int8_t)   \
    PARTAGE_WHOLE_NUMBER(KEYWORD, std::int16_t)  \
    PARTAGE_WHOLE_NUMBER(KEYWORD, std::int32_t)  \
    PARTAGE_WHOLE_NUMBER(KEYWORD, std::int64_t)  \
    PARTAGE_WHOLE_NUMBER(KEYWORD, std::uint8_t)  \
    PARTAGE_WHOLE_NUMBER(KEYWORD, std::uint16_t) \
    PARTAGE_WHOLE_NUMBER(KEYWORD, std::uint32_t) \
    PARTAGE_WHOLE_NUMBER(KEYWORD, std::uint64_t)
PARTAGE_WHOLE_NUMBERS(extern)

}  // namespace partage
