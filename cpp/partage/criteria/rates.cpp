#include <algorithm>

#include "partage/criteria/criterion.hpp"
#include "partage/criteria/structure.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Events over an exposure, or rows over an amount: a part holds exposure w, events s and t, the
/// logarithm of the likelihood in which every row has its own rate. With a gamma law of mean `rate`
/// and one event for the rate of a part, all over the dispersion, it costs
/// -log Γ(1+s) + log rate + (1+s) log(1/rate + w) + t: minus the logarithm of a mean of e^(s log λ
/// - λ w), and so concave in both.
class Rates final : public PartitionCriterion {
public:
    Rates(const Problem& problem, std::span<const double> parameters)
        : structure_(problem), rate_(parameters[0]), dispersion_(parameters[1]) {}

    double part(Row row) const noexcept override {
        return length(row.sums[0], row.sums[1], row.sums[2]);
    }
    double structure(std::size_t n_parts) const noexcept override { return structure_(n_parts); }
    Growth growth() const noexcept override { return Growth::concave; }
    bool is_concave() const noexcept override { return true; }
    // More rows multiply the likelihood by no more than their own maximum; t is above it.
    double least_growth(Row row) const noexcept override {
        const double w = row.sums[0];
        const double s = row.sums[1];
        if (!(w > 0.0)) return 0.0;
        const double most = s > 0.0 ? s * portable_log(s / w) - s : 0.0;
        return std::max((row.sums[2] - most) / dispersion_, 0.0);
    }
    void parts_ending_at(const Cumulative& sums, std::size_t first, std::size_t end,
                         std::size_t last, double* out) const override {
        const Numbers after = sums.before(last);
        for (std::size_t i = first; i < end; ++i) {
            const Numbers before = sums.before(i);
            out[i - first] =
                length(after[1] - before[1], after[2] - before[2], after[3] - before[3]);
        }
    }

private:
    double length(double w, double s, double t) const noexcept {
        const double events = std::max(s, 0.0) / dispersion_;
        const double exposure = std::max(w, 0.0) / dispersion_;
        return t / dispersion_ - log_factorial(events) + portable_log(rate_) +
               (1.0 + events) * portable_log(1.0 / rate_ + exposure);
    }

    Structure structure_;
    double rate_;
    double dispersion_;
};

}  // namespace

extern const CriterionEntry rates{
    .name = "rates",
    .meaning = "events over an exposure: a rate for each part",
    .reads = Reads::moments,
    .searches = {"exact", "bottom-up", "top-down", "coarse"},
    .unit = Unit::nats,
    .own_cost = true,
    .n_moments = 4,
    .parameters = {{"rate", "events of all rows over their exposure", 1.0, 0.0, infinite, false,
                    false},
                   {"dispersion", "variance of events over their mean", 1.0, 0.0, infinite, false,
                    false}},
    .make = make_with<Rates>};

}  // namespace partage
