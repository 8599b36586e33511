#include "partage/search/focus.hpp"

#include <algorithm>

#include "partage/search/cut.hpp"
#include "partage/search/program/part_costs.hpp"
#include "partage/search/program/reversed.hpp"
#include "partage/search/proof/hull.hpp"

namespace partage {
namespace {

/// Tiles are opened in which a cut costs at most so much more than the best partition, as a share
/// of the price of a part.
constexpr double depth = 0.9;
/// Borders up to which programs at one more price cost little.
constexpr std::size_t few_borders = 1024;
/// Blocks from which on a tenth of the time of all else is as much as fewer tiles take.
constexpr std::size_t very_many_blocks = 200'000;

class Focus {
public:
    Focus(const Task& task, const Blocks& blocks, const CountedBlocks& tiles)
        : task_(task),
          criterion_(task.partition_criterion()),
          blocks_(blocks),
          tiles_(tiles),
          sums_(tiles.rows) {
        limits_.min_weight = task.limits.min_weight;
        firsts_ = places_of(tiles.blocks, blocks);
    }

    Blocks run(Blocks starts) {
        for (const Index unit : starts) {
            const auto at = std::lower_bound(tiles_.blocks.begin(), tiles_.blocks.end(), unit);
            cuts_.push_back(static_cast<std::size_t>(at - tiles_.blocks.begin()));
        }
        const double price = price_of(starts.size() - 1);
        if (!(price > 0.0)) return starts;
        add_candidates(price);
        return solve(std::move(starts));
    }

private:
    /// The slope of the structure at a number of parts.
    double price_of(std::size_t n_parts) const noexcept {
        if (n_parts == 1) return criterion_.structure(2) - criterion_.structure(1);
        return 0.5 * (criterion_.structure(n_parts + 1) - criterion_.structure(n_parts - 1));
    }

    /// Borders of tiles, and borders inside those that are opened.
    void add_candidates(double price) {
        const std::size_t n = sums_.n_blocks();
        const PartCosts costs(criterion_, sums_, limits_);
        const Cumulative reversed(reversed_rows(sums_));
        const PartCosts reversed_costs(criterion_, reversed, limits_);
        const std::vector<double> ahead = priced_values(price, costs, task_.stop).lowest;
        const std::vector<double> behind = priced_values(price, reversed_costs, task_.stop).lowest;
        std::vector<double> above(n + 1);
        for (std::size_t i = 0; i <= n; ++i) above[i] = ahead[i] + behind[n - i] - ahead[n];
        const double limit = std::min(depth * price, limit_of(above));
        const auto matters = [&](std::size_t border) { return above[border] < limit; };
        std::size_t part = 0;
        for (std::size_t tile = 0; tile < n; ++tile) {
            while (cuts_[part + 1] <= tile) ++part;
            if (matters(tile) || cuts_[part] == tile) add_border(firsts_[tile], sums_.before(tile));
            if (firsts_[tile + 1] - firsts_[tile] < 2 || !(matters(tile) || matters(tile + 1)))
                continue;
            if (sums_.layout().reads == Reads::counts && sums_.layout().n_numbers == 2)
                add_vertices(tile);
            else
                add_best_cuts(tile, part);
        }
        add_border(firsts_[n], sums_.before(n));
    }

    /// Leaves as many tiles open as the parts known need, more or less.
    double limit_of(std::vector<double> above) const {
        const std::size_t n_parts = cuts_.size() - 1;
        const std::size_t n_open = is_very_long() ? 16 + 6 * n_parts : 64 + 12 * n_parts;
        if (n_open >= above.size()) return infinite;
        const auto nth = above.begin() + static_cast<std::ptrdiff_t>(n_open);
        std::nth_element(above.begin(), nth, above.end());
        return *nth;
    }

    void add_border(std::size_t block, Numbers before) {
        candidates_.push_back(block);
        rows_.insert(rows_.end(), before.begin(), before.end());
    }

    /// Of two classes: where a single cut of the tile may be best (see `CutTree`).
    void add_vertices(std::size_t tile) {
        const std::size_t first = firsts_[tile];
        const std::size_t last = firsts_[tile + 1];
        points_.assign(sums_.before(tile).begin(), sums_.before(tile).end());
        for (std::size_t block = first; block < last; ++block) {
            points_.insert(points_.end(), {points_[points_.size() - 2], points_.back()});
            task_.line.add(entry(block), entry(block + 1),
                           {points_.data() + points_.size() - 2, 2});
        }
        const auto counts = [&](std::size_t i) { return points_.data() + 2 * i; };
        kept_.clear();
        for_each_vertex(0, last - first, chain_, counts,
                        [&](std::size_t i) { kept_.push_back(i); });
        sort_kept();
        for (const std::size_t i : kept_) add_border(first + i, {counts(i), 2});
    }

