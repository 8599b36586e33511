#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "partage/space/line.hpp"

namespace partage {

/// A column laid out class by class, ready to be sorted class by class.
template <class Value>
struct ByClass {
    Buffer<Value> values;
    std::vector<std::int64_t> offsets;  ///< one more than there are classes
    std::vector<double> missing;        ///< missing rows of each class
};

/// Lays a column out class by class and leaves missing rows out (NaN, or where `is_missing`, if not
/// empty, is set). -0.0 becomes 0.0.
template <class Value>
ByClass<Value> split_by_class(std::span<const Value> values, std::span<const Code> codes,
                              std::span<const std::uint8_t> is_missing, std::size_t n_classes);

/// Codes of the parts (cuts[k-1], cuts[k]] that values fall in; NaN gets `missing_code`.
template <class Value>
void assign_parts(std::span<const Value> values, std::span<const Value> cuts,
                  std::int64_t missing_code, std::int64_t* out);

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

/// Takes over codes of any width. Codes that are no value and not -1 throw std::out_of_range.
template <class Given>
ReadCodes read_codes(std::span<const Given> codes, std::size_t n_values);

/// Rows of each value and class, one row of the table for each value and a last one for codes below
/// 0. Codes beyond the values throw std::out_of_range.
std::vector<std::int64_t> count_classes(std::span<const std::int32_t> values,
                                        std::span<const Code> codes, std::size_t n_values,
                                        std::size_t n_classes);

#define PARTAGE_COLUMNS(KEYWORD, VALUE)                                                       \
    KEYWORD template ByClass<VALUE> split_by_class<VALUE>(                                    \
        std::span<const VALUE>, std::span<const Code>, std::span<const std::uint8_t>,         \
        std::size_t);                                                                         \
    KEYWORD template void assign_parts<VALUE>(std::span<const VALUE>, std::span<const VALUE>, \
                                              std::int64_t, std::int64_t*);
PARTAGE_COLUMNS(extern, double)
PARTAGE_COLUMNS(extern, std::int64_t)

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
