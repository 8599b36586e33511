#include <random>

#include "check.hpp"
#include "partage/groups/ranked.hpp"
#include "partage/groups/search/divide.hpp"
#include "partage/groups/solve.hpp"

namespace partage::tests {
namespace {

/// A line of values with given counts, one row each.
Line line_of(const std::vector<std::vector<double>>& counts) {
    Line line;
    line.n_classes = counts.front().size();
    for (const std::vector<double>& row : counts) {
        line.starts.push_back(static_cast<Index>(line.codes.size()));
        for (std::size_t j = 0; j < row.size(); ++j) {
            if (row[j] == 0.0) continue;
            line.codes.push_back(static_cast<Code>(j));
            line.weights.push_back(row[j]);
        }
    }
    line.starts.push_back(static_cast<Index>(line.codes.size()));
    return line;
}

/// Values of three classes, drawn from four laws.
Line draw_values(std::size_t n_values) {
    const double laws[4][3] = {{.8, .1, .1}, {.1, .8, .1}, {.1, .1, .8}, {.4, .3, .3}};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<std::vector<double>> counts(n_values, std::vector<double>(3, 0.0));
    for (std::size_t i = 0; i < n_values; ++i) {
        const std::size_t n_rows = 1 + random() % 60;
        for (std::size_t row = 0; row < n_rows; ++row) {
            const double at = uniform(random);
            const double* law = laws[i % 4];
            ++counts[i][at < law[0] ? 0 : at < law[0] + law[1] ? 1 : 2];
        }
    }
    return line_of(counts);
}

TEST(values_of_equal_counts_are_one_kind) {
    const RankedValues values =
        rank_values(line_of({{5, 1}, {1, 0}, {2, 0}, {1, 0}, {4, 2}}), false);
    CHECK(values.n_kinds() == 4);
    CHECK(values.frequencies.front() == 1.0);
    CHECK(values.kind_of[1] == values.kind_of[3]);
    CHECK(values.n_values[values.kind_of[1]] == 2);
    // Pure values of one class have equal shares; (5, 1) and (4, 2) have not.
    CHECK(values.n_shares == 3);
    CHECK(rank_values(line_of({{1, 0}, {1, 0}}), true).n_kinds() == 2);
}

TEST(pooled_values_are_the_last_atom) {
    const RankedValues values = rank_values(line_of({{5, 1}, {1, 0}, {0, 2}, {1, 0}}), false);
    const Atoms atoms = pool_below(values, 2);  // below a frequency of 6
    CHECK(atoms.size() == 2);
    CHECK(atoms.rows[1][0] == 2.0);
    CHECK(atoms.rows[1][1] == 2.0);
    CHECK(pool_below(values, 0).size() == 3);
}

TEST(a_division_costs_less_and_covers) {
    const Line line = draw_values(200);
    const RankedValues values = rank_values(line, true);
    const Atoms atoms = pool_below(values, 0);
    const GroupCriterion modl(criterion_named("modl"), line.totals(), 200);
    std::vector<Index> members(atoms.size());
    for (std::size_t i = 0; i < members.size(); ++i) members[i] = static_cast<Index>(i);
    const Division found = divide_at_shares(atoms, *modl, Limits{}, members, {0, 1, 2});
    CHECK(found.is_possible());
    CHECK(found.right.size() < members.size());
    CHECK(found.cost < modl->part(row_of_counts(modl.problem().totals)));
}

TEST(grown_groups_are_never_dearer_than_one) {
    const Line line = draw_values(300);
    const Atoms atoms = pool_below(rank_values(line, false), 0);
    const GroupCriterion modl(criterion_named("modl"), line.totals(), 300);
    const AtomGroups one{std::vector<Index>(atoms.size(), 0), 1};
    const Stop stop;
    for (const AtomGroups& groups : grow_groups(atoms, *modl, Limits{}, stop, {0, 1, 2})) {
        CHECK(groups.n_groups >= 4);
        std::vector<int> sizes(groups.n_groups, 0);
        for (const Index group : groups.group_of) ++sizes.at(group);
        for (const int size : sizes) CHECK(size > 0);
        CHECK(cost_of(atoms, *modl, groups) < cost_of(atoms, *modl, one));
    }
    const SolvedGroups solved = solve_groups(atoms, modl, Limits{}, stop);
    CHECK(solved.groups.n_groups == 4);
    Limits few;
    few.max_parts = 2;
    CHECK(solve_groups(atoms, modl, few, stop).groups.n_groups == 2);
}

}  // namespace
}  // namespace partage::tests
