#pragma once

#include <cstdint>
#include <span>

namespace partage {

/// Codes of the parts (cuts[k-1], cuts[k]] that values fall in; NaN gets `missing_code`.
template <class Value>
void assign_parts(std::span<const Value> values, std::span<const Value> cuts,
                  std::int64_t missing_code, std::int64_t* out);

extern template void assign_parts<double>(std::span<const double>, std::span<const double>,
                                          std::int64_t, std::int64_t*);
extern template void assign_parts<std::int64_t>(std::span<const std::int64_t>,
                                                std::span<const std::int64_t>, std::int64_t,
                                                std::int64_t*);

}  // namespace partage
