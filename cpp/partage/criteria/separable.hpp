#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/space/line.hpp"

namespace partage {

/// A criterion of class counts whose part cost is offset(n) + scale(n) Σ_j term(n_j, j): one class
/// changes, one term changes, so that searches step along a line in O(1) for any number of
/// classes. `Derived` has the three functions, which are inlined into the loops of searches.
template <class Derived>
class Separable : public PartitionCriterion {
public:
    double part(Row row) const noexcept final {
        double sum = 0.0;
        for (std::size_t j = 0; j < row.sums.size(); ++j) sum += term_of(row.sums[j], j);
        return cost(row.weight, sum);
    }

    double part_between(const Layout&, Numbers before, Numbers after) const noexcept final {
        double n = 0.0;
        double sum = 0.0;
        for (std::size_t j = 0; j < before.size(); ++j) {
            n += after[j] - before[j];
            sum += term_of(after[j] - before[j], j);
        }
        return cost(n, sum);
    }

    void parts_ending_at(const Cumulative& sums, std::size_t first, std::size_t end,
                         std::size_t last, double* out) const override {
        const std::size_t n_classes = sums.layout().n_numbers;
        const double* stop = sums.before(last).data();
        const double stop_weight = sums.weight_before(last);
        for (std::size_t i = first; i < end; ++i) {
            const double* start = sums.before(i).data();
            double sum = 0.0;
            for (std::size_t j = 0; j < n_classes; ++j) sum += term_of(stop[j] - start[j], j);
            out[i - first] = cost(stop_weight - sums.weight_before(i), sum);
        }
    }

    std::unique_ptr<Walk> walk(Cuts cuts) const final {
        return std::make_unique<Steps>(*this, std::move(cuts));
    }

    CountedBlocks sweep(const Line& line, const Blocks& blocks, double most, double clear_loss,
                        const Stop& stop) const final;

    bool has_bounds() const noexcept final { return is_concave(); }
    double bound(const Band& band, std::span<double> corners) const noexcept final;

private:
    class Steps;

    const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
    double term_of(double count, std::size_t label) const noexcept {
        return self().term(count, label);
    }
    double cost(double n, double sum) const noexcept {
        return n > 0.0 ? self().offset(n) + self().scale(n) * sum : 0.0;
    }
    std::vector<double> terms_of(Numbers counts) const {
        std::vector<double> terms(counts.size());
        for (std::size_t j = 0; j < counts.size(); ++j) terms[j] = term_of(counts[j], j);
        return terms;
    }
    double sum_of_terms(Numbers counts) const noexcept {
        double sum = 0.0;
        for (std::size_t j = 0; j < counts.size(); ++j) sum += term_of(counts[j], j);
        return sum;
    }
};

/// The walk of a separable criterion: O(1) for each class that changes sides.
template <class Derived>
class Separable<Derived>::Steps final : public Walk {
public:
    Steps(const Separable& criterion, Cuts cuts)
        : Walk(cuts.first, {}, {}),
          criterion_(criterion),
          cuts_(std::move(cuts)),
          left_terms_(criterion.terms_of(cuts_.left)),
          right_terms_(criterion.terms_of(cuts_.right)),
          left_sum_(criterion.sum_of_terms(cuts_.left)),
          right_sum_(criterion.sum_of_terms(cuts_.right)) {
        left_ = row_of_counts(cuts_.left);
        right_ = row_of_counts(cuts_.right);
    }

    bool next() override {
        if (at_ + 1 >= cuts_.last) return false;
        const std::size_t first = cuts_.line.starts[cuts_.blocks[at_]];
        const std::size_t last = cuts_.line.starts[cuts_.blocks[at_ + 1]];
        for_each_class(cuts_.line, first, last, [this](Code code, double amount) {
            double& left = cuts_.left[code];
            double& right = cuts_.right[code];
            const double more = left + amount;
            const double rest = right - amount;
            const double less = rest > 0.0 ? rest : 0.0;  // rounding of real weights
            const double left_term = criterion_.term_of(more, code);
            const double right_term = criterion_.term_of(less, code);
            left_sum_ += left_term - std::exchange(left_terms_[code], left_term);
            right_sum_ += right_term - std::exchange(right_terms_[code], right_term);
            left = more;
            right = less;
            left_.weight += amount;
            right_.weight -= amount;
        });
        ++at_;
        return true;
    }

