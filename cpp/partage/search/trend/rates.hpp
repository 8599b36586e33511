#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "partage/search/limits.hpp"

namespace partage {

/// Directions that the rates take one after the other: 1 up, -1 down.
using Phases = std::vector<int>;

Phases phases_of(Trend trend);

/// Mean scores of parts: overall, then of each segment.
class Rates {
public:
    Rates(const Cumulative& sums, const Limits& limits)
        : n_series_(1 + limits.segments.size()),
          weights_(sums.n_blocks() + 1, n_series_),
          scores_(sums.n_blocks() + 1, n_series_),
          margins_(limits.segments.margins) {
        for (std::size_t i = 0; i <= sums.n_blocks(); ++i) {
            weights_[i][0] = sums.weight_before(i);
            for (std::size_t j = 0; j < sums.layout().n_numbers; ++j)
                scores_[i][0] += limits.class_scores[j] * sums.before(i)[j];
        }
        for (std::size_t i = 0; i < sums.n_blocks(); ++i)
            for (std::size_t s = 1; s < n_series_; ++s) {
                weights_[i + 1][s] = weights_[i][s] + limits.segments.weights[i][s - 1];
                scores_[i + 1][s] = scores_[i][s] + limits.segments.scores[i][s - 1];
            }
    }

    std::size_t n_series() const noexcept { return n_series_; }
    bool is_empty(std::size_t first, std::size_t last, std::size_t series) const noexcept {
        return !(weights_[last][series] > weights_[first][series]);
    }
    double rate(std::size_t first, std::size_t last, std::size_t series) const noexcept {
        return (scores_[last][series] - scores_[first][series]) /
               (weights_[last][series] - weights_[first][series]);
    }
    /// How far from the truth the rate of a part with rows may be; 0 for the rate overall.
    double margin(std::size_t first, std::size_t last, std::size_t series) const noexcept {
        if (series == 0 || margins_[series - 1] == 0.0) return 0.0;
        return margins_[series - 1] / std::sqrt(weights_[last][series] - weights_[first][series]);
    }
    /// Whether a part may be without rows of a series.
    bool has_gaps(std::size_t series) const noexcept {
        for (std::size_t i = 0; i + 1 < weights_.size(); ++i)
            if (is_empty(i, i + 1, series)) return true;
        return false;
    }

private:
    std::size_t n_series_;
    Rows weights_;
    Rows scores_;
    std::vector<double> margins_;
};

/// Between what the last rate of each series lies, turned so that it must not fall.
struct Reached {
    explicit Reached(std::size_t n_series) : low(n_series, -infinite), high(n_series, -infinite) {}
    /// The same for rates that must go the other way from here.
    void turn_over() noexcept;

    std::vector<double> low;
    std::vector<double> high;
};

/// Whether consecutive parts go one way in every series; a part without rows of a series is passed
/// over.
bool goes_on(const Rates& rates, std::size_t first, std::size_t end, int direction, Reached& last);

/// Whether the rates of the parts take the directions one after the other, at any turn.
bool follows_phases(const Rates& rates, const std::vector<std::size_t>& starts,
                    const Phases& phases);

}  // namespace partage
