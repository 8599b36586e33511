#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace partage {

/// The cost of what cannot be.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Costs nearer than this share of themselves are equal: then fewest parts, then leftmost.
inline constexpr double tie = 1e-9;

/// Whether cost `a` is lower than cost `b` beyond a tie.
inline bool is_lower(double a, double b) noexcept {
    constexpr double floor = 1e-13;  // rounding of costs that are zero
    return a < b - tie * (a < 0.0 ? -a : a) - floor;
}

/// A value on a grid of 1e-10 of itself, so that steps that tie but for rounding compare equal.
inline double on_grid(double value) noexcept {
    if (value > -1e-12 && value < 1e-12) return 0.0;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return std::bit_cast<double>((bits + (std::uint64_t{1} << 18)) &
                                 ~((std::uint64_t{1} << 19) - 1));
}

}  // namespace partage
