#include "partage/trend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "partage/part_costs.hpp"
#include "partage/tangents.hpp"

namespace partage {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Index nobody = std::numeric_limits<Index>::max();

/// Directions that the rates take one after the other: 1 up, -1 down.
using Phases = std::vector<int>;

Phases phases_of(Trend trend) {
    switch (trend) {
        case Trend::ascending:
            return {1};
        case Trend::descending:
            return {-1};
        case Trend::peak:
            return {1, -1};
        default:
            return {-1, 1};
    }
}

/// Mean scores of parts: overall, then of each segment.
class Rates {
public:
    Rates(const Cumulative& sums, const Limits& limits)
        : n_series_(1 + limits.segments.size()),
          weights_(sums.n_blocks() + 1, n_series_),
          scores_(sums.n_blocks() + 1, n_series_) {
        for (std::size_t i = 0; i <= sums.n_blocks(); ++i) {
            weights_[i][0] = sums.weight_before(i);
            for (std::size_t j = 0; j < sums.n_classes(); ++j)
                scores_[i][0] += limits.class_scores[j] * sums.before(i)[j];
        }
        for (std::size_t i = 0; i < sums.n_blocks(); ++i)
            for (std::size_t s = 1; s < n_series_; ++s) {
                weights_[i + 1][s] = weights_[i][s] + limits.segments.weights[i][s - 1];
                scores_[i + 1][s] = scores_[i][s] + limits.segments.scores[i][s - 1];
            }
    }

    std::size_t n_series() const noexcept { return n_series_; }
    bool is_empty(std::size_t first, std::size_t last, std::size_t series) const noexcept {
        return !(weights_[last][series] > weights_[first][series]);
    }
    double rate(std::size_t first, std::size_t last, std::size_t series) const noexcept {
        return (scores_[last][series] - scores_[first][series]) /
               (weights_[last][series] - weights_[first][series]);
    }

private:
    std::size_t n_series_;
    Rows weights_;
    Rows scores_;
};

/// Whether consecutive parts go one way in every series; a part without rows of a series is passed
/// over. `last` holds the last rate of each series, turned so that it must not fall.
bool goes_on(const Rates& rates, std::size_t first, std::size_t end, int direction,
             std::vector<double>& last) {
    bool is_fine = true;
    for (std::size_t s = 0; s < rates.n_series(); ++s) {
        if (rates.is_empty(first, end, s)) continue;
        const double turned = direction * rates.rate(first, end, s);
        is_fine = is_fine && turned >= last[s];
        last[s] = turned;
    }
    return is_fine;
}

bool follows_phases(const Rates& rates, const std::vector<std::size_t>& starts,
                    const Phases& phases) {
    const std::size_t n_parts = starts.size() - 1;
    const auto holds_to = [&](std::size_t turn) {
        std::vector<double> last(rates.n_series(), -infinite);
        for (std::size_t k = 0; k < n_parts; ++k) {
            const bool is_first = k <= turn;
            if (!goes_on(rates, starts[k], starts[k + 1], phases[is_first ? 0 : 1], last))
                return false;
            // The part at the turn belongs to both phases.
            if (k == turn && phases.size() > 1)
                for (double& rate : last) rate = rate == -infinite ? rate : -rate;
        }
        return true;
    };
    if (phases.size() == 1) return holds_to(n_parts);
    for (std::size_t turn = 0; turn < n_parts; ++turn)
        if (holds_to(turn)) return true;
    return false;
}

/// The parts that end at a border, cheapest first; rates are turned so that they must not fall.
struct Front {
    std::vector<double> values;
    std::vector<double> rates;  // n_series for each
    std::vector<Index> nodes;

    double lowest() const noexcept { return values.empty() ? infinite : values.front(); }
};

/// A part that a program has reached: its start, and the part before it.
struct Node {
    Index start;
    Index before;
};

struct Candidate {
    double value;
    Index start;
    Index before;
    std::size_t rates;  // where they begin in the pool
};

struct Step {
    double value;
    double rate;
};

/// What a program is given besides the parts: a price for each part or a number of parts, the
/// directions, a bound on the cost of what is left, and a cost that must not be exceeded.
struct Order {
    const Phases& phases;
    double price = 0.0;
    std::size_t n_layers = 0;                      // 0: any number of parts, each at its price
    const std::vector<std::vector<double>>& rest;  // by parts left (one row if any), then border
    double ceiling = infinite;
};

/// The program over the last part.
class TrendProgram {
public:
    TrendProgram(const PartCosts& costs, const Rates& rates, const Order& order, const Stop& stop)
        : costs_(costs),
          rates_(rates),
          order_(order),
          n_blocks_(costs.n_blocks()),
          n_rows_(order.n_layers + 1),
          fronts_(order.phases.size() * n_rows_ * (n_blocks_ + 1)),
          found_(order.phases.size()),
          stairs_(order.phases.size()),
          turned_(rates.n_series()),
          column_(n_blocks_) {
        for (std::size_t last = 1; last <= n_blocks_; ++last) {
            if (last % 16 == 0) stop.check();
            const std::size_t end = costs_.end_of_starts(last);
            const std::size_t first = costs_.first_start(last);
            if (first >= end) continue;
            costs_.ending_at(last, first, end, column_.data());
            for (std::size_t layer = order.n_layers > 0 ? 1 : 0; layer <= order.n_layers; ++layer)
                extend(layer, first, end, last);
        }
    }

