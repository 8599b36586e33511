#include "partage/criteria/scores.hpp"

#include "partage/criteria/criterion.hpp"
#include "partage/criteria/structure.hpp"

namespace partage {
namespace {

/// Scores of a number, a level for each part and one spread for all of them. The length is
/// (N-1)/2 log Σ spread_k + Σ ½ log(1 + n_k) + structure, which is no sum over parts; its logarithm
/// is concave, so that every optimum is that of a sum at some slope: Σ [slope spread_k + ...].
class Scores final : public PartitionCriterion {
public:
    Scores(const Problem& problem, std::span<const double> parameters)
        : structure_(with_levels(problem, parameters[2], parameters[1])), slope_(parameters[0]) {}

    double part(Row row) const noexcept override {
        return length(row.weight, row.sums[0], row.sums[1]);
    }
    double structure(std::size_t n_parts) const noexcept override { return structure_(n_parts); }
    Growth growth() const noexcept override { return Growth::concave; }
    // (s+t)² / (n+1+m) <= s² / (n+1) + t² / m: more rows leave at least what is within themselves.
    double least_growth(Row row) const noexcept override {
        if (!(row.weight > 0.0)) return 0.0;
        const double within = row.sums[1] - row.sums[0] * row.sums[0] / row.weight;
        return within > 0.0 ? slope_ * within : 0.0;
    }
    void parts_ending_at(const Cumulative& sums, std::size_t first, std::size_t end,
                         std::size_t last, double* out) const override {
        const Numbers after = sums.before(last);
        for (std::size_t i = first; i < end; ++i) {
            const Numbers before = sums.before(i);
            out[i - first] =
                length(after[0] - before[0], after[1] - before[1], after[2] - before[2]);
        }
    }

private:
    static Problem with_levels(Problem problem, double of_log_parts, double n_beside) {
        problem.of_log_parts = of_log_parts;
        problem.n_beside = n_beside;
        return problem;
    }

    double length(double n, double s, double q) const noexcept {
        return slope_ * spread_of(n, s, q) + 0.5 * Sliced(1.0 + n).log();
    }

    Structure structure_;
    double slope_;
};

}  // namespace

extern const CriterionEntry scores{
    .name = "scores",
    .meaning = "scores of a number: a level for each part, one spread for all",
    .reads = Reads::moments,
    .searches = {"exact", "bottom-up", "top-down", "coarse"},
    .unit = Unit::nats,
    .own_cost = true,
    .parameters = {{"slope", "nats for a unit of spread", 0.5, 0.0},
                   {"beside", "sets of rows beside the parts", 0.0, 0.0},
                   {"levels", "nats for each logarithm of the number of levels", 0.5, 0.0}},
    .make = make_with<Scores>};

}  // namespace partage
