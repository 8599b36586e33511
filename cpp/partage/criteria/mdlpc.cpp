#include "partage/criteria/separable.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// n times the class entropy of a part, in nats: n log n - Σ n_j log n_j.
class Information final : public Separable<Information> {
public:
    double offset(double n) const noexcept { return x_log_x(n); }
    double scale(double) const noexcept { return -1.0; }
    double term(double count, std::size_t) const noexcept { return x_log_x(count); }
};

const Information information;

/// Whether a gain is more than rounding; a part that weighs one row or less is never cut.
bool is_gain(double gain, const Row& whole) noexcept {
    return gain > tie * whole.weight && whole.weight > 1.0;
}

/// Classes of the part that one side of a cut holds; real weights leave rounding behind where
/// nothing is left.
std::size_t n_present(const Row& side, const Row& whole) noexcept {
    std::size_t n = 0;
    for (std::size_t j = 0; j < whole.sums.size(); ++j)
        n += whole.sums[j] > 0.0 && side.sums[j] > 1e-12 * whole.sums[j];
    return n;
}

bool are_allowed(const Walk& walk, double least_weight) noexcept {
    return walk.left().weight >= least_weight && walk.right().weight >= least_weight;
}

/// MDLPC (Fayyad and Irani): the cut of highest information gain, made if
/// N gain > log(N-1) + log(3^c - 2) - (c H - c1 H1 - c2 H2), c the classes present, in nats.
class Mdlpc final : public SplitCriterion {
public:
    explicit Mdlpc(const Problem&) {}

    Split best(const Cuts& cuts, double least_weight) const override {
        const Row whole = row_of_counts(cuts.right);
        const double own = information.part(whole);
        const std::size_t n_classes = n_present(whole, whole);
        Split found;
        double price = 0.0;
        double lowest = infinite;
        for (const auto walk = information.walk(cuts); walk->next();) {
            if (!are_allowed(*walk, least_weight)) continue;
            const auto [left, right] = walk->costs();
            if (!is_lower(left + right, lowest)) continue;
            lowest = left + right;
            found.at = walk->at();
            const double change =
                mean(n_classes, own, whole.weight) -
                mean(n_present(walk->left(), whole), left, walk->left().weight) -
                mean(n_present(walk->right(), whole), right, walk->right().weight);
            price = portable_log(whole.weight - 1.0) + log_dual(n_classes) - change;
        }
        if (found.at == 0) return found;
        found.gain = own - lowest;
        found.accepted = found.gain > price && is_gain(found.gain, whole);
        return found;
    }

private:
    static double mean(std::size_t n_classes, double information, double n) noexcept {
        return static_cast<double>(n_classes) * information / n;
    }
    /// log(3^c - 2) without overflow.
    static double log_dual(std::size_t n_classes) noexcept {
        constexpr double log_3 = 1.09861228866810969140;
        if (n_classes > 30) return static_cast<double>(n_classes) * log_3;
        double power = 1.0;
        for (std::size_t i = 0; i < n_classes; ++i) power *= 3.0;
        return portable_log(power - 2.0);
    }
};

/// C4.5's gain ratio: the best ratio among cuts of at least average gain; stops where
/// N gain <= log2(distinct values - 1).
class GainRatio final : public SplitCriterion {
public:
    explicit GainRatio(const Problem&) {}

    Split best(const Cuts& cuts, double least_weight) const override {
        const Row whole = row_of_counts(cuts.right);
        const double own = information.part(whole);
        const auto gain = [own](const Walk& walk) {
            const auto [left, right] = walk.costs();
            return own - left - right;
        };
        double sum = 0.0;
        std::size_t n_allowed = 0;
        for (const auto walk = information.walk(cuts); walk->next();) {
            if (!are_allowed(*walk, least_weight)) continue;
            sum += gain(*walk);
            ++n_allowed;
        }
        Split found;
        if (n_allowed == 0) return found;
        const double average = sum / static_cast<double>(n_allowed);
        double best_ratio = -infinite;
        for (const auto walk = information.walk(cuts); walk->next();) {
            if (!are_allowed(*walk, least_weight)) continue;
            const double gained = gain(*walk);
            if (is_lower(gained, average)) continue;
            const double ratio = gained / split_information(whole, *walk);
            if (!is_lower(-ratio, -best_ratio)) continue;
            best_ratio = ratio;
            found.at = walk->at();
            found.gain = gained;
        }
        const auto n_cuts = static_cast<double>(cuts.last - cuts.first - 1);
        found.accepted =
            found.at != 0 && found.gain > portable_log(n_cuts) && is_gain(found.gain, whole);
        return found;
    }

private:
    static double split_information(const Row& whole, const Walk& walk) noexcept {
        return x_log_x(whole.weight) - x_log_x(walk.left().weight) - x_log_x(walk.right().weight);
    }
};

}  // namespace

extern const CriterionEntry mdlpc{
    .name = "mdlpc",
    .meaning = "information gain, stopped by its description length (Fayyad and Irani)",
    .searches = {"top-down"},
    .border_cuts = true,
    .make = make<Mdlpc>};
extern const CriterionEntry gain_ratio{.name = "gain-ratio",
                                       .meaning = "gain ratio of C4.5",
                                       .searches = {"top-down"},
                                       .make = make<GainRatio>};

}  // namespace partage
