#include "partage/criteria/impurity.hpp"

namespace partage {
namespace {

/// Gini impurity of the classes, plus log N for every part.
class Gini final : public Impurity<Gini> {
public:
    using Impurity::Impurity;

    // n - Σ n_j² / n
    double offset(double n) const noexcept override { return n; }
    double scale(double n) const noexcept override { return -1.0 / n; }
    double term(double count, std::size_t) const noexcept override { return count * count; }
};

}  // namespace

extern const CriterionEntry gini{"gini",
                                 "Gini impurity, log N for every part",
                                 {"exact", "bottom-up", "top-down", "coarse"},
                                 true,
                                 true,
                                 false,
                                 {},
                                 make<Gini>};

}  // namespace partage
