#include "partage/search/refine.hpp"

#include <algorithm>
#include <cmath>

#include "partage/search/cut.hpp"

namespace partage {
namespace {

/// Blocks under tiles. Inside a tile the counts left of a cut stay within a band around the
/// straight line from its first border to its last, from which a criterion may bound the cost of
/// every cut.
class Tiling {
public:
    Tiling(const Line& line, const Blocks& blocks, const CountedBlocks& tiles,
           const PartitionCriterion& criterion, const Limits& limits)
        : line_(line),
          blocks_(blocks),
          criterion_(criterion),
          limits_(limits),
          layout_(line.layout()),
          sums_(tiles.rows),
          low_(0, layout_),
          high_(0, layout_) {
        tiles_ = places_of(tiles.blocks, blocks);
        if (criterion.has_bounds()) measure_bands();
    }

    std::size_t n_blocks() const noexcept { return blocks_.size() - 1; }

    /// Class counts before a block.
    std::vector<double> before(std::size_t block) const {
        const std::size_t tile = tile_of(block);
        std::vector<double> row(sums_.before(tile).begin(), sums_.before(tile).end());
        line_.add(entry(tiles_[tile]), entry(block), row);
        return row;
    }

    double part_cost(Numbers first, Numbers last) const {
        return criterion_.part_between(layout_, first, last);
    }

    /// The best cut strictly inside the blocks (first, last), whose cumulative rows are given, if
    /// it costs less than `ceiling`.
    Cut best_cut(std::size_t first, std::size_t last, Numbers first_row, Numbers last_row,
                 double ceiling) const {
        Cut best{0, ceiling};
        const std::size_t begin = tile_of(first);
        const std::size_t end = tile_of(last - 1) + 1;
        for (std::size_t tile = begin; tile < end; ++tile) {
            if (has_bands_ && !is_lower(bound(tile, first_row, last_row), best.cost)) continue;
            const std::size_t from = std::max(tiles_[tile], first);
            const std::size_t to = std::min(tiles_[tile + 1], last);
            if (from > first) look_at_border(tile, first_row, last_row, best);
            if (to - from > 1) look_inside(from, to, first_row, last_row, best);
        }
        return best;
    }

private:
    std::size_t entry(std::size_t block) const noexcept { return line_.starts[blocks_[block]]; }

    std::size_t tile_of(std::size_t block) const noexcept {
        const auto above = std::upper_bound(tiles_.begin(), tiles_.end() - 1, block);
        return static_cast<std::size_t>(above - tiles_.begin()) - 1;
    }

    void look_at_border(std::size_t tile, Numbers first_row, Numbers last_row, Cut& best) const {
        const Numbers row = sums_.before(tile);
        const double left = sums_.weight_before(tile) - layout_.weight(first_row);
        const double right = layout_.weight(last_row) - sums_.weight_before(tile);
        if (!limits_.allows(left) || !limits_.allows(right)) return;
        best.consider(tiles_[tile], part_cost(first_row, row) + part_cost(row, last_row));
    }

    void look_inside(std::size_t from, std::size_t to, Numbers first_row, Numbers last_row,
                     Cut& best) const {
        std::vector<double> left = before(from);
        std::vector<double> right(left.size());
        for (std::size_t j = 0; j < left.size(); ++j) {
            right[j] = last_row[j] - left[j];
            left[j] -= first_row[j];
        }
        const auto walk =
            criterion_.walk({line_, blocks_, from, to, std::move(left), std::move(right)});
        look(*walk, limits_, best);
    }

    /// Farthest excursions of each class count from the straight line, tile by tile.
    void measure_bands() {
        has_bands_ = true;
        corners_.resize(2 * layout_.n_numbers);
        const std::size_t n_tiles = tiles_.size() - 1;
        low_ = Rows(n_tiles, layout_);
        high_ = Rows(n_tiles, layout_);
        std::vector<double> shares(layout_.n_numbers);
        std::vector<double> counts(layout_.n_numbers);
        for (std::size_t tile = 0; tile < n_tiles; ++tile) {
            sums_.subtract(tile, tile + 1, shares);
            const double n = layout_.weight(shares);
            for (double& share : shares) share /= n;
            std::fill(counts.begin(), counts.end(), 0.0);
            double position = 0.0;
            const std::span<double> low = low_[tile];
            const std::span<double> high = high_[tile];
            if (line_.n_amounts > 0) {
                measure_amounts(tile, shares, low, high);
                continue;
            }
            // A count falls behind its line until its class comes, and is ahead just after.
            for (std::size_t block = tiles_[tile]; block < tiles_[tile + 1]; ++block)
                for_each_class(line_, entry(block), entry(block + 1),
                               [&](Code code, double amount) {
                                   const double behind = counts[code] - shares[code] * position;
                                   counts[code] += amount;
                                   position += amount;
                                   const double ahead = counts[code] - shares[code] * position;
                                   low[code] = std::min(low[code], behind);
                                   high[code] = std::max(high[code], ahead);
                               });
            // Wider bands of whole numbers stay valid, and whole counts are looked up in a table.
            for (std::size_t j = 0; j < counts.size(); ++j) {
                low[j] = std::floor(std::min(low[j], counts[j] - shares[j] * position));
                high[j] = std::ceil(high[j]);
            }
        }
    }

