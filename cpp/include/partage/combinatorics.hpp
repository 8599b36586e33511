#pragma once

#include <array>
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

/// log x! in nats, the gamma function between whole numbers; x >= 0.
inline double log_factorial(double x) noexcept {
    if (x < static_cast<double>(LogFactorialTable::size)) {
        const auto n = static_cast<std::uint32_t>(x);
        if (static_cast<double>(n) == x) return log_factorials[n];
    }
    return log_gamma_plus_one(x);
}

/// log C(n, k) in nats, 0 <= k <= n.
inline double log_binomial(double n, double k) noexcept {
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// x log x in nats, 0 at 0.
inline double x_log_x(double x) noexcept { return x > 0.0 ? x * portable_log(x) : 0.0; }

}  // namespace partage
