#include "partage/search/sums/layers.hpp"

#include <algorithm>

#include "partage/search/sums/weigh.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

constexpr double least_share = 1e-290;  // far from the numbers that processors are slow with
constexpr double least_step = -100.0;   // logarithm of the share of a last part that is looked at

}  // namespace

void LogLayers::grow(std::size_t n_parts) {
    const std::size_t known = layers_.size();
    layers_.resize(n_parts + 1, std::vector<double>(costs_.n_blocks() + 1, -infinite));
    for_each_end([&](std::size_t last, std::size_t first, std::size_t end) {
        for (std::size_t k = known; k <= n_parts; ++k) {
            const std::size_t from = std::max(first, k - 1);
            if (from >= end) break;
            layers_[k][last] = places(last) + log_sum(layers_[k - 1].data() + from,
                                                      column_.data() + (from - first), end - from);
        }
    });
}

PricedLayers::PricedLayers(const PartCosts& costs, std::vector<double> log_places, double price,
                           const Stop& stop)
    : Layers(costs, std::move(log_places), stop),
      price_(price),
      priced_(costs.n_blocks() + 1, -infinite),
      last_(costs.n_blocks() + 1, 0.0) {
    priced_[0] = 0.0;
    last_[0] = 1.0;
    for_each_end([&](std::size_t last, std::size_t first, std::size_t end) {
        priced_[last] =
            places(last) - price_ + log_sum(priced_.data() + first, column_.data(), end - first);
    });
}

void PricedLayers::grow(std::size_t n_parts) {
    const std::size_t n_borders = costs_.n_blocks() + 1;
    const std::size_t known = n_layers();
    if (n_parts <= known) return;
    const std::size_t n_new = n_parts - known;
    // By border: the layer known last, then the new ones.
    std::vector<double> shares(n_borders * (n_new + 1), 0.0);
    for (std::size_t b = 0; b < n_borders; ++b) shares[b * (n_new + 1)] = last_[b];
    for_each_end([&](std::size_t last, std::size_t first, std::size_t end) {
        if (priced_[last] == -infinite) return;
        double* to = shares.data() + last * (n_new + 1) + 1;
        const double offset = places(last) - price_ - priced_[last];
        for (std::size_t a = first; a < end; ++a) {
            const double log_step = priced_[a] - column_[a - first] + offset;
            if (!(log_step > least_step)) continue;
            const double step = quick_exp(std::min(log_step, 0.0));
            const double* from = shares.data() + a * (n_new + 1);
            for (std::size_t k = 0; k < n_new; ++k) to[k] += step * from[k];
        }
        for (std::size_t k = 0; k < n_new; ++k)
            if (to[k] < least_share) to[k] = 0.0;
    });
    layers_.resize(n_parts + 1, std::vector<double>(n_borders, -infinite));
    for (std::size_t b = 0; b < n_borders; ++b) {
        const double* made = shares.data() + b * (n_new + 1) + 1;
        for (std::size_t k = 0; k < n_new; ++k)
            if (made[k] > 0.0)
                layers_[known + 1 + k][b] = priced_[b] + portable_log(made[k]) +
                                            price_ * static_cast<double>(known + 1 + k);
        last_[b] = made[n_new - 1];
    }
}

bool PricedLayers::keeps_all(const std::vector<double>& log_weights) const noexcept {
    constexpr double depth = 550.0;  // e^-550 and e^-40 besides are above what is lost
    double highest = -infinite;
    double total = -infinite;
    for (std::size_t k = 1; k <= log_weights.size(); ++k) {
        highest = std::max(highest,
                           log_weights[k - 1] + price_ * static_cast<double>(k) + priced_.back());
        total = log_add(total, log_weights[k - 1] + layers_[k].back());
    }
    return total > highest - depth;
}

}  // namespace partage
