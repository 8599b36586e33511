#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "partage/combinatorics.hpp"
#include "partage/criterion.hpp"
#include "partage/search.hpp"
#include "partage/space.hpp"

namespace partage {

/// Calls f(code, weight) for each stretch of equal classes among the entries [first, last).
template <class F>
void for_each_segment(const Line& line, std::size_t first, std::size_t last, F f) {
    while (first < last) {
        const Code code = line.codes[first];
        std::size_t end = first + 1;
        while (end < last && line.codes[end] == code) ++end;
        f(code, line.weight(first, end));
        first = end;
    }
}

/// Steps a cut along the blocks [first, last) and keeps the counts of both sides. A tracker is told
/// of each count before it moves, so that its sums follow in O(1) whatever the number of classes.
template <class Tracker>
class Walk {
public:
    /// Starts at `first`, everything on the right; `left` and `right` are the rows of both sides.
    Walk(const Line& line, const Blocks& blocks, std::size_t first, std::span<const double> left,
         std::span<const double> right, Tracker tracker)
        : line_(&line), blocks_(&blocks), at_(first), left_(left.begin(), left.end()),
          right_(right.begin(), right.end()), left_weight_(partage::weight(left)),
          right_weight_(partage::weight(right)), tracker_(std::move(tracker)) {
        tracker_.start(left_, right_);
    }

    /// Moves the block at the cut from the right side to the left.
    void step() {
        const std::size_t first = line_->starts[(*blocks_)[at_]];
        const std::size_t last = line_->starts[(*blocks_)[at_ + 1]];
        for_each_segment(*line_, first, last, [this](Code code, double amount) {
            const double left = left_[code] + amount;
            const double rest = right_[code] - amount;
            const double right = rest > 0.0 ? rest : 0.0;  // rounding of real weights
            tracker_.move(code, left_[code], left, right_[code], right);
            left_[code] = left;
            right_[code] = right;
            left_weight_ += amount;
            right_weight_ -= amount;
        });
        ++at_;
    }

    std::size_t at() const noexcept { return at_; }
    Row left() const noexcept { return left_; }
    Row right() const noexcept { return right_; }
    double left_weight() const noexcept { return left_weight_; }
    double right_weight() const noexcept { return right_weight_; }
    const Tracker& tracker() const noexcept { return tracker_; }

private:
    const Line* line_;
    const Blocks* blocks_;
    std::size_t at_;
    std::vector<double> left_;
    std::vector<double> right_;
    double left_weight_;
    double right_weight_;
    Tracker tracker_;
};

/// Follows the information of both sides: n times the class entropy, in nats.
class InformationTracker {
public:
    void start(Row left, Row right) noexcept {
        for (const double n : left) add(n, left_sum_, left_classes_);
        for (const double n : right) add(n, right_sum_, right_classes_);
    }
    void move(Code, double left_old, double left_new, double right_old, double right_new) noexcept {
        left_sum_ += x_log_x(left_new) - x_log_x(left_old);
        right_sum_ += x_log_x(right_new) - x_log_x(right_old);
        left_classes_ += (left_old == 0.0) & (left_new > 0.0);
        right_classes_ -= (right_old > 0.0) & (right_new == 0.0);
    }
    double left_sum() const noexcept { return left_sum_; }
    double right_sum() const noexcept { return right_sum_; }
    std::size_t left_classes() const noexcept { return left_classes_; }
    std::size_t right_classes() const noexcept { return right_classes_; }

private:
    static void add(double n, double& sum, std::size_t& classes) noexcept {
        sum += x_log_x(n);
        classes += n > 0.0;
    }
    double left_sum_ = 0.0;
    double right_sum_ = 0.0;
    std::size_t left_classes_ = 0;
    std::size_t right_classes_ = 0;
};

/// Follows the sums of terms of both sides under a separable criterion.
class TermTracker {
public:
    explicit TermTracker(const SeparableCriterion& criterion) : criterion_(&criterion) {}
    void start(Row left, Row right) noexcept {
        for (std::size_t j = 0; j < left.size(); ++j) {
            left_sum_ += criterion_->term(left[j], j);
            right_sum_ += criterion_->term(right[j], j);
        }
    }
    void move(Code code, double left_old, double left_new, double right_old,
              double right_new) noexcept {
        left_sum_ += criterion_->term(left_new, code) - criterion_->term(left_old, code);
        right_sum_ += criterion_->term(right_new, code) - criterion_->term(right_old, code);
    }
    /// Cost of both sides together.
    double cost(double left_weight, double right_weight) const noexcept {
        return side(left_weight, left_sum_) + side(right_weight, right_sum_);
    }

private:
    double side(double n, double sum) const noexcept {
        return n > 0.0 ? criterion_->offset(n) + criterion_->scale(n) * sum : 0.0;
    }
    const SeparableCriterion* criterion_;
    double left_sum_ = 0.0;
    double right_sum_ = 0.0;
};

/// Follows nothing: for criteria that read whole rows.
struct NoTracker {
    void start(Row, Row) noexcept {}
    void move(Code, double, double, double, double) noexcept {}
};

/// The cuts of one part, in order, with the information of both sides.
class CutWalk {
public:
    CutWalk(const Line& line, const Blocks& blocks, std::size_t first, std::size_t last,
            const Limits& limits);

    /// Goes to the next cut; false after the last.
    bool next();
    void restart();
    std::size_t at() const noexcept { return walk_.at(); }
    std::size_t n_cuts() const noexcept { return last_ - first_ - 1; }
    /// Whether both sides may be parts.
    bool is_allowed() const noexcept {
        return limits_->allows(walk_.left_weight()) && limits_->allows(walk_.right_weight());
    }
    double weight() const noexcept { return weight_; }
    double left_weight() const noexcept { return walk_.left_weight(); }
    double right_weight() const noexcept { return walk_.right_weight(); }
    /// n times the class entropy of the part and of both sides, in nats.
    double information() const noexcept { return information_; }
    double left_information() const noexcept {
        return x_log_x(walk_.left_weight()) - walk_.tracker().left_sum();
    }
    double right_information() const noexcept {
        return x_log_x(walk_.right_weight()) - walk_.tracker().right_sum();
    }
    /// Classes present in the part and on both sides.
    std::size_t n_classes() const noexcept { return n_classes_; }
    std::size_t left_classes() const noexcept { return walk_.tracker().left_classes(); }
    std::size_t right_classes() const noexcept { return walk_.tracker().right_classes(); }

private:
    Walk<InformationTracker> start() const;

    const Line* line_;
    const Blocks* blocks_;
    std::size_t first_;
    std::size_t last_;
    const Limits* limits_;
    std::vector<double> parent_;
    double weight_;
    Walk<InformationTracker> walk_;
    double information_;
    std::size_t n_classes_;
};

}  // namespace partage
