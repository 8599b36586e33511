#include <algorithm>
#include <cmath>
#include <random>

#include "check.hpp"
#include "partage/search/program/program.hpp"
#include "partage/search/task.hpp"

// The plainest criterion that CONTRIBUTING allows, as a user would write it: a formula for a part,
// one for the number of parts, and an entry. Nothing else is needed for any search.

namespace {

using namespace partage;

/// Gini impurity of the classes, plus log N for every part.
class PlainGini final : public PartitionCriterion {
public:
    explicit PlainGini(const Problem& problem) : price_(std::log(problem.n_samples)) {}

    double part(Row row) const noexcept override {
        double squares = 0.0;
        for (const double count : row.sums) squares += count * count;
        return row.weight - squares / row.weight;
    }
    double structure(std::size_t n_parts) const noexcept override {
        return price_ * static_cast<double>(n_parts);
    }

private:
    double price_;
};

const CriterionEntry plain_gini{.name = "plain-gini",
                                .meaning = "Gini impurity, log N for every part",
                                .searches = {"exact", "bottom-up", "top-down", "coarse"},
                                .own_cost = true,
                                .make = make<PlainGini>};

/// Units of one to three rows whose class shares change in six steps.
Line stepped_line(std::size_t n_units, std::size_t n_classes) {
    std::mt19937 random(static_cast<unsigned>(n_units));
    Line line;
    line.n_classes = n_classes;
    for (std::size_t unit = 0; unit < n_units; ++unit) {
        const std::size_t favourite = (unit * 6 / n_units) % n_classes;
        line.starts.push_back(static_cast<Index>(line.codes.size()));
        for (std::size_t n = 1 + random() % 3; n > 0; --n) {
            const bool is_favourite = random() % 10 < 7;
            line.codes.push_back(
                static_cast<Code>(is_favourite ? favourite : random() % n_classes));
        }
        std::sort(line.codes.begin() + line.starts.back(), line.codes.end());
    }
    line.starts.push_back(static_cast<Index>(line.codes.size()));
    return line;
}

/// Cost of what a search finds with the plain criterion.
double cost_found(std::string_view search, const Line& line, const Limits& limits = {}) {
    const Problem problem(line.totals());
    const AnyCriterion criterion = plain_gini.make(problem, {});
    const Stop stop;
    const Task task{line, problem, plain_gini, criterion, limits, stop};
    const Found found = search_named(search).run(task);
    CHECK(found.starts.front() == 0);
    CHECK(found.starts.back() == line.n_units());
    CHECK(std::is_sorted(found.starts.begin(), found.starts.end()));
    CHECK(found.starts.size() - 1 >= limits.least() && found.starts.size() - 1 <= limits.most());
    return partition_cost(line, task.partition_criterion(), found.starts);
}

/// Lowest cost over all partitions of a short line, each looked at.
double lowest_cost(const Line& line) {
    const auto criterion = make_partition_criterion(plain_gini, Problem(line.totals()), {});
    const std::size_t n = line.n_units();
    double lowest = infinite;
    for (std::size_t cuts = 0; cuts < (std::size_t{1} << (n - 1)); ++cuts) {
        Blocks starts{0};
        for (std::size_t at = 1; at < n; ++at)
            if ((cuts >> (at - 1)) & 1) starts.push_back(static_cast<Index>(at));
        starts.push_back(static_cast<Index>(n));
        lowest = std::min(lowest, partition_cost(line, *criterion, starts));
    }
    return lowest;
}

constexpr std::string_view greedy[] = {"bottom-up", "top-down", "coarse"};

TEST(plain_criterion_reaches_the_optimum_of_ten_units) {
    for (const std::size_t n_classes : {2, 3}) {
        const Line line = stepped_line(10, n_classes);
        const double lowest = lowest_cost(line);
        CHECK_NEAR(cost_found("exact", line), lowest, 1e-9);
        CHECK_NEAR(cost_found("auto", line), lowest, 1e-9);
        for (const std::string_view search : greedy)
            CHECK(!is_lower(cost_found(search, line), lowest));
    }
}

TEST(plain_criterion_is_near_the_optimum_of_two_thousand_units) {
    const Line line = stepped_line(2000, 3);
    const double lowest = cost_found("exact", line);
    const double one_part = partition_cost(
        line, *make_partition_criterion(plain_gini, Problem(line.totals()), {}), {0, 2000});
    CHECK(lowest < one_part);
    for (const std::string_view search : {"bottom-up", "top-down", "coarse", "auto"}) {
        const double cost = cost_found(search, line);
        CHECK(!is_lower(cost, lowest));
        CHECK(cost - lowest < 0.1 * (one_part - lowest));
        cost_found(search, line, {.n_parts = 4});
        cost_found(search, line, {.max_parts = 3});
        cost_found(search, line, {.min_weight = 200.0});
    }
}

TEST(plain_criterion_runs_through_a_hundred_thousand_units) {
    const Line line = stepped_line(100000, 2);
    const double merged = cost_found("bottom-up", line);
    CHECK(!is_lower(merged, cost_found("auto", line)));
    for (const std::string_view search : {"top-down", "coarse"}) cost_found(search, line);
}

/// The criterion of the list that has the same formula in fewer steps finds the same cost.
TEST(plain_criterion_finds_what_the_separable_one_finds) {
    for (const std::size_t n_units : {300, 2000, 20000}) {
        const Line line = stepped_line(n_units, 3);
        const Problem problem(line.totals());
        const CriterionEntry& entry = criterion_named("gini");
        const AnyCriterion criterion = entry.make(problem, {});
        const Limits limits{.borders = unit_blocks(line)};
        const Stop stop;
        const Task task{line, problem, entry, criterion, {}, stop};
        for (const std::string_view search : {"bottom-up", "top-down", "coarse", "auto"}) {
            const Found found = search_named(search).run(task);
            const double cost = partition_cost(line, task.partition_criterion(), found.starts);
            CHECK_NEAR(cost_found(search, line), cost, 1e-3);
        }
    }
}

/// A criterion of moments: the squared deviations from the mean of each part.
class SquaredDeviations final : public PartitionCriterion {
public:
    double part(Row row) const noexcept override {
        return row.sums[1] - row.sums[0] * row.sums[0] / row.weight;
    }
    double structure(std::size_t n_parts) const noexcept override {
        return static_cast<double>(n_parts);
    }
};

TEST(rows_of_moments_go_through_the_exact_program) {
    const Layout layout{Reads::moments, 3};
    Rows rows(30, layout);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double y = i < 12 ? -1.0 : i < 20 ? 4.0 : 0.5;
        const double weight = 1.0 + static_cast<double>(i % 3);
        const double numbers[] = {weight, weight * y, weight * y * y};
        add(numbers, rows[i]);
    }
    const Cumulative sums(rows);
    CHECK_NEAR(sums.weight(0, 30), 60.0, 1e-12);
    const Program best = best_partition(SquaredDeviations(), sums, {}, Stop());
    CHECK((best.starts == std::vector<std::size_t>{0, 12, 20, 30}));
    CHECK_NEAR(best.cost, 3.0, 1e-9);
}

}  // namespace
