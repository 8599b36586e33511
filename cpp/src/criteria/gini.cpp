#include "partage/combinatorics.hpp"
#include "partage/separable.hpp"

namespace partage {
namespace {

/// Gini impurity of the classes, plus log N for every part.
class Gini final : public Separable<Gini> {
public:
    explicit Gini(const Problem& problem) : price_(portable_log(problem.n_samples)) {}

    double structure(std::size_t n_parts) const noexcept override {
        return price_ * static_cast<double>(n_parts);
    }
    // n - Σ n_j² / n
    double offset(double n) const noexcept override { return n; }
    double scale(double n) const noexcept override { return -1.0 / n; }
    double term(double count, std::size_t) const noexcept override { return count * count; }
    bool is_concave() const noexcept override { return true; }
    // Concave and homogeneous, hence superadditive.
    double least_growth(Row counts) const noexcept override { return this->part(counts); }

private:
    double price_;
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
