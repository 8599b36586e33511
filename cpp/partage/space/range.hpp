#pragma once

#include <algorithm>
#include <span>
#include <utility>

namespace partage {

/// Lowest and highest of some whole numbers; there is at least one.
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

}  // namespace partage
