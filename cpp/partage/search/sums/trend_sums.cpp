#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "partage/search/program/part_costs.hpp"
#include "partage/search/sums/weigh.hpp"
#include "partage/search/trend/rates.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

constexpr std::size_t no_state = std::numeric_limits<std::size_t>::max();
enum RateStep : std::size_t { falls, stays, rises };

/// Which way the rates of a partition have gone so far: `next[state][step]` after one more part.
/// Each partition takes one path, so that none is counted twice.
struct TrendPaths {
    using State = std::array<std::size_t, 3>;
    std::vector<State> next;

    explicit TrendPaths(Trend trend) {
        constexpr std::size_t none = no_state;
        switch (trend) {
            case Trend::ascending:
                next = {{none, 0, 0}};
                break;
            case Trend::descending:
                next = {{0, 0, none}};
                break;
            case Trend::peak:  // rising, then falling
                next = {{1, 0, 0}, {1, 1, none}};
                break;
            case Trend::valley:
                next = {{0, 0, 1}, {none, 1, 1}};
                break;
            default:  // level, rising, falling, a peak, a valley
                next = {{2, 0, 1}, {3, 1, 1}, {2, 2, 4}, {3, 3, none}, {none, 4, 4}};
        }
    }
    std::size_t size() const noexcept { return next.size(); }
};

/// The parts that meet at a border on one of its sides, in the order of their rates: sums over
/// those below, at and above a rate.
class RatedParts {
public:
    void set(std::vector<double> rates) {
        order_.resize(rates.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::sort(order_.begin(), order_.end(),
                  [&rates](std::size_t i, std::size_t j) { return rates[i] < rates[j]; });
        sorted_.resize(rates.size());
        for (std::size_t i = 0; i < order_.size(); ++i) sorted_[i] = rates[order_[i]];
    }
    std::size_t size() const noexcept { return sorted_.size(); }
    const std::vector<std::size_t>& order() const noexcept { return order_; }
    /// Places among the sorted ones: first not below the rate, first above it.
    std::array<std::size_t, 2> around(double rate) const noexcept {
        const auto range = std::equal_range(sorted_.begin(), sorted_.end(), rate);
        return {static_cast<std::size_t>(range.first - sorted_.begin()),
                static_cast<std::size_t>(range.second - sorted_.begin())};
    }

private:
    std::vector<std::size_t> order_;
    std::vector<double> sorted_;
};

/// Sums of one layer at one border, in the order of rates.
struct RatedSums {
    std::vector<double> up_to;   // of the first i
    std::vector<double> from;    // of those from i on
    std::vector<double> sorted;  // each

    template <class Value>
    void set(const RatedParts& parts, Value value) {
        const std::size_t n = parts.size();
        up_to.assign(n + 1, -infinite);
        from.assign(n + 1, -infinite);
        sorted.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            sorted[i] = value(parts.order()[i]);
            up_to[i + 1] = log_add(up_to[i], sorted[i]);
        }
        for (std::size_t i = n; i-- > 0;) from[i] = log_add(from[i + 1], sorted[i]);
    }
    /// Over the parts of lower, equal or higher rate.
    double below(std::array<std::size_t, 2> at) const noexcept { return up_to[at[0]]; }
    double equal(std::array<std::size_t, 2> at) const noexcept {
        return log_sum(sorted.data() + at[0], at[1] - at[0]);
    }
    double above(std::array<std::size_t, 2> at) const noexcept { return from[at[1]]; }
};

/// The one series of rates that follows the trend: the mean scores of classes or, where no class
/// has a score, amounts that are known of each unit.
std::size_t followed_series(const Limits& limits) {
    if (limits.segments.size() == 0) return 0;
    const bool has_scores = std::any_of(limits.class_scores.begin(), limits.class_scores.end(),
                                        [](double score) { return score != 0.0; });
    if (limits.segments.size() > 1 || limits.segments.margins[0] != 0.0 || has_scores)
        throw std::invalid_argument("sums know no trend in segments");
    return 1;
}