    Priced best() const {
        Priced found;
        Index node = nobody;
        for (std::size_t phase = 0; phase < order_.phases.size(); ++phase) {
            const Front& front = fronts_[place(phase, order_.n_layers, n_blocks_)];
            if (!(front.lowest() < found.value)) continue;
            found.value = front.lowest();
            node = front.nodes.front();
        }
        if (node == nobody) return found;
        found.starts.push_back(n_blocks_);
        for (; node != nobody; node = nodes_[node].before)
            found.starts.push_back(nodes_[node].start);
        std::reverse(found.starts.begin(), found.starts.end());
        return found;
    }

private:
    std::size_t place(std::size_t phase, std::size_t layer, std::size_t border) const noexcept {
        return (phase * n_rows_ + layer) * (n_blocks_ + 1) + border;
    }

    void extend(std::size_t layer, std::size_t first, std::size_t end, std::size_t last) {
        const std::size_t left = order_.n_layers - layer;
        const double limit = order_.ceiling - order_.rest[left][last] - order_.price;
        if (limit == -infinite) return;
        for (std::vector<Candidate>& found : found_) found.clear();
        for (std::vector<Step>& stairs : stairs_) stairs.clear();
        pool_.clear();
        for (std::size_t i = first; i < end; ++i) {
            const double cost = column_[i - first];
            if (i == 0) {
                if (layer <= 1 && cost <= limit) begin(cost + order_.price, last);
                continue;
            }
            reach(order_.n_layers > 0 ? layer - 1 : 0, i, last, cost, limit);
        }
        for (std::size_t phase = 0; phase < found_.size(); ++phase)
            settle(found_[phase], fronts_[place(phase, layer, last)]);
    }

    /// The part [0, last).
    void begin(double value, std::size_t last) {
        for (std::size_t phase = 0; phase < found_.size(); ++phase) {
            turn(0, last, order_.phases[phase]);
            add(phase, value, 0, nobody, nullptr, 1.0);
        }
    }

    /// The part [i, last) behind the parts that end at i.
    void reach(std::size_t layer, std::size_t i, std::size_t last, double cost, double limit) {
        for (std::size_t phase = 0; phase < found_.size(); ++phase) {
            const Front& front = fronts_[place(phase, layer, i)];
            if (!(front.lowest() + cost <= limit)) continue;
            const bool is_whole = turn(i, last, order_.phases[phase]);
            if (rates_.n_series() == 1) {
                // Behind cheaper parts come only lower rates.
                const auto after =
                    std::partition_point(front.rates.begin(), front.rates.end(),
                                         [this](double rate) { return rate > turned_[0]; });
                const auto k = static_cast<std::size_t>(after - front.rates.begin());
                if (k < front.values.size() && front.values[k] + cost <= limit)
                    take(phase, front, k, i, cost);
                continue;
            }
            for (std::size_t k = 0; k < front.values.size(); ++k) {
                if (!(front.values[k] + cost <= limit)) break;
                if (!is_allowed(front, k)) continue;
                take(phase, front, k, i, cost);
                if (is_whole) break;  // the cheapest does, unless it hands rates on
            }
        }
    }

    void take(std::size_t phase, const Front& front, std::size_t k, std::size_t i, double cost) {
        const double value = front.values[k] + cost + order_.price;
        const double* before = front.rates.data() + k * rates_.n_series();
        add(phase, value, i, front.nodes[k], before, 1.0);
        // It may also be the part at the turn, which belongs to both phases.
        if (phase == 0 && found_.size() > 1) add(1, value, i, front.nodes[k], before, -1.0);
    }

    /// Rates of the part [first, last), turned; -infinity in a series of which it has no rows.
    bool turn(std::size_t first, std::size_t last, int direction) {
        bool is_whole = true;
        for (std::size_t s = 0; s < rates_.n_series(); ++s) {
            const bool is_empty = rates_.is_empty(first, last, s);
            turned_[s] = is_empty ? -infinite : direction * rates_.rate(first, last, s);
            is_whole = is_whole && !is_empty;
        }
        return is_whole;
    }

    bool is_allowed(const Front& front, std::size_t k) const noexcept {
        const double* before = front.rates.data() + k * rates_.n_series();
        for (std::size_t s = 0; s < rates_.n_series(); ++s)
            if (turned_[s] != -infinite && before[s] > turned_[s]) return false;
        return true;
    }

