#include "partage/search/trend/trend.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "partage/search/program/part_costs.hpp"
#include "partage/search/program/reversed.hpp"
#include "partage/search/program/tangents.hpp"
#include "partage/search/trend/rates.hpp"
#include "partage/search/trend/trend_program.hpp"

namespace partage {
namespace {

Rows rows_of(const Cumulative& sums, const std::vector<std::size_t>& starts) {
    Rows rows(starts.size() - 1, sums.layout());
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
        sums.subtract(starts[k], starts[k + 1], rows[k]);
    return rows;
}

/// The search for one trend among the partitions within the limits.
class TrendSearch {
public:
    TrendSearch(const PartitionCriterion& criterion, const Cumulative& sums, const Limits& limits,
                Phases phases, const Stop& stop)
        : criterion_(criterion),
          sums_(sums),
          limits_(limits),
          phases_(std::move(phases)),
          stop_(stop),
          costs_(criterion, sums, limits),
          backward_(reversed_rows(sums)),
          backward_costs_(criterion, backward_, reversed_limits(limits, sums.n_blocks())),
          rates_(sums, limits) {
        if (!costs_.has_fixed()) learn({0, costs_.n_blocks()});
    }

    /// The best partition that costs less than one known beforehand, or that one.
    std::optional<Program> run(const std::optional<Program>& known) {
        const std::size_t most = std::min(limits_.most(), costs_.n_blocks());
        if (limits_.n_parts > 0)
            return limits_.n_parts <= most ? best_of_sizes(limits_.n_parts, most, known) : known;
        if (criterion_.growth() == Growth::other) return best_of_all_sizes(most, known);
        TangentSearch search(criterion_, costs_.n_blocks(), *this);
        if (known) search.offer(*known);
        auto best = search.run();
        if (best && best->starts.size() - 1 > most) best = best_of_sizes(1, most, known);
        return best;
    }

    static double relaxed(double) noexcept { return -infinite; }
    /// The best partition at a price for each part.
    Priced solve(double price, double = infinite) {
        const PricedValues free = priced_values(price, backward_costs_, stop_);
        if (free.starts.empty()) return {};
        const std::size_t n = costs_.n_blocks();
        std::vector<std::vector<double>> rest(1, std::vector<double>(n + 1));
        for (std::size_t i = 0; i <= n; ++i) rest[0][i] = free.lowest[n - i];
        const std::size_t n_known = known_.size();
        learn(repaired(turned_back(free.starts)));
        if (lowest_known(price) - rest[0][0] > 2.0 * price) learn(thinned(price));
        const TrendOrder order{phases_, price, 0, rest, slack(lowest_known(price))};
        Priced best = best_in_order(costs_, rates_, order, stop_);
        if (!best.starts.empty()) known_.push_back({best.starts, sum_of_parts(best.starts)});
        best.met = programs_from(n_known);
        return best;
    }

private:
    struct Known {
        std::vector<std::size_t> starts;
        double parts;
    };
    static constexpr std::size_t thin_above = 128;  // blocks
    static constexpr std::size_t thin_by = 8;

    static double slack(double value) noexcept { return value + 1e-11 * std::abs(value) + 1e-12; }

    double lowest_known(double price) const noexcept {
        double lowest = infinite;
        for (const Known& one : known_)
            lowest =
                std::min(lowest, one.parts + price * static_cast<double>(one.starts.size() - 1));
        return lowest;
    }

    std::vector<Program> programs_from(std::size_t first) const {
        std::vector<Program> found;
        for (std::size_t i = first; i < known_.size(); ++i)
            found.push_back(
                {known_[i].starts, criterion_.total(known_[i].starts.size() - 1, known_[i].parts)});
        return found;
    }

    /// Starts of a partition of the reversed line, from left to right.
    std::vector<std::size_t> turned_back(const std::vector<std::size_t>& starts) const {
        std::vector<std::size_t> found;
        for (auto at = starts.rbegin(); at != starts.rend(); ++at)
            found.push_back(costs_.n_blocks() - *at);
        return found;
    }

    double sum_of_parts(const std::vector<std::size_t>& starts) const {
        const Rows rows = rows_of(sums_, starts);
        double parts = 0.0;
        for (std::size_t k = 0; k < rows.size(); ++k) parts += criterion_.part(rows.row(k));
        return parts;
    }

    void learn(const std::vector<std::size_t>& starts) {
        if (starts.size() < 2 || !follows_phases(rates_, starts, phases_)) return;
        known_.push_back({starts, sum_of_parts(starts)});
    }

    bool is_fixed(std::size_t block) const noexcept {
        return std::binary_search(limits_.fixed.begin(), limits_.fixed.end(), block);
    }

    /// Joins neighbours of a partition until it follows the trend; empty if fixed cuts forbid it.
    std::vector<std::size_t> repaired(std::vector<std::size_t> starts) const {
        if (follows_phases(rates_, starts, phases_)) return starts;
        std::vector<std::size_t> best;
        double lowest = infinite;
        const std::size_t n_parts = starts.size() - 1;
        const std::size_t step =
            phases_.size() == 1 ? n_parts : std::max<std::size_t>(n_parts / 32, 1);
        for (std::size_t turn = 0; turn < n_parts; turn += step) {
            std::vector<std::size_t> tried = joined(starts, starts[turn]);
            if (tried.empty()) continue;
            const double parts = sum_of_parts(tried);
            const double cost = criterion_.total(tried.size() - 1, parts);
            if (!(cost < lowest)) continue;
            lowest = cost;
            best = std::move(tried);
        }
        return best;
    }

