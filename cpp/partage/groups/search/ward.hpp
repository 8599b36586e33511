#pragma once

#include <cmath>

#include "partage/groups/search/merging.hpp"

namespace partage {

/// Chi-square lost by the merge of two groups, Ward's distance of their scaled class shares:
/// d = n_a n_b / (n_a + n_b) Σ_j (p_aj - p_bj)² / p_j.
class Ward {
public:
    using Distance = double;
    static constexpr bool is_reducible = true;

    explicit Ward(Rows rows)
        : rows_(std::move(rows)), points_(rows_.size(), rows_.width()), sizes_(rows_.size()) {
        std::vector<double> totals(rows_.width(), 0.0);
        for (std::size_t i = 0; i < rows_.size(); ++i)
            for (std::size_t j = 0; j < totals.size(); ++j) totals[j] += rows_[i][j];
        const double n = rows_.layout().weight(totals);
        for (const double total : totals)
            scales_.push_back(total > 0.0 ? std::sqrt(n / total) : 0.0);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            place(i);
            // χ² = Σ_i n_i Σ_j (p_ij - p_j)² / p_j
            double squares = 0.0;
            for (std::size_t j = 0; j < totals.size(); ++j) {
                const double gap = points_[i][j] - totals[j] / n * scales_[j];
                squares += gap * gap;
            }
            chi_square_ += sizes_[i] * squares;
        }
    }

    double between(std::size_t a, std::size_t b) const noexcept {
        const Numbers x = points_[a];
        const Numbers y = points_[b];
        double squares = 0.0;
        for (std::size_t j = 0; j < x.size(); ++j) squares += (x[j] - y[j]) * (x[j] - y[j]);
        return on_grid(sizes_[a] * sizes_[b] / (sizes_[a] + sizes_[b]) * squares);
    }

    bool is_closer(double x, double y) const noexcept { return x < y; }

    void join(std::size_t a, std::size_t b, double distance) noexcept {
        for (std::size_t j = 0; j < rows_.width(); ++j) rows_[a][j] += rows_[b][j];
        place(a);
        chi_square_ = std::max(chi_square_ - distance, 0.0);
        largest_ = std::max(largest_, distance);
    }

    /// Chi-square of the groups as they are.
    double chi_square() const noexcept { return chi_square_; }
    /// Largest loss of any merge made.
    double largest() const noexcept { return largest_; }
    const Rows& rows() const noexcept { return rows_; }

private:
    void place(std::size_t i) noexcept {
        const Numbers row = std::as_const(rows_)[i];
        sizes_[i] = rows_.weight(i);
        for (std::size_t j = 0; j < row.size(); ++j)
            points_[i][j] = row[j] / sizes_[i] * scales_[j];
    }

    Rows rows_;
    Rows points_;  // p_ij / √p_j
    std::vector<double> sizes_;
    std::vector<double> scales_;
    double chi_square_ = 0.0;
    double largest_ = 0.0;
};

}  // namespace partage
