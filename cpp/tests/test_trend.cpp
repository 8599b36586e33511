#include <algorithm>
#include <random>

#include "check.hpp"
#include "partage/search/trend/trend.hpp"
#include "partage/search/trend/trend_coarse.hpp"

namespace {

using namespace partage;

Rows random_rows(std::size_t n_rows, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> count(0, 7);
    Rows rows(n_rows, 2);
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (double& value : rows[i]) value = count(random);
        rows[i][i % 2] += 1.0;
    }
    return rows;
}

Line line_of(const Rows& rows) {
    Line line;
    line.n_classes = rows.width();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        line.starts.push_back(static_cast<Index>(line.codes.size()));
        for (std::size_t j = 0; j < rows.width(); ++j) {
            if (rows[i][j] == 0.0) continue;
            line.codes.push_back(static_cast<Code>(j));
            line.weights.push_back(rows[i][j]);
        }
    }
    line.starts.push_back(static_cast<Index>(line.codes.size()));
    return line;
}

/// Whether rates rise until they fall for good; once they must not fall, `may_fall` is false.
bool is_peak(const std::vector<double>& rates, bool may_fall) {
    bool falls = false;
    for (std::size_t k = 1; k < rates.size(); ++k) {
        if (rates[k] < rates[k - 1]) falls = true;
        if (falls && (!may_fall || rates[k] > rates[k - 1])) return false;
    }
    return true;
}

double lowest_cost(const PartitionCriterion& criterion, const Cumulative& sums, double sign,
                   bool may_fall) {
    const std::size_t n = sums.n_blocks();
    double lowest = infinite;
    for (std::size_t cuts = 0; cuts < (std::size_t{1} << (n - 1)); ++cuts) {
        std::vector<double> rates;
        std::vector<double> row(2);
        double parts = 0.0;
        std::size_t first = 0;
        for (std::size_t last = 1; last <= n; ++last) {
            if (last < n && ((cuts >> (last - 1)) & 1) == 0) continue;
            sums.subtract(first, last, row);
            rates.push_back(sign * row[1] / (row[0] + row[1]));
            parts += criterion.part(row_of_counts(row));
            first = last;
        }
        if (is_peak(rates, may_fall))
            lowest = std::min(lowest, criterion.total(rates.size(), parts));
    }
    return lowest;
}

struct Asked {
    Trend trend;
    double sign;
    bool may_fall;
};

TEST(program_of_a_trend_reaches_the_lowest_cost_of_all_partitions_that_follow_it) {
    constexpr Asked trends[] = {{Trend::ascending, 1.0, false},
                                {Trend::descending, -1.0, false},
                                {Trend::peak, 1.0, true},
                                {Trend::valley, -1.0, true}};
    for (unsigned seed = 0; seed < 60; ++seed) {
        const Rows rows = random_rows(1 + seed % 10, seed);
        const Cumulative sums(rows);
        const std::size_t n = sums.n_blocks();
        const Problem problem({sums.before(n)[0], sums.before(n)[1]});
        const AnyCriterion held = criterion_named("modl").make(problem, {});
        const auto& criterion = *std::get<std::unique_ptr<PartitionCriterion>>(held);
        for (const Asked& asked : trends) {
            Limits limits;
            limits.trend = asked.trend;
            limits.class_scores = {0.0, 1.0};
            const Program best = best_partition(criterion, sums, limits, Stop());
            const double lowest = lowest_cost(criterion, sums, asked.sign, asked.may_fall);
            CHECK(follows(asked.trend, sums, limits, best.starts));
            CHECK_NEAR(best.cost, lowest, 1e-9);
            if (asked.may_fall) continue;
            CHECK(trend_bound(line_of(rows), asked.sign, Stop()) <= lowest + 1e-9);
        }
    }
}

TEST(zoom_finds_a_partition_within_the_limits_of_a_long_line) {
    const Rows rows = random_rows(3000, 7);
    const Line line = line_of(rows);
    const Problem problem(line.totals());
    const AnyCriterion held = criterion_named("modl").make(problem, {});
    Limits limits;
    limits.trend = Trend::any;
    limits.class_scores = {0.0, 1.0};
    limits.min_counts = {50.0, 50.0};
    limits.fixed = {1000, 1001};
    const Task task{line, problem, criterion_named("modl"), held, limits, Stop()};
    bool is_refused = false;
    try {
        zoom(task);
    } catch (const NotPossible&) {
        is_refused = true;  // one unit between fixed cuts holds too few
    }
    CHECK(is_refused);
    limits.fixed = {1000, 2000};
    const Found found = zoom(task);
    CHECK(std::count(found.starts.begin(), found.starts.end(), Index{1000}) == 1);
    CHECK(std::count(found.starts.begin(), found.starts.end(), Index{2000}) == 1);
    const Rows parts = block_rows(line, found.starts);
    for (std::size_t k = 0; k < parts.size(); ++k) CHECK(limits.allows(parts.row(k)));
}

}  // namespace
