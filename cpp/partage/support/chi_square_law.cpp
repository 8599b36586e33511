#include "partage/support/chi_square_law.hpp"

#include <cmath>

#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"

namespace partage {
namespace {

constexpr double precision = 1e-16;
constexpr int most_terms = 100000;

/// log of x^a e^-x / Γ(a).
double log_density(double a, double x) noexcept {
    return a * portable_log(x) - x - log_factorial(a) + portable_log(a);
}

/// Lower incomplete gamma P(a, x) by its power series, for x < a + 1.
double lower_gamma(double a, double x) noexcept {
    double term = 1.0 / a;
    double sum = term;
    for (int i = 1; i < most_terms && term > precision * sum; ++i) {
        term *= x / (a + i);
        sum += term;
    }
    return sum * portable_exp(log_density(a, x));
}

/// log of the upper incomplete gamma Q(a, x) by Legendre's continued fraction, for x >= a + 1.
double log_upper_gamma(double a, double x) noexcept {
    double b = x + 1.0 - a;
    double c = 1e300;
    double d = 1.0 / b;
    double h = d;
    for (int i = 1; i < most_terms; ++i) {
        const double numerator = -i * (i - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        const double factor = d * c;
        h *= factor;
        if (std::fabs(factor - 1.0) < precision) break;
    }
    return log_density(a, x) + portable_log(h);
}

}  // namespace

double log_chi_square_tail(double x, double freedom) noexcept {
    const double a = freedom / 2.0;
    const double half = x / 2.0;
    if (!(half > 0.0)) return 0.0;
    if (half < a + 1.0) return portable_log1p(-lower_gamma(a, half));
    return log_upper_gamma(a, half);
}

double chi_square_quantile(double probability, double freedom) noexcept {
    const double target = portable_log1p(-probability);
    double low = 0.0;
    double high = freedom + 1.0;
    while (log_chi_square_tail(high, freedom) > target) high *= 2.0;
    for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
        const double middle = low + (high - low) / 2.0;
        (log_chi_square_tail(middle, freedom) > target ? low : high) = middle;
    }
    return high;
}

}  // namespace partage
