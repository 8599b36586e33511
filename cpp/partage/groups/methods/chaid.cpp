#include <cmath>

#include "partage/groups/atoms.hpp"
#include "partage/groups/search/merging.hpp"
#include "partage/support/chi_square_law.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Chi-square of two groups and its degrees of freedom.
struct PairChiSquare {
    double value = 0.0;
    Index freedom = 0;
};

/// Bounds of log p on a grid of chi-squares, made for each freedom when it is first met: most
/// comparisons across freedoms need no more.
class TailBounds {
public:
    double log_p(const PairChiSquare& pair) const noexcept {
        if (pair.freedom == 0) return 0.0;
        return on_grid(log_chi_square_tail(pair.value, static_cast<double>(pair.freedom)));
    }

    /// Whether x is more likely by chance than y.
    bool is_likelier(const PairChiSquare& x, const PairChiSquare& y) const {
        const auto [x_low, x_high] = bounds(x);
        const auto [y_low, y_high] = bounds(y);
        if (x_low > y_high) return true;
        if (x_high < y_low) return false;
        return log_p(x) > log_p(y);
    }

private:
    static constexpr double steps = 16.0;  // in a chi-square of 1
    static constexpr std::size_t n_points = 1025;

    std::pair<double, double> bounds(const PairChiSquare& pair) const {
        if (pair.freedom == 0) return {0.0, 0.0};
        const std::vector<double>& known = grid(pair.freedom);
        const double place = pair.value * steps;
        if (place >= static_cast<double>(n_points - 1)) return {-infinite, known.back()};
        const auto k = static_cast<std::size_t>(place);
        return {known[k + 1], known[k]};
    }

    const std::vector<double>& grid(std::size_t freedom) const {
        if (grids_.size() <= freedom) grids_.resize(freedom + 1);
        std::vector<double>& grid = grids_[freedom];
        for (std::size_t k = grid.size(); k < n_points; ++k)
            grid.push_back(
                log_chi_square_tail(static_cast<double>(k) / steps, static_cast<double>(freedom)));
        return grid;
    }

    mutable std::vector<std::vector<double>> grids_;
};

/// The pair of largest p-value is the nearest.
class LeastSignificant {
public:
    using Distance = PairChiSquare;
    static constexpr bool is_reducible = false;

    explicit LeastSignificant(Rows rows) : rows_(std::move(rows)), sizes_(rows_.size()) {
        for (std::size_t i = 0; i < rows_.size(); ++i) sizes_[i] = rows_.weight(i);
    }

    PairChiSquare between(std::size_t a, std::size_t b) const noexcept {
        const Numbers x = rows_[a];
        const Numbers y = rows_[b];
        double sum = 0.0;
        Index n_present = 0;
        for (std::size_t j = 0; j < x.size(); ++j) {
            const double both = x[j] + y[j];
            if (!(both > 0.0)) continue;
            // The two cells of a class have the same squared deviation.
            const double deviation = x[j] * sizes_[b] - y[j] * sizes_[a];
            sum += deviation * deviation / both;
            ++n_present;
        }
        return {on_grid(sum / (sizes_[a] * sizes_[b])), n_present - 1};
    }

    bool is_closer(const PairChiSquare& x, const PairChiSquare& y) const {
        return x.freedom == y.freedom ? x.value < y.value : tails_.is_likelier(x, y);
    }

    void join(std::size_t a, std::size_t b, const PairChiSquare&) noexcept {
        for (std::size_t j = 0; j < rows_.width(); ++j) rows_[a][j] += rows_[b][j];
        sizes_[a] += sizes_[b];
    }

    double log_p(const PairChiSquare& pair) const noexcept { return tails_.log_p(pair); }

private:
    Rows rows_;
    std::vector<double> sizes_;
    TailBounds tails_;
};

/// CHAID (Kass 1980): merges the pair of largest p-value while that is above alpha; no group is
/// split again.
Grouping group_chaid(const GroupingTask& task) {
    if (is_one_class(task)) return one_group(task.values);
    const Atoms atoms = atoms_of(task.values, task.limits.least());
    const double log_alpha = portable_log(task.parameters[0]);
    LeastSignificant rule(atoms.rows);
    Merging merging(rule, atoms.rows, task.limits, task.stop);
    merging.run(
        [&](const PairChiSquare& pair, std::size_t) { return rule.log_p(pair) > log_alpha; });
    return grouping_of(merging, atoms.atom_of);
}

}  // namespace

extern const GroupingEntry grouping_chaid{
    .name = "chaid",
    .meaning = "merges the least significant pair by chi-square (Kass)",
    .parameters = {{"alpha", "p-value above which two groups are merged; lower gives fewer groups",
                    0.05, 0.0, 1.0, false, false}},
    .run = group_chaid};

}  // namespace partage
