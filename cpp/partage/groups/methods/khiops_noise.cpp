#include "partage/groups/methods/khiops_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "partage/support/combinatorics.hpp"
#include "partage/support/draws.hpp"

namespace partage {
namespace {

#include "partage/groups/methods/khiops_table.inc"

/// Where a number stands between the knots of a table; beyond them the last two go on.
struct Place {
    std::size_t low;
    double share;  ///< of the way to the next knot

    template <std::size_t n>
    Place(const std::array<double, n>& knots, double x) noexcept {
        const auto above = std::upper_bound(knots.begin() + 1, knots.end() - 1, x);
        low = static_cast<std::size_t>(above - knots.begin()) - 1;
        share = (x - knots[low]) / (knots[low + 1] - knots[low]);
    }
    double between(double a, double b) const noexcept { return a + share * (b - a); }
};

/// The class of each row of a table, row after row. Weights are rounded so that their sums stay;
/// the loss of independent rows does not depend on how many they are, so very many are thinned.
struct Labels {
    std::vector<Code> codes;
    std::vector<std::size_t> ends;  ///< of each row of the table

    explicit Labels(const Rows& rows) {
        double total = 0.0;
        for (std::size_t i = 0; i < rows.size(); ++i) total += rows.weight(i);
        const double scale = total > most ? most / total : 1.0;
        double sum = 0.0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t j = 0; j < rows.width(); ++j) {
                sum += rows[i][j] * scale;
                codes.resize(static_cast<std::size_t>(sum + 0.5), static_cast<Code>(j));
            }
            ends.push_back(codes.size());
        }
    }

    static constexpr double most = 0x1p24;
};

}  // namespace

double tabled_noise(std::size_t n_values, std::size_t n_classes, double confidence) noexcept {
    if (n_values < 2 || n_classes < 2) return 0.0;
    const Place value(table_values, static_cast<double>(n_values));
    const Place label(table_classes, static_cast<double>(n_classes));
    // Quantiles are nearly straight in the logarithm of the tail.
    std::array<double, table_confidences.size()> tails;
    for (std::size_t i = 0; i < tails.size(); ++i)
        tails[i] = -portable_log(1.0 - table_confidences[i]);
    const Place level(tails, -portable_log(1.0 - confidence));
    const auto quantile = [&](std::size_t c, std::size_t v) {
        const double* cell = table_quantiles[c][v];
        return level.between(cell[level.low], cell[level.low + 1]);
    };
    const auto along = [&](std::size_t c) {
        return value.between(quantile(c, value.low), quantile(c, value.low + 1));
    };
    return label.between(along(label.low), along(label.low + 1));
}

double permuted_noise(const Rows& rows, double confidence, const Stop& stop) {
    constexpr std::size_t n_draws = 200;
    Labels labels(rows);
    Draws draws;
    std::vector<double> losses;
    for (std::size_t draw = 0; draw < n_draws; ++draw) {
        stop.check();
        for (std::size_t i = labels.codes.size(); i > 1; --i)
            std::swap(labels.codes[i - 1], labels.codes[draws.below(i)]);
        Rows shuffled(0, rows.width());
        std::size_t next = 0;
        for (const std::size_t end : labels.ends) {
            if (next == end) continue;
            std::vector<double> row(rows.width(), 0.0);
            for (; next < end; ++next) row[labels.codes[next]] += 1.0;
            shuffled.values().insert(shuffled.values().end(), row.begin(), row.end());
        }
        if (shuffled.size() < 2) return 0.0;
        Ward ward(shuffled);
        const Limits down_to_one;
        Merging merging(ward, shuffled, down_to_one, stop);
        merging.run([](double, std::size_t) { return true; });
        losses.push_back(ward.largest());
    }
    std::sort(losses.begin(), losses.end());
    const auto place = static_cast<std::size_t>(std::ceil(confidence * (n_draws + 1.0)));
    return losses[std::min(place, n_draws) - 1];
}

}  // namespace partage