    /// Adds a part, its rates times `sign`; series without rows hand on the rate before.
    void add(std::size_t phase, double value, std::size_t start, Index before,
             const double* rates_before, double sign) {
        if (rates_.n_series() == 1 && is_beaten(stairs_[phase], value, sign * turned_[0])) return;
        found_[phase].push_back({value, static_cast<Index>(start), before, pool_.size()});
        for (std::size_t s = 0; s < rates_.n_series(); ++s) {
            const bool hands_on = turned_[s] == -infinite && rates_before != nullptr;
            const double rate = hands_on ? rates_before[s] : turned_[s];
            pool_.push_back(rate == -infinite ? rate : sign * rate);
        }
    }

    /// Whether a part is no cheaper and no lower in rate than one before; else it is remembered.
    static bool is_beaten(std::vector<Step>& stairs, double value, double rate) {
        const auto after = std::partition_point(
            stairs.begin(), stairs.end(), [value](const Step& s) { return s.value <= value; });
        if (after != stairs.begin() && std::prev(after)->rate <= rate) return true;
        auto end = after;
        while (end != stairs.end() && end->rate >= rate) ++end;
        if (end == after) {
            stairs.insert(after, {value, rate});
        } else {
            *after = {value, rate};
            stairs.erase(after + 1, end);
        }
        return false;
    }

    /// Keeps the parts that some other part may need.
    void settle(std::vector<Candidate>& found, Front& front) {
        std::sort(found.begin(), found.end(), [this](const Candidate& a, const Candidate& b) {
            if (a.value != b.value) return a.value < b.value;
            if (pool_[a.rates] != pool_[b.rates]) return pool_[a.rates] < pool_[b.rates];
            return a.start < b.start;
        });
        const std::size_t n_series = rates_.n_series();
        for (const Candidate& one : found) {
            if (is_dominated(one, front)) continue;
            front.values.push_back(one.value);
            const auto from = pool_.begin() + static_cast<std::ptrdiff_t>(one.rates);
            front.rates.insert(front.rates.end(), from,
                               from + static_cast<std::ptrdiff_t>(n_series));
            front.nodes.push_back(static_cast<Index>(nodes_.size()));
            nodes_.push_back({one.start, one.before});
        }
    }

    bool is_dominated(const Candidate& one, const Front& front) const noexcept {
        const std::size_t n_series = rates_.n_series();
        if (n_series == 1) return !front.rates.empty() && front.rates.back() <= pool_[one.rates];
        const double* own = pool_.data() + one.rates;
        for (std::size_t k = 0; k < front.values.size(); ++k) {
            const double* other = front.rates.data() + k * n_series;
            std::size_t s = 0;
            while (s < n_series && other[s] <= own[s]) ++s;
            if (s == n_series) return true;
        }
        return false;
    }

    const PartCosts& costs_;
    const Rates& rates_;
    const Order& order_;
    std::size_t n_blocks_;
    std::size_t n_rows_;
    std::vector<Front> fronts_;
    std::vector<Node> nodes_;
    std::vector<std::vector<Candidate>> found_;  // by phase
    std::vector<std::vector<Step>> stairs_;      // by phase: ever dearer, ever lower rates
    std::vector<double> pool_;
    std::vector<double> turned_;
    std::vector<double> column_;
};

Rows rows_of(const Cumulative& sums, const std::vector<std::size_t>& starts) {
    Rows rows(starts.size() - 1, sums.n_classes());
    for (std::size_t k = 0; k + 1 < starts.size(); ++k) sums.row(starts[k], starts[k + 1], rows[k]);
    return rows;
}

Rows reversed(const Cumulative& sums) {
    const std::size_t n = sums.n_blocks();
    Rows rows(n, sums.n_classes());
    for (std::size_t i = 0; i < n; ++i) sums.row(n - 1 - i, n - i, rows[i]);
    return rows;
}

Limits reversed(const Limits& limits, std::size_t n_blocks) {
    Limits found = limits;
    for (Index& block : found.fixed) block = static_cast<Index>(n_blocks - block);
    std::sort(found.fixed.begin(), found.fixed.end());
    return found;
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
          backward_(reversed(sums)),
          backward_costs_(criterion, backward_, reversed(limits, sums.n_blocks())),
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

    /// The best partition at a price for each part.
    Priced solve(double price) {
        const PricedValues free = priced_values(price, backward_costs_, stop_);
        if (free.starts.empty()) return {};
        const std::size_t n = costs_.n_blocks();
        std::vector<std::vector<double>> rest(1, std::vector<double>(n + 1));
        for (std::size_t i = 0; i <= n; ++i) rest[0][i] = free.lowest[n - i];
        const std::size_t n_known = known_.size();
        learn(repaired(turned_back(free.starts)));
        if (lowest_known(price) - rest[0][0] > 2.0 * price) learn(thinned(price));
        const Order order{phases_, price, 0, rest, slack(lowest_known(price))};
        Priced best = TrendProgram(costs_, rates_, order, stop_).best();
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
        for (std::size_t k = 0; k < rows.size(); ++k) parts += criterion_.part(Row(rows[k]));
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
                std::vector<double> last(rates_.n_series(), -infinite);
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
        const Order order{phases_, 0.0, size, rest, ceiling};
        Priced found = TrendProgram(costs_, rates_, order, stop_).best();
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
