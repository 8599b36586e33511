#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "partage/support/dispatch.hpp"

namespace partage {

template <class Whole>
struct RangeLoop {
    PARTAGE_INLINE static std::pair<Whole, Whole> run(std::span<const Whole> values) noexcept {
        Whole low = values.front();
        Whole high = low;
        for (const Whole value : values) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
        return {low, high};
    }
};

/// Lowest and highest of some whole numbers; there is at least one.
template <class Whole>
std::pair<Whole, Whole> range_of(std::span<const Whole> values) noexcept {
    return dispatch<RangeLoop<Whole>>(values);
}

/// How often values at the same place of two lists of one length are equal.
template <class Value>
struct EqualLoop {
    PARTAGE_INLINE static std::uint64_t run(const Value* a, const Value* b,
                                            std::size_t n) noexcept {
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < n; ++i) found += a[i] == b[i];
        return found;
    }
};

/// Whether some value is NaN.
template <class Value>
bool has_nan(std::span<const Value> values) noexcept {
    return dispatch<EqualLoop<Value>>(values.data(), values.data(), values.size()) < values.size();
}

/// Whether some value is missing: marked, or NaN.
template <class Value>
bool has_missing(std::span<const Value> values, std::span<const std::uint8_t> is_missing) noexcept {
    return has_nan(values) || (!is_missing.empty() && range_of(is_missing).second != 0);
}

/// Whether some value is equal to the one before it.
template <class Value>
bool has_equal_neighbours(std::span<const Value> values) noexcept {
    return !values.empty() &&
           dispatch<EqualLoop<Value>>(values.data(), values.data() + 1, values.size() - 1) > 0;
}

}  // namespace partage
