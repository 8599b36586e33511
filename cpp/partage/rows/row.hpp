#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace partage {

/// What the statistics of a target are, and what a criterion reads.
enum class Reads {
    counts,   ///< the weight of each class
    moments,  ///< Σy and Σy² of a numeric target
};

/// Numbers of rows as they are stored, which add up.
using Numbers = std::span<const double>;

/// Target statistics of a unit or a part: its weight, and beside it the sums over its rows.
struct Row {
    double weight;
    std::span<const double> sums;
};

/// How rows are stored: as numbers that add up. Class counts are the numbers themselves, and their
/// weight is their sum in the order of the classes; before moments comes the weight.
struct Layout {
    Reads reads = Reads::counts;
    std::size_t n_numbers = 0;

    double weight(Numbers numbers) const noexcept {
        if (reads == Reads::moments) return numbers[0];
        double total = 0.0;
        for (const double number : numbers) total += number;
        return total;
    }
    Row row(Numbers numbers) const noexcept {
        return {weight(numbers), reads == Reads::moments ? numbers.subspan(1) : numbers};
    }
    /// Takes some rows out of others; of counts, what rounding leaves below nothing is nothing.
    void subtract(Numbers some, std::span<double> from) const noexcept {
        for (std::size_t i = 0; i < from.size(); ++i) {
            const double rest = from[i] - some[i];
            from[i] = reads == Reads::counts ? std::max(rest, 0.0) : rest;
        }
    }
};

/// The layout of the counts of some classes.
inline Layout counts_of(std::size_t n_classes) noexcept { return {Reads::counts, n_classes}; }

/// A row of class counts.
inline Row row_of_counts(Numbers counts) noexcept { return counts_of(counts.size()).row(counts); }

inline void add(Numbers numbers, std::span<double> to) noexcept {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += numbers[i];
}

/// A dense table of rows, in one piece of memory. `[i]` are the numbers of a row as they are
/// stored, `row(i)` is what a criterion reads.
class Rows {
public:
    Rows(std::size_t n_rows, Layout layout)
        : layout_(layout), values_(n_rows * layout.n_numbers, 0.0) {}
    Rows(std::size_t n_rows, std::size_t n_classes) : Rows(n_rows, counts_of(n_classes)) {}

    std::size_t size() const noexcept { return width() == 0 ? 0 : values_.size() / width(); }
    std::size_t width() const noexcept { return layout_.n_numbers; }
    const Layout& layout() const noexcept { return layout_; }
    Numbers operator[](std::size_t i) const noexcept {
        return {values_.data() + i * width(), width()};
    }
    std::span<double> operator[](std::size_t i) noexcept {
        return {values_.data() + i * width(), width()};
    }
    Row row(std::size_t i) const noexcept { return layout_.row((*this)[i]); }
    double weight(std::size_t i) const noexcept { return layout_.weight((*this)[i]); }
    const double* data() const noexcept { return values_.data(); }
    std::vector<double>& values() noexcept { return values_; }

private:
    Layout layout_;
    std::vector<double> values_;
};

/// Running sums of consecutive rows: the row of blocks [first, last) is one subtraction.
class Cumulative {
public:
    explicit Cumulative(const Rows& rows)
        : sums_(rows.size() + 1, rows.layout()), weights_(rows.size() + 1, 0.0) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t j = 0; j < rows.width(); ++j)
                sums_[i + 1][j] = sums_[i][j] + rows[i][j];
            weights_[i + 1] = weights_[i] + rows.weight(i);
        }
        is_whole_ = rows.layout().reads == Reads::counts && holds_whole_numbers(rows);
    }

    std::size_t n_blocks() const noexcept { return sums_.size() - 1; }
    const Layout& layout() const noexcept { return sums_.layout(); }
    /// Whether all are counts of whole rows, fewer than 2^31.
    bool is_whole() const noexcept { return is_whole_; }
    /// Sums over the blocks before `i`.
    Numbers before(std::size_t i) const noexcept { return sums_[i]; }
    double weight_before(std::size_t i) const noexcept { return weights_[i]; }
    double weight(std::size_t first, std::size_t last) const noexcept {
        return weights_[last] - weights_[first];
    }
    /// Writes the numbers of the blocks [first, last).
    void subtract(std::size_t first, std::size_t last, std::span<double> out) const noexcept {
        const Numbers a = sums_[first];
        const Numbers b = sums_[last];
        for (std::size_t j = 0; j < out.size(); ++j) out[j] = b[j] - a[j];
    }

private:
    bool holds_whole_numbers(const Rows& rows) const noexcept {
        constexpr double most = 2147483647.0;
        if (!(weights_.back() <= most)) return false;
        const double* numbers = rows.data();
        for (std::size_t i = 0; i < rows.size() * rows.width(); ++i)
            if (static_cast<double>(static_cast<std::int32_t>(numbers[i])) != numbers[i])
                return false;
        return true;
    }

    Rows sums_;
    std::vector<double> weights_;
    bool is_whole_;
};

}  // namespace partage
