#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "partage/criteria/criterion.hpp"
#include "partage/criteria/scores.hpp"
#include "partage/search/program/program.hpp"
#include "partage/search/rank_classes.hpp"

namespace {

using namespace partage;

/// Units of one to three rows whose scores change their level in the middle.
Line line_of_scores(std::size_t n_units, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<double> amounts;
    for (std::size_t unit = 0; unit < n_units; ++unit) {
        const double n = 1.0 + static_cast<double>(random() % 3);
        const double level = unit * 2 < n_units ? -0.8 : 0.8;
        const double noise = static_cast<double>(random() % 1000) / 500.0 - 1.0;
        const double s = n * (level + noise);
        amounts.insert(amounts.end(), {n, s, s * s / n + 0.1 * n});
    }
    return line_of_amounts(amounts, 3);
}

double cost_of(const PartitionCriterion& criterion, const Line& line, const Blocks& starts) {
    const Rows rows = block_rows(line, starts);
    double parts = 0.0;
    for (std::size_t k = 0; k < rows.size(); ++k) parts += criterion.part(rows.row(k));
    return criterion.total(rows.size(), parts);
}

TEST(scores_at_a_slope_have_the_lowest_cost_of_all) {
    constexpr std::size_t n_units = 9;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Line line = line_of_scores(n_units, seed);
        const Problem problem(line);
        const double parameters[] = {0.2 * (seed % 10 + 1), static_cast<double>(seed % 3), 0.5,
                                     seed % 2 ? 1.0 : 0.0};
        const auto criterion =
            make_partition_criterion(criterion_named("scores"), problem, parameters);
        double lowest = infinite;
        for (unsigned cuts = 0; cuts < 1u << (n_units - 1); ++cuts) {
            Blocks starts{0};
            for (Index unit = 1; unit < n_units; ++unit)
                if ((cuts >> (unit - 1)) & 1u) starts.push_back(unit);
            starts.push_back(static_cast<Index>(n_units));
            lowest = std::min(lowest, cost_of(*criterion, line, starts));
        }
        const Cumulative sums(block_rows(line, unit_blocks(line)));
        const Program best = best_partition(*criterion, sums, Limits{}, Stop());
        CHECK(std::abs(best.cost - lowest) < 1e-9);
    }
}

TEST(rows_that_join_a_part_leave_what_is_within_themselves) {
    const Line line = line_of_scores(40, 7);
    const double parameters[] = {1.0, 0.0, 0.5, 1.0};
    const auto criterion =
        make_partition_criterion(criterion_named("scores"), Problem(line), parameters);
    const Cumulative sums(block_rows(line, unit_blocks(line)));
    std::vector<double> a(3), b(3), both(3);
    for (std::size_t i = 1; i < 39; ++i)
        for (std::size_t j = i + 1; j <= 40; ++j) {
            sums.subtract(0, i, a);
            sums.subtract(i, j, b);
            sums.subtract(0, j, both);
            const Layout& layout = sums.layout();
            const double growth =
                criterion->part(layout.row(both)) - criterion->part(layout.row(a));
            CHECK(growth >= criterion->least_growth(layout.row(b)) - 1e-9);
        }
}

TEST(intervals_of_ranks_are_the_cheapest_of_their_grid) {
    std::mt19937 random(3);
    Rows sets(3, 8);
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t cell = 0; cell < 8; ++cell)
            sets[k][cell] = static_cast<double>(random() % (cell / 3 == k ? 30 : 4) + 1);
    const RankClasses best = best_rank_classes(sets, {8});
    CHECK(best.starts.front() == 0);
    CHECK(best.starts.back() == 8);
    CHECK(best.n_grid == 8);
    CHECK(best.starts.size() >= 3);
    const Rows none(0, std::size_t{8});
    const RankClasses found = find_rank_classes(sets, none, Stop());
    CHECK(found.starts.back() == 8);
    CHECK(std::is_sorted(found.starts.begin(), found.starts.end()));
}

TEST(sums_of_units_are_those_of_their_classes) {
    Line line;
    line.n_classes = 3;
    line.codes = {0, 2, 1, 1, 2};
    line.starts = {0, 2, 5};
    const std::vector<double> scores{1.0, 10.0, 2.0, 20.0, 3.0, 30.0};
    const Line sums = scored_line(line, scores, 2);
    CHECK(sums.n_units() == 2 && sums.weights[0] == 2.0 && sums.weights[1] == 3.0);
    CHECK(sums.amounts == Buffer<double>({2.0, 4.0, 40.0, 3.0, 7.0, 70.0}));
    line.starts = {0, 2, 3, 5};  // most units are single rows: codes are kept
    const Line coded = scored_line(line, scores, 2);
    CHECK(coded.codes == line.codes && coded.amounts.size() == 9);
    std::vector<double> row(3, 0.0);
    coded.add(2, 5, row);
    CHECK((row == std::vector<double>{3.0, 7.0, 70.0}));
    const Line joined = with_classes(line, std::vector<Code>{0, 1, 1}, 2);
    CHECK(joined.codes == Buffer<Code>({0, 1, 1, 1, 1}) && joined.starts == line.starts);
    CHECK(std::abs(spread_of(3.0, 2.0, 5.0) - 4.0) < 1e-15);
}

}  // namespace
