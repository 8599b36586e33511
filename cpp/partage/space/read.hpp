#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "partage/support/arrays.hpp"

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

/// Rows of each value and class, one row of the table for each value and a last one for codes below
/// 0. Codes beyond the values throw std::out_of_range.
std::vector<std::int64_t> count_classes(std::span<const std::int32_t> values,
                                        std::span<const Code> codes, std::size_t n_values,
                                        std::size_t n_classes);

extern template ByClass<double> split_by_class<double>(std::span<const double>,
                                                       std::span<const Code>,
                                                       std::span<const std::uint8_t>, std::size_t);
extern template ByClass<std::int64_t> split_by_class<std::int64_t>(std::span<const std::int64_t>,
                                                                   std::span<const Code>,
                                                                   std::span<const std::uint8_t>,
                                                                   std::size_t);

}  // namespace partage
