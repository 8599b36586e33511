#include <algorithm>

#include "partage/search/program/part_costs.hpp"
#include "partage/search/program/reversed.hpp"
#include "partage/search/sums/weigh.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// F_k(b) = Σ_a F_{k-1}(a) exp(-part(a, b)) with F_0(0) = 1, in logarithms: sums over the
/// partitions of the blocks before b into k parts. A border that stands for several places counts
/// as often. The costs of parts are computed once for all the layers that are made together.
class LogLayers {
public:
    /// `log_places` is of the borders 1, 2, ...
    LogLayers(const PartCosts& costs, std::vector<double> log_places, const Stop& stop)
        : costs_(costs),
          log_places_(std::move(log_places)),
          stop_(stop),
          layers_(1, std::vector<double>(costs.n_blocks() + 1, -infinite)),
          column_(costs.n_blocks()) {
        layers_[0][0] = 0.0;
    }

    std::size_t n_layers() const noexcept { return layers_.size() - 1; }
    double operator()(std::size_t n_parts, std::size_t border) const noexcept {
        return layers_[n_parts][border];
    }
    /// log F_k of all blocks for k = 1, 2, ...
    std::vector<double> whole() const {
        std::vector<double> found;
        for (std::size_t k = 1; k < layers_.size(); ++k) found.push_back(layers_[k].back());
        return found;
    }

    /// Goes on to that many parts.
    void grow(std::size_t n_parts) {
        const std::size_t known = layers_.size();
        const std::size_t n_blocks = costs_.n_blocks();
        layers_.resize(n_parts + 1, std::vector<double>(n_blocks + 1, -infinite));
        for (std::size_t last = 1; last <= n_blocks; ++last) {
            if (last % 16 == 0) stop_.check();
            const std::size_t first = costs_.first_start(last);
            const std::size_t end = costs_.end_of_starts(last);
            if (first >= end) continue;
            costs_.ending_at(last, first, end, column_.data());
            const double places = last < n_blocks ? log_places_[last - 1] : 0.0;
            for (std::size_t k = known; k <= n_parts; ++k) {
                const std::size_t from = std::max(first, k - 1);
                if (from >= end) break;
                layers_[k][last] = places + log_sum(layers_[k - 1].data() + from,
                                                    column_.data() + (from - first), end - from);
            }
        }
    }

private:
    const PartCosts& costs_;
    std::vector<double> log_places_;
    const Stop& stop_;
    std::vector<std::vector<double>> layers_;
    std::vector<double> column_;
};

/// The sums over all partitions within limits of sizes and fixed cuts.
class LogSums {
public:
    LogSums(const SumTask& task, const SizePrior& prior)
        : task_(task),
          prior_(prior),
          n_blocks_(task.sums.n_blocks()),
          costs_(task.criterion, task.sums, task.limits),
          reversed_(reversed_rows(task.sums)),
          reversed_costs_(task.criterion, reversed_, reversed_limits(task.limits, n_blocks_)) {}

    Summed run() const {
        std::vector<double> places(task_.log_places.begin(), task_.log_places.end());
        places.resize(n_blocks_ - 1, 0.0);
        LogLayers forward(costs_, places, task_.stop);
        std::size_t n_layers = 0;
        while (n_layers == 0 && prior_.most() > 0) {
            constexpr std::size_t together = 6;
            forward.grow(std::min(prior_.most(), forward.n_layers() + together));
            n_layers = prior_.enough(forward.whole());
        }
        std::vector<double> whole = forward.whole();
        whole.resize(n_layers);
        Summed found = prior_.weighed(whole);
        std::reverse(places.begin(), places.end());
        LogLayers backward(reversed_costs_, places, task_.stop);
        if (n_layers > 1) backward.grow(n_layers - 1);
        weigh_parts(forward, backward, n_layers, found);
        found.parts.sort(n_blocks_);
        return found;
    }

private:
    /// P([a, b)) = exp(-part(a, b)) Σ_j F_j(a) Σ_l π(j+l+1) B_l(b) / Z.
    void weigh_parts(const LogLayers& forward, const LogLayers& backward, std::size_t n_layers,
                     Summed& found) const {
        const double least = portable_log(negligible_part(n_blocks_)) + found.log_total;
        const std::vector<double> log_prior = prior_.logs(n_layers);
        std::vector<double> column(n_blocks_);
        std::vector<double> behind(n_layers);
        std::vector<double> terms(n_layers);
        for (std::size_t b = 1; b <= n_blocks_; ++b) {
            if (b % 16 == 0) task_.stop.check();
            const std::size_t first = costs_.first_start(b);
            const std::size_t end = costs_.end_of_starts(b);
            if (first >= end) continue;
            for (std::size_t j = 0; j < n_layers; ++j) {
                for (std::size_t l = 0; l < n_layers - j; ++l)
                    terms[l] = log_prior[j + l] + backward(l, n_blocks_ - b);
                behind[j] = log_sum(terms.data(), n_layers - j);
            }
            costs_.ending_at(b, first, end, column.data());
            for (std::size_t a = first; a < end; ++a) {
                for (std::size_t j = 0; j < n_layers; ++j) terms[j] = forward(j, a) + behind[j];
                const double log_weight = log_sum(terms.data(), n_layers) - column[a - first];
                if (log_weight > least)
                    found.parts.add(a, b, quick_exp(std::min(log_weight - found.log_total, 0.0)));
            }
        }
    }

    const SumTask& task_;
    const SizePrior& prior_;
    std::size_t n_blocks_;
    PartCosts costs_;
    Cumulative reversed_;
    PartCosts reversed_costs_;
};

}  // namespace

Summed sum_in_logarithms(const SumTask& task, const SizePrior& prior) {
    return LogSums(task, prior).run();
}

}  // namespace partage
