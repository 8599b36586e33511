#include "partage/criteria/impurity.hpp"

namespace partage {
namespace {

/// Class entropy of the parts in nats, plus log N for every part.
class Entropy final : public Impurity<Entropy> {
public:
    using Impurity::Impurity;

    // n log n - Σ n_j log n_j
    double offset(double n) const noexcept override { return x_log_x(n); }
    double scale(double) const noexcept override { return -1.0; }
    double term(double count, std::size_t) const noexcept override { return x_log_x(count); }
};

}  // namespace

extern const CriterionEntry entropy{"entropy",
                                    "class entropy, log N for every part",
                                    {"exact", "bottom-up", "top-down", "coarse"},
                                    true,
                                    true,
                                    false,
                                    {},
                                    make<Entropy>};

}  // namespace partage
