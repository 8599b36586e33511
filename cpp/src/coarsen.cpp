#include "partage/coarsen.hpp"

#include <algorithm>
#include <limits>

namespace partage {
namespace {

/// Counts in a chunk: half a megabyte, so that its rounds stay in the cache.
constexpr std::size_t cells_in_chunk = std::size_t{1} << 16;
/// What the chunks leave, as a multiple of the target.
constexpr std::size_t surplus = 8;

/// A stretch of blocks with their rows, joined in place round by round.
class Chunk {
public:
    Chunk(const Line& line, std::span<const Index> blocks, const PartitionCriterion& criterion)
        : criterion_(criterion), n_classes_(line.n_classes),
          starts_(blocks.begin(), blocks.end() - 1), rows_(starts_.size() * n_classes_, 0.0),
          costs_(starts_.size()), joined_(n_classes_) {
        for (std::size_t i = 0; i < starts_.size(); ++i) {
            line.add(line.starts[blocks[i]], line.starts[blocks[i + 1]], row(i));
            costs_[i] = criterion.part(row(i));
        }
    }

    void join_to(std::size_t target, const Stop& stop) {
        while (starts_.size() > target) {
            stop.check();
            const std::size_t before = starts_.size();
            round(before - target);
            if (starts_.size() == before) break;
        }
    }

    const std::vector<Index>& starts() const noexcept { return starts_; }

private:
    std::span<double> row(std::size_t i) noexcept {
        return {rows_.data() + i * n_classes_, n_classes_};
    }

    /// Joins the pairs whose loss is a local minimum, `most` of them at the most.
    void round(std::size_t most) {
        const std::size_t n_borders = starts_.size() - 1;
        losses_.resize(n_borders);
        for (std::size_t i = 0; i < n_borders; ++i) {
            const double* a = rows_.data() + i * n_classes_;
            for (std::size_t j = 0; j < n_classes_; ++j) joined_[j] = a[j] + a[n_classes_ + j];
            losses_[i] = criterion_.part(joined_) - costs_[i] - costs_[i + 1];
        }
        const double limit = highest_loss_to_join(most);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < starts_.size(); ++kept) {
            const bool joins = i < n_borders && most > 0 && losses_[i] <= limit && is_lowest(i);
            starts_[kept] = starts_[i];
            move_row(i, kept);
            costs_[kept] = costs_[i];
            if (joins) {
                for (std::size_t j = 0; j < n_classes_; ++j) row(kept)[j] += row(i + 1)[j];
                costs_[kept] += costs_[i + 1] + losses_[i];
                --most;
            }
            i += joins ? 2 : 1;
        }
        starts_.resize(kept);
        rows_.resize(kept * n_classes_);
        costs_.resize(kept);
    }

    bool is_lowest(std::size_t i) const noexcept {
        return (i == 0 || losses_[i] < losses_[i - 1]) &&
               (i + 1 == losses_.size() || losses_[i] <= losses_[i + 1]);
    }

    /// In the last rounds only the lower half of the local minima goes, so that high losses stay.
    double highest_loss_to_join(std::size_t most) {
        minima_.clear();
        for (std::size_t i = 0; i < losses_.size(); ++i)
            if (is_lowest(i)) minima_.push_back(losses_[i]);
        const std::size_t wanted = std::min(most, (minima_.size() + 1) / 2 + minima_.size() / 4);
        if (wanted == 0) return -std::numeric_limits<double>::infinity();
        auto nth = minima_.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
        std::nth_element(minima_.begin(), nth, minima_.end());
        return *nth;
    }

    void move_row(std::size_t from, std::size_t to) noexcept {
        if (from == to) return;
        std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(from * n_classes_), n_classes_,
                    rows_.begin() + static_cast<std::ptrdiff_t>(to * n_classes_));
    }

    const PartitionCriterion& criterion_;
    std::size_t n_classes_;
    std::vector<Index> starts_;
    std::vector<double> rows_;
    std::vector<double> costs_;
    std::vector<double> losses_;
    std::vector<double> minima_;
    std::vector<double> joined_;
};

}  // namespace

Blocks coarsen(const Line& line, Blocks blocks, const PartitionCriterion& criterion,
               std::size_t target, const Stop& stop) {
    const std::size_t in_chunk =
        std::max<std::size_t>(cells_in_chunk / line.n_classes, 4 * surplus);
    while (blocks.size() - 1 > target) {
        const std::size_t n_blocks = blocks.size() - 1;
        const bool is_last = n_blocks <= std::max(in_chunk, 2 * surplus * target);
        const std::size_t step = is_last ? n_blocks : in_chunk;
        const double share =
            static_cast<double>(is_last ? target : surplus * target) / static_cast<double>(n_blocks);
        Blocks joined;
        for (std::size_t first = 0; first < n_blocks; first += step) {
            const std::size_t size = std::min(step, n_blocks - first);
            Chunk chunk(line, std::span(blocks).subspan(first, size + 1), criterion);
            const double quota = share * static_cast<double>(size);
            chunk.join_to(std::max<std::size_t>(static_cast<std::size_t>(quota + 0.5), 1), stop);
            joined.insert(joined.end(), chunk.starts().begin(), chunk.starts().end());
        }
        joined.push_back(blocks.back());
        blocks = std::move(joined);
        if (is_last) break;
    }
    return blocks;
}

}  // namespace partage
