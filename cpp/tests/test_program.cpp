#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"
#include "partage/search/program/program.hpp"

namespace {

using namespace partage;

/// Random rows of whole counts; every row and every class has some weight.
Rows random_rows(std::size_t n_rows, std::size_t n_classes, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> count(0, 9);
    std::uniform_int_distribution<std::size_t> label(0, n_classes - 1);
    Rows rows(n_rows, n_classes);
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (double& value : rows[i]) value = count(random) > 6 ? count(random) : 0;
        rows[i][i < n_classes ? i : label(random)] += 1.0;
    }
    return rows;
}

Problem problem_of(const Rows& rows) {
    std::vector<double> totals(rows.width(), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < totals.size(); ++j) totals[j] += rows[i][j];
    return Problem(totals);
}

/// The criteria that an exact search serves, with their default parameters.
std::vector<const CriterionEntry*> exact_criteria() {
    std::vector<const CriterionEntry*> found;
    for (const CriterionEntry* entry : criteria())
        if (entry->reads == Reads::counts &&
            std::count(entry->searches.begin(), entry->searches.end(), "exact") > 0)
            found.push_back(entry);
    return found;
}

std::unique_ptr<PartitionCriterion> made(const CriterionEntry& entry, const Problem& problem) {
    std::vector<double> parameters;
    for (const Parameter& parameter : entry.parameters) parameters.push_back(parameter.fallback);
    return make_partition_criterion(entry, problem, parameters);
}

double cost_of(const PartitionCriterion& criterion, const Cumulative& sums,
               const std::vector<std::size_t>& starts) {
    std::vector<double> row(sums.layout().n_numbers);
    double parts = 0.0;
    for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
        sums.subtract(starts[k], starts[k + 1], row);
        parts += criterion.part(sums.layout().row(row));
    }
    return criterion.total(starts.size() - 1, parts);
}

bool satisfies(const Limits& limits, const Cumulative& sums,
               const std::vector<std::size_t>& starts) {
    const std::size_t n_parts = starts.size() - 1;
    if (n_parts < limits.least() || n_parts > limits.most()) return false;
    if (n_parts == 1) return true;
    for (std::size_t k = 0; k < n_parts; ++k)
        if (!limits.allows(sums.weight(starts[k], starts[k + 1]))) return false;
    return true;
}

/// Lowest cost over all partitions, each looked at; infinite if the limits allow none.
double lowest_cost(const PartitionCriterion& criterion, const Cumulative& sums,
                   const Limits& limits) {
    const std::size_t n = sums.n_blocks();
    double lowest = infinite;
    for (std::size_t cuts = 0; cuts < (std::size_t{1} << (n - 1)); ++cuts) {
        std::vector<std::size_t> starts{0};
        for (std::size_t at = 1; at < n; ++at)
            if ((cuts >> (at - 1)) & 1) starts.push_back(at);
        starts.push_back(n);
        if (satisfies(limits, sums, starts))
            lowest = std::min(lowest, cost_of(criterion, sums, starts));
    }
    return lowest;
}

/// Lowest cost by one plain table for each number of parts: nothing skipped, no tangents.
double lowest_cost_of_tables(const PartitionCriterion& criterion, const Cumulative& sums) {
    const std::size_t n = sums.n_blocks();
    std::vector<std::vector<double>> part(n + 1, std::vector<double>(n + 1, infinite));
    std::vector<double> row(sums.layout().n_numbers);
    for (std::size_t first = 0; first < n; ++first)
        for (std::size_t last = first + 1; last <= n; ++last) {
            sums.subtract(first, last, row);
            part[first][last] = criterion.part(sums.layout().row(row));
        }
    std::vector<double> table = part[0];
    double lowest = criterion.total(1, table[n]);
    for (std::size_t k = 2; k <= n; ++k) {
        std::vector<double> next(n + 1, infinite);
        for (std::size_t last = k; last <= n; ++last)
            for (std::size_t first = k - 1; first < last; ++first)
                next[last] = std::min(next[last], table[first] + part[first][last]);
        table = std::move(next);
        lowest = std::min(lowest, criterion.total(k, table[n]));
    }
    return lowest;
}

void check_against_enumeration(const Limits& limits, bool has_size) {
    for (const CriterionEntry* entry : exact_criteria()) {
        if (entry->needs_size && !has_size) continue;
        for (unsigned seed = 0; seed < 40; ++seed) {
            const std::size_t n_blocks = 1 + seed % 9;
            const Rows rows = random_rows(n_blocks, 2 + seed % 4, seed);
            const auto criterion = made(*entry, problem_of(rows));
            const Cumulative sums(rows);
            const double lowest = lowest_cost(*criterion, sums, limits);
            if (lowest == infinite) {
                bool is_refused = false;
                try {
                    best_partition(*criterion, sums, limits, Stop());
                } catch (const NotPossible&) {
                    is_refused = true;
                }
                CHECK(is_refused);
                continue;
            }
            const Program best = best_partition(*criterion, sums, limits, Stop());
            CHECK(satisfies(limits, sums, best.starts));
            CHECK_NEAR(best.cost, lowest, 1e-9);
            CHECK_NEAR(cost_of(*criterion, sums, best.starts), lowest, 1e-9);
        }
    }
}

