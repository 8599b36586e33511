#include <cmath>

#include "check.hpp"
#include "partage/search/sums/summary.hpp"
#include "partage/search/sums/weigh.hpp"

namespace {

using namespace partage;

/// Units of two classes whose share changes twice.
Rows steps_of_shares(std::size_t n_units) {
    Rows rows(n_units, 2);
    for (std::size_t i = 0; i < n_units; ++i) {
        const bool is_high = i > n_units / 3 && i < 2 * n_units / 3;
        const bool is_event = is_high ? i % 4 != 0 : i % 5 == 0;
        rows[i][is_event ? 1 : 0] = 1.0;
    }
    return rows;
}

struct Sample {
    explicit Sample(std::size_t n_units)
        : sums(steps_of_shares(n_units)),
          criterion(make_partition_criterion(
              criterion_named("modl"), Problem({sums.before(n_units)[0], sums.before(n_units)[1]}),
              {})) {}

    Cumulative sums;
    std::unique_ptr<PartitionCriterion> criterion;
    Limits limits;
    Stop stop;

    SumTask task() const { return {*criterion, sums, limits, {}, {}, 3, stop}; }
};

}  // namespace

TEST(sums_at_a_price_equal_those_in_logarithms) {
    const Sample sample(90);
    const SumTask task = sample.task();
    const SizePrior prior(task);
    const std::optional<Summed> priced = sum_at_a_price(task, prior);
    const Summed logs = sum_in_logarithms(task, prior);
    CHECK(priced.has_value());
    CHECK_NEAR(priced->log_total, logs.log_total, 1e-9);
    const auto cuts = cut_probabilities(priced->parts, 90);
    const auto other = cut_probabilities(logs.parts, 90);
    for (std::size_t i = 0; i < cuts.size(); ++i) CHECK_NEAR(cuts[i], other[i], 1e-9);
}

TEST(sums_at_a_price_give_up_where_they_would_lose_what_matters) {
    Sample sample(4000);
    sample.limits.n_parts = 400;  // far from what the rows want
    const SumTask task = sample.task();
    CHECK(!sum_at_a_price(task, SizePrior(task)).has_value());
}

TEST(sums_under_a_trend_are_at_most_those_without) {
    Sample sample(40);
    const double free = sum_partitions(sample.task()).log_total;
    sample.limits.class_scores = {0.0, 1.0};
    double lower = -infinite;
    for (const Trend trend : {Trend::ascending, Trend::peak, Trend::any}) {
        sample.limits.trend = trend;
        const Summed found = sum_partitions(sample.task());
        CHECK(found.log_total >= lower);  // each trend allows what the one before does
        CHECK(found.log_total <= free + 1e-9);
        double parts = 0.0;
        for (const double p : found.parts.probability) parts += p;
        double mean = 0.0;
        for (std::size_t k = 0; k < found.n_parts.size(); ++k)
            mean += static_cast<double>(k + 1) * found.n_parts[k];
        CHECK_NEAR(parts, mean, 1e-7);
        lower = found.log_total - 1e-9;
    }
}

TEST(averaged_shares_add_up_and_stretches_hold_their_cut) {
    const Sample sample(60);
    const Summed found = sum_partitions(sample.task());
    const AveragedShares averaged = averaged_shares(found.parts, sample.sums);
    for (std::size_t u = 0; u < 60; ++u)
        CHECK_NEAR(averaged.shares[u][0] + averaged.shares[u][1], 1.0, 1e-9);
    const std::vector<Index> cuts{20, 40};
    const auto stretches = credible_stretches(found.parts, sample.sums, cuts, 0.5);
    for (std::size_t i = 0; i < cuts.size(); ++i)
        CHECK(stretches[i].low <= cuts[i] && cuts[i] <= stretches[i].high);
}
