#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace partage {

/// Natural logarithm of x > 0, from sums, products and one division, so that every CPU gives the
/// same bits (the C library picks another routine for each CPU). Error below 1 ulp.
double portable_log(double x) noexcept;

/// log Γ(x+1) for any x >= 0; the slow road behind `log_factorial`.
double log_gamma_plus_one(double x) noexcept;

/// log n! for the whole numbers below its size; made once, when the library is loaded.
class LogFactorialTable {
public:
    static constexpr std::size_t size = 1 << 16;
    LogFactorialTable() noexcept;
    double operator[](std::size_t n) const noexcept { return values_[n]; }

private:
    std::array<double, size> values_;
};

extern const LogFactorialTable log_factorials;

/// Reciprocals and logarithms of the middles of 128 slices of [1, 2); made when the library is
/// loaded.
class SliceTable {
public:
    static constexpr int bits = 7;
    struct Slice {
        double reciprocal;
        double log;  ///< of the middle, as -log(reciprocal)
    };
    SliceTable() noexcept;
    const Slice& operator[](std::size_t i) const noexcept { return slices_[i]; }

private:
    std::array<Slice, std::size_t{1} << bits> slices_;
};

extern const SliceTable slices;

/// log Γ(x+1) for large x by Stirling's series, without a division: the mantissa of x is
/// brought near 1 by the reciprocal of its slice. The logarithm is good to 3e-16.
inline double log_factorial_of_large(double x) noexcept {
    constexpr double log_2 = 0.69314718055994530942;
    constexpr double half_log_two_pi = 0.91893853320467274178;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
    const auto& slice = slices[(bits >> (52 - SliceTable::bits)) & 127];
    const double mantissa =
        std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
    const double r = mantissa * slice.reciprocal - 1.0;
    const double r2 = r * r;
    const double series =
        (r - 0.5 * r2) + r2 * (r * (1.0 / 3 - 0.25 * r) + r2 * (r * (1.0 / 5 - r * (1.0 / 6))));
    const double log_x = static_cast<double>(exponent) * log_2 + slice.log + series;
    // 1/x = 2^-exponent reciprocal / (1 + r); its share of the result is below 2e-6.
    const double scale =
        std::bit_cast<double>(static_cast<std::uint64_t>(1023 - exponent) << 52);
    const double inverse = scale * slice.reciprocal * (1.0 - r + r2 * (1.0 - r));
    return (x + 0.5) * log_x - x + (half_log_two_pi + inverse * (1.0 / 12));
}

/// log x! in nats, the gamma function between whole numbers; x >= 0. The same argument always
/// takes the same road, so it has the same value everywhere.
inline double log_factorial(double x) noexcept {
    constexpr auto size = static_cast<double>(LogFactorialTable::size);
    if (x >= size) return log_factorial_of_large(x);
    const auto n = static_cast<std::uint32_t>(x);
    if (static_cast<double>(n) == x) return log_factorials[n];
    return log_gamma_plus_one(x);
}

/// log C(n, k) in nats, 0 <= k <= n.
inline double log_binomial(double n, double k) noexcept {
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// x log x in nats, 0 at 0.
inline double x_log_x(double x) noexcept { return x > 0.0 ? x * portable_log(x) : 0.0; }

}  // namespace partage
