#include "partage/search/on_blocks.hpp"
#include "partage/search/program/program.hpp"
#include "partage/search/proof/proof.hpp"
#include "partage/search/task.hpp"

namespace partage {
namespace {

/// Blocks from which on a program over few of them is quicker than one over all.
constexpr std::size_t many_blocks = 256;

Found run_exact(const Task& task) { return exact_on(task, starting_blocks(task)); }

}  // namespace

/// The optimum over all partitions, by dynamic programming over runs or units.
Found exact_on(const Task& task, const Blocks& blocks) {
    if (blocks.size() > many_blocks && can_prove(task)) {
        Proof proof = prove(task, blocks, much_work);
        if (proof.is_optimal && proof.starts.size() - 1 <= task.limits.most())
            return {std::move(proof.starts), true};
    }
    const Cumulative sums(block_rows(task.line, blocks));
    const Program best =
        best_partition(task.partition_criterion(), sums, task.limits.on(blocks), task.stop);
    Found found;
    found.is_optimal = true;
    for (const std::size_t start : best.starts) found.starts.push_back(blocks[start]);
    return found;
}

extern const SearchEntry exact{"exact", "dynamic programming: the optimum (Fischer, Lechevallier)",
                               run_exact};

}  // namespace partage
