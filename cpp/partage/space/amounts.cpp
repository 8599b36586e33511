#include "partage/space/amounts.hpp"

#include <algorithm>
#include <array>

#include "partage/support/dispatch.hpp"
#include "partage/support/ties.hpp"

namespace partage {
namespace {

/// The nearest whole number, ties to even; numbers from 2^51 on stay as they are.
PARTAGE_INLINE double nearest(double x) noexcept {
    constexpr double shift = 0x1.8p52;
    return x < 0x1p51 && x > -0x1p51 ? (x + shift) - shift : x;
}

/// Sums of a run side by side: sums on a grid are exact in any order.
struct Lanes {
    static constexpr std::size_t n = 8;
    static constexpr std::size_t n_sums = 5;
    using Lane = std::array<double, n>;
    std::array<Lane, n_sums> sums{};
    Lane low;
    Lane high;

    Lanes() noexcept {
        low.fill(infinite);
        high.fill(-infinite);
    }
};

/// Steps and their inverses.
struct Grid {
    std::array<double, 2> steps;
    std::array<double, 2> inverses;

    explicit Grid(const std::array<double, 2>& given) noexcept
        : steps(given), inverses{1.0 / given[0], 1.0 / given[1]} {}

    /// Adds the coarse and the fine piece of an amount.
    PARTAGE_INLINE void add(double amount, double& coarse_sum, double& fine_sum) const noexcept {
        const double coarse = nearest(amount * inverses[0]) * steps[0];
        coarse_sum += coarse;
        fine_sum += nearest((amount - coarse) * inverses[1]) * steps[1];
    }
};

struct AddRun {
    PARTAGE_INLINE static void run(const double* amounts, std::size_t n, double center,
                                   const Grid* away_grid, const Grid* square_grid, Lanes* out) {
        Lanes lanes = *out;
        const Grid of_away = *away_grid;
        const Grid of_squares = *square_grid;
        const auto add = [&](double amount, std::size_t l) {
            const double away = amount - center;
            of_away.add(away, lanes.sums[0][l], lanes.sums[1][l]);
            of_squares.add(away * away, lanes.sums[2][l], lanes.sums[3][l]);
            lanes.sums[4][l] += amount == 0.0 ? 1.0 : 0.0;
            lanes.low[l] = std::min(lanes.low[l], amount);
            lanes.high[l] = std::max(lanes.high[l], amount);
        };
        std::size_t i = 0;
        for (; i + Lanes::n <= n; i += Lanes::n)
            for (std::size_t l = 0; l < Lanes::n; ++l) add(amounts[i + l], l);
        for (; i < n; ++i) add(amounts[i], 0);
        *out = lanes;
    }
};

}  // namespace

RunSums run_sums(std::span<const double> amounts, std::span<const Index> edges, double center,
                 const SumSteps& steps) {
    constexpr std::size_t n_sums = Lanes::n_sums;
    const std::size_t n_runs = edges.size() - 1;
    const Grid of_away(steps.away);
    const Grid of_squares(steps.squares);
    RunSums out;
    out.sums.resize(n_sums * n_runs);
    out.extremes.resize(2 * n_runs);
    for (std::size_t k = 0; k < n_runs; ++k) {
        Lanes lanes;
        dispatch<AddRun>(amounts.data() + edges[k], std::size_t{edges[k + 1]} - edges[k], center,
                         &of_away, &of_squares, &lanes);
        for (std::size_t j = 0; j < n_sums; ++j)
            for (const double sum : lanes.sums[j]) out.sums[n_sums * k + j] += sum;
        out.extremes[2 * k] = *std::min_element(lanes.low.begin(), lanes.low.end());
        out.extremes[2 * k + 1] = *std::max_element(lanes.high.begin(), lanes.high.end());
    }
    return out;
}

}  // namespace partage
