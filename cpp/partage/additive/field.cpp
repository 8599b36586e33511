#include <algorithm>
#include <limits>

#include "partage/additive/pair.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// A symmetric matrix with nothing further than `width` from its diagonal.
class Banded {
public:
    Banded(std::size_t n, std::size_t width) : n_(n), width_(width), values_(n * (width + 1)) {}

    void clear() { std::fill(values_.begin(), values_.end(), 0.0); }
    double& at(std::size_t i, std::size_t k) noexcept { return values_[i * width_ + k + width_]; }
    double at(std::size_t i, std::size_t k) const noexcept {
        return values_[i * width_ + k + width_];
    }
    /// Adds q (f_i - f_k)².
    void tie(std::size_t i, std::size_t k, double q) noexcept {
        at(i, i) += q;
        at(k, k) += q;
        at(std::max(i, k), std::min(i, k)) -= q;
    }
    /// Replaces the matrix by L and D of L D Lᵀ; the logarithm of its determinant.
    double factor() noexcept {
        double log_determinant = 0.0;
        for (std::size_t i = 0; i < n_; ++i) {
            const std::size_t low = first(i);
            for (std::size_t k = low; k < i; ++k) {
                double x = at(i, k);
                for (std::size_t m = std::max(low, first(k)); m < k; ++m) x -= at(i, m) * at(k, m);
                at(i, k) = x;  // L D, until the row is done
            }
            double diagonal = at(i, i);
            for (std::size_t k = low; k < i; ++k) {
                const double l = at(i, k) / at(k, k);
                diagonal -= l * at(i, k);
                at(i, k) = l;
            }
            at(i, i) = diagonal;
            log_determinant += portable_log(diagonal);
        }
        return log_determinant;
    }
    /// Solves in place, after `factor`; gives xᵀ A⁻¹ x.
    double solve(std::span<double> x) const noexcept {
        double squares = 0.0;
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t k = first(i); k < i; ++k) x[i] -= at(i, k) * x[k];
            squares += x[i] * x[i] / at(i, i);
        }
        for (std::size_t i = 0; i < n_; ++i) x[i] /= at(i, i);
        for (std::size_t i = n_; i-- > 0;)
            for (std::size_t k = first(i); k < i; ++k) x[k] -= at(i, k) * x[i];
        return squares;
    }
    /// Diagonal of the inverse, after `factor`, by Takahashi's equations: the inverse within the
    /// band from its last row up. O(n width²).
    std::vector<double> inverse_diagonal() const {
        Banded inverse(n_, width_);
        std::vector<double> found(n_);
        for (std::size_t i = n_; i-- > 0;) {
            const std::size_t end = std::min(n_, i + width_ + 1);
            for (std::size_t k = end; k-- > i + 1;) {
                double x = 0.0;
                for (std::size_t m = i + 1; m < end; ++m)
                    x -= at(m, i) * inverse.at(std::max(m, k), std::min(m, k));
                inverse.at(k, i) = x;
            }
            double x = 1.0 / at(i, i);
            for (std::size_t m = i + 1; m < end; ++m) x -= at(m, i) * inverse.at(m, i);
            inverse.at(i, i) = found[i] = x;
        }
        return found;
    }

private:
    std::size_t first(std::size_t i) const noexcept { return i > width_ ? i - width_ : 0; }
    std::size_t n_, width_;
    std::vector<double> values_;
};

/// Ties the cells of one axis to each other.
template <class Cell>
void tie_axis(Banded& matrix, std::size_t n, bool is_ordered, double precision, Cell cell) {
    const double size = static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i)
        if (is_ordered) {
            if (i + 1 < n) matrix.tie(cell(i), cell(i + 1), precision * size);
        } else {
            for (std::size_t k = i + 1; k < n; ++k)
                matrix.tie(cell(i), cell(k), 2.0 * precision / size);
        }
}

struct Lattice {
    const CellSums& sums;
    PairShape shape;
    double level;

    /// The precision of a field with this deviation, with what rows say of one output or without.
    void fill(Banded& matrix, double walk, const std::size_t* output) const {
        matrix.clear();
        const double precision = 1.0 / (walk * walk);
        for (std::size_t c = 0; c < shape.n_cells(); ++c) {
            matrix.at(c, c) += 1.0 / (level * level);
            if (output != nullptr) matrix.at(c, c) += sums.weights[c * sums.n_outputs + *output];
        }
        for (std::size_t i = 0; i < shape.n_first; ++i)
            tie_axis(matrix, shape.n_second, shape.second_is_ordered, precision,
                     [&](std::size_t k) { return i * shape.n_second + k; });
        for (std::size_t k = 0; k < shape.n_second; ++k)
            tie_axis(matrix, shape.n_first, shape.first_is_ordered, precision,
                     [&](std::size_t i) { return i * shape.n_second + k; });
    }