    /// Where a cut of the tile is best in a part, in it and one of its neighbours, or among the
    /// tiles around.
    void add_best_cuts(std::size_t tile, std::size_t part) {
        constexpr std::size_t short_tile = 64;  // to be walked through many times
        const std::size_t n = sums_.n_blocks();
        const std::size_t from = cuts_[part];
        const std::size_t to = cuts_[part + 1];
        kept_.clear();
        add_best_cut(tile, from, to);
        if (part > 0) add_best_cut(tile, cuts_[part - 1], to);
        if (to < n) add_best_cut(tile, from, cuts_[part + 2]);
        if (firsts_[tile + 1] - firsts_[tile] <= short_tile)
            for (const std::size_t around : {2, 8, 32}) {
                const std::size_t low = tile > around ? tile - around : 0;
                const std::size_t high = std::min(n, tile + 1 + around);
                add_best_cut(tile, low, high);
                add_best_cut(tile, from, high);
                add_best_cut(tile, low, to);
            }
        sort_kept();
        for (const std::size_t block : kept_) {
            points_.assign(sums_.before(tile).begin(), sums_.before(tile).end());
            task_.line.add(entry(firsts_[tile]), entry(block), points_);
            add_border(block, points_);
        }
    }

    /// Keeps the best cut inside a tile of the tiles [from, to).
    void add_best_cut(std::size_t tile, std::size_t from, std::size_t to) {
        std::vector<double> left(sums_.layout().n_numbers);
        std::vector<double> right(sums_.layout().n_numbers);
        sums_.subtract(from, tile, left);
        sums_.subtract(tile, to, right);
        const auto walk = criterion_.walk({task_.line, blocks_, firsts_[tile], firsts_[tile + 1],
                                           std::move(left), std::move(right)});
        Cut best;
        look(*walk, limits_, best);
        if (best.at != 0) kept_.push_back(best.at);
    }

    void sort_kept() {
        std::sort(kept_.begin(), kept_.end());
        kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
    }

    /// Programs over the candidates, at the price of the number of parts that was found last, and
    /// of more parts.
    Blocks solve(Blocks starts) {
        const Cumulative sums(rows_between());
        const PartCosts costs(criterion_, sums, limits_);
        double lowest = partition_cost(task_.line, criterion_, starts);
        std::size_t asked = starts.size() - 1;
        constexpr std::size_t most_turns = 5;
        for (std::size_t turn = 0; turn < most_turns; ++turn) {
            const std::size_t n_before = starts.size() - 1;
            const double price = price_of(asked);
            const PricedValues found = priced_values(price, costs, task_.stop);
            if (found.starts.empty()) break;
            const std::size_t n_found = found.starts.size() - 1;
            const double parts = found.lowest.back() - price * static_cast<double>(n_found);
            const double cost = criterion_.total(n_found, parts);
            if (is_lower(cost, lowest) && n_found <= task_.limits.most()) {
                lowest = cost;
                starts.clear();
                for (const std::size_t i : found.starts) starts.push_back(blocks_[candidates_[i]]);
            }
            const std::size_t n_parts = starts.size() - 1;
            if (asked == n_parts && candidates_.size() <= few_borders && !is_very_long())
                asked = n_parts + (n_parts + 2) / 3;
            else if (n_parts != n_before && n_parts != asked)
                asked = n_parts;
            else
                break;
        }
        return starts;
    }

    Rows rows_between() const {
        const std::size_t width = sums_.layout().n_numbers;
        Rows rows(candidates_.size() - 1, sums_.layout());
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = 0; j < width; ++j)
                rows[i][j] = rows_[(i + 1) * width + j] - rows_[i * width + j];
        return rows;
    }

    bool is_very_long() const noexcept { return blocks_.size() > very_many_blocks; }
    std::size_t entry(std::size_t block) const noexcept {
        return task_.line.starts[blocks_[block]];
    }

    const Task& task_;
    const PartitionCriterion& criterion_;
    const Blocks& blocks_;
    const CountedBlocks& tiles_;
    Cumulative sums_;  // of the tiles
    Limits limits_;
    std::vector<std::size_t> firsts_;      // first block of each tile, then the number of blocks
    std::vector<std::size_t> cuts_;        // tiles at which the parts known start
    std::vector<std::size_t> candidates_;  // blocks
    std::vector<double> rows_;             // before each of them
    std::vector<double> points_;
    std::vector<std::size_t> chain_;
    std::vector<std::size_t> kept_;
};

}  // namespace

bool can_focus(const Task& task, const Blocks& blocks, const CountedBlocks& tiles) {
    return task.limits.is_plain() && task.limits.n_parts == 0 &&
           task.partition_criterion().growth() != Growth::other &&
           tiles.blocks.size() < blocks.size();
}

Blocks focus(const Task& task, const Blocks& blocks, const CountedBlocks& tiles, Blocks starts) {
    return Focus(task, blocks, tiles).run(std::move(starts));
}

}  // namespace partage