    /// The same of amounts, of which the first is the weight.
    void measure_amounts(std::size_t tile, Numbers shares, std::span<double> low,
                         std::span<double> high) const {
        for (std::size_t j = 1; j < shares.size(); ++j) {
            double weight = 0.0;
            double sum = 0.0;
            double least = 0.0;
            double most = 0.0;
            for (std::size_t block = tiles_[tile]; block + 1 < tiles_[tile + 1]; ++block) {
                for (std::size_t i = entry(block); i < entry(block + 1); ++i) {
                    const double* amounts = line_.amounts_of(i);
                    weight += amounts[0];
                    sum += amounts[j];
                }
                const double away = sum - shares[j] * weight;
                least = std::min(least, away);
                most = std::max(most, away);
            }
            low[j] = least;
            high[j] = most;
        }
    }

    /// Lower bound of the cost of every cut inside a tile.
    double bound(std::size_t tile, Numbers first_row, Numbers last_row) const noexcept {
        return std::min(bound_at(tile, tile, first_row, last_row),
                        bound_at(tile, tile + 1, first_row, last_row));
    }

    /// The same from the band at one border of the tile.
    double bound_at(std::size_t tile, std::size_t border, Numbers first_row,
                    Numbers last_row) const noexcept {
        const double before = sums_.weight_before(border);
        return criterion_.bound(
            {sums_.before(border), low_[tile], high_[tile], first_row, last_row,
             before - layout_.weight(first_row), layout_.weight(last_row) - before},
            corners_);
    }

    const Line& line_;
    const Blocks& blocks_;
    const PartitionCriterion& criterion_;
    const Limits& limits_;
    Layout layout_;
    std::vector<std::size_t> tiles_;  // first block of each tile, then the number of blocks
    Cumulative sums_;
    bool has_bands_ = false;
    Rows low_;
    Rows high_;
    mutable std::vector<double> corners_;
};

/// The parts of a partition under improvement; a part that changed is looked at again.
class Improver {
public:
    Improver(const Task& task, const Tiling& tiling, std::vector<std::size_t> cuts)
        : task_(task),
          criterion_(task.partition_criterion()),
          tiling_(tiling),
          cuts_(std::move(cuts)) {
        for (const std::size_t cut : cuts_) rows_.push_back(tiling.before(cut));
        for (std::size_t k = 0; k + 1 < cuts_.size(); ++k)
            costs_.push_back(tiling.part_cost(rows_[k], rows_[k + 1]));
        fresh_.assign(costs_.size(), true);
        split_tried_.assign(costs_.size(), false);
        fuse_tried_.assign(costs_.size(), false);
    }

    std::vector<std::size_t> run() {
        for (bool improved = true; improved;) {
            task_.stop.check();
            improved = move_cuts();
            if (task_.limits.n_parts > 0) continue;
            improved |= join_parts();
            improved |= fuse_cuts();
            improved |= split_parts();
        }
        return cuts_;
    }

private:
    std::size_t n_parts() const noexcept { return costs_.size(); }
    double parts() const noexcept {
        double sum = 0.0;
        for (const double cost : costs_) sum += cost;
        return sum;
    }
    double cost() const noexcept { return criterion_.total(n_parts(), parts()); }

    bool move_cuts() {
        bool moved = false;
        std::vector<bool> open = std::move(fresh_);
        fresh_.assign(n_parts(), false);
        for (std::size_t k = 1; k < n_parts(); ++k) {
            if (!open[k - 1] && !open[k] && !fresh_[k - 1]) continue;
            const Cut cut = tiling_.best_cut(cuts_[k - 1], cuts_[k + 1], rows_[k - 1], rows_[k + 1],
                                             costs_[k - 1] + costs_[k]);
            if (cut.at == 0 || cut.at == cuts_[k]) continue;
            if (!is_improvement(n_parts(), parts() - costs_[k - 1] - costs_[k] + cut.cost))
                continue;
            place_cut(k, cut.at);
            moved = true;
        }
        return moved;
    }

    bool join_parts() {
        bool joined = false;
        while (n_parts() > 1) {
            std::size_t best = 0;
            double lowest = infinite;
            for (std::size_t k = 1; k < n_parts(); ++k) {
                const double together = tiling_.part_cost(rows_[k - 1], rows_[k + 1]);
                const double total =
                    criterion_.total(n_parts() - 1, parts() - costs_[k - 1] - costs_[k] + together);
                if (!(total < lowest)) continue;
                lowest = total;
                best = k;
            }
            if (is_lower(cost(), lowest)) break;
            erase_cut(best);
            joined = true;
        }
        return joined;
    }

