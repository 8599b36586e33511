#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "partage/search/program/program.hpp"

namespace partage {

/// Ties inside a program: tighter than `tie`, since they add up over the parts.
constexpr double inner_tie = 1e-12;

/// What is known where every part costs a price: the lowest Σ part + price K and its starts; or,
/// with no starts, a lower bound of it. And partitions that were met on the way.
struct Priced {
    double value = infinite;
    std::vector<std::size_t> starts{};
    std::vector<Program> met{};
};

/// The optimum where the structure cost is linear or concave in the number of parts.
/// Between two numbers of parts a concave cost lies above its chord a + σK, so no partition into a
/// number between the two costs less than a + P(σ), P the priced program. P is concave in the
/// price: its own chords between solved prices bound it from below. Stretches whose bound is no
/// better than the best partition known are done; the others are solved at their slope, then
/// halved.
///
/// `solver.solve(price, enough)` solves the priced program among the partitions that are allowed;
/// it may stop at a bound that is not below `enough`. `solver.relaxed(price)` is a bound that is
/// known without solving, or minus infinity.
template <class Solver>
class TangentSearch {
public:
    TangentSearch(const PartitionCriterion& criterion, std::size_t n_blocks, Solver& solver)
        : criterion_(criterion), n_blocks_(n_blocks), solver_(solver) {}

    /// A partition that is known beforehand.
    void offer(const Program& known) {
        const std::size_t n_parts = known.starts.size() - 1;
        const bool is_better = is_lower(known.cost, best_cost_);
        const bool is_simpler =
            !is_lower(best_cost_, known.cost) && n_parts + 1 < best_starts_.size();
        if (is_better || is_simpler) {
            best_cost_ = std::min(known.cost, best_cost_);
            best_starts_ = known.starts;
        }
    }

    std::optional<Program> run() {
        std::vector<Stretch> open = stretches();
        solve(open.front());
        if (solved_.empty()) return best();
        if (open.size() == 1) {
            // One slope is all.
        } else if (solver_.relaxed(open.front().slope) == -infinite) {
            // The steepest and the flattest slope: every other lies between the two.
            solve(stretch(n_blocks_ - 1, n_blocks_));
        } else {
            // One near the number of parts, then the flattest that may matter.
            const std::size_t n_parts = best_starts_.empty() ? 1 : best_starts_.size() - 1;
            if (n_parts > 1 && n_parts < open.back().high) solve(stretch(n_parts, n_parts + 1));
            drop_done(open);
            if (!open.empty()) solve(open.back());
        }
        while (!open.empty()) narrow(open);
        return best();
    }

private:
    struct Solved {
        double price;
        double value;
    };
    /// Numbers of parts from `low` to `high`.
    struct Stretch {
        std::size_t low;
        std::size_t high;
        double slope;  ///< of the structure between the two
        double base;   ///< what is added to the priced value there, at least
    };

    const PartitionCriterion& criterion() const noexcept { return criterion_; }
    Stretch stretch(std::size_t low, std::size_t high) const noexcept {
        const double at_low = criterion().structure(low);
        const double slope =
            (criterion().structure(high) - at_low) / static_cast<double>(high - low);
        return {low, high, slope, at_low - slope * static_cast<double>(low)};
    }

    /// All numbers of parts; where the structure is linear, any two do.
    std::vector<Stretch> stretches() const {
        if (criterion().growth() == Growth::linear || n_blocks_ == 1) return {stretch(1, 2)};
        std::vector<Stretch> found;
        constexpr std::size_t one_by_one = 64;
        for (std::size_t k = 1; k < n_blocks_; k = found.back().high)
            found.push_back(stretch(k, std::min(k < one_by_one ? k + 1 : 2 * k, n_blocks_)));
        return found;
    }

    std::optional<Program> best() const {
        if (best_starts_.empty()) return std::nullopt;
        Program found{best_starts_, best_cost_};
        if (solved_.empty()) return found;
        found.floor = solved_.front().value;
        found.price = solved_.front().price;
        found.least = std::min(least_, best_cost_);
        return found;
    }

    double limit() const noexcept { return best_cost_ - inner_tie * std::abs(best_cost_); }

    void drop_done(std::vector<Stretch>& open) const {
        std::erase_if(open, [&](const Stretch& one) { return !(lowest_of(one) < limit()); });
    }

    /// Deals with the stretch that promises most; drops those that promise nothing.
    void narrow(std::vector<Stretch>& open) {
        drop_done(open);
        if (open.empty()) return;
        const auto next = std::min_element(
            open.begin(), open.end(),
            [&](const Stretch& a, const Stretch& b) { return lowest_of(a) < lowest_of(b); });
        const Stretch best = *next;
        if (!is_solved(best.slope)) {
            solve(best);
            return;
        }
        open.erase(next);
        if (best.high - best.low < 2) {
            least_ = std::min(least_, lowest_of(best));
            return;
        }
        const std::size_t middle = best.low + (best.high - best.low) / 2;
        open.push_back(stretch(best.low, middle));
        open.push_back(stretch(middle, best.high));
    }

    double lowest_of(const Stretch& one) const noexcept { return one.base + bound(one.slope); }

    void solve(const Stretch& one) {
        const double price = one.slope;
        if (is_solved(price)) return;
        const Priced found = solver_.solve(price, limit() - one.base);
        for (const Program& known : found.met) offer(known);
        if (found.value == infinite) return;  // no partition is allowed
        const auto below = [price](const Solved& s) { return s.price < price; };
        const auto place = std::partition_point(solved_.begin(), solved_.end(), below);
        solved_.insert(place, {price, found.value});
        if (found.starts.empty()) return;
        const std::size_t n_parts = found.starts.size() - 1;
        const double parts = found.value - price * static_cast<double>(n_parts);
        offer(Program{found.starts, criterion().total(n_parts, parts)});
    }

    /// Lower bound of P at a price: P is concave, and grows with the price.
    double bound(double price) const noexcept {
        const double known = solver_.relaxed(price);
        const auto above = std::find_if(solved_.begin(), solved_.end(),
                                        [price](const Solved& s) { return s.price >= price; });
        if (above == solved_.end()) return std::max(known, solved_.back().value);
        if (above->price == price) return std::max(known, above->value);
        if (above == solved_.begin()) return known;
        const auto below = above - 1;
        const double share = (price - below->price) / (above->price - below->price);
        return std::max(known, below->value + share * (above->value - below->value));
    }

    bool is_solved(double price) const noexcept {
        return std::any_of(solved_.begin(), solved_.end(),
                           [price](const Solved& s) { return s.price == price; });
    }

    const PartitionCriterion& criterion_;
    std::size_t n_blocks_;
    Solver& solver_;
    std::vector<Solved> solved_;
    double best_cost_ = infinite;
    double least_ = infinite;  // of the stretches that stay open
    std::vector<std::size_t> best_starts_;
};

}  // namespace partage
