#include <algorithm>

#include "partage/coarsen.hpp"
#include "partage/program.hpp"
#include "partage/refine.hpp"
#include "partage/search.hpp"

namespace partage {
namespace {

/// Borders of the coarse program, so that its part costs take about as long as the sorting.
std::size_t coarse_size(const Task& task) {
    const double n_classes = static_cast<double>(task.line.n_classes);
    const double n = static_cast<double>(task.line.n_entries());
    std::size_t size = n < 30000 ? 512 : 1024;
    if (n_classes > 16) size /= 2;
    // A given number of parts needs room to move.
    const std::size_t asked = task.limits.n_parts > 0 ? 4 * task.limits.n_parts : 0;
    return std::max(size, asked);
}

/// Joins runs to some hundred blocks, solves these exactly, then moves, joins and splits at full
/// resolution.
Found run_coarse(const Task& task) {
    const Blocks blocks = starting_blocks(task);
    const PartitionCriterion& criterion = task.partition_criterion();
    const CountedBlocks tiles = coarsen(task.line, blocks, criterion, coarse_size(task), task.stop);
    const Cumulative sums(tiles.rows);
    const Program best = best_partition(criterion, sums, task.limits, task.stop);
    Blocks starts;
    for (const std::size_t start : best.starts) starts.push_back(tiles.blocks[start]);
    return {refine(task, blocks, tiles, std::move(starts)), false};
}

}  // namespace

extern const SearchEntry coarse{
    "coarse", "exact over joined runs, then refined at full resolution", run_coarse};

}  // namespace partage
