#include <algorithm>
#include <limits>

#include "partage/additive/pair.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Sums over all divisions of a lattice by straight cuts, whose rectangles have levels of one
/// deviation. Z(R) = (1 - s) L(R) + s / cuts Σ Z(R₁) Z(R₂).
class BoxSums {
public:
    BoxSums(const CellSums& sums, const PairShape& shape, double split, double height)
        : n_outputs_(sums.n_outputs),
          rows_(shape.n_first),
          columns_(shape.n_second),
          variance_(height * height),
          log_split_(portable_log(split)),
          log_stay_(portable_log(1.0 - split)),
          pulls_(corners(sums.pulls)),
          weights_(corners(sums.weights)),
          leaf_(n_spans(rows_) * n_spans(columns_)),
          whole_(leaf_.size()) {
        for (std::size_t r = 1; r <= rows_; ++r)
            for (std::size_t c = 1; c <= columns_; ++c)
                for (std::size_t top = 0; top + r <= rows_; ++top)
                    for (std::size_t left = 0; left + c <= columns_; ++left)
                        sum_box({top, top + r, left, left + c});
    }

    double log_evidence() const noexcept { return whole_[index(all())]; }

    /// Adds levels, and squares of them, times a probability.
    void add(double probability, std::span<double> means, std::span<double> squares) const {
        std::vector<double> reached(whole_.size(), 0.0);
        reached[index(all())] = probability;
        const std::size_t n = (rows_ + 1) * (columns_ + 1) * n_outputs_;
        std::vector<double> first(n, 0.0), second(n, 0.0);
        for (std::size_t r = rows_; r > 0; --r)
            for (std::size_t c = columns_; c > 0; --c)
                for (std::size_t top = 0; top + r <= rows_; ++top)
                    for (std::size_t left = 0; left + c <= columns_; ++left)
                        pass_box({top, top + r, left, left + c}, reached, first, second);
        spread(first, means);
        spread(second, squares);
    }

private:
    struct Box {
        std::size_t top, bottom, left, right;
        std::size_t n_cuts() const noexcept { return bottom - top + right - left - 2; }
    };

    static std::size_t n_spans(std::size_t n) noexcept { return n * (n + 1) / 2; }
    static std::size_t span_at(std::size_t first, std::size_t last) noexcept {
        return last * (last - 1) / 2 + first;
    }
    std::size_t index(const Box& box) const noexcept {
        return span_at(box.top, box.bottom) * n_spans(columns_) + span_at(box.left, box.right);
    }
    Box all() const noexcept { return {0, rows_, 0, columns_}; }
    std::size_t corner(std::size_t row, std::size_t column) const noexcept {
        return (row * (columns_ + 1) + column) * n_outputs_;
    }

    std::vector<double> corners(std::span<const double> cells) const {
        std::vector<double> found((rows_ + 1) * (columns_ + 1) * n_outputs_, 0.0);
        for (std::size_t i = 0; i < rows_; ++i)
            for (std::size_t k = 0; k < columns_; ++k)
                for (std::size_t j = 0; j < n_outputs_; ++j)
                    found[corner(i + 1, k + 1) + j] =
                        cells[(i * columns_ + k) * n_outputs_ + j] + found[corner(i, k + 1) + j] +
                        found[corner(i + 1, k) + j] - found[corner(i, k) + j];
        return found;
    }
    double held(const std::vector<double>& sums, const Box& box, std::size_t j) const noexcept {
        return sums[corner(box.bottom, box.right) + j] - sums[corner(box.top, box.right) + j] -
               sums[corner(box.bottom, box.left) + j] + sums[corner(box.top, box.left) + j];
    }

    /// Calls f(one side, other side) for each cut of a box.
    template <class F>
    static void for_each_cut(const Box& box, F f) {
        for (std::size_t i = box.top + 1; i < box.bottom; ++i)
            f(Box{box.top, i, box.left, box.right}, Box{i, box.bottom, box.left, box.right});
        for (std::size_t k = box.left + 1; k < box.right; ++k)
            f(Box{box.top, box.bottom, box.left, k}, Box{box.top, box.bottom, k, box.right});
    }

