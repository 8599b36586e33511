#include <algorithm>

#include "partage/search/coarsen.hpp"
#include "partage/search/focus.hpp"
#include "partage/search/on_blocks.hpp"
#include "partage/search/program/program.hpp"
#include "partage/search/refine.hpp"
#include "partage/search/task.hpp"
#include "partage/search/trend/trend_coarse.hpp"

namespace partage {
namespace {

/// Blocks of the coarse program: a column of few runs keeps most of them, a longer one has as many
/// as take about as long as reading its rows.
std::size_t coarse_size(const Task& task, std::size_t n_blocks) {
    constexpr std::size_t most = 1024;
    // Rows, not entries: counts of repeated values must be handled like the rows themselves.
    const double fair =
        task.problem.n_samples / (5.0 * (static_cast<double>(task.line.layout().n_numbers) + 1.0));
    const double size = n_blocks <= 2 * most ? most : std::clamp(fair, most / 4.0, 1.0 * most);
    // A given number of parts needs room to move.
    return std::max(static_cast<std::size_t>(size), 4 * task.limits.n_parts);
}

Found run_coarse(const Task& task) { return coarse_on(task, starting_blocks(task)); }

}  // namespace

/// Joins runs to a few hundred blocks, solves these exactly, then moves, joins and splits at full
/// resolution.
Found coarse_on(const Task& task, const Blocks& blocks) {
    if (!task.limits.is_plain()) return zoom(task);
    const PartitionCriterion& criterion = task.partition_criterion();
    const CountedBlocks tiles =
        coarsen(task.line, blocks, criterion, coarse_size(task, blocks.size() - 1), task.stop);
    const Cumulative sums(tiles.rows);
    const Program best = best_partition(criterion, sums, task.limits, task.stop);
    Blocks starts;
    for (const std::size_t start : best.starts) starts.push_back(tiles.blocks[start]);
    if (can_focus(task, blocks, tiles)) starts = focus(task, blocks, tiles, std::move(starts));
    return {refine(task, blocks, tiles, std::move(starts)), false};
}

extern const SearchEntry coarse{"coarse", "exact over joined runs, then refined at full resolution",
                                run_coarse};

}  // namespace partage
