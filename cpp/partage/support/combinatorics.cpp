#include "partage/support/combinatorics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace partage {
namespace {

constexpr double ln2_high =
    0x1.62e42fefa3800p-1;  // the upper 43 bits of log 2: k * ln2_high is exact
constexpr double ln2_low = 0x1.ef35793c76730p-45;
constexpr double half_log_two_pi = 0.91893853320467274178;
constexpr double series_from = 32.0;

/// Stirling's series of log Γ(x+1); its first omitted term is below 3e-17 from x = 32 on.
double stirling(double x, double log_x) noexcept {
    const double r = 1.0 / x;
    const double z = r * r;
    const double tail = r * (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680))));
    return (x + 0.5) * log_x - x + half_log_two_pi + tail;
}

}  // namespace

double log_factorial_of_large(double x) noexcept {
    const Sliced sliced(x);
    return (x + 0.5) * sliced.log() - x + (half_log_two_pi + sliced.inverse() * (1.0 / 12));
}

double portable_log(double x) noexcept {
    int shift = 0;
    auto bits = std::bit_cast<std::uint64_t>(x);
    if (bits < 0x0010000000000000ULL) {  // subnormal
        bits = std::bit_cast<std::uint64_t>(x * 0x1p54);
        shift = -54;
    }
    // The mantissa is brought into [sqrt(1/2), sqrt(2)).
    constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdULL;
    const auto offset = static_cast<std::int64_t>(bits - sqrt_half) >> 52;
    const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(offset) << 52));
    const double k = static_cast<double>(offset + shift);
    // log(1+f) = 2 atanh(s) with s = f/(2+f), and 2s = f - s f.
    const double f = m - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double z2 = z * z;
    const double z4 = z2 * z2;
    const double low = (2.0 / 3 + z * (2.0 / 5)) + z2 * (2.0 / 7 + z * (2.0 / 9));
    const double high = (2.0 / 11 + z * (2.0 / 13)) + z2 * (2.0 / 15 + z * (2.0 / 17));
    const double top = 2.0 / 19 + z * (2.0 / 21) + z2 * (2.0 / 23);
    const double series = z * (low + z4 * (high + z4 * top));
    return k * ln2_high + (f - (s * (f - series) - k * ln2_low));
}

double portable_exp(double x) noexcept {
    if (x < -700.0) return 0.0;
    if (x > 709.0) return std::numeric_limits<double>::infinity();
    const double half = x > 0.0 ? 0.5 : -0.5;
    const double k =
        static_cast<double>(static_cast<std::int64_t>(x / (ln2_high + ln2_low) + half));
    const double r = (x - k * ln2_high) - k * ln2_low;
    double term = 1.0;
    double sum = 1.0;
    for (int i = 1; i < 18; ++i) {
        term *= r / i;
        sum += term;
    }
    return sum * std::bit_cast<double>(
                     static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023) << 52);
}

namespace {

/// The largest i <= most at which log(i^n / i!) is not far below its maximum. It is concave in i.
std::size_t last_that_matters(double n, std::size_t most) {
    constexpr double far = 120.0;
    const auto length = [n](std::size_t i) {
        const auto x = static_cast<double>(i);
        return n * portable_log(x) - log_factorial(x);
    };
    const auto first_where = [](std::size_t low, std::size_t high, const auto& holds) {
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (holds(middle))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    };
    const std::size_t top =
        first_where(1, most, [&](std::size_t i) { return length(i + 1) <= length(i); });
    const double least = length(top) - far;
    const std::size_t after =
        first_where(top, most, [&](std::size_t i) { return length(i + 1) < least; });
    return after;
}

}  // namespace

double log_set_partitions(std::size_t n_values, std::size_t n_groups) noexcept {
    // B(I, K) = Σ_i (i^I / i!) D_{K-i}, D_m = Σ_{j<=m} (-1)^j / j!; no term is negative.
    const std::size_t most = std::min(n_values, n_groups);
    if (most == 0) return -std::numeric_limits<double>::infinity();
    const auto size = static_cast<double>(n_values);
    constexpr double negligible = 50.0;
    constexpr std::size_t settled = 30;  // D_m no longer changes
    const std::size_t first = most - last_that_matters(size, most);
    std::array<double, settled + 1> derangements{1.0};
    double step = 1.0;
    for (std::size_t m = 1; m <= settled; ++m) {
        step /= -static_cast<double>(m);
        derangements[m] = derangements[m - 1] + step;
    }
    // Twice rather than kept: a criterion asks this where nothing may be thrown.
    const auto term = [&](std::size_t m) noexcept {
        const auto i = static_cast<double>(most - m);
        return size * portable_log(i) - log_factorial(i) +
               portable_log(derangements[std::min(m, settled)]);
    };
    double highest = -std::numeric_limits<double>::infinity();
    double last = highest;
    std::size_t end = first;
    for (; end < most; ++end) {
        if (end == 1) continue;  // D_1 = 0
        const double next = term(end);
        if (next < highest - negligible && next < last) break;
        highest = std::max(highest, next);
        last = next;
    }
    double sum = 0.0;
    for (std::size_t m = first; m < end; ++m)
        if (m != 1) sum += portable_exp(term(m) - highest);
    return highest + portable_log(sum);
}

double universal_length(double n) noexcept {
    constexpr double log_2 = 0.69314718055994530942;
    double length = portable_log(2.865);
    for (double next = portable_log(n) / log_2; next > 0.0; next = portable_log(next) / log_2)
        length += next * log_2;
    return length;
}

double log_gamma_plus_one(double x) noexcept {
    if (!(x >= 0.0)) return std::numeric_limits<double>::quiet_NaN();
    if (x >= series_from) return stirling(x, Sliced(x).log());
    double product = 1.0;
    while (x < series_from) product *= ++x;
    return stirling(x, portable_log(x)) - portable_log(product);
}

LogFactorialTable::LogFactorialTable() noexcept : values_{} {
    double factorial = 1.0;  // exact up to 22!, rounded once a step up to 31!
    for (std::size_t n = 2; n < 32; ++n) {
        factorial *= static_cast<double>(n);
        values_[n] = portable_log(factorial);
    }
    for (std::size_t n = 32; n < size; ++n) {
        const auto x = static_cast<double>(n);
        values_[n] = stirling(x, portable_log(x));
    }
}

SliceTable::SliceTable() noexcept : slices_{} {
    for (std::size_t i = 0; i < slices_.size(); ++i) {
        const double middle =
            1.0 + (static_cast<double>(i) + 0.5) / static_cast<double>(slices_.size());
        slices_[i].reciprocal = 1.0 / middle;
        slices_[i].log = -portable_log(slices_[i].reciprocal);
    }
}

PowerTable::PowerTable() noexcept : values_{} {
    values_[0] = 1.0;
    const auto size = static_cast<double>(values_.size());
    for (std::size_t i = 1; i < values_.size(); ++i)
        values_[i] =
            2.0 * portable_exp((static_cast<double>(i) / size - 1.0) * (ln2_high + ln2_low));
}

EntropyTable::EntropyTable() noexcept : values_{} {
    for (std::size_t i = 1; i < values_.size(); ++i) {
        const auto n = static_cast<double>(i);
        values_[i] = n * Sliced(n).log();
    }
}

const LogFactorialTable log_factorials;
const SliceTable slices;
const PowerTable powers;
const EntropyTable entropies;  // after the slices it reads

}  // namespace partage