/// Sums over the partitions whose rates follow a trend, by their last part and by their next.
class TrendSums {
public:
    TrendSums(const SumTask& task, const SizePrior& prior)
        : task_(task),
          prior_(prior),
          paths_(task.limits.trend),
          costs_(task.criterion, task.sums, task.limits),
          rates_(task.sums, task.limits),
          followed_(followed_series(task.limits)),
          n_blocks_(costs_.n_blocks()),
          ending_(n_blocks_ + 1),
          starting_(n_blocks_ + 1),
          ending_at_(n_blocks_ + 1),
          starting_at_(n_blocks_ + 1) {
        list_parts();
    }

    Summed run() {
        std::vector<double> whole;
        std::size_t n_layers = 0;
        while (n_layers == 0 && prior_.most() > 0) {
            whole.push_back(forward_layer());
            n_layers = prior_.enough(whole);
        }
        Summed found = prior_.weighed(whole);
        for (std::size_t k = 0; k < n_layers; ++k) backward_layer();
        weigh_parts(n_layers, found);
        return found;
    }

private:
    struct Part {
        Index first;
        Index last;
        double cost;
        double rate;
        std::array<std::size_t, 2> before{};  // place of its rate among the parts before it
        std::array<std::size_t, 2> behind{};  // and behind it
    };
    using Layer = std::vector<double>;  // by state, then by part

    void list_parts() {
        std::vector<double> column(n_blocks_);
        for (std::size_t last = 1; last <= n_blocks_; ++last) {
            const std::size_t first = costs_.first_start(last);
            const std::size_t end = costs_.end_of_starts(last);
            if (first >= end) continue;
            costs_.ending_at(last, first, end, column.data());
            for (std::size_t i = first; i < end; ++i) {
                const auto at = static_cast<Index>(parts_.size());
                parts_.push_back({static_cast<Index>(i), static_cast<Index>(last),
                                  column[i - first], rates_.rate(i, last, followed_)});
                ending_at_[last].push_back(at);
                starting_at_[i].push_back(at);
            }
        }
        const auto rates_of = [this](const std::vector<Index>& some) {
            std::vector<double> found;
            for (const Index i : some) found.push_back(parts_[i].rate);
            return found;
        };
        for (std::size_t b = 0; b <= n_blocks_; ++b) {
            task_.stop.check();
            ending_[b].set(rates_of(ending_at_[b]));
            starting_[b].set(rates_of(starting_at_[b]));
        }
        for (Part& part : parts_) {
            part.before = ending_[part.first].around(part.rate);
            part.behind = starting_[part.last].around(part.rate);
        }
    }

    double places(std::size_t border) const noexcept {
        const bool is_inner = border > 0 && border < n_blocks_;
        return is_inner && !task_.log_places.empty() ? task_.log_places[border - 1] : 0.0;
    }

    double& at(Layer& layer, std::size_t state, Index part) const noexcept {
        return layer[state * parts_.size() + part];
    }
    double at(const Layer& layer, std::size_t state, Index part) const noexcept {
        return layer[state * parts_.size() + part];
    }

    /// Sums over the partitions that end with each part, of one part more than before; returns that
    /// over all blocks.
    double forward_layer() {
        Layer layer(paths_.size() * parts_.size(), -infinite);
        if (forward_.empty()) {
            for (const Index i : starting_at_[0]) at(layer, 0, i) = -parts_[i].cost;
        } else {
            for (std::size_t border = 1; border < n_blocks_; ++border) {
                task_.stop.check();
                extend(layer, border);
            }
        }
        std::vector<double> whole;
        for (const Index i : ending_at_[n_blocks_])
            for (std::size_t s = 0; s < paths_.size(); ++s) whole.push_back(at(layer, s, i));
        forward_.push_back(std::move(layer));
        return log_sum(whole.data(), whole.size());
    }

    /// The parts that start at a border, behind those that end there.
    void extend(Layer& layer, std::size_t border) {
        const std::vector<Index>& ending = ending_at_[border];
        for (std::size_t s = 0; s < paths_.size(); ++s) {
            room_.set(ending_[border],
                      [&](std::size_t i) { return at(forward_.back(), s, ending[i]); });
            for (const Index i : starting_at_[border]) {
                const Part& part = parts_[i];
                const double offset = places(border) - part.cost;
                // The rate rises from the lower ones before it.
                add(layer, paths_.next[s][rises], i, offset + room_.below(part.before));
                add(layer, paths_.next[s][stays], i, offset + room_.equal(part.before));
                add(layer, paths_.next[s][falls], i, offset + room_.above(part.before));
            }
        }
    }

