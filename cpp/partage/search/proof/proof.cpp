#include "partage/search/proof/proof.hpp"

#include <algorithm>
#include <optional>

#include "partage/search/program/part_costs.hpp"
#include "partage/search/program/tangents.hpp"
#include "partage/search/proof/cut_tree.hpp"

namespace partage {
namespace {

/// The tiles of a line and the program over their vertices.
class TiledProgram {
public:
    TiledProgram(const Task& task, const Cumulative& sums, const CutTree& tree, std::size_t level,
                 double most_work)
        : criterion_(task.partition_criterion()),
          stop_(task.stop),
          sums_(sums),
          tree_(tree),
          work_left_(most_work) {
        for (std::size_t node = 0; node < tree.n_nodes(level); ++node)
            tiles_.push_back({level, node, false});
        join();
    }

    double relaxed(double price) const noexcept { return tree_.relaxed(price); }

    /// The lowest Σ part + price K; or, where tiles are cut more often, a bound of it. Tiles are
    /// divided until none is, or until the bound is enough.
    Priced solve(double price, double enough) {
        for (;;) {
            for (std::size_t i = 0; i < tiles_.size(); ++i)
                bridges_[i].cost = cost_of_cuts(tiles_[i], price);
            const PartCosts costs(criterion_, *program_sums_, limits_);
            work_left_ -= static_cast<double>(borders_.size());
            BridgedValue found = bridged_value(price, costs, stop_, bridges_);
            for (std::size_t& start : found.starts) start = borders_[start];
            if (found.used.empty() || found.value >= enough || work_left_ < 0.0)
                return {found.value, std::move(found.starts), {}};
            divide(found.used);
        }
    }

private:
    struct Tile {
        std::size_t level;
        std::size_t node;
        bool is_open;  // a leaf, all of whose borders are in the program
    };

    double cost_of_cuts(Tile tile, double price) const noexcept {
        return tile.is_open ? infinite : tree_.more_cuts(tile.level, tile.node, price);
    }

    /// Divides tiles, given from the last one on.
    void divide(const std::vector<std::size_t>& which) {
        std::vector<Tile> found;
        auto next = which.rbegin();
        for (std::size_t i = 0; i < tiles_.size(); ++i) {
            if (next == which.rend() || *next != i) {
                found.push_back(tiles_[i]);
                continue;
            }
            ++next;
            const auto [level, node, is_open] = tiles_[i];
            if (level == 0) {
                found.push_back({0, node, true});
                continue;
            }
            const std::size_t end =
                std::min(CutTree::in_node * (node + 1), tree_.n_nodes(level - 1));
            for (std::size_t child = CutTree::in_node * node; child < end; ++child)
                found.push_back({level - 1, child, false});
        }
        tiles_ = std::move(found);
        join();
    }

    /// The borders of all tiles, and the rows between them.
    void join() {
        borders_.assign(1, 0);
        bridges_.clear();
        for (const Tile& tile : tiles_) {
            const std::size_t from = borders_.size() - 1;
            const std::size_t first = tree_.first(tile.level, tile.node);
            const std::size_t last = tree_.last(tile.level, tile.node);
            if (tile.is_open) {
                for (std::size_t i = first + 1; i <= last; ++i) borders_.push_back(i);
            } else {
                const auto own = tree_.vertices(tile.level, tile.node);
                borders_.insert(borders_.end(), own.begin() + 1, own.end());
            }
            bridges_.push_back({from, borders_.size() - 1, infinite});
        }
        Rows rows(borders_.size() - 1, sums_.layout());
        for (std::size_t i = 0; i + 1 < borders_.size(); ++i)
            sums_.subtract(borders_[i], borders_[i + 1], rows[i]);
        program_sums_.emplace(rows);
    }

    const PartitionCriterion& criterion_;
    const Stop& stop_;
    const Cumulative& sums_;
    const CutTree& tree_;
    double work_left_;
    Limits limits_;
    std::vector<Tile> tiles_;
    std::vector<std::size_t> borders_;  // blocks
    std::vector<Bridge> bridges_;
    std::optional<Cumulative> program_sums_;
};

}  // namespace

bool can_prove(const Task& task) {
    const PartitionCriterion& criterion = task.partition_criterion();
    const Layout layout = task.line.layout();
    if (layout.reads != Reads::counts || layout.n_numbers != 2) return false;
    const std::vector<double> nothing(layout.n_numbers, 0.0);
    return task.limits.is_plain() && task.limits.n_parts == 0 && task.limits.min_weight == 0.0 &&
           criterion.is_concave() && criterion.growth() != Growth::other &&
           criterion.least_growth(layout.row(nothing)) > -infinite;
}

Proof prove(const Task& task, const Blocks& blocks, double most_work) {
    const PartitionCriterion& criterion = task.partition_criterion();
    const Cumulative sums(block_rows(task.line, blocks));
    const std::size_t n = sums.n_blocks();
    // The slope of the structure at some ten parts; and lower ones, at which a bound of every node
    // apart excludes numbers of parts that are far too high.
    const double slope = criterion.structure(2) - criterion.structure(1);
    const double top = slope > 5.0 ? slope - 2.5 : 0.5 * slope;
    const double unit = std::min(1.0, top / 6.0);
    const CutTree tree(
        criterion, sums,
        {1.2 * unit, 2.0 * unit, 3.0 * unit, 4.2 * unit, 0.5 * (4.2 * unit + top), top}, task.stop);
    constexpr std::size_t most_tiles = 64;
    std::size_t level = 0;
    while (level + 1 < tree.n_levels() && tree.n_nodes(level) > most_tiles) ++level;
    TiledProgram program(task, sums, tree, level, most_work);
    TangentSearch search(criterion, n, program);
    const double whole = criterion.part(sums.layout().row(sums.before(n)));
    search.offer({{0, n}, criterion.total(1, whole)});
    const Program best = *search.run();
    Proof found;
    for (const std::size_t start : best.starts) found.starts.push_back(blocks[start]);
    found.cost = best.cost;
    found.floor = best.least;
    found.is_optimal = !is_lower(best.least, best.cost);
    return found;
}

}  // namespace partage
