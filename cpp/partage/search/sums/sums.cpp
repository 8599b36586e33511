#include "partage/search/sums/sums.hpp"

#include <algorithm>

#include "partage/search/program/part_costs.hpp"
#include "partage/search/program/reversed.hpp"
#include "partage/search/sums/layers.hpp"
#include "partage/search/sums/weigh.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Numbers by border, then by number of parts: shares of the highest of the border, where they are
/// not negligible.
class ByBorder {
public:
    ByBorder(std::size_t n_borders, std::size_t n_layers)
        : width_(n_layers),
          logs_(n_borders * n_layers, -infinite),
          shares_(n_borders * n_layers, 0.0),
          tops_(n_borders, -infinite),
          ranges_(n_borders) {}

    double* logs(std::size_t border) noexcept { return logs_.data() + border * width_; }
    double top(std::size_t border) const noexcept { return tops_[border]; }

    /// To be called once the logarithms are known.
    void settle() noexcept {
        for (std::size_t i = 0; i < tops_.size(); ++i) {
            const double* log = logs_.data() + i * width_;
            tops_[i] = *std::max_element(log, log + width_);
            if (tops_[i] == -infinite) continue;
            Range range{width_, 0};
            for (std::size_t j = 0; j < width_; ++j) {
                if (!(log[j] - tops_[i] > lowest_share)) continue;
                shares_[i * width_ + j] = quick_exp(log[j] - tops_[i]);
                range = {std::min(range.first, j), j + 1};
            }
            ranges_[i] = range;
        }
    }

    /// log Σ_j exp(one_j + other_j).
    static double log_product(const ByBorder& one, std::size_t a, const ByBorder& other,
                              std::size_t b, std::vector<double>& room) noexcept {
        const std::size_t n = one.width_;
        const double* left = one.shares_.data() + a * n;
        const double* right = other.shares_.data() + b * n;
        double even = 0.0, odd = 0.0;
        const std::size_t end = std::min(one.ranges_[a].end, other.ranges_[b].end);
        std::size_t j = std::max(one.ranges_[a].first, other.ranges_[b].first);
        for (; j + 2 <= end; j += 2) {
            even += left[j] * right[j];
            odd += left[j + 1] * right[j + 1];
        }
        if (j < end) even += left[j] * right[j];
        // Beside such a sum, what the ranges leave out is nothing.
        if (even + odd > 1e-40) return one.tops_[a] + other.tops_[b] + portable_log(even + odd);
        for (j = 0; j < n; ++j) room[j] = one.logs_[a * n + j] + other.logs_[b * n + j];
        return log_sum(room.data(), n);
    }

private:
    static constexpr double lowest_share = -140.0;  // logarithm
    struct Range {
        std::size_t first = 0;
        std::size_t end = 0;
    };

    std::size_t width_;
    std::vector<double> logs_;
    std::vector<double> shares_;
    std::vector<double> tops_;
    std::vector<Range> ranges_;
};

/// The sums over all partitions within limits of sizes and fixed cuts.
class FreeSums {
public:
    explicit FreeSums(const SumTask& task)
        : task_(task),
          prior_(task),
          n_blocks_(task.sums.n_blocks()),
          costs_(task.criterion, task.sums, task.limits),
          reversed_(reversed_rows(task.sums)),
          reversed_costs_(task.criterion, reversed_, reversed_limits(task.limits, n_blocks_)),
          places_(task.log_places.begin(), task.log_places.end()) {
        places_.resize(n_blocks_ - 1, 0.0);
    }

    Summed run() {
        const std::vector<double> reversed_places(places_.rbegin(), places_.rend());
        const double price = prior_.price();
        PricedLayers forward(costs_, places_, price, task_.stop);
        const std::size_t n_layers = fill(forward);
        if (n_layers > 0 && forward.keeps_all(prior_.logs(n_layers))) {
            PricedLayers backward(reversed_costs_, reversed_places, price, task_.stop);
            return weighed(forward, backward, n_layers);
        }
        LogLayers plain_forward(costs_, places_, task_.stop);
        LogLayers plain_backward(reversed_costs_, reversed_places, task_.stop);
        return weighed(plain_forward, plain_backward, fill(plain_forward));
    }

private:
    /// Makes layers until the rest is negligible: the number that is enough.
    std::size_t fill(Layers& forward) const {
        constexpr std::size_t first = 12;
        std::size_t enough = 0;
        while (enough == 0 && prior_.most() > 0) {
            forward.grow(std::min(prior_.most(), std::max(first, 2 * forward.n_layers())));
            enough = prior_.enough(forward.whole());
        }
        return enough;
    }

    /// P([a, b)) = exp(-part(a, b)) Σ_j F_j(a) Σ_l π(j+l+1) B_l(b) / Z.
    Summed weighed(const Layers& forward, Layers& backward, std::size_t n_layers) const {
        std::vector<double> whole = forward.whole();
        whole.resize(n_layers);
        Summed found = prior_.weighed(whole);
        if (n_layers > 1) backward.grow(n_layers - 1);
        ByBorder before(n_blocks_ + 1, n_layers);
        ByBorder behind(n_blocks_ + 1, n_layers);
        std::vector<double> terms(n_layers);
        const std::vector<double> log_prior = prior_.logs(n_layers);
        for (std::size_t b = 0; b <= n_blocks_; ++b)
            for (std::size_t j = 0; j < n_layers; ++j) {
                before.logs(b)[j] = forward(j, b);
                for (std::size_t l = 0; l < n_layers - j; ++l)
                    terms[l] = log_prior[j + l] + backward(l, n_blocks_ - b);
                behind.logs(b)[j] = log_sum(terms.data(), n_layers - j);
            }
        before.settle();
        behind.settle();
        weigh_parts(before, behind, terms, found);
        return found;
    }

    void weigh_parts(const ByBorder& before, const ByBorder& behind, std::vector<double>& terms,
                     Summed& found) const {
        const double least = portable_log(negligible_part(n_blocks_)) + found.log_total;
        const double slack = portable_log(static_cast<double>(terms.size()));
        std::vector<double> column(n_blocks_);
        for (std::size_t a = 0; a < n_blocks_; ++a) {
            if (a % 16 == 0) task_.stop.check();
            const std::size_t first = reversed_costs_.first_start(n_blocks_ - a);
            const std::size_t end = reversed_costs_.end_of_starts(n_blocks_ - a);
            if (first >= end || before.top(a) == -infinite) continue;
            reversed_costs_.ending_at(n_blocks_ - a, first, end, column.data());
            for (std::size_t b = n_blocks_ - end + 1; b <= n_blocks_ - first; ++b) {
                const double cost = column[n_blocks_ - b - first];
                if (!(before.top(a) + behind.top(b) + slack - cost > least)) continue;
                const double log_weight = ByBorder::log_product(before, a, behind, b, terms) - cost;
                if (log_weight > least)
                    found.parts.add(a, b, quick_exp(std::min(log_weight - found.log_total, 0.0)));
            }
        }
    }

    const SumTask& task_;
    SizePrior prior_;
    std::size_t n_blocks_;
    PartCosts costs_;
    Cumulative reversed_;
    PartCosts reversed_costs_;
    std::vector<double> places_;  // of the inner borders
};

}  // namespace

Summed sum_freely(const SumTask& task) { return FreeSums(task).run(); }

}  // namespace partage
