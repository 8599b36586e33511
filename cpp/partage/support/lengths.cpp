#include "partage/support/lengths.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// log Γ(x+1) - (x log x - x): what is left of a log-factorial, about log sqrt(2πx).
double remainder_of_factorial(double x) noexcept {
    constexpr double half_log_two_pi = 0.91893853320467274178;
    constexpr double series_from = 32.0;
    if (x == 0.0) return 0.0;
    if (x < series_from) return log_gamma_plus_one(x) - x * portable_log(x) + x;
    const double r = 1.0 / x;
    const double z = r * r;
    const double tail = r * (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680))));
    return 0.5 * portable_log(x) + half_log_two_pi + tail;
}

/// The largest of some counts, their sum, and Σ n_j log(n / n_j): the largest by log(1 - rest / n).
struct Largest {
    explicit Largest(std::span<const double> counts) noexcept
        : place(static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                         counts.begin())) {
        double rest = 0.0;
        for (std::size_t j = 0; j < counts.size(); ++j)
            if (j != place) rest += counts[j];
        n = rest + counts[place];
        shares = -counts[place] * portable_log1p(-rest / n);
        for (std::size_t j = 0; j < counts.size(); ++j)
            if (j != place && counts[j] > 0.0) shares += counts[j] * portable_log(n / counts[j]);
    }

    std::size_t place;
    double n = 0.0;
    double shares = 0.0;
};

}  // namespace

double portable_log1p(double x) noexcept {
    if (x < -0.25 || x > 0.25) return portable_log(1.0 + x);
    // 2 atanh(s) with s = x / (2 + x), |s| <= 1/7: the first omitted term is below 1e-17 of the
    // sum.
    const double s = x / (2.0 + x);
    const double z = s * s;
    double sum = 0.0;
    for (int power = 19; power > 1; power -= 2) sum = (sum + 1.0 / power) * z;
    return 2.0 * (s + s * sum);
}

double portable_expm1(double x) noexcept {
    if (x < -0.7) return portable_exp(x) - 1.0;
    double sum = 0.0;  // x^20 / 21! is below 1e-22
    for (int power = 20; power > 1; --power) sum = (sum + 1.0) * (x / power);
    return x + x * sum;
}

double entropy_length(std::span<const double> counts) noexcept {
    if (counts.empty()) return 0.0;
    const Largest of(counts);
    return of.n > 0.0 ? of.shares : 0.0;
}

double log_multinomial(std::span<const double> counts) noexcept {
    if (counts.empty()) return 0.0;
    const Largest of(counts);
    if (!(of.n > 0.0)) return 0.0;
    double remainders = 0.0;
    for (std::size_t j = 0; j < counts.size(); ++j)
        if (j != of.place) remainders += remainder_of_factorial(counts[j]);
    const double most = remainder_of_factorial(of.n) - remainder_of_factorial(counts[of.place]);
    return of.shares + (most - remainders);
}

double log_choices(double n, std::size_t n_classes) noexcept {
    constexpr std::size_t few = 32;
    if (n_classes > few) {
        const std::array<double, 2> choice{n, static_cast<double>(n_classes) - 1.0};
        return log_multinomial(choice);
    }
    double sum = 0.0;
    for (std::size_t i = 1; i < n_classes; ++i) sum += portable_log1p(n / static_cast<double>(i));
    return sum;
}

double class_length(std::span<const double> counts) noexcept {
    double n = 0.0;
    for (const double count : counts) n += count;
    return log_multinomial(counts) + log_choices(n, counts.size());
}

}  // namespace partage