    /// Pools neighbours against the trend, which turns at the part that holds block `turn`.
    std::vector<std::size_t> joined(const std::vector<std::size_t>& starts,
                                    std::size_t turn) const {
        std::vector<std::size_t> kept{0};
        for (std::size_t k = 1; k < starts.size(); ++k) {
            kept.push_back(starts[k]);
            while (kept.size() > 2) {
                const std::size_t middle = kept[kept.size() - 2];
                const std::size_t first = kept[kept.size() - 3];
                const bool is_first = phases_.size() == 1 || middle <= turn;
                Reached last(rates_.n_series());
                const int direction = phases_[is_first ? 0 : 1];
                goes_on(rates_, first, middle, direction, last);
                if (goes_on(rates_, middle, kept.back(), direction, last)) break;
                if (is_fixed(middle)) return {};
                kept.erase(kept.end() - 2);
            }
        }
        return kept;
    }

    /// The best partition among every eighth border, a good one to know.
    std::vector<std::size_t> thinned(double price) const {
        const std::size_t n = costs_.n_blocks();
        if (n < thin_above || rates_.n_series() > 1) return {};
        Blocks blocks;
        for (std::size_t i = 0; i <= n; ++i)
            if (i % thin_by == 0 || i == n || is_fixed(i)) blocks.push_back(static_cast<Index>(i));
        const std::vector<std::size_t> places(blocks.begin(), blocks.end());
        const Cumulative sums(rows_of(sums_, places));
        TrendSearch coarse(criterion_, sums, limits_.on(blocks), phases_, stop_);
        std::vector<std::size_t> starts = coarse.solve(price).starts;
        for (std::size_t& start : starts) start = places[start];
        return starts;
    }

    /// The best partition into exactly `size` parts that costs less than `limit` in all.
    std::optional<Program> best_of_size(std::size_t size, double limit,
                                        const std::vector<std::vector<double>>& free) const {
        const std::size_t n = costs_.n_blocks();
        // The cost is affine in the sum of the parts.
        const double offset = criterion_.total(size, 0.0);
        const double scale = criterion_.total(size, 1.0) - offset;
        const double ceiling =
            limit == infinite || !(scale > 0.0) ? infinite : slack((limit - offset) / scale);
        if (!(free[size][n] <= ceiling)) return std::nullopt;
        std::vector<std::vector<double>> rest(size + 1, std::vector<double>(n + 1));
        for (std::size_t left = 0; left <= size; ++left)
            for (std::size_t i = 0; i <= n; ++i) rest[left][i] = free[left][n - i];
        const TrendOrder order{phases_, 0.0, size, rest, ceiling};
        Priced found = best_in_order(costs_, rates_, order, stop_);
        if (found.value == infinite) return std::nullopt;
        return Program{std::move(found.starts), criterion_.total(size, found.value)};
    }

    std::optional<Program> best_of_sizes(std::size_t least, std::size_t most,
                                         std::optional<Program> best) const {
        const auto free = layered_values(backward_costs_, most, stop_);
        for (std::size_t size = least; size <= most; ++size) {
            auto found = best_of_size(size, best ? best->cost : infinite, free);
            if (found && (!best || is_lower(found->cost, best->cost))) best = std::move(found);
        }
        return best;
    }

    /// One program for each number of parts, until the lowest sum of parts that the trend allows
    /// shows that no larger number can be better.
    std::optional<Program> best_of_all_sizes(std::size_t most, std::optional<Program> best) {
        const Priced finest = solve(0.0);
        if (finest.starts.empty()) return best;
        const std::size_t n_finest = finest.starts.size() - 1;
        const double finest_cost = criterion_.total(n_finest, finest.value);
        if (n_finest <= most && (!best || is_lower(finest_cost, best->cost)))
            best = Program{finest.starts, finest_cost};
        std::size_t first = 1;
        for (std::size_t size = std::min<std::size_t>(most, 8);; size = std::min(2 * size, most)) {
            best = best_of_sizes(first, size, std::move(best));
            const double bound = criterion_.total(size + 1, finest.value);
            if (size >= most || (best && !is_lower(bound, best->cost))) return best;
            first = size + 1;
        }
    }

    const PartitionCriterion& criterion_;
    const Cumulative& sums_;
    const Limits& limits_;
    Phases phases_;
    const Stop& stop_;
    PartCosts costs_;
    Cumulative backward_;
    PartCosts backward_costs_;
    Rates rates_;
    std::vector<Known> known_;
};

}  // namespace

bool follows(Trend trend, const Cumulative& sums, const Limits& limits,
             const std::vector<std::size_t>& starts) {
    if (trend == Trend::free) return true;
    const Rates rates(sums, limits);
    if (trend != Trend::any) return follows_phases(rates, starts, phases_of(trend));
    return follows_phases(rates, starts, phases_of(Trend::peak)) ||
           follows_phases(rates, starts, phases_of(Trend::valley));
}

Program best_with_trend(const PartitionCriterion& criterion, const Cumulative& sums,
                        const Limits& limits, const Stop& stop) {
    Limits no_trend = limits;
    no_trend.trend = Trend::free;
    const Program free = best_partition(criterion, sums, no_trend, stop);
    if (follows(limits.trend, sums, limits, free.starts)) return free;
    std::optional<Program> best;
    const auto trends = limits.trend == Trend::any ? std::vector{Trend::peak, Trend::valley}
                                                   : std::vector{limits.trend};
    for (const Trend trend : trends)
        best = TrendSearch(criterion, sums, limits, phases_of(trend), stop).run(best);
    if (!best) throw NotPossible("no partition satisfies the limits");
    return *best;
}

}  // namespace partage
