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
