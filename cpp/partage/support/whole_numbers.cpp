#include "partage/support/whole_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"

namespace partage {
namespace {

constexpr double log_of_2 = 0.69314718055994530942;
constexpr std::size_t n_exact_codes = 2000;

/// Σ_{i<=m} 2^-log2*(i) for m up to the number of exact terms; made when first asked for.
double sum_of_first_codes(std::size_t most) {
    static const std::vector<double> sums = [] {
        std::vector<double> out{0.0};
        for (std::size_t i = 1; i <= n_exact_codes; ++i)
            out.push_back(out.back() + portable_exp(-iterated_logs(static_cast<double>(i))));
        return out;
    }();
    return sums[most];
}

}  // namespace

double iterated_logs(double n) noexcept {
    double length = 0.0;
    for (double next = portable_log(n) / log_of_2; next > 0.0; next = portable_log(next) / log_of_2)
        length += next * log_of_2;
    return length;
}

// What is beyond the exact terms by trapezes on a scale of logarithms, where the terms are smooth.
double log_sum_of_codes(double most) {
    constexpr auto exact = static_cast<double>(n_exact_codes);
    double sum = sum_of_first_codes(static_cast<std::size_t>(std::min(most, exact)));
    if (most <= exact) return portable_log(sum);
    constexpr int n_steps = 200;
    const double low = portable_log(exact + 0.5);
    const double width = (portable_log(most + 0.5) - low) / n_steps;
    for (int i = 0; i <= n_steps; ++i) {
        const double n = 1.0 / portable_exp(-(low + width * i));
        const double term = n * portable_exp(-iterated_logs(n));
        sum += term * width * (i == 0 || i == n_steps ? 0.5 : 1.0);
    }
    return portable_log(sum);
}

double bounded_length(double n, double most) { return log_sum_of_codes(most) + iterated_logs(n); }

double unbounded_length(double n) noexcept { return portable_log(2.86511) + iterated_logs(n); }

}  // namespace partage