    void add(Layer& layer, std::size_t state, Index part, double log_weight) const noexcept {
        if (state == no_state || log_weight == -infinite) return;
        double& held = at(layer, state, part);
        held = log_add(held, log_weight);
    }

    /// Sums over what may follow each part, of one part more than before.
    void backward_layer() {
        Layer layer(paths_.size() * parts_.size(), -infinite);
        if (backward_.empty()) {
            for (const Index i : ending_at_[n_blocks_])
                for (std::size_t s = 0; s < paths_.size(); ++s) at(layer, s, i) = 0.0;
        } else {
            for (std::size_t border = 1; border < n_blocks_; ++border) {
                task_.stop.check();
                extend_back(layer, border);
            }
        }
        backward_.push_back(std::move(layer));
    }

    void extend_back(Layer& layer, std::size_t border) {
        const std::vector<Index>& starting = starting_at_[border];
        for (std::size_t to = 0; to < paths_.size(); ++to) {
            room_.set(starting_[border], [&](std::size_t i) {
                return at(backward_.back(), to, starting[i]) - parts_[starting[i]].cost;
            });
            for (const Index i : ending_at_[border]) {
                const Part& part = parts_[i];
                for (std::size_t s = 0; s < paths_.size(); ++s) {
                    if (paths_.next[s][rises] == to)
                        add(layer, s, i, places(border) + room_.above(part.behind));
                    if (paths_.next[s][stays] == to)
                        add(layer, s, i, places(border) + room_.equal(part.behind));
                    if (paths_.next[s][falls] == to)
                        add(layer, s, i, places(border) + room_.below(part.behind));
                }
            }
        }
    }

    /// P(part) = Σ over states, parts before and parts behind of π(j+l) F_j B_l / Z.
    void weigh_parts(std::size_t n_layers, Summed& found) const {
        const std::vector<double> log_prior = prior_.logs(n_layers);
        const double least = portable_log(negligible_part(n_blocks_)) + found.log_total;
        std::vector<double> terms;
        for (std::size_t first = 0; first < n_blocks_; ++first) {
            task_.stop.check();
            for (const Index i : starting_at_[first]) {
                terms.clear();
                for (std::size_t s = 0; s < paths_.size(); ++s) gather(s, i, log_prior, terms);
                const double log_weight = log_sum(terms.data(), terms.size());
                if (log_weight > least)
                    found.parts.add(parts_[i].first, parts_[i].last,
                                    quick_exp(std::min(log_weight - found.log_total, 0.0)));
            }
        }
    }

    void gather(std::size_t state, Index part, const std::vector<double>& log_prior,
                std::vector<double>& terms) const {
        for (std::size_t j = 0; j < log_prior.size(); ++j) {
            const double before = at(forward_[j], state, part);
            if (before == -infinite) continue;
            for (std::size_t l = 0; j + l < log_prior.size(); ++l) {
                const double behind = at(backward_[l], state, part);
                if (behind > -infinite) terms.push_back(log_prior[j + l] + before + behind);
            }
        }
    }

    const SumTask& task_;
    const SizePrior& prior_;
    TrendPaths paths_;
    PartCosts costs_;
    Rates rates_;
    std::size_t followed_;  // series of rates
    std::size_t n_blocks_;
    std::vector<Part> parts_;
    std::vector<RatedParts> ending_;
    std::vector<RatedParts> starting_;
    std::vector<std::vector<Index>> ending_at_;
    std::vector<std::vector<Index>> starting_at_;
    std::vector<Layer> forward_;   // by number of parts, from 1 on
    std::vector<Layer> backward_;  // by number of parts that follow, from 0 on
    RatedSums room_;
};

}  // namespace

Summed sum_with_trend(const SumTask& task, const SizePrior& prior) {
    return TrendSums(task, prior).run();
}

}  // namespace partage
