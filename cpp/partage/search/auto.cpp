#include <algorithm>

#include "partage/search/on_blocks.hpp"
#include "partage/search/proof/proof.hpp"
#include "partage/search/refine.hpp"
#include "partage/search/task.hpp"

namespace partage {

extern const SearchEntry bottom_up;

namespace {

/// Blocks that are solved exactly, in some milliseconds.
constexpr std::size_t exact_below = 1500;
/// The same of two classes, in about the time of the search from coarse to fine.
constexpr std::size_t prove_below = 12288;
/// The same for a trend, and for a trend in several segments.
constexpr std::size_t exact_trend_below = 2500;
constexpr std::size_t exact_segments_below = 256;

/// Whether the exact program under constraints is affordable.
bool is_affordable(const Task& task, const Blocks& blocks) noexcept {
    const bool has_segments = task.limits.segments.size() > 0;
    return blocks.size() <= (has_segments ? exact_segments_below : exact_trend_below);
}

/// Whether merging from the bottom is tried as a second start where there is no second program:
/// where it is cheap, or where the coarse view may have been too coarse for the many parts found.
bool deserves_second_start(const Task& task, std::size_t n_blocks, std::size_t n_parts) {
    if (task.limits.n_parts == 0 && task.partition_criterion().growth() != Growth::other)
        return false;
    return n_blocks <= 2048 || (n_blocks <= 65536 && n_parts > 8) || n_parts > 32;
}

double cost_of(const Task& task, const Found& found) {
    return partition_cost(task.line, task.partition_criterion(), found.starts);
}

/// Exact where it is affordable; else coarse to fine, beside merging from the bottom where that
/// could be better.
Found run_auto(const Task& task) {
    const auto& own = task.entry.searches;
    if (std::find(own.begin(), own.end(), "exact") == own.end())
        return search_named(own.front()).run(task);
    const Blocks blocks = starting_blocks(task);
    if (!task.limits.is_plain())
        return is_affordable(task, blocks) ? exact_on(task, blocks) : coarse_on(task, blocks);
    if (blocks.size() <= exact_below) return exact_on(task, blocks);
    if (blocks.size() <= prove_below && can_prove(task)) {
        constexpr double most_work = 200'000.0;
        Proof proof = prove(task, blocks, most_work);
        if (proof.is_optimal && proof.starts.size() - 1 <= task.limits.most())
            return {std::move(proof.starts), true};
    }
    Found found = coarse_on(task, blocks);
    if (deserves_second_start(task, blocks.size() - 1, found.starts.size() - 1)) {
        Found merged = bottom_up.run(task);
        const CountedBlocks tiles{merged.starts, block_rows(task.line, merged.starts)};
        merged.starts = refine(task, blocks, tiles, std::move(merged.starts));
        if (is_lower(cost_of(task, merged), cost_of(task, found))) return merged;
    }
    return found;
}

}  // namespace

extern const SearchEntry auto_search{
    "auto", "exact where affordable, else coarse to fine; a criterion's own search if it has one",
    run_auto};

}  // namespace partage
