#include "partage/support/normal_law.hpp"

#include <cmath>
#include <limits>

#include "partage/support/chi_square_law.hpp"
#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"

namespace partage {

double normal_quantile(double probability) noexcept {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr double half_log_of_pi_halves = 0.22579135264472743236;  // log sqrt(π/2)
    if (!(probability > 0.0)) return -infinite;
    if (!(probability < 1.0)) return infinite;
    const bool is_low = probability < 0.5;
    const double from_middle = is_low ? 0.5 - probability : probability - 0.5;
    if (from_middle == 0.0) return 0.0;
    // log P(|Z| > z); small probabilities are taken as they are, without a difference.
    const double target =
        is_low ? portable_log(2.0 * probability) : portable_log1p(-2.0 * from_middle);
    // P(|Z| > z) <= exp(-z²/2), so this is too large; the logarithm of the tail is concave, so
    // that every step stays on this side.
    double z = std::sqrt(-2.0 * target);
    for (int i = 0; i < 100; ++i) {
        const double tail = log_chi_square_tail(z * z, 1.0);
        const double slope = -portable_exp(-0.5 * z * z - half_log_of_pi_halves - tail);
        const double next = z - (tail - target) / slope;
        if (!(next < z)) break;
        z = next;
    }
    return is_low ? -z : z;
}

}  // namespace partage
