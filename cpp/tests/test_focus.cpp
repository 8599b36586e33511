#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"
#include "partage/search/coarsen.hpp"
#include "partage/search/focus.hpp"
#include "partage/search/program/program.hpp"

namespace {

using namespace partage;

/// Classes whose shares change in steps, one entry a unit.
Line line_of_steps(unsigned seed, std::size_t n_classes) {
    std::mt19937 random(seed);
    const auto draw = [&random](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    const std::size_t n_steps = 2 + draw(9);
    std::vector<std::size_t> favourites(n_steps), percents(n_steps);
    for (std::size_t& favourite : favourites) favourite = draw(n_classes);
    for (std::size_t& percent : percents) percent = 10 + draw(60);
    constexpr std::size_t n_entries = 1500;
    Line line;
    line.n_classes = n_classes;
    for (std::size_t i = 0; i < n_entries; ++i) {
        const std::size_t step = i * n_steps / n_entries;
        const bool is_favourite = draw(100) < percents[step];
        line.codes.push_back(static_cast<Code>(is_favourite ? favourites[step] : draw(n_classes)));
        line.starts.push_back(static_cast<Index>(i));
    }
    line.starts.push_back(static_cast<Index>(n_entries));
    return line;
}

/// What the programs cost: over tiles, over tiles that were opened, and over all blocks.
struct Costs {
    double tiles;
    double focus;
    double best;
};

Costs costs_of(const Line& line, std::string_view name, const Limits& limits) {
    const Problem problem(line.totals());
    const CriterionEntry& entry = criterion_named(name);
    const AnyCriterion any = entry.make(problem, {});
    const Stop stop;
    const Task task{line, problem, entry, any, limits, stop};
    const PartitionCriterion& criterion = task.partition_criterion();
    const Blocks blocks = starting_blocks(task);
    const CountedBlocks tiles = coarsen(line, blocks, criterion, 100, stop);
    CHECK(can_focus(task, blocks, tiles));
    const Program coarse = best_partition(criterion, Cumulative(tiles.rows), limits, stop);
    Blocks starts;
    for (const std::size_t start : coarse.starts) starts.push_back(tiles.blocks[start]);
    starts = focus(task, blocks, tiles, std::move(starts));
    CHECK(starts.front() == 0 && starts.back() == line.n_units());
    CHECK(starts.size() - 1 <= limits.most());
    if (starts.size() > 2)
        for (std::size_t k = 0; k + 1 < starts.size(); ++k)
            CHECK(limits.allows(line.weight(starts[k], starts[k + 1])));
    const Cumulative sums(block_rows(line, blocks));
    return {coarse.cost, partition_cost(line, criterion, starts),
            best_partition(criterion, sums, limits, stop).cost};
}

TEST(a_second_program_finds_most_of_what_tiles_hide) {
    constexpr unsigned n_lines = 30;
    for (const std::size_t n_classes : {2, 3})
        for (const std::string_view name : {"modl", "entropy"}) {
            unsigned n_hidden = 0, n_found = 0;
            for (unsigned seed = 0; seed < n_lines; ++seed) {
                const Costs costs = costs_of(line_of_steps(seed, n_classes), name, Limits{});
                CHECK(!is_lower(costs.tiles, costs.focus));
                CHECK(!is_lower(costs.focus, costs.best));
                n_hidden += is_lower(costs.best, costs.tiles);
                n_found += is_lower(costs.best, costs.tiles) && !is_lower(costs.best, costs.focus);
            }
            CHECK(n_hidden > n_lines / 3);
            CHECK(10 * n_found >= 8 * n_hidden);
        }
}

TEST(a_second_program_keeps_sizes) {
    Limits limits;
    limits.min_weight = 60.0;
    limits.max_parts = 4;
    for (unsigned seed = 0; seed < 10; ++seed) {
        const Costs costs = costs_of(line_of_steps(seed, 2), "modl", limits);
        CHECK(!is_lower(costs.tiles, costs.focus));
        CHECK(!is_lower(costs.focus, costs.best));
    }
}

TEST(a_second_program_needs_a_free_number_of_parts) {
    const Line line = line_of_steps(1, 2);
    const Problem problem(line.totals());
    const CriterionEntry& entry = criterion_named("modl");
    const AnyCriterion criterion = entry.make(problem, {});
    const Stop stop;
    Limits limits;
    limits.n_parts = 3;
    const Task task{line, problem, entry, criterion, limits, stop};
    const Blocks blocks = starting_blocks(task);
    CHECK(!can_focus(task, blocks, coarsen(line, blocks, task.partition_criterion(), 100, stop)));
}

}  // namespace