    void sum_box(const Box& box) {
        const std::size_t at = index(box);
        double alone = 0.0;
        for (std::size_t j = 0; j < n_outputs_; ++j) {
            const double pull = held(pulls_, box, j);
            const double q = 1.0 + variance_ * std::max(held(weights_, box, j), 0.0);
            alone += 0.5 * (variance_ * pull * pull / q - Sliced(q).log());
        }
        leaf_[at] = whole_[at] = alone;
        if (box.n_cuts() == 0) return;
        leaf_[at] += log_stay_;
        const double each = log_split_ - portable_log(static_cast<double>(box.n_cuts()));
        double highest = leaf_[at];
        logs_.clear();
        for_each_cut(box, [&](const Box& one, const Box& other) {
            logs_.push_back(whole_[index(one)] + whole_[index(other)] + each);
            highest = std::max(highest, logs_.back());
        });
        double sum = quick_exp(leaf_[at] - highest);
        for (const double log : logs_) sum += quick_exp(log - highest);
        whole_[at] = highest + Sliced(sum).log();
    }

    void pass_box(const Box& box, std::vector<double>& reached, std::vector<double>& first,
                  std::vector<double>& second) const {
        constexpr double negligible = 1e-9;
        const std::size_t at = index(box);
        const double here = reached[at];
        if (here < negligible) return;
        const double stays = here * quick_exp(std::min(leaf_[at] - whole_[at], 0.0));
        for (std::size_t j = 0; j < n_outputs_; ++j) {
            const double q = 1.0 + variance_ * std::max(held(weights_, box, j), 0.0);
            const double mean = variance_ * held(pulls_, box, j) / q;
            mark(box, j, stays * mean, first);
            mark(box, j, stays * (mean * mean + variance_ / q), second);
        }
        if (box.n_cuts() == 0) return;
        const double each = log_split_ - portable_log(static_cast<double>(box.n_cuts()));
        for_each_cut(box, [&](const Box& one, const Box& other) {
            const double log = whole_[index(one)] + whole_[index(other)] + each - whole_[at];
            const double p = here * quick_exp(std::min(log, 0.0));
            reached[index(one)] += p;
            reached[index(other)] += p;
        });
    }

    void mark(const Box& box, std::size_t j, double x, std::vector<double>& to) const noexcept {
        to[corner(box.top, box.left) + j] += x;
        to[corner(box.bottom, box.left) + j] -= x;
        to[corner(box.top, box.right) + j] -= x;
        to[corner(box.bottom, box.right) + j] += x;
    }

    /// Adds marks up to the levels of cells.
    void spread(std::vector<double>& marks, std::span<double> cells) const {
        for (std::size_t i = 0; i < rows_; ++i)
            for (std::size_t k = 0; k < columns_; ++k)
                for (std::size_t j = 0; j < n_outputs_; ++j) {
                    double& here = marks[corner(i, k) + j];
                    if (i > 0) here += marks[corner(i - 1, k) + j];
                    if (k > 0) here += marks[corner(i, k - 1) + j];
                    if (i > 0 && k > 0) here -= marks[corner(i - 1, k - 1) + j];
                    cells[(i * columns_ + k) * n_outputs_ + j] += here;
                }
    }

    std::size_t n_outputs_, rows_, columns_;
    double variance_, log_split_, log_stay_;
    std::vector<double> pulls_, weights_;  // sums up to each corner
    std::vector<double> leaf_, whole_;
    std::vector<double> logs_;
};

/// The sums for each deviation, and the highest log-evidence among them.
std::vector<BoxSums> sum_boxes(const CellSums& sums, const PairShape& shape, const PairPrior& prior,
                               double& highest, double& total) {
    std::vector<BoxSums> all;
    all.reserve(prior.heights.size());
    highest = -std::numeric_limits<double>::infinity();
    for (const double height : prior.heights) {
        all.emplace_back(sums, shape, prior.split, height);
        highest = std::max(highest, all.back().log_evidence());
    }
    total = 0.0;
    for (const BoxSums& one : all) total += quick_exp(one.log_evidence() - highest);
    return all;
}

}  // namespace

double rectangle_evidence(const CellSums& sums, const PairShape& shape, const PairPrior& prior) {
    double highest, total;
    const auto n = static_cast<double>(sum_boxes(sums, shape, prior, highest, total).size());
    return highest + portable_log(total / n);
}

Levels average_rectangles(const CellSums& sums, const PairShape& shape, const PairPrior& prior) {
    double highest, total;
    const std::vector<BoxSums> all = sum_boxes(sums, shape, prior, highest, total);
    const std::size_t n = sums.pulls.size();
    Levels found{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0),
                 highest + portable_log(total / static_cast<double>(all.size()))};
    for (const BoxSums& one : all)
        one.add(quick_exp(one.log_evidence() - highest) / total, found.means, found.variances);
    for (std::size_t i = 0; i < n; ++i)
        found.variances[i] = std::max(found.variances[i] - found.means[i] * found.means[i], 0.0);
    return found;
}

}  // namespace partage
