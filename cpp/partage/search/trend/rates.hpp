#pragma once

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
          scores_(sums.n_blocks() + 1, n_series_) {
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

private:
    std::size_t n_series_;
    Rows weights_;
    Rows scores_;
};

/// Whether consecutive parts go one way in every series; a part without rows of a series is passed
/// over. `last` holds the last rate of each series, turned so that it must not fall.
bool goes_on(const Rates& rates, std::size_t first, std::size_t end, int direction,
             std::vector<double>& last);

/// Whether the rates of the parts take the directions one after the other, at any turn.
bool follows_phases(const Rates& rates, const std::vector<std::size_t>& starts,
                    const Phases& phases);

}  // namespace partage
