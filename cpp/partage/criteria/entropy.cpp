#include "partage/criteria/impurity.hpp"

namespace partage {
namespace {

/// Class entropy of the parts in nats, plus log N for every part.
class Entropy final : public Impurity<Entropy> {
public:
    using Impurity::Impurity;

    // n log n - Σ n_j log n_j
    double offset(double n) const noexcept { return x_log_x(n); }
    double scale(double) const noexcept { return -1.0; }
    double term(double count, std::size_t) const noexcept { return x_log_x(count); }
};

}  // namespace

extern const CriterionEntry entropy{.name = "entropy",
                                    .meaning = "class entropy, log N for every part",
                                    .spaces = {Space::line, Space::any},
                                    .searches = {"exact", "bottom-up", "top-down", "coarse"},
                                    .unit = Unit::nats,
                                    .own_cost = true,
                                    .border_cuts = true,
                                    .make = make<Entropy>};

}  // namespace partage