    SideCosts costs() const noexcept override {
        return {criterion_.cost(left_.weight, left_sum_),
                criterion_.cost(right_.weight, right_sum_)};
    }

private:
    const Separable& criterion_;
    Cuts cuts_;
    std::vector<double> left_terms_;  // of the counts of each side
    std::vector<double> right_terms_;
    double left_sum_;
    double right_sum_;
};

template <class Derived>
CountedBlocks Separable<Derived>::sweep(const Line& line, const Blocks& blocks, double most,
                                        double clear_loss, const Stop& stop) const {
    const std::size_t n_classes = line.n_classes;
    const std::vector<double> empty = terms_of(std::vector<double>(n_classes, 0.0));
    double nothing = 0.0;
    for (const double term : empty) nothing += term;
    CountedBlocks kept{{}, Rows(0, n_classes)};
    std::vector<double>& rows = kept.rows.values();
    std::vector<double> counts(n_classes, 0.0);  // of the open block, which is kept when it closes
    std::vector<double> terms = empty;
    struct Added {
        Code code;
        double amount;
        double alone;  // terms
        double joined;
    };
    std::vector<Added> block;
    double size = 0.0;
    double sum = nothing;
    double own = 0.0;
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
        if (i % 65536 == 0) stop.check();
        const std::size_t first = line.starts[blocks[i]];
        const std::size_t last = line.starts[blocks[i + 1]];
        double added = 0.0;
        double alone = nothing;
        double joined = sum;
        block.clear();
        for_each_class(line, first, last, [&](Code code, double amount) {
            block.push_back(
                {code, amount, term_of(amount, code), term_of(counts[code] + amount, code)});
            added += amount;
            alone += block.back().alone - empty[code];
            joined += block.back().joined - terms[code];
        });
        const double together = cost(size + added, joined);
        const double apart = cost(added, alone);
        const bool joins = i > 0 && size + added <= most && together - own - apart < clear_loss;
        if (!joins) {
            if (i > 0) rows.insert(rows.end(), counts.begin(), counts.end());
            kept.blocks.push_back(blocks[i]);
            std::fill(counts.begin(), counts.end(), 0.0);
            std::copy(empty.begin(), empty.end(), terms.begin());
        }
        size = joins ? size + added : added;
        sum = joins ? joined : alone;
        own = joins ? together : apart;
        for (const Added& one : block) {
            counts[one.code] += one.amount;
            terms[one.code] = joins ? one.joined : one.alone;
        }
    }
    rows.insert(rows.end(), counts.begin(), counts.end());
    kept.blocks.push_back(blocks.back());
    return kept;
}

/// Inside a band the cost of a cut is concave in the counts left of it, so that its corners bound
/// it. The excursions of the classes sum to zero, so a price on their sum changes no cut; at the
/// classes' average slope it keeps corners that no cut can reach from loosening the bound.
template <class Derived>
double Separable<Derived>::bound(const Band& band, std::span<double> corners) const noexcept {
    if (!(band.left_weight > 0.0) || !(band.right_weight > 0.0)) return -infinite;
    const double left_scale = self().scale(band.left_weight);
    const double right_scale = self().scale(band.right_weight);
    const auto cost_at = [&](std::size_t j, double count) {
        const double c = std::clamp(count, band.first[j], band.last[j]);
        return left_scale * term_of(c - band.first[j], j) +
               right_scale * term_of(band.last[j] - c, j);
    };
    double rise = 0.0;
    double range = 0.0;
    for (std::size_t j = 0; j < band.row.size(); ++j) {
        corners[2 * j] = cost_at(j, band.row[j] + band.low[j]);
        corners[2 * j + 1] = cost_at(j, band.row[j] + band.high[j]);
        rise += corners[2 * j + 1] - corners[2 * j];
        range += band.high[j] - band.low[j];
    }
    const double price = range > 0.0 ? -rise / range : 0.0;
    double sum = self().offset(band.left_weight) + self().offset(band.right_weight);
    for (std::size_t j = 0; j < band.row.size(); ++j)
        sum += std::min(corners[2 * j] + price * band.low[j],
                        corners[2 * j + 1] + price * band.high[j]);
    return sum;
}

}  // namespace partage
