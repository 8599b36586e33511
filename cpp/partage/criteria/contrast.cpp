#include "partage/criteria/criterion.hpp"
#include "partage/criteria/structure.hpp"
#include "partage/support/lengths.hpp"

namespace partage {
namespace {

/// Classes mixed with the spread of the values themselves: a part holds Σx, Σx² (x with mean 0 and
/// deviation 1) and the weight of each class. It costs (1 - weight) times MODL's length of its
/// classes, and `weight` times half the squares that its mean leaves: the length of values that
/// follow a normal law around it, of the spread of all.
class Contrast final : public PartitionCriterion {
public:
    Contrast(const Problem& problem, std::span<const double> parameters)
        : structure_(problem), weight_(parameters[0]) {}

    double part(Row row) const noexcept override {
        return (1.0 - weight_) * class_length(row.sums.subspan(2)) + weight_ * within(row);
    }
    double structure(std::size_t n_parts) const noexcept override { return structure_(n_parts); }
    Growth growth() const noexcept override { return Growth::concave; }
    // More rows leave at least the squares within themselves, and no less of their classes.
    double least_growth(Row row) const noexcept override {
        const double classes = entropy_length(row.sums.subspan(2));
        return (1.0 - weight_) * classes + weight_ * within(row);
    }

private:
    static double within(Row row) noexcept {
        if (!(row.weight > 0.0)) return 0.0;
        const double left = row.sums[1] - row.sums[0] * row.sums[0] / row.weight;
        return left > 0.0 ? 0.5 * left : 0.0;
    }

    Structure structure_;
    double weight_;
};

}  // namespace

extern const CriterionEntry contrast{
    .name = "contrast",
    .meaning = "classes mixed with the spread of the values themselves",
    .reads = Reads::moments,
    .searches = {"exact"},
    .unit = Unit::nats,
    .own_cost = false,
    .n_moments = 4,
    .parameters = {{"weight", "share of the spread of the values; 0 gives MODL", 0.2, 0.0, 1.0}},
    .make = make_with<Contrast>};

}  // namespace partage
