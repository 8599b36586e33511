#include "partage/search/coarsen.hpp"

#include <algorithm>
#include <cstdint>

namespace partage {
namespace {

/// What the sweep leaves, as a multiple of the target.
constexpr std::size_t surplus = 8;
/// Loss in nats above which the sweep opens a new block.
constexpr double clear_loss = 3.0;

/// Blocks with their dense rows, joined in place round by round. Which pairs join follows no
/// pattern, so the loops choose without branches.
class Rounds {
public:
    Rounds(CountedBlocks blocks, const PartitionCriterion& criterion)
        : criterion_(criterion),
          width_(blocks.rows.width()),
          rows_(std::move(blocks.rows)),
          end_(blocks.blocks.back()),
          starts_(std::move(blocks.blocks)) {
        starts_.pop_back();
        const std::size_t n = starts_.size();
        costs_.resize(n);
        losses_.resize(n);
        joins_.resize(n);
        changed_.resize(n);
        minima_.resize(n);
        together_.resize(n);
        fresh_.resize(n);
        for (std::size_t i = 0; i < n; ++i) costs_[i] = criterion.part(rows_.row(i));
        for (std::size_t i = 0; i + 1 < n; ++i) fresh_[i] = static_cast<Index>(i);
        measure(n - 1);
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
    /// Finds what joining the first `n` fresh blocks to those behind them loses.
    void measure(std::size_t n) {
        criterion_.joined_parts(rows_, {fresh_.data(), n}, together_.data());
        for (std::size_t f = 0; f < n; ++f) {
            const Index i = fresh_[f];
            losses_[i] = together_[f] - costs_[i] - costs_[i + 1];
        }
    }

    /// Joins pairs whose loss is a local minimum and among the lower ones, `most` at the most.
    void round(std::size_t most) {
        choose(most);
        const std::size_t n = starts_.size();
        double* const rows = rows_.values().data();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < n; ++kept) {
            const bool joins = joins_[i] != 0;
            const std::size_t other = i + joins;  // itself where it stays alone
            const double own_cost = joins ? costs_[i] + costs_[other] + losses_[i] : costs_[i];
            for (std::size_t j = 0; j < width_; ++j) {
                const double sum = rows[i * width_ + j] + rows[other * width_ + j];
                rows[kept * width_ + j] = joins ? sum : rows[i * width_ + j];
            }
            starts_[kept] = starts_[i];
            costs_[kept] = own_cost;
            changed_[kept] = joins;
            losses_[kept] = losses_[other];
            i = other + 1;
        }
        starts_.resize(kept);
        std::size_t n_fresh = 0;
        for (std::size_t i = 0; i + 1 < kept; ++i) {
            fresh_[n_fresh] = static_cast<Index>(i);
            n_fresh += (changed_[i] | changed_[i + 1]) != 0;
        }
        measure(n_fresh);
    }

    /// Marks the pairs to join. Only the lower three quarters of the local minima go in a round, so
    /// that high losses stay.
    void choose(std::size_t most) {
        const std::size_t n_pairs = starts_.size() - 1;
        std::size_t n_minima = 0;
        for (std::size_t i = 0; i < n_pairs; ++i) {
            joins_[i] = is_lowest(i, n_pairs);
            minima_[n_minima] = losses_[i];
            n_minima += joins_[i];
        }
        joins_[n_pairs] = 0;
        const std::size_t wanted = std::min(most, (3 * n_minima + 3) / 4);
        double limit = -infinite;
        if (wanted > 0) {
            const auto nth = minima_.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
            std::nth_element(minima_.begin(), nth,
                             minima_.begin() + static_cast<std::ptrdiff_t>(n_minima));
            limit = *nth;
        }
        for (std::size_t i = 0; i < n_pairs; ++i) {
            joins_[i] = joins_[i] & (most > 0) & (losses_[i] <= limit);
            most -= joins_[i];
        }
    }

    std::uint8_t is_lowest(std::size_t i, std::size_t n_pairs) const noexcept {
        const bool is_below = i == 0 || losses_[i] < losses_[i - 1];
        const bool is_not_above = i + 1 == n_pairs || losses_[i] <= losses_[i + 1];
        return is_below & is_not_above;
    }

    const PartitionCriterion& criterion_;
    std::size_t width_;
    Rows rows_;
    Index end_;
    Blocks starts_;
    std::vector<double> costs_;
    std::vector<double> losses_;         // of joining each block to the one behind it
    std::vector<std::uint8_t> joins_;    // whether it does
    std::vector<std::uint8_t> changed_;  // whether it was joined in this round
    std::vector<double> minima_;
    std::vector<double> together_;
    std::vector<Index> fresh_;  // blocks whose loss is not known
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
