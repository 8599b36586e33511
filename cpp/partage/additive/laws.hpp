#pragma once

#include <algorithm>
#include <cstddef>

#include "partage/support/combinatorics.hpp"

namespace partage {

/// Law of the target given the score of a row, and what its scores are.
enum class Law {
    two_classes,  ///< log-odds of the second class
    classes,      ///< one score for each class, up to a constant
    normal,       ///< the mean
    poisson,      ///< logarithm of the mean
    gamma         ///< logarithm of the mean
};

/// 1 / (1 + e^-x).
inline double logistic(double x) noexcept {
    const double e = quick_exp(x > 0.0 ? -x : x);
    return (x > 0.0 ? 1.0 : e) / (1.0 + e);
}

/// e^x of a score, which stays finite.
inline double finite_exp(double x) noexcept { return portable_exp(std::clamp(x, -500.0, 500.0)); }

constexpr double least_weight = 1e-9;  // of a row, however sure its prediction is

/// What a row asks of its scores: for each output its pull, the derivative of the log-likelihood,
/// and the weight, minus the second one.
template <Law law>
void ask(double y, const double* scores, std::size_t n_outputs, double dispersion, double* pulls,
         double* weights) noexcept {
    if constexpr (law == Law::two_classes) {
        const double p = logistic(scores[0]);
        pulls[0] = y - p;
        weights[0] = std::max(p * (1.0 - p), least_weight);
    } else if constexpr (law == Law::classes) {
        const double highest = *std::max_element(scores, scores + n_outputs);
        double total = 0.0;
        for (std::size_t j = 0; j < n_outputs; ++j) {
            pulls[j] = quick_exp(scores[j] - highest);
            total += pulls[j];
        }
        // The scores share a constant: J of them say what J - 1 would.
        const auto n = static_cast<double>(n_outputs);
        const double scale = n / (n - 1.0);
        const auto label = static_cast<std::size_t>(y);
        for (std::size_t j = 0; j < n_outputs; ++j) {
            const double p = pulls[j] / total;
            pulls[j] = (j == label ? 1.0 : 0.0) - p;
            weights[j] = std::max(p * (1.0 - p) * scale, least_weight);
        }
    } else if constexpr (law == Law::normal) {
        pulls[0] = (y - scores[0]) / dispersion;
        weights[0] = 1.0 / dispersion;
    } else if constexpr (law == Law::poisson) {
        const double mean = finite_exp(scores[0]);
        pulls[0] = (y - mean) / dispersion;
        weights[0] = std::max(mean, least_weight) / dispersion;
    } else {
        pulls[0] = (y / finite_exp(scores[0]) - 1.0) / dispersion;
        weights[0] = 1.0 / dispersion;
    }
}

/// Minus the log-likelihood of a row, without what no score changes, at a dispersion of 1.
template <Law law>
double loss_of(double y, const double* scores, std::size_t n_outputs) noexcept {
    if constexpr (law == Law::two_classes) {
        const double against = y > 0.5 ? -scores[0] : scores[0];
        const double e = quick_exp(against > 0.0 ? -against : against);
        return (against > 0.0 ? against : 0.0) + portable_log(1.0 + e);
    } else if constexpr (law == Law::classes) {
        const double highest = *std::max_element(scores, scores + n_outputs);
        double total = 0.0;
        for (std::size_t j = 0; j < n_outputs; ++j) total += quick_exp(scores[j] - highest);
        return highest + portable_log(total) - scores[static_cast<std::size_t>(y)];
    } else if constexpr (law == Law::normal) {
        return 0.5 * (y - scores[0]) * (y - scores[0]);
    } else if constexpr (law == Law::poisson) {
        return finite_exp(scores[0]) - y * scores[0];
    } else {
        return y / finite_exp(scores[0]) + scores[0];
    }
}

/// Square of what the law does not expect, over what it expects at a dispersion of 1.
template <Law law>
double surprise_of(double y, const double* scores) noexcept {
    if constexpr (law == Law::poisson) {
        const double mean = std::max(finite_exp(scores[0]), 1e-12);
        return (y - mean) * (y - mean) / mean;
    } else if constexpr (law == Law::gamma) {
        const double ratio = y / finite_exp(scores[0]) - 1.0;
        return ratio * ratio;
    } else {
        return (y - scores[0]) * (y - scores[0]);
    }
}

/// Calls f with the law as a constant.
template <class F>
decltype(auto) with_law(Law law, F f) {
    switch (law) {
        case Law::two_classes:
            return f.template operator()<Law::two_classes>();
        case Law::classes:
            return f.template operator()<Law::classes>();
        case Law::normal:
            return f.template operator()<Law::normal>();
        case Law::poisson:
            return f.template operator()<Law::poisson>();
        default:
            return f.template operator()<Law::gamma>();
    }
}

}  // namespace partage
