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
/// `solver.solve(price)` solves the priced program among the partitions that are allowed.
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
        const std::size_t n = n_blocks_;
        if (criterion().growth() == Growth::linear || n == 1) {
            solve(slope({1, 2}));
        } else {
            std::vector<Stretch> open;
            constexpr std::size_t one_by_one = 64;
            for (std::size_t k = 1; k < n; k = open.back().high)
                open.push_back({k, std::min(k < one_by_one ? k + 1 : 2 * k, n)});
            // The steepest and the flattest slope: every other lies between the two.
            solve(slope({1, 2}));
            if (!solved_.empty()) solve(slope({n - 1, n}));
            while (!open.empty() && !solved_.empty()) narrow(open);
        }
        if (best_starts_.empty()) return std::nullopt;
        return Program{best_starts_, best_cost_, solved_.front().value, solved_.front().price};
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
    };

    const PartitionCriterion& criterion() const noexcept { return criterion_; }
    double slope(Stretch stretch) const noexcept {
        return (criterion().structure(stretch.high) - criterion().structure(stretch.low)) /
               static_cast<double>(stretch.high - stretch.low);
    }

    /// Deals with the stretch that promises most; drops those that promise nothing.
    void narrow(std::vector<Stretch>& open) {
        const double limit = best_cost_ - inner_tie * std::abs(best_cost_);
        std::erase_if(open, [&](Stretch stretch) { return !(lowest_of(stretch) < limit); });
        if (open.empty()) return;
        const auto next = std::min_element(open.begin(), open.end(), [&](Stretch a, Stretch b) {
            return lowest_of(a) < lowest_of(b);
        });
        const Stretch stretch = *next;
        const double price = slope(stretch);
        if (!is_solved(price)) {
            solve(price);
            return;
        }
        open.erase(next);
        if (stretch.high - stretch.low < 2) return;
        const std::size_t middle = stretch.low + (stretch.high - stretch.low) / 2;
        open.push_back({stretch.low, middle});
        open.push_back({middle, stretch.high});
    }

    double lowest_of(Stretch stretch) const noexcept {
        const double price = slope(stretch);
        return criterion().structure(stretch.low) - price * static_cast<double>(stretch.low) +
               bound(price);
    }

    void solve(double price) {
        const Priced found = solver_.solve(price);
        for (const Program& known : found.met) offer(known);
        if (found.starts.empty()) return;  // no partition is allowed
        const auto below = [price](const Solved& s) { return s.price < price; };
        const auto place = std::partition_point(solved_.begin(), solved_.end(), below);
        solved_.insert(place, {price, found.value});
        const std::size_t n_parts = found.starts.size() - 1;
        const double parts = found.value - price * static_cast<double>(n_parts);
        offer(Program{found.starts, criterion().total(n_parts, parts)});
    }

    /// Lower bound of P at a price between two solved ones.
    double bound(double price) const noexcept {
        const auto above = std::find_if(solved_.begin(), solved_.end(),
                                        [price](const Solved& s) { return s.price >= price; });
        if (above == solved_.end()) return solved_.back().value;  // P grows with the price
        if (above == solved_.begin() || above->price == price) return above->value;
        const auto below = above - 1;
        const double share = (price - below->price) / (above->price - below->price);
        return below->value + share * (above->value - below->value);
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
    std::vector<std::size_t> best_starts_;
};

}  // namespace partage
