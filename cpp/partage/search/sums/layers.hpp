#pragma once

#include <cstddef>
#include <vector>

#include "partage/search/program/part_costs.hpp"

namespace partage {

/// F_k(b) = Σ_a F_{k-1}(a) exp(-part(a, b)) with F_0(0) = 1: sums over the partitions of the blocks
/// before b into k parts. A border that stands for several places counts as often. The costs of
/// parts are computed once for all the layers that are made together.
class Layers {
public:
    /// `log_places` is of the borders 1, 2, ...
    Layers(const PartCosts& costs, std::vector<double> log_places, const Stop& stop)
        : costs_(costs),
          log_places_(std::move(log_places)),
          stop_(stop),
          layers_(1, std::vector<double>(costs.n_blocks() + 1, -infinite)),
          column_(costs.n_blocks()) {
        layers_[0][0] = 0.0;
    }
    virtual ~Layers() = default;

    /// Goes on to that many parts.
    virtual void grow(std::size_t n_parts) = 0;
    std::size_t n_layers() const noexcept { return layers_.size() - 1; }
    /// log F_k(b).
    double operator()(std::size_t n_parts, std::size_t border) const noexcept {
        return layers_[n_parts][border];
    }
    /// log F_k of all blocks for k = 1, 2, ...
    std::vector<double> whole() const {
        std::vector<double> found;
        for (std::size_t k = 1; k < layers_.size(); ++k) found.push_back(layers_[k].back());
        return found;
    }

protected:
    double places(std::size_t border) const noexcept {
        return border < costs_.n_blocks() ? log_places_[border - 1] : 0.0;
    }
    /// Calls f(last, first, end) for each border that parts may end at, with their costs in
    /// `column_`.
    template <class F>
    void for_each_end(F f) {
        for (std::size_t last = 1; last <= costs_.n_blocks(); ++last) {
            if (last % 16 == 0) stop_.check();
            const std::size_t first = costs_.first_start(last);
            const std::size_t end = costs_.end_of_starts(last);
            if (first >= end) continue;
            costs_.ending_at(last, first, end, column_.data());
            f(last, first, end);
        }
    }

    const PartCosts& costs_;
    std::vector<double> log_places_;
    const Stop& stop_;
    std::vector<std::vector<double>> layers_;
    std::vector<double> column_;
};

/// The sums in logarithms, whatever their size: an exponential for every term.
class LogLayers final : public Layers {
public:
    using Layers::Layers;
    void grow(std::size_t n_parts) override;
};

/// The sums as shares of those in which each part costs a price, whatever their number: an
/// exponential for each part only. Layers below 1e-290 of these sums are lost.
class PricedLayers final : public Layers {
public:
    PricedLayers(const PartCosts& costs, std::vector<double> log_places, double price,
                 const Stop& stop);
    void grow(std::size_t n_parts) override;
    /// Whether what is lost does not matter, where `log_weights` are those of 1, 2, ... parts.
    bool keeps_all(const std::vector<double>& log_weights) const noexcept;

private:
    double price_;
    std::vector<double> priced_;  // log Σ_k F_k(b) exp(-price k)
    std::vector<double> last_;    // the last layer, as shares
};

}  // namespace partage