TEST(exact_program_reaches_the_lowest_cost_of_all_partitions) {
    check_against_enumeration({}, false);
}

TEST(exact_program_reaches_the_lowest_cost_of_a_given_size) {
    for (std::size_t n_parts = 1; n_parts <= 4; ++n_parts)
        check_against_enumeration({.n_parts = n_parts}, true);
}

TEST(exact_program_reaches_the_lowest_cost_of_a_greatest_size) {
    for (std::size_t max_parts = 1; max_parts <= 3; ++max_parts)
        check_against_enumeration({.max_parts = max_parts}, true);
}

TEST(exact_program_honours_a_least_weight) {
    for (const double least : {2.0, 5.0, 20.0}) {
        check_against_enumeration({.min_weight = least}, false);
        check_against_enumeration({.n_parts = 2, .min_weight = least}, true);
    }
}

TEST(skipped_groups_of_starts_never_hold_the_optimum) {
    for (const CriterionEntry* entry : exact_criteria()) {
        if (entry->needs_size) continue;
        for (unsigned seed = 0; seed < 3; ++seed) {
            // More than one bundle of 16 groups of 16 starts.
            const Rows rows = random_rows(300, 2 + seed, 100 + seed);
            const auto criterion = made(*entry, problem_of(rows));
            if (criterion->growth() == Growth::other) continue;
            const Cumulative sums(rows);
            const Program best = best_partition(*criterion, sums, {}, Stop());
            CHECK_NEAR(best.cost, lowest_cost_of_tables(*criterion, sums), 1e-9);
        }
    }
}

TEST(least_growth_is_a_lower_bound) {
    for (const CriterionEntry* entry : exact_criteria()) {
        const Rows rows = random_rows(60, 3, 7);
        const auto criterion = made(*entry, problem_of(rows));
        const Cumulative sums(rows);
        std::vector<double> added(rows.width());
        std::vector<double> together(rows.width());
        for (std::size_t i = 0; i < 50; ++i)
            for (std::size_t last = i + 2; last <= 60; ++last) {
                sums.subtract(i + 1, last, added);
                sums.subtract(i, last, together);
                const double alone = criterion->part(rows.row(i));
                const double growth = criterion->least_growth(row_of_counts(added));
                CHECK(criterion->part(row_of_counts(together)) >= alone + growth - 1e-9);
            }
    }
}

TEST(structure_grows_as_claimed) {
    for (const CriterionEntry* entry : exact_criteria()) {
        const auto criterion = made(*entry, problem_of(random_rows(60, 3, 7)));
        if (criterion->growth() == Growth::other) continue;
        for (std::size_t k = 2; k < 200; ++k) {
            const double before = criterion->structure(k) - criterion->structure(k - 1);
            const double after = criterion->structure(k + 1) - criterion->structure(k);
            CHECK(after <= before + 1e-9);
            if (criterion->growth() == Growth::linear) CHECK_NEAR(after, before, 1e-9);
        }
    }
}

TEST(concave_criteria_are_concave) {
    const Rows rows = random_rows(60, 3, 7);
    std::vector<double> middle(rows.width());
    for (const CriterionEntry* entry : exact_criteria()) {
        const auto criterion = made(*entry, problem_of(rows));
        if (!criterion->is_concave()) continue;
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                for (std::size_t j = 0; j < middle.size(); ++j)
                    middle[j] = 0.5 * (rows[i][j] + rows[k][j]);
                const double ends = criterion->part(rows.row(i)) + criterion->part(rows.row(k));
                CHECK(2.0 * criterion->part(row_of_counts(middle)) >= ends - 1e-9);
            }
    }
}

TEST(program_stops_when_asked) {
    const Rows rows = random_rows(200, 2, 1);
    const auto criterion = made(criterion_named("modl"), problem_of(rows));
    const std::atomic<bool> asked{true};
    bool is_stopped = false;
    try {
        best_partition(*criterion, Cumulative(rows), {}, Stop(&asked));
    } catch (const Interrupted&) {
        is_stopped = true;
    }
    CHECK(is_stopped);
}

/// Whole counts are looked up in a table: below its size, above it, and around it.
TEST(parts_in_bulk_cost_what_single_parts_cost_to_the_bit) {
    for (const std::size_t n_classes : {std::size_t{2}, std::size_t{3}})
        for (const double scale : {1.0, 0.75, 3000.0}) {
            Rows rows(40, n_classes);
            for (std::size_t i = 0; i < rows.size(); ++i)
                for (std::size_t j = 0; j < n_classes; ++j)
                    rows[i][j] = scale * static_cast<double>((7 * i + 3 * j) % 5);
            const Cumulative sums(rows);
            CHECK(sums.is_whole() == (scale != 0.75));
            const Numbers totals = sums.before(rows.size());
            const Problem problem({totals.begin(), totals.end()});
            const auto modl = make_partition_criterion(criterion_named("modl"), problem, {});
            std::vector<double> costs(rows.size());
            std::vector<double> counts(n_classes);
            for (std::size_t last = 1; last <= rows.size(); ++last) {
                modl->parts_ending_at(sums, 0, last, last, costs.data());
                for (std::size_t first = 0; first < last; ++first) {
                    sums.subtract(first, last, counts);
                    CHECK(costs[first] == modl->part(row_of_counts(counts)));
                }
            }
        }
}

}  // namespace
