#include "partage/criteria/criterion.hpp"
#include "partage/criteria/walk.hpp"

namespace partage {
namespace {

/// Whether a gain is more than rounding; a part that weighs one row or less is never cut.
bool is_gain(double gain, const CutWalk& cuts) noexcept {
    return gain > tie * cuts.weight() && cuts.weight() > 1.0;
}

/// MDLPC (Fayyad and Irani): the cut of highest information gain, made if
/// N gain > log(N-1) + log(3^c - 2) - (c H - c1 H1 - c2 H2), c the classes present, in nats.
class Mdlpc final : public SplitCriterion {
public:
    explicit Mdlpc(const Problem&) {}

    Split best(CutWalk& cuts) const override {
        Split found;
        double price = 0.0;
        double lowest = infinite;
        while (cuts.next()) {
            if (!cuts.is_allowed()) continue;
            const double left = cuts.left_information();
            const double right = cuts.right_information();
            if (!is_lower(left + right, lowest)) continue;
            lowest = left + right;
            found.at = cuts.at();
            const double change = mean(cuts.n_classes(), cuts.information(), cuts.weight()) -
                                  mean(cuts.left_classes(), left, cuts.left_weight()) -
                                  mean(cuts.right_classes(), right, cuts.right_weight());
            price = portable_log(cuts.weight() - 1.0) + log_dual(cuts.n_classes()) - change;
        }
        if (found.at == 0) return found;
        found.gain = cuts.information() - lowest;
        found.accepted = found.gain > price && is_gain(found.gain, cuts);
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

    Split best(CutWalk& cuts) const override {
        double sum = 0.0;
        std::size_t n_allowed = 0;
        while (cuts.next()) {
            if (!cuts.is_allowed()) continue;
            sum += gain(cuts);
            ++n_allowed;
        }
        Split found;
        if (n_allowed == 0) return found;
        const double average = sum / static_cast<double>(n_allowed);
        double best_ratio = -infinite;
        cuts.restart();
        while (cuts.next()) {
            if (!cuts.is_allowed()) continue;
            const double gained = gain(cuts);
            if (is_lower(gained, average)) continue;
            const double ratio = gained / split_information(cuts);
            if (!is_lower(-ratio, -best_ratio)) continue;
            best_ratio = ratio;
            found.at = cuts.at();
            found.gain = gained;
        }
        const auto n_cuts = static_cast<double>(cuts.n_cuts());
        found.accepted =
            found.at != 0 && found.gain > portable_log(n_cuts) && is_gain(found.gain, cuts);
        return found;
    }

private:
    static double gain(const CutWalk& cuts) noexcept {
        return cuts.information() - cuts.left_information() - cuts.right_information();
    }
    static double split_information(const CutWalk& cuts) noexcept {
        return x_log_x(cuts.weight()) - x_log_x(cuts.left_weight()) - x_log_x(cuts.right_weight());
    }
};

}  // namespace

extern const CriterionEntry mdlpc{
    "mdlpc",      "information gain, stopped by its description length (Fayyad and Irani)",
    {"top-down"}, false,
    true,         false,
    {},           make<Mdlpc>};
extern const CriterionEntry gain_ratio{
    "gain-ratio", "gain ratio of C4.5", {"top-down"}, false, false, false, {}, make<GainRatio>};

}  // namespace partage
