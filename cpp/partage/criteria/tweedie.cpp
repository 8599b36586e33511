#include <algorithm>
#include <cmath>

#include "partage/criteria/criterion.hpp"
#include "partage/criteria/structure.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Amounts that may be zero, over an exposure: a part holds exposure w, amounts s and t, the
/// quasi-likelihood in which every row has its own mean. Variances grow with the mean to the power
/// 3/2, so that a mean of its own leaves 4 sqrt(s w). One row more, of the mean of all rows, draws
/// the mean of a part to it; the mean costs half a logarithm of the rows it is told from:
/// (4 sqrt((s + m u) (w + u)) - 4 u sqrt(m) + t) / dispersion + log(1 + w / u) / 2, u being the
/// exposure of one row. Concave in both.
class Tweedie final : public PartitionCriterion {
public:
    Tweedie(const Problem& problem, std::span<const double> parameters)
        : structure_(problem),
          mean_(parameters[0]),
          dispersion_(parameters[1]),
          unit_(parameters[2]) {}

    double part(Row row) const noexcept override {
        return length(row.sums[0], row.sums[1], row.sums[2]);
    }
    double structure(std::size_t n_parts) const noexcept override { return structure_(n_parts); }
    Growth growth() const noexcept override { return Growth::concave; }
    bool is_concave() const noexcept override { return true; }
    // sqrt((s + a) (w + b)) >= sqrt(s w) + sqrt(a b): more rows leave at least what they do alone.
    double least_growth(Row row) const noexcept override {
        const double alone = 4.0 * std::sqrt(std::max(row.sums[1], 0.0) * row.sums[0]);
        return std::max((alone + row.sums[2]) / dispersion_, 0.0);
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
        const double exposure = std::max(w, 0.0);
        const double amounts = std::max(s, 0.0);
        const double left = std::sqrt((amounts + mean_ * unit_) * (exposure + unit_));
        const double row = unit_ * std::sqrt(mean_);
        return (4.0 * (left - row) + t) / dispersion_ + 0.5 * portable_log(1.0 + exposure / unit_);
    }

    Structure structure_;
    double mean_;
    double dispersion_;
    double unit_;
};

}  // namespace

extern const CriterionEntry tweedie{
    .name = "tweedie",
    .meaning = "amounts that may be zero, over an exposure: a mean for each part",
    .reads = Reads::moments,
    .searches = {"exact", "bottom-up", "top-down", "coarse"},
    .unit = Unit::nats,
    .own_cost = true,
    .n_moments = 4,
    .parameters = {{"mean", "amounts of all rows over their exposure", 1.0, 0.0, infinite, false,
                    false},
                   {"dispersion", "variance over the mean to the power 3/2", 1.0, 0.0, infinite,
                    false, false},
                   {"unit", "exposure of one row", 1.0, 0.0, infinite, false, false}},
    .make = make_with<Tweedie>};

}  // namespace partage
