#include "partage/criteria/scores.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "partage/criteria/criterion.hpp"
#include "partage/criteria/structure.hpp"

namespace partage {
namespace {

/// Scores of a number, a level for each part and one spread for all of them. The length is
/// (N-1)/2 log Σ spread_k + Σ ½ log(1 + n_k) + structure, which is no sum over parts; its logarithm
/// is concave, so that every optimum is that of a sum at some slope: Σ [slope spread_k + ...].
/// Where levels are not drawn, a part costs slope (q - s² / n): squared errors alone.
class Scores final : public PartitionCriterion {
public:
    Scores(const Problem& problem, std::span<const double> parameters)
        : structure_(with_levels(problem, parameters[2], parameters[1])),
          slope_(parameters[0]),
          drawn_(parameters[3]) {}

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

    std::unique_ptr<Walk> walk(Cuts cuts) const override;
    /// Blocks of even weight: scores of single rows scatter, so that a loss of one says nothing.
    CountedBlocks sweep(const Line& line, const Blocks& blocks, double most, double,
                        const Stop& stop) const override;
    // Spreads are concave in weight and sum, and so is the logarithm of the weight.
    bool is_concave() const noexcept override { return true; }
    bool has_bounds() const noexcept override { return true; }
    double bound(const Band& band, std::span<double>) const noexcept override {
        if (!(band.left_weight > 0.0) || !(band.right_weight > 0.0)) return -infinite;
        const double squares = band.last[2] - band.first[2];
        const double s = band.row[1] - band.first[1];
        const double whole = band.last[1] - band.first[1];
        const auto cost_at = [&](double left) {
            return length(band.left_weight, left, squares) +
                   length(band.right_weight, whole - left, 0.0);
        };
        return std::min(cost_at(s + band.low[1]), cost_at(s + band.high[1]));
    }

private:
    class Steps;

    static Problem with_levels(Problem problem, double of_log_parts, double n_beside) {
        problem.of_log_parts = of_log_parts;
        problem.n_beside = n_beside;
        return problem;
    }

    double length(double n, double s, double q) const noexcept {
        if (drawn_ == 0.0) return n > 0.0 ? slope_ * (q - s * s / n) : 0.0;
        return slope_ * spread_of(n, s, q) + 0.5 * Sliced(1.0 + n).log();
    }

    Structure structure_;
    double slope_;
    double drawn_;
};

/// The walk along a line: three sums go from one side to the other at each step.
class Scores::Steps final : public Walk {
public:
    Steps(const Scores& scores, Cuts cuts)
        : Walk(cuts.first, {}, {}), scores_(scores), cuts_(std::move(cuts)) {
        const Layout layout = cuts_.line.layout();
        left_ = layout.row(cuts_.left);
        right_ = layout.row(cuts_.right);
    }

    bool next() override {
        if (at_ + 1 >= cuts_.last) return false;
        const Line& line = cuts_.line;
        const std::size_t width = line.n_amounts;
        const std::size_t last = line.starts[cuts_.blocks[at_ + 1]];
        for (std::size_t i = line.starts[cuts_.blocks[at_]]; i < last; ++i)
            for (std::size_t j = 0; j < width; ++j) {
                const double amount = line.amounts_of(i)[j];
                cuts_.left[j] += amount;
                cuts_.right[j] -= amount;
            }
        left_.weight = cuts_.left[0];
        right_.weight = cuts_.right[0];
        ++at_;
        return true;
    }

    SideCosts costs() const noexcept override {
        return {scores_.length(cuts_.left[0], cuts_.left[1], cuts_.left[2]),
                scores_.length(cuts_.right[0], cuts_.right[1], cuts_.right[2])};
    }

private:
    const Scores& scores_;
    Cuts cuts_;
};

std::unique_ptr<Walk> Scores::walk(Cuts cuts) const {
    return std::make_unique<Steps>(*this, std::move(cuts));
}

CountedBlocks Scores::sweep(const Line& line, const Blocks& blocks, double most, double,
                            const Stop& stop) const {
    CountedBlocks kept{{}, Rows(0, line.layout())};
    std::vector<double>& rows = kept.rows.values();
    const std::size_t width = line.n_amounts;
    const auto entry = [&](std::size_t block) { return line.starts[blocks[block]]; };
    for (std::size_t first = 0; first + 1 < blocks.size();) {
        stop.check();
        std::size_t last = first + 1;
        double weight = line.weight(entry(first), entry(last));
        for (; last + 1 < blocks.size(); ++last) {
            const double added = line.weight(entry(last), entry(last + 1));
            if (weight + added > most) break;
            weight += added;
        }
        kept.blocks.push_back(blocks[first]);
        rows.resize(rows.size() + width, 0.0);
        line.add(entry(first), entry(last), {rows.data() + (rows.size() - width), width});
        first = last;
    }
    kept.blocks.push_back(blocks.back());
    return kept;
}

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
                   {"levels", "nats for each logarithm of the number of levels", 0.5, 0.0},
                   {"drawn", "1: levels are drawn to 0 and told; 0: squares alone", 1.0, 0.0, 1.0}},
    .make = make_with<Scores>};

}  // namespace partage
