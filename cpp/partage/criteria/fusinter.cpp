#include "partage/criteria/separable.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// FUSINTER: Σ [ α (n_k/N) H(f_k) + (1-α) J λ / n_k ], f_kj = (n_kj+λ)/(n_k+Jλ), H quadratic
/// (Σ f (1-f)) or Shannon's in bits.
template <class Entropy>
class Fusinter final : public Separable<Fusinter<Entropy>> {
public:
    Fusinter(const Problem& problem, std::span<const double> parameters)
        : share_(parameters[0] / problem.n_samples),
          lambda_(parameters[1]),
          smoothing_(parameters[1] * static_cast<double>(problem.n_classes())),
          price_((1.0 - parameters[0]) * smoothing_) {}

    double least_part() const noexcept override { return 0.0; }

    double offset(double n) const noexcept {
        return share_ * n * Entropy::offset(n + smoothing_) + price_ / n;
    }
    double scale(double n) const noexcept { return share_ * n * Entropy::scale(n + smoothing_); }
    double term(double count, std::size_t) const noexcept { return Entropy::term(count + lambda_); }

private:
    double share_;
    double lambda_;
    double smoothing_;
    double price_;
};

/// 1 - Σ a² / m².
struct Quadratic {
    static double offset(double) noexcept { return 1.0; }
    static double scale(double m) noexcept { return -1.0 / (m * m); }
    static double term(double a) noexcept { return a * a; }
};

/// (log m - Σ a log a / m) / log 2.
struct Shannon {
    static constexpr double per_bit = 1.4426950408889634074;
    static double offset(double m) noexcept { return per_bit * portable_log(m); }
    static double scale(double m) noexcept { return -per_bit / m; }
    static double term(double a) noexcept { return x_log_x(a); }
};

AnyCriterion make_fusinter(const Problem& problem, std::span<const double> parameters) {
    if (parameters[2] == 0.0) return std::make_unique<Fusinter<Quadratic>>(problem, parameters);
    return std::make_unique<Fusinter<Shannon>>(problem, parameters);
}

}  // namespace

extern const CriterionEntry fusinter{
    .name = "fusinter",
    .meaning = "smoothed entropy of the parts against their sizes",
    .spaces = {Space::line, Space::any},
    .searches = {"exact", "bottom-up", "top-down", "coarse"},
    .own_cost = true,
    .parameters = {{"alpha", "weight of the entropy against the price of small parts", 0.975, 0.0,
                    1.0},
                   {"lambda", "smoothing added to each class count", 1.0, 0.0, infinite, false,
                    false},
                   {"entropy",
                    "entropy of the class shares",
                    0.0,
                    0.0,
                    1.0,
                    true,
                    true,
                    {"quadratic", "shannon"}}},
    .make = make_fusinter};

}  // namespace partage
