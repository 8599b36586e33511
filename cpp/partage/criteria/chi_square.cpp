#include <cmath>

#include "partage/criteria/separable.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// What the chi-square family shares: Σ part = -χ² of the table of parts and classes.
template <class Derived>
class ChiSquareFamily : public Separable<Derived> {
public:
    explicit ChiSquareFamily(const Problem& problem)
        : n_samples_(problem.n_samples), n_classes_(problem.n_classes()) {
        inverse_.reserve(n_classes_);
        for (const double total : problem.totals)
            inverse_.push_back(total > 0.0 ? n_samples_ / total : 0.0);
    }

    Growth growth() const noexcept override { return Growth::other; }
    // n - N Σ n_j² / (n n_.j)
    double offset(double n) const noexcept { return n; }
    double scale(double n) const noexcept { return -1.0 / n; }
    double term(double count, std::size_t label) const noexcept {
        return count * count * inverse_[label];
    }
    bool is_concave() const noexcept override { return true; }
    // Concave and homogeneous, hence superadditive.
    double least_growth(Row row) const noexcept override { return this->part(row); }

protected:
    double n_samples_;
    std::size_t n_classes_;

private:
    std::vector<double> inverse_;
};

/// -χ².
class ChiSquare final : public ChiSquareFamily<ChiSquare> {
public:
    using ChiSquareFamily::ChiSquareFamily;
    double total(std::size_t, double parts) const noexcept override { return parts; }
};

/// Tschuprow's -T² = -χ² / (N √((K-1)(J-1))).
class Tschuprow final : public ChiSquareFamily<Tschuprow> {
public:
    using ChiSquareFamily::ChiSquareFamily;
    double total(std::size_t n_parts, double parts) const noexcept override {
        if (n_parts < 2 || n_classes_ < 2) return 0.0;
        const auto freedom = static_cast<double>((n_parts - 1) * (n_classes_ - 1));
        return parts / (n_samples_ * std::sqrt(freedom));
    }
};

/// Cramér's -V² = -χ² / (N min(K-1, J-1)).
class Cramer final : public ChiSquareFamily<Cramer> {
public:
    using ChiSquareFamily::ChiSquareFamily;
    double total(std::size_t n_parts, double parts) const noexcept override {
        if (n_parts < 2 || n_classes_ < 2) return 0.0;
        return parts / (n_samples_ * static_cast<double>(std::min(n_parts, n_classes_) - 1));
    }
};

/// CACC: -√(Y / (Y + N)), Y = χ² / log K.
class Cacc final : public ChiSquareFamily<Cacc> {
public:
    using ChiSquareFamily::ChiSquareFamily;
    double total(std::size_t n_parts, double parts) const noexcept override {
        if (n_parts < 2) return 0.0;
        const double y = -parts / portable_log(static_cast<double>(n_parts));
        return y > 0.0 ? -std::sqrt(y / (y + n_samples_)) : 0.0;
    }
    std::size_t least_parts() const noexcept override { return n_classes_; }
};

/// Ameva: -χ² / (K (J-1)).
class Ameva final : public ChiSquareFamily<Ameva> {
public:
    using ChiSquareFamily::ChiSquareFamily;
    double total(std::size_t n_parts, double parts) const noexcept override {
        if (n_parts < 2 || n_classes_ < 2) return 0.0;
        return parts / static_cast<double>(n_parts * (n_classes_ - 1));
    }
};

}  // namespace

extern const CriterionEntry chi2{
    .name = "chi2",
    .meaning = "chi-square of the parts and classes, for a given number of parts",
    .searches = {"exact"},
    .own_cost = true,
    .border_cuts = true,
    .needs_size = true,
    .make = make<ChiSquare>};
extern const CriterionEntry tschuprow{.name = "tschuprow",
                                      .meaning = "Tschuprow's T² between parts and classes",
                                      .spaces = {Space::line, Space::any},
                                      .searches = {"exact", "bottom-up"},
                                      .own_cost = true,
                                      .border_cuts = true,
                                      .make = make<Tschuprow>};
extern const CriterionEntry cramer{.name = "cramer",
                                   .meaning = "Cramér's V² between parts and classes",
                                   .spaces = {Space::line, Space::any},
                                   .searches = {"exact", "bottom-up"},
                                   .own_cost = true,
                                   .border_cuts = true,
                                   .make = make<Cramer>};
extern const CriterionEntry cacc{.name = "cacc",
                                 .meaning = "class-attribute contingency coefficient",
                                 .searches = {"top-down"},
                                 .border_cuts = true,
                                 .make = make<Cacc>};
extern const CriterionEntry ameva{.name = "ameva",
                                  .meaning = "chi-square per part and class",
                                  .searches = {"top-down"},
                                  .border_cuts = true,
                                  .make = make<Ameva>};

}  // namespace partage