    /// Two neighbouring cuts become one where it lies best.
    bool fuse_cuts() {
        bool fused = false;
        for (std::size_t k = 1; k + 1 < n_parts(); ++k) {
            if (fuse_tried_[k]) continue;
            fuse_tried_[k] = true;
            const double three = costs_[k - 1] + costs_[k] + costs_[k + 1];
            const Cut cut = tiling_.best_cut(cuts_[k - 1], cuts_[k + 2], rows_[k - 1], rows_[k + 2],
                                             ceiling_of_fusion(three));
            if (cut.at == 0) continue;
            if (!is_improvement(n_parts() - 1, parts() - three + cut.cost)) continue;
            erase_cut(k + 1);
            place_cut(k, cut.at);
            fused = true;
        }
        return fused;
    }

    void place_cut(std::size_t k, std::size_t at) {
        cuts_[k] = at;
        rows_[k] = tiling_.before(at);
        update(k - 1);
        update(k);
    }

    double ceiling_of_fusion(double three) const noexcept {
        if (criterion_.growth() == Growth::other) return infinite;
        return three + (criterion_.structure(n_parts()) - criterion_.structure(n_parts() - 1));
    }

    bool split_parts() {
        bool split = false;
        for (std::size_t k = 0; k < n_parts() && n_parts() < task_.limits.most(); ++k) {
            if (split_tried_[k] || cuts_[k + 1] - cuts_[k] < 2) continue;
            split_tried_[k] = true;
            const Cut cut = tiling_.best_cut(cuts_[k], cuts_[k + 1], rows_[k], rows_[k + 1],
                                             ceiling_of_split(k));
            if (cut.at == 0) continue;
            if (!is_improvement(n_parts() + 1, parts() - costs_[k] + cut.cost)) continue;
            insert_cut(k, cut.at);
            split = true;
        }
        return split;
    }

    /// Both sides of a split of part k must cost less than this to pay.
    double ceiling_of_split(std::size_t k) const noexcept {
        if (criterion_.growth() == Growth::other) return infinite;
        return costs_[k] - (criterion_.structure(n_parts() + 1) - criterion_.structure(n_parts()));
    }

    bool is_improvement(std::size_t n_parts, double parts) const noexcept {
        return is_lower(criterion_.total(n_parts, parts), cost());
    }

    void update(std::size_t k) {
        costs_[k] = tiling_.part_cost(rows_[k], rows_[k + 1]);
        fresh_[k] = true;
        split_tried_[k] = false;
        for (std::size_t i = k == 0 ? 0 : k - 1; i < std::min(k + 2, n_parts()); ++i)
            fuse_tried_[i] = false;
    }

    void erase_cut(std::size_t k) {
        const auto at = static_cast<std::ptrdiff_t>(k);
        cuts_.erase(cuts_.begin() + at);
        rows_.erase(rows_.begin() + at);
        costs_.erase(costs_.begin() + at);
        fresh_.erase(fresh_.begin() + at);
        split_tried_.erase(split_tried_.begin() + at);
        fuse_tried_.erase(fuse_tried_.begin() + at);
        update(k - 1);
    }

    void insert_cut(std::size_t k, std::size_t block) {
        const auto at = static_cast<std::ptrdiff_t>(k + 1);
        cuts_.insert(cuts_.begin() + at, block);
        rows_.insert(rows_.begin() + at, tiling_.before(block));
        costs_.insert(costs_.begin() + at, 0.0);
        fresh_.insert(fresh_.begin() + at, true);
        split_tried_.insert(split_tried_.begin() + at, false);
        fuse_tried_.insert(fuse_tried_.begin() + at, false);
        update(k);
        update(k + 1);
    }

    const Task& task_;
    const PartitionCriterion& criterion_;
    const Tiling& tiling_;
    std::vector<std::size_t> cuts_;  // first block of each part, then the number of blocks
    std::vector<std::vector<double>> rows_;
    std::vector<double> costs_;
    std::vector<bool> fresh_;  // changed since its cuts were last moved
    std::vector<bool> split_tried_;
    std::vector<bool> fuse_tried_;
};

}  // namespace

Blocks refine(const Task& task, const Blocks& blocks, const CountedBlocks& tiles, Blocks starts) {
    const Tiling tiling(task.line, blocks, tiles, task.partition_criterion(), task.limits);
    const std::vector<std::size_t> cuts = Improver(task, tiling, places_of(starts, blocks)).run();
    starts.clear();
    for (const std::size_t cut : cuts) starts.push_back(blocks[cut]);
    return starts;
}

}  // namespace partage
