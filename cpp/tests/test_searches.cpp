#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"
#include "partage/search/task.hpp"

namespace {

using namespace partage;

/// A line whose class shares change in steps: `n_steps` stretches of random rates.
Line stepped_line(std::size_t n_entries, std::size_t n_classes, std::size_t n_steps,
                  std::size_t rows_per_unit) {
    std::mt19937 random(static_cast<unsigned>(n_entries + n_classes));
    std::uniform_int_distribution<std::size_t> label(0, n_classes - 1);
    std::uniform_int_distribution<int> percent(0, 99);
    Line line;
    line.n_classes = n_classes;
    for (std::size_t i = 0; i < n_entries; ++i) {
        const std::size_t favourite = (i * n_steps / n_entries) % n_classes;
        const std::size_t drawn = percent(random) < 60 ? favourite : label(random);
        line.codes.push_back(static_cast<Code>(drawn));
        if (i % rows_per_unit == 0) line.starts.push_back(static_cast<Index>(i));
    }
    line.starts.push_back(static_cast<Index>(n_entries));
    // Entries of a unit are in the order of their classes.
    for (std::size_t unit = 0; unit < line.n_units(); ++unit)
        std::sort(line.codes.begin() + line.starts[unit],
                  line.codes.begin() + line.starts[unit + 1]);
    return line;
}

Found run(std::string_view search, const CriterionEntry& entry, const Line& line,
          const Limits& limits) {
    const Problem problem(line.totals());
    std::vector<double> parameters;
    for (const Parameter& parameter : entry.parameters) parameters.push_back(parameter.fallback);
    const AnyCriterion criterion = entry.make(problem, parameters);
    const Stop stop;
    return search_named(search).run(Task{line, problem, entry, criterion, limits, stop});
}

void check_starts(const Found& found, const Line& line, const Limits& limits) {
    CHECK(found.starts.front() == 0);
    CHECK(found.starts.back() == line.n_units());
    CHECK(std::adjacent_find(found.starts.begin(), found.starts.end(), std::greater_equal<>()) ==
          found.starts.end());
    const std::size_t n_parts = found.starts.size() - 1;
    CHECK(n_parts >= limits.least());
    CHECK(n_parts <= limits.most());
}

void check_every_search(const Line& line, const Limits& limits) {
    for (const CriterionEntry* entry : criteria()) {
        if (entry->reads != line.layout().reads) continue;
        for (const std::string_view search : entry->searches) {
            const bool is_long = line.n_units() > 2000 && search == "exact";
            if (is_long || (entry->needs_size && limits.most() > 100)) continue;
            check_starts(run(search, *entry, line, limits), line, limits);
        }
    }
}

TEST(every_search_gives_parts_of_a_short_line) {
    const Line line = stepped_line(400, 3, 4, 1);
    check_every_search(line, {});
    check_every_search(line, {.n_parts = 5});
    check_every_search(line, {.max_parts = 2});
    check_every_search(line, {.min_weight = 30.0});
}

TEST(every_search_gives_parts_of_a_long_line) {
    check_every_search(stepped_line(20000, 2, 5, 1), {});
    check_every_search(stepped_line(20000, 20, 40, 3), {.max_parts = 50});
}

TEST(every_search_gives_one_part_of_one_unit) { check_every_search(stepped_line(7, 3, 1, 7), {}); }

TEST(auto_search_is_not_worse_than_merging) {
    for (const std::string_view name : {"modl", "fusinter", "gini", "entropy"}) {
        const CriterionEntry& entry = criterion_named(name);
        const Line line = stepped_line(20000, 3, 30, 2);
        const Problem problem(line.totals());
        std::vector<double> parameters;
        for (const Parameter& parameter : entry.parameters)
            parameters.push_back(parameter.fallback);
        const AnyCriterion made = entry.make(problem, parameters);
        const auto& criterion = *std::get<std::unique_ptr<PartitionCriterion>>(made);
        const auto cost = [&](std::string_view search) {
            return partition_cost(line, criterion, run(search, entry, line, {}).starts);
        };
        CHECK(!is_lower(cost("bottom-up"), cost("auto")));
    }
}

}  // namespace
