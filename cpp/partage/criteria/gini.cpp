#include "partage/criteria/impurity.hpp"

namespace partage {
namespace {

/// Gini impurity of the classes, plus log N for every part.
class Gini final : public Impurity<Gini> {
public:
    using Impurity::Impurity;

    // n - Σ n_j² / n
    double offset(double n) const noexcept { return n; }
    double scale(double n) const noexcept { return -1.0 / n; }
    double term(double count, std::size_t) const noexcept { return count * count; }
};

}  // namespace

extern const CriterionEntry gini{.name = "gini",
                                 .meaning = "Gini impurity, log N for every part",
                                 .spaces = {Space::line, Space::any},
                                 .searches = {"exact", "bottom-up", "top-down", "coarse"},
                                 .own_cost = true,
                                 .border_cuts = true,
                                 .make = make<Gini>};

}  // namespace partage
