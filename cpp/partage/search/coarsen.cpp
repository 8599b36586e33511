#include "partage/search/coarsen.hpp"

#include <algorithm>

namespace partage {
namespace {

/// What the sweep leaves, as a multiple of the target.
constexpr std::size_t surplus = 8;
/// Loss in nats above which the sweep opens a new block.
constexpr double clear_loss = 3.0;

/// Blocks with their dense rows, joined in place round by round.
class Rounds {
public:
    Rounds(CountedBlocks blocks, const PartitionCriterion& criterion)
        : criterion_(criterion),
          width_(blocks.rows.width()),
          rows_(std::move(blocks.rows)),
          end_(blocks.blocks.back()),
          starts_(std::move(blocks.blocks)),
          joined_(width_) {
        starts_.pop_back();
        for (std::size_t i = 0; i < starts_.size(); ++i)
            costs_.push_back(criterion.part(rows_.row(i)));
        losses_.resize(starts_.size() - 1);
        for (std::size_t i = 0; i < losses_.size(); ++i) losses_[i] = loss(i);
    }

    CountedBlocks join_to(std::size_t target, const Stop& stop) {
        while (starts_.size() > target) {
            stop.check();
            round(starts_.size() - target);
        }
        rows_.values().resize(starts_.size() * width_);
        starts_.push_back(end_);
        return {std::move(starts_), std::move(rows_)};
    }

private:
    double loss(std::size_t i) {
        const Numbers a = rows_[i];
        const Numbers b = rows_[i + 1];
        for (std::size_t j = 0; j < width_; ++j) joined_[j] = a[j] + b[j];
        return criterion_.part(rows_.layout().row(joined_)) - costs_[i] - costs_[i + 1];
    }

    /// Joins pairs whose loss is a local minimum and among the lower ones, `most` at the most.
    void round(std::size_t most) {
        const double limit = highest_loss_to_join(most);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < starts_.size(); ++kept) {
            const bool joins =
                i < losses_.size() && most > 0 && losses_[i] <= limit && is_lowest(i);
            const double own_cost = joins ? costs_[i] + costs_[i + 1] + losses_[i] : costs_[i];
            const std::size_t next = i + (joins ? 2 : 1);
            starts_[kept] = starts_[i];
            std::copy_n(rows_[i].begin(), width_, rows_[kept].begin());
            if (joins)
                for (std::size_t j = 0; j < width_; ++j) rows_[kept][j] += rows_[i + 1][j];
            most -= joins;
            costs_[kept] = own_cost;
            changed_.push_back(joins);
            if (next <= losses_.size()) fresh_.push_back(losses_[next - 1]);
            i = next;
        }
        starts_.resize(kept);
        costs_.resize(kept);
        losses_.assign(fresh_.begin(), fresh_.begin() + static_cast<std::ptrdiff_t>(kept - 1));
        for (std::size_t i = 0; i + 1 < kept; ++i)
            if (changed_[i] || changed_[i + 1]) losses_[i] = loss(i);
        fresh_.clear();
        changed_.clear();
    }

    bool is_lowest(std::size_t i) const noexcept {
        return (i == 0 || losses_[i] < losses_[i - 1]) &&
               (i + 1 == losses_.size() || losses_[i] <= losses_[i + 1]);
    }

    /// Only the lower three quarters of the local minima go in a round, so that high losses stay.
    double highest_loss_to_join(std::size_t most) {
        minima_.clear();
        for (std::size_t i = 0; i < losses_.size(); ++i)
            if (is_lowest(i)) minima_.push_back(losses_[i]);
        const std::size_t wanted = std::min(most, (3 * minima_.size() + 3) / 4);
        if (wanted == 0) return -infinite;
        auto nth = minima_.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
        std::nth_element(minima_.begin(), nth, minima_.end());
        return *nth;
    }

    const PartitionCriterion& criterion_;
    std::size_t width_;
    Rows rows_;
    Index end_;
    Blocks starts_;
    std::vector<double> costs_;
    std::vector<double> losses_;
    std::vector<double> fresh_;
    std::vector<char> changed_;
    std::vector<double> minima_;
    std::vector<double> joined_;
};

}  // namespace

CountedBlocks coarsen(const Line& line, const Blocks& blocks, const PartitionCriterion& criterion,
                      std::size_t target, const Stop& stop) {
    const std::size_t n_blocks = blocks.size() - 1;
    if (n_blocks <= target) return {blocks, block_rows(line, blocks)};
    if (n_blocks <= 2 * surplus * target)
        return Rounds({blocks, block_rows(line, blocks)}, criterion).join_to(target, stop);
    const double total = line.weight(0, line.n_entries());
    const double most = total / static_cast<double>(surplus * target);
    return Rounds(criterion.sweep(line, blocks, most, clear_loss, stop), criterion)
        .join_to(target, stop);
}

}  // namespace partage
