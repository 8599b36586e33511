#include "partage/combinatorics.hpp"
#include "partage/separable.hpp"

namespace partage {
namespace {

/// MODL for intervals: log N + log C(N+K-1, K-1) + Σ [ log C(n_k+J-1, J-1) + log(n_k!/Π n_kj!) ].
class Modl final : public Separable<Modl> {
public:
    explicit Modl(const Problem& problem)
        : n_samples_(problem.n_samples),
          n_others_(static_cast<double>(problem.n_classes()) - 1.0),
          log_n_(portable_log(problem.n_samples)),
          log_others_(log_factorial(n_others_)) {}

    double structure(std::size_t n_parts) const noexcept override {
        const auto n_cuts = static_cast<double>(n_parts) - 1.0;
        return log_n_ + log_binomial(n_samples_ + n_cuts, n_cuts);
    }
    Growth growth() const noexcept override { return Growth::concave; }

    // L_k = log (n_k+J-1)! - log (J-1)! - Σ log n_kj!
    double offset(double n) const noexcept override {
        return log_factorial(n + n_others_) - log_others_;
    }
    double scale(double) const noexcept override { return 1.0; }
    double term(double count, std::size_t) const noexcept override { return -log_factorial(count); }
    bool is_concave() const noexcept override { return true; }
    // A part's cost is -log of its likelihood averaged over all class shares; more rows multiply
    // the likelihood by no more than their own maximum.
    double least_growth(Row counts) const noexcept override { return entropy_of(counts); }

private:
    double n_samples_;
    double n_others_;
    double log_n_;
    double log_others_;
};

}  // namespace

extern const CriterionEntry modl{"modl",
                                 "Bayes optimal description of the classes, no parameter",
                                 {"exact", "bottom-up", "top-down", "coarse"},
                                 true,
                                 true,
                                 false,
                                 {},
                                 make<Modl>};

}  // namespace partage
