#include <algorithm>

#include "partage/coarsen.hpp"
#include "partage/program.hpp"
#include "partage/refine.hpp"
#include "partage/search.hpp"

namespace partage {
namespace {

/// Blocks of the coarse program: a column of few runs keeps most of them, a longer one has as many
/// as take about as long as reading its rows.
std::size_t coarse_size(const Task& task, std::size_t n_blocks) {
    constexpr std::size_t most = 1024;
    const std::size_t fair = task.line.n_entries() / (5 * (task.line.n_classes + 1));
    const std::size_t size =
        n_blocks <= 2 * most ? most : std::clamp<std::size_t>(fair, most / 4, most);
    // A given number of parts needs room to move.
    return std::max(size, 4 * task.limits.n_parts);
}

/// Joins runs to some hundred blocks, solves these exactly, then moves, joins and splits at full
/// resolution.
Found run_coarse(const Task& task) {
    const Blocks blocks = starting_blocks(task);
    const PartitionCriterion& criterion = task.partition_criterion();
    const CountedBlocks tiles =
        coarsen(task.line, blocks, criterion, coarse_size(task, blocks.size() - 1), task.stop);
    const Cumulative sums(tiles.rows);
    const Program best = best_partition(criterion, sums, task.limits, task.stop);
    Blocks starts;
    for (const std::size_t start : best.starts) starts.push_back(tiles.blocks[start]);
    return {refine(task, blocks, tiles, std::move(starts)), false};
}

}  // namespace

extern const SearchEntry coarse{"coarse", "exact over joined runs, then refined at full resolution",
                                run_coarse};

}  // namespace partage
