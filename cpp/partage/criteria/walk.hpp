#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "partage/support/combinatorics.hpp"
#include "partage/criteria/criterion.hpp"
#include "partage/search/task.hpp"
#include "partage/space/line.hpp"

namespace partage {

/// The cuts of one part, in order, with the information of both sides.
class CutWalk {
public:
    CutWalk(const Line& line, const Blocks& blocks, std::size_t first, std::size_t last,
            const Limits& limits);

    /// Goes to the next cut; false after the last.
    bool next();
    void restart();
    std::size_t at() const noexcept { return at_; }
    std::size_t n_cuts() const noexcept { return last_ - first_ - 1; }
    /// Whether both sides may be parts.
    bool is_allowed() const noexcept {
        return limits_->allows(left_.weight) && limits_->allows(right_.weight);
    }
    double weight() const noexcept { return parent_.weight; }
    double left_weight() const noexcept { return left_.weight; }
    double right_weight() const noexcept { return right_.weight; }
    /// n times the class entropy of the part and of both sides, in nats.
    double information() const noexcept { return parent_.information(); }
    double left_information() const noexcept { return left_.information(); }
    double right_information() const noexcept { return right_.information(); }
    /// Classes present in the part and on both sides.
    std::size_t n_classes() const noexcept { return parent_.n_classes; }
    std::size_t left_classes() const noexcept { return left_.n_classes; }
    std::size_t right_classes() const noexcept { return right_.n_classes; }

private:
    /// Counts of one side and their sums, which follow each count in O(1).
    struct Side {
        std::vector<double> counts;
        double weight = 0.0;
        double sum = 0.0;  // Σ n_j log n_j
        std::size_t n_classes = 0;

        void set(std::size_t label, double count) noexcept {
            sum += x_log_x(count) - x_log_x(counts[label]);
            n_classes += (count > 0.0);
            n_classes -= (counts[label] > 0.0);
            weight += count - counts[label];
            counts[label] = count;
        }
        double information() const noexcept { return x_log_x(weight) - sum; }
    };

    const Line* line_;
    const Blocks* blocks_;
    std::size_t first_;
    std::size_t last_;
    const Limits* limits_;
    std::size_t at_;
    Side parent_;
    Side left_;
    Side right_;
};

}  // namespace partage
