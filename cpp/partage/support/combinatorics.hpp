#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace partage {

/// Natural logarithm of x > 0, from sums, products and one division, so that every CPU gives the
/// same bits (the C library picks another routine for each CPU). Error below 1 ulp.
double portable_log(double x) noexcept;

/// log Γ(x+1) for any x >= 0, else NaN; the slow road behind `log_factorial`.
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

/// A number as slice.reciprocal⁻¹ (1 + r) 2^exponent, |r| < 2^-8: logarithms without a division.
struct Sliced {
    explicit Sliced(double x) noexcept {
        const auto bits = std::bit_cast<std::uint64_t>(x);
        exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
        slice = &slices[(bits >> (52 - SliceTable::bits)) & 127];
        const double mantissa =
            std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
        r = mantissa * slice->reciprocal - 1.0;
    }
    /// log x to 4e-16 of 1 or of itself, whichever is larger.
    double log() const noexcept {
        constexpr double log_2 = 0.69314718055994530942;
        const double r2 = r * r;
        const double series =
            (r - 0.5 * r2) + r2 * (r * (1.0 / 3 - 0.25 * r) + r2 * (r * (1.0 / 5 - r * (1.0 / 6))));
        return static_cast<double>(exponent) * log_2 + slice->log + series;
    }
    /// 1/x to 1e-9 of itself.
    double inverse() const noexcept {
        const double scale =
            std::bit_cast<double>(static_cast<std::uint64_t>(1023 - exponent) << 52);
        return scale * slice->reciprocal * (1.0 - r + r * r * (1.0 - r));
    }

    std::int64_t exponent;
    const SliceTable::Slice* slice;
    double r;
};

/// log Γ(x+1) for large x by Stirling's series; apart, so that the short road is inlined.
double log_factorial_of_large(double x) noexcept;

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

/// e^x, from sums and products: the same bits on every CPU; 0 below -700, infinite above 709.
double portable_exp(double x) noexcept;

/// 2^(i/64) for i < 64; made when the library is loaded.
class PowerTable {
public:
    static constexpr int bits = 6;
    PowerTable() noexcept;
    double operator[](std::size_t i) const noexcept { return values_[i]; }

private:
    std::array<double, std::size_t{1} << bits> values_;
};

extern const PowerTable powers;

/// e^x for x <= 0 in inner loops, to 4e-16 of itself; 0 below -700. The same bits on every CPU.
inline double quick_exp(double x) noexcept {
    constexpr double per_step = 92.332482616893656877;  // 64 / log 2
    constexpr double step_high = 0x1.62e42feep-1 / 64;  // 32 bits: k * step_high is exact
    constexpr double step_low = 0x1.a39ef35793c76p-33 / 64;
    if (!(x > -700.0)) return 0.0;
    const auto k = static_cast<std::int64_t>(x * per_step - 0.5);
    const double steps = static_cast<double>(k);
    const double r = (x - steps * step_high) - steps * step_low;
    const double r2 = r * r;
    const double series = r + r2 * ((0.5 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120)));
    const double power = powers[static_cast<std::uint64_t>(k) & 63];
    const double scale = std::bit_cast<double>(static_cast<std::uint64_t>((k >> 6) + 1023) << 52);
    return (power + power * series) * scale;
}

/// log B(I, K) in nats: the ways to divide I values into at most K groups. O(K).
double log_set_partitions(std::size_t n_values, std::size_t n_groups) noexcept;

/// Length in nats of Rissanen's universal code of a whole number n >= 1.
double universal_length(double n) noexcept;

/// n log n for the whole numbers below its size; made when the library is loaded.
class EntropyTable {
public:
    static constexpr std::size_t size = 1 << 16;
    EntropyTable() noexcept;
    double operator[](std::size_t n) const noexcept { return values_[n]; }

private:
    std::array<double, size> values_;
};

extern const EntropyTable entropies;

/// x log x in nats, 0 at 0; x is a weight, far from the smallest numbers.
inline double x_log_x(double x) noexcept {
    if (x < static_cast<double>(EntropyTable::size)) {
        const auto n = static_cast<std::uint32_t>(x > 0.0 ? x : 0.0);
        if (static_cast<double>(n) == x) return entropies[n];
    }
    return x > 0.0 ? x * Sliced(x).log() : 0.0;
}

/// n times the entropy of counts that sum to n, in nats.
inline double entropy_of(double n, std::span<const double> counts) noexcept {
    double sum = 0.0;
    for (const double count : counts) sum += x_log_x(count);
    return x_log_x(n) - sum;
}

/// n times the entropy of counts, n their sum, in nats.
inline double entropy_of(std::span<const double> counts) noexcept {
    double n = 0.0;
    for (const double count : counts) n += count;
    return entropy_of(n, counts);
}

}  // namespace partage
