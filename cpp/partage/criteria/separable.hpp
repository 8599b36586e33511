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
    void joined_parts(const Rows& rows, std::span<const Index> at, double* out) const final;

    bool has_bounds() const noexcept final { return is_concave(); }
    double bound(const Band& band, std::span<double> corners) const noexcept final;

private:
    class Steps;
    class Sweep;

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
class Separable<Derived>::Sweep {
public:
    Sweep(const Separable& criterion, const Line& line, double most, double clear_loss)
        : criterion_(criterion),
          line_(line),
          most_(most),
          clear_loss_(clear_loss),
          empty_(criterion.terms_of(std::vector<double>(line.n_classes, 0.0))),
          kept_{{}, Rows(0, line.n_classes)},
          counts_(line.n_classes, 0.0),
          terms_(empty_) {
        for (const double term : empty_) nothing_ += term;
        sum_ = nothing_;
    }

    CountedBlocks run(const Blocks& blocks, const Stop& stop) {
        for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
            if (i % 65536 == 0) stop.check();
            const std::size_t first = line_.starts[blocks[i]];
            const std::size_t last = line_.starts[blocks[i + 1]];
            if (line_.codes[first] == line_.codes[last - 1])
                add_run(blocks[i], line_.codes[first], line_.weight(first, last));
            else
                add_unit(blocks[i], first, last);
        }
        keep_open();
        kept_.blocks.push_back(blocks.back());
        return std::move(kept_);
    }

private:
    struct Added {
        Code code;
        double amount;
        double alone;  // terms
        double joined;
    };

    /// Adds a block of one class.
    void add_run(Index unit, Code code, double amount) {
        const double alone_term = criterion_.term_of(amount, code);
        const double joined_term = criterion_.term_of(counts_[code] + amount, code);
        const double joined = sum_ + (joined_term - terms_[code]);
        const double alone = nothing_ + (alone_term - empty_[code]);
        const bool joins = decide(unit, amount, alone, joined);
        counts_[code] += amount;
        terms_[code] = joins ? joined_term : alone_term;
    }

    /// Adds a block of several classes.
    void add_unit(Index unit, std::size_t first, std::size_t last) {
        double added = 0.0;
        double alone = nothing_;
        double joined = sum_;
        block_.clear();
        for_each_class(line_, first, last, [&](Code code, double amount) {
            block_.push_back({code, amount, criterion_.term_of(amount, code),
                              criterion_.term_of(counts_[code] + amount, code)});
            added += amount;
            alone += block_.back().alone - empty_[code];
            joined += block_.back().joined - terms_[code];
        });
        const bool joins = decide(unit, added, alone, joined);
        for (const Added& one : block_) {
            counts_[one.code] += one.amount;
            terms_[one.code] = joins ? one.joined : one.alone;
        }
    }

    /// Whether a block joins the open one, given the sums of its terms alone and joined; else it
    /// is the open one.
    bool decide(Index unit, double added, double alone, double joined) {
        const double together = criterion_.cost(size_ + added, joined);
        const double apart = criterion_.cost(added, alone);
        if (!kept_.blocks.empty() && size_ + added <= most_ &&
            together - own_ - apart < clear_loss_) {
            size_ += added;
            sum_ = joined;
            own_ = together;
            return true;
        }
        keep_open();
        kept_.blocks.push_back(unit);
        std::fill(counts_.begin(), counts_.end(), 0.0);
        std::copy(empty_.begin(), empty_.end(), terms_.begin());
        size_ = added;
        sum_ = alone;
        own_ = apart;
        return false;
    }

    void keep_open() {
        std::vector<double>& rows = kept_.rows.values();
        if (!kept_.blocks.empty()) rows.insert(rows.end(), counts_.begin(), counts_.end());
    }

    const Separable& criterion_;
    const Line& line_;
    double most_;
    double clear_loss_;
    std::vector<double> empty_;  // terms of no rows
    double nothing_ = 0.0;       // their sum
    CountedBlocks kept_;
    std::vector<double> counts_;  // of the open block, which is kept when it closes
    std::vector<double> terms_;
    std::vector<Added> block_;
    double size_ = 0.0;
    double sum_ = 0.0;
    double own_ = 0.0;
};

template <class Derived>
CountedBlocks Separable<Derived>::sweep(const Line& line, const Blocks& blocks, double most,
                                        double clear_loss, const Stop& stop) const {
    return Sweep(*this, line, most, clear_loss).run(blocks, stop);
}

template <class Derived>
void Separable<Derived>::joined_parts(const Rows& rows, std::span<const Index> at,
                                      double* out) const {
    const std::size_t n_classes = rows.width();
    for (const Index i : at) {
        const double* a = rows.data() + i * n_classes;
        double n = 0.0;
        double sum = 0.0;
        for (std::size_t j = 0; j < n_classes; ++j) {
            n += a[j] + a[n_classes + j];
            sum += term_of(a[j] + a[n_classes + j], j);
        }
        *out++ = cost(n, sum);
    }
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