    Levels solve(Banded& matrix, double walk, bool has_variances) const {
        const std::size_t n = shape.n_cells(), n_outputs = sums.n_outputs;
        fill(matrix, walk, nullptr);
        const double log_prior = matrix.factor();
        Levels found{std::vector<double>(n * n_outputs), std::vector<double>(n * n_outputs), 0.0};
        std::vector<double> x(n);
        for (std::size_t j = 0; j < n_outputs; ++j) {
            fill(matrix, walk, &j);
            const double log_both = matrix.factor();
            for (std::size_t c = 0; c < n; ++c) x[c] = sums.pulls[c * n_outputs + j];
            found.log_evidence += 0.5 * (matrix.solve(x) - log_both + log_prior);
            for (std::size_t c = 0; c < n; ++c) found.means[c * n_outputs + j] = x[c];
            if (!has_variances) continue;
            const std::vector<double> variances = matrix.inverse_diagonal();
            for (std::size_t c = 0; c < n; ++c) found.variances[c * n_outputs + j] = variances[c];
        }
        return found;
    }
};

Levels mix_fields(const CellSums& sums, const PairShape& shape, const PairPrior& prior,
                  bool has_variances) {
    const Lattice lattice{sums, shape, prior.level};
    const std::size_t n = shape.n_cells();
    const std::size_t width = shape.first_is_ordered ? shape.n_second : n - 1;
    Banded matrix(n, std::min(width, n - 1));
    std::vector<Levels> all;
    double highest = -std::numeric_limits<double>::infinity();
    for (const double walk : prior.walks) {
        all.push_back(lattice.solve(matrix, walk, has_variances));
        highest = std::max(highest, all.back().log_evidence);
    }
    double total = 0.0;
    for (const Levels& one : all) total += quick_exp(one.log_evidence - highest);
    Levels found{std::vector<double>(sums.pulls.size()), std::vector<double>(sums.pulls.size()),
                 highest + portable_log(total / static_cast<double>(all.size()))};
    for (const Levels& one : all) {
        const double p = quick_exp(one.log_evidence - highest) / total;
        for (std::size_t i = 0; i < found.means.size(); ++i) {
            found.means[i] += p * one.means[i];
            found.variances[i] += p * (one.variances[i] + one.means[i] * one.means[i]);
        }
    }
    for (std::size_t i = 0; i < found.means.size(); ++i)
        found.variances[i] = std::max(found.variances[i] - found.means[i] * found.means[i], 0.0);
    return found;
}

}  // namespace

Levels average_fields(const CellSums& sums, const PairShape& shape, const PairPrior& prior) {
    return mix_fields(sums, shape, prior, true);
}

Levels average_pair(const CellSums& sums, const PairShape& shape, const PairPrior& prior) {
    Levels field = mix_fields(sums, shape, prior, true);
    const Levels boxes = average_rectangles(sums, shape, prior);
    const double ahead = boxes.log_evidence - field.log_evidence;
    const double odds = quick_exp(-(ahead > 0.0 ? ahead : -ahead));
    const double p = (ahead > 0.0 ? 1.0 : odds) / (1.0 + odds);  // of rectangles
    for (std::size_t i = 0; i < field.means.size(); ++i) {
        const double mean = (1.0 - p) * field.means[i] + p * boxes.means[i];
        const double square = (1.0 - p) * (field.variances[i] + field.means[i] * field.means[i]) +
                              p * (boxes.variances[i] + boxes.means[i] * boxes.means[i]);
        field.means[i] = mean;
        field.variances[i] = std::max(square - mean * mean, 0.0);
    }
    field.log_evidence =
        std::max(field.log_evidence, boxes.log_evidence) + portable_log(0.5 * (1.0 + odds));
    return field;
}

double pair_evidence(const CellSums& sums, const PairShape& shape, const PairPrior& prior) {
    const std::size_t n_outputs = sums.n_outputs;
    const auto both = [&](const CellSums& some, const PairShape& of) {
        const double field = mix_fields(some, of, prior, false).log_evidence;
        const double boxes = rectangle_evidence(some, of, prior);
        const double high = std::max(field, boxes), low = std::min(field, boxes);
        return high + portable_log(0.5 * (1.0 + quick_exp(low - high)));
    };
    double alone = 0.0;
    const double one_level = constant_evidence(sums, prior.level);
    for (const bool is_first : {true, false}) {
        const std::size_t n = is_first ? shape.n_first : shape.n_second;
        std::vector<double> pulls(n * n_outputs, 0.0), weights(n * n_outputs, 0.0);
        for (std::size_t c = 0; c < shape.n_cells(); ++c) {
            const std::size_t at = is_first ? c / shape.n_second : c % shape.n_second;
            for (std::size_t j = 0; j < n_outputs; ++j) {
                pulls[at * n_outputs + j] += sums.pulls[c * n_outputs + j];
                weights[at * n_outputs + j] += sums.weights[c * n_outputs + j];
            }
        }
        const bool is_ordered = is_first ? shape.first_is_ordered : shape.second_is_ordered;
        const double found =
            both({n_outputs, pulls, weights}, {1, n, true, is_ordered}) - one_level;
        alone += std::max(found, 0.0);
    }
    return both(sums, shape) - one_level - alone;
}

}  // namespace partage
