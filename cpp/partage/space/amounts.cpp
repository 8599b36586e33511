#include "partage/space/amounts.hpp"

#include <algorithm>

#include "partage/support/ties.hpp"

namespace partage {
namespace {

/// The nearest whole number, ties to even; numbers from 2^51 on stay as they are.
double nearest(double x) noexcept {
    constexpr double shift = 0x1.8p52;
    return x < 0x1p51 && x > -0x1p51 ? (x + shift) - shift : x;
}

/// Adds the coarse and the fine piece of an amount.
void add_pieces(double amount, const std::array<double, 2>& steps,
                const std::array<double, 2>& inverses, double* sums) noexcept {
    const double coarse = nearest(amount * inverses[0]) * steps[0];
    sums[0] += coarse;
    sums[1] += nearest((amount - coarse) * inverses[1]) * steps[1];
}

}  // namespace

RunSums run_sums(std::span<const double> amounts, std::span<const Index> edges, double center,
                 const SumSteps& steps) {
    constexpr std::size_t n_sums = 5;
    const std::size_t n_runs = edges.size() - 1;
    const std::array<double, 2> of_away{1.0 / steps.away[0], 1.0 / steps.away[1]};
    const std::array<double, 2> of_squares{1.0 / steps.squares[0], 1.0 / steps.squares[1]};
    RunSums out;
    out.sums.resize(n_sums * n_runs);
    out.extremes.resize(2 * n_runs);
    for (std::size_t k = 0; k < n_runs; ++k) {
        std::array<double, n_sums> sums{};
        double low = infinite;
        double high = -infinite;
        for (std::size_t i = edges[k]; i < edges[k + 1]; ++i) {
            const double amount = amounts[i];
            const double away = amount - center;
            add_pieces(away, steps.away, of_away, sums.data());
            add_pieces(away * away, steps.squares, of_squares, sums.data() + 2);
            sums[4] += amount == 0.0 ? 1.0 : 0.0;
            low = std::min(low, amount);
            high = std::max(high, amount);
        }
        std::copy(sums.begin(), sums.end(), out.sums.begin() + static_cast<long>(n_sums * k));
        out.extremes[2 * k] = low;
        out.extremes[2 * k + 1] = high;
    }
    return out;
}

}  // namespace partage
