#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "check.hpp"
#include "partage/search/bound.hpp"
#include "partage/search/program/program.hpp"
#include "partage/search/proof/cut_tree.hpp"
#include "partage/search/proof/proof.hpp"

namespace {

using namespace partage;

/// Two classes whose share changes at some places, in units of some rows, with or without weights.
Line random_line(unsigned seed) {
    std::mt19937 random(seed);
    const auto draw = [&random](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    const std::size_t n_entries = 40 + draw(900);
    const std::size_t n_steps = 1 + draw(12);
    const std::size_t rows_per_unit = 1 + draw(4) * draw(2);
    const bool has_weights = draw(3) == 0;
    std::vector<std::size_t> percents(n_steps);
    for (std::size_t& percent : percents) percent = draw(101);
    Line line;
    line.n_classes = 2;
    for (std::size_t i = 0; i < n_entries; ++i) {
        const bool is_event = i < 2 ? i == 1 : draw(100) < percents[i * n_steps / n_entries];
        line.codes.push_back(static_cast<Code>(is_event));
        if (has_weights) line.weights.push_back(0.25 * static_cast<double>(1 + draw(11)));
        if (i % rows_per_unit == 0) line.starts.push_back(static_cast<Index>(i));
    }
    line.starts.push_back(static_cast<Index>(n_entries));
    for (std::size_t unit = 0; unit < line.n_units(); ++unit)
        std::sort(line.codes.begin() + line.starts[unit],
                  line.codes.begin() + line.starts[unit + 1]);
    return line;
}

/// Calls f(task, blocks, sums) for each criterion that can be proven.
template <class F>
void for_each_task(const Line& line, F f) {
    const Problem problem(line.totals());
    const Limits limits;
    const Stop stop;
    for (const std::string_view name : {"modl", "entropy", "gini"}) {
        const CriterionEntry& entry = criterion_named(name);
        const AnyCriterion criterion = entry.make(problem, {});
        const Task task{line, problem, entry, criterion, limits, stop};
        CHECK(can_prove(task));
        const Blocks blocks = starting_blocks(task);
        f(task, blocks, Cumulative(block_rows(line, blocks)));
    }
}

TEST(proofs_find_the_optimum_of_the_program_over_all_blocks) {
    const char* asked = std::getenv("PARTAGE_PROOFS");
    const unsigned n_lines = asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : 150;
    for (unsigned seed = 0; seed < n_lines; ++seed)
        for_each_task(
            random_line(seed), [](const Task& task, const Blocks& blocks, const Cumulative& sums) {
                const Program best =
                    best_partition(task.partition_criterion(), sums, task.limits, task.stop);
                const Proof proof = prove(task, blocks, infinite);
                CHECK(proof.is_optimal);
                CHECK_NEAR(proof.cost, best.cost, 1e-10);
                CHECK_NEAR(partition_cost(task.line, task.partition_criterion(), proof.starts),
                           best.cost, 1e-10);
                CHECK(proof.starts.size() == best.starts.size());
            });
}

TEST(proofs_that_are_cut_short_give_a_floor) {
    for (unsigned seed = 0; seed < 60; ++seed)
        for_each_task(
            random_line(seed), [](const Task& task, const Blocks& blocks, const Cumulative& sums) {
                const Program best =
                    best_partition(task.partition_criterion(), sums, task.limits, task.stop);
                const Proof proof = prove(task, blocks, 1.0);
                const double slack = 1e-9 * std::abs(best.cost);
                CHECK(proof.floor <= best.cost + slack);
                CHECK(proof.cost >= best.cost - slack);
                CHECK(!proof.is_optimal || proof.cost <= best.cost + slack);
            });
}

TEST(trees_bound_every_price_and_every_pair_of_cuts) {
    for (unsigned seed = 0; seed < 30; ++seed)
        for_each_task(random_line(seed), [](const Task& task, const Blocks&,
                                            const Cumulative& sums) {
            const PartitionCriterion& criterion = task.partition_criterion();
            const CutTree tree(criterion, sums, {0.6, 1.0, 2.0, 3.0, 4.0, 5.0}, task.stop);
            const std::size_t n = sums.n_blocks();
            const auto part = [&](std::size_t a, std::size_t b) {
                return a == b
                           ? 0.0
                           : criterion.part_between(sums.layout(), sums.before(a), sums.before(b));
            };
            const std::size_t level = tree.n_levels() > 1 ? 1 : 0;
            for (const double price : {0.5, 1.0, 2.5, 5.0, 7.0})
                for (std::size_t node = 0; node < tree.n_nodes(level); ++node) {
                    const std::size_t first = tree.first(level, node);
                    const std::size_t last = tree.last(level, node);
                    // A part before and one after, which end inside the node.
                    const double outside = part(0, first) + part(last, n);
                    const double more = tree.more_cuts(level, node, price);
                    for (std::size_t i = first + 1; i < last; ++i)
                        for (std::size_t j = i + 1; j < last; ++j)
                            CHECK(part(0, i) + part(i, j) + part(j, n) + price >=
                                  outside + more - 1e-9);
                    CHECK(tree.relaxed(price) <= part(0, first) + part(first, n) + 2.0 * price);
                    CHECK(tree.relaxed(price) <= part(0, n) + price + 1e-9);
                }
        });
}

}  // namespace
