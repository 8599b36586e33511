#include "partage/search/trend/trend_program.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace partage {
namespace {

constexpr Index nobody = std::numeric_limits<Index>::max();

/// The parts that end at a border, cheapest first; rates are turned so that they must not fall.
struct Front {
    std::vector<double> values;
    std::vector<double> rates;  // n_series for each: the lowest that the true ones may be
    std::vector<double> highs;  // and the highest, where there are segments
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

/// The program over the last part.
class TrendProgram {
public:
    TrendProgram(const PartCosts& costs, const Rates& rates, const TrendOrder& order,
                 const Stop& stop)
        : costs_(costs),
          rates_(rates),
          order_(order),
          n_blocks_(costs.n_blocks()),
          n_rows_(order.n_layers + 1),
          fronts_(order.phases.size() * n_rows_ * (n_blocks_ + 1)),
          found_(order.phases.size()),
          stairs_(order.phases.size()),
          turned_(rates.n_series()),
          margins_(rates.n_series()),
          column_(n_blocks_) {
        // A series handed on through the turn must be no lower then, so that no order is left.
        has_gaps_.resize(rates.n_series(), 0);
        for (std::size_t s = 1; s < rates.n_series() && order.phases.size() > 1; ++s)
            has_gaps_[s] = rates.has_gaps(s);
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
        high_pool_.clear();
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
            add(phase, value, 0, nobody, nullptr, 0, false);
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
        add(phase, value, i, front.nodes[k], &front, k, false);
        // It may also be the part at the turn, which belongs to both phases.
        if (phase == 0 && found_.size() > 1) add(1, value, i, front.nodes[k], &front, k, true);
    }

    /// Rates of the part [first, last), turned; -infinity in a series of which it has no rows.
    bool turn(std::size_t first, std::size_t last, int direction) {
        bool is_whole = true;
        for (std::size_t s = 0; s < rates_.n_series(); ++s) {
            const bool is_empty = rates_.is_empty(first, last, s);
            turned_[s] = is_empty ? -infinite : direction * rates_.rate(first, last, s);
            margins_[s] = is_empty ? 0.0 : rates_.margin(first, last, s);
            is_whole = is_whole && !is_empty;
        }
        return is_whole;
    }

    bool is_allowed(const Front& front, std::size_t k) const noexcept {
        const double* before = front.rates.data() + k * rates_.n_series();
        for (std::size_t s = 0; s < rates_.n_series(); ++s)
            if (turned_[s] != -infinite && before[s] > turned_[s] + margins_[s]) return false;
        return true;
    }

    /// Adds a part, at which the rates may turn; series without rows hand on those of part k of
    /// the front before.
    void add(std::size_t phase, double value, std::size_t start, Index before, const Front* front,
             std::size_t k, bool is_turn) {
        const std::size_t n_series = rates_.n_series();
        if (n_series == 1 && is_beaten(stairs_[phase], value, is_turn ? -turned_[0] : turned_[0]))
            return;
        found_[phase].push_back({value, static_cast<Index>(start), before, pool_.size()});
        for (std::size_t s = 0; s < n_series; ++s) {
            const bool hands_on = turned_[s] == -infinite && front != nullptr && n_series > 1;
            double low = turned_[s] - margins_[s];
            double high = turned_[s] + margins_[s];
            if (hands_on) {
                low = front->rates[k * n_series + s];
                high = front->highs[k * n_series + s];
            }
            if (is_turn && low != -infinite) {
                std::swap(low, high);
                low = -low;
                high = -high;
            }
            pool_.push_back(low);
            if (n_series > 1) high_pool_.push_back(high);
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
            if (n_series > 1) {
                const auto high = high_pool_.begin() + static_cast<std::ptrdiff_t>(one.rates);
                front.highs.insert(front.highs.end(), high,
                                   high + static_cast<std::ptrdiff_t>(n_series));
            }
            front.nodes.push_back(static_cast<Index>(nodes_.size()));
            nodes_.push_back({one.start, one.before});
        }
    }

    bool is_dominated(const Candidate& one, const Front& front) const noexcept {
        const std::size_t n_series = rates_.n_series();
        if (n_series == 1) return !front.rates.empty() && front.rates.back() <= pool_[one.rates];
        const double* own = pool_.data() + one.rates;
        const double* own_high = high_pool_.data() + one.rates;
        for (std::size_t k = 0; k < front.values.size(); ++k) {
            const double* other = front.rates.data() + k * n_series;
            const double* other_high = front.highs.data() + k * n_series;
            std::size_t s = 0;
            while (s < n_series && other[s] <= own[s] &&
                   (!has_gaps_[s] || other_high[s] >= own_high[s]))
                ++s;
            if (s == n_series) return true;
        }
        return false;
    }

    const PartCosts& costs_;
    const Rates& rates_;
    const TrendOrder& order_;
    std::size_t n_blocks_;
    std::size_t n_rows_;
    std::vector<Front> fronts_;
    std::vector<Node> nodes_;
    std::vector<std::vector<Candidate>> found_;  // by phase
    std::vector<std::vector<Step>> stairs_;      // by phase: rising costs, falling rates
    std::vector<double> pool_;
    std::vector<double> high_pool_;
    std::vector<double> turned_;
    std::vector<double> margins_;  // of the part at hand
    std::vector<char> has_gaps_;   // by series: whether both ends matter
    std::vector<double> column_;
};

}  // namespace

Priced best_in_order(const PartCosts& costs, const Rates& rates, const TrendOrder& order,
                     const Stop& stop) {
    return TrendProgram(costs, rates, order, stop).best();
}

}  // namespace partage
