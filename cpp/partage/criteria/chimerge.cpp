#include "partage/criteria/criterion.hpp"
#include "partage/support/chi_square_law.hpp"

namespace partage {
namespace {

/// ChiMerge (Kerber): chi-square of two neighbouring parts against its quantile at J-1 degrees of
/// freedom; a class absent from both contributes nothing.
class ChiMerge final : public PairTest {
public:
    ChiMerge(const Problem& problem, std::span<const double> parameters)
        : threshold_(problem.n_classes() > 1
                         ? chi_square_quantile(parameters[0],
                                               static_cast<double>(problem.n_classes()) - 1.0)
                         : infinite) {}

    double difference(Row a, Row b) const noexcept override {
        double sum = 0.0;
        for (std::size_t j = 0; j < a.sums.size(); ++j) {
            const double both = a.sums[j] + b.sums[j];
            // The two cells of a class have the same squared deviation.
            const double deviation = a.sums[j] * b.weight - b.sums[j] * a.weight;
            if (both > 0.0) sum += deviation * deviation / both;
        }
        return sum / (a.weight * b.weight);
    }
    double threshold() const noexcept override { return threshold_; }

private:
    double threshold_;
};

}  // namespace

extern const CriterionEntry chimerge{
    .name = "chimerge",
    .meaning = "chi-square test of neighbouring parts (Kerber)",
    .searches = {"bottom-up"},
    .border_cuts = true,
    .parameters = {{"confidence",
                    "level below which neighbours are merged; higher gives fewer parts", 0.95, 0.0,
                    1.0, false, false}},
    .make = make_with<ChiMerge>};

}  // namespace partage
