#include "partage/combinatorics.hpp"
#include "partage/separable.hpp"

namespace partage {
namespace {

/// Class entropy of the parts in nats, plus log N for every part.
class Entropy final : public Separable<Entropy> {
public:
    explicit Entropy(const Problem& problem) : price_(portable_log(problem.n_samples)) {}

    double structure(std::size_t n_parts) const noexcept override {
        return price_ * static_cast<double>(n_parts);
    }
    // n log n - Σ n_j log n_j
    double offset(double n) const noexcept override { return x_log_x(n); }
    double scale(double) const noexcept override { return -1.0; }
    double term(double count, std::size_t) const noexcept override { return x_log_x(count); }
    bool is_concave() const noexcept override { return true; }
    // Concave and homogeneous, hence superadditive.
    double least_growth(Row counts) const noexcept override { return this->part(counts); }

private:
    double price_;
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
