#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace partage {

/// The cost of what cannot be.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Target statistics of a unit or a part: the weight of each class.
using Row = std::span<const double>;

/// A dense table of rows, in one piece of memory.
class Rows {
public:
    Rows(std::size_t n_rows, std::size_t n_classes)
        : n_classes_(n_classes), values_(n_rows * n_classes, 0.0) {}

    std::size_t size() const noexcept { return n_classes_ == 0 ? 0 : values_.size() / n_classes_; }
    std::size_t n_classes() const noexcept { return n_classes_; }
    Row operator[](std::size_t i) const noexcept {
        return {values_.data() + i * n_classes_, n_classes_};
    }
    std::span<double> operator[](std::size_t i) noexcept {
        return {values_.data() + i * n_classes_, n_classes_};
    }
    const double* data() const noexcept { return values_.data(); }
    std::vector<double>& values() noexcept { return values_; }

private:
    std::size_t n_classes_;
    std::vector<double> values_;
};

/// Sum of a row in the order of its classes.
inline double weight(Row row) noexcept {
    double total = 0.0;
    for (const double value : row) total += value;
    return total;
}

/// Running sums of consecutive rows: the row of blocks [first, last) is one subtraction.
class Cumulative {
public:
    explicit Cumulative(const Rows& rows)
        : sums_(rows.size() + 1, rows.n_classes()), weights_(rows.size() + 1, 0.0) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t j = 0; j < rows.n_classes(); ++j)
                sums_[i + 1][j] = sums_[i][j] + rows[i][j];
            weights_[i + 1] = weights_[i] + partage::weight(rows[i]);
        }
    }

    std::size_t n_blocks() const noexcept { return sums_.size() - 1; }
    std::size_t n_classes() const noexcept { return sums_.n_classes(); }
    /// Sums over the blocks before `i`.
    Row before(std::size_t i) const noexcept { return sums_[i]; }
    double weight_before(std::size_t i) const noexcept { return weights_[i]; }
    double weight(std::size_t first, std::size_t last) const noexcept {
        return weights_[last] - weights_[first];
    }
    void row(std::size_t first, std::size_t last, std::span<double> out) const noexcept {
        const Row a = sums_[first];
        const Row b = sums_[last];
        for (std::size_t j = 0; j < out.size(); ++j) out[j] = b[j] - a[j];
    }

private:
    Rows sums_;
    std::vector<double> weights_;
};

}  // namespace partage
