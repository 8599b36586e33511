#include <algorithm>

#include "partage/search/program/part_costs.hpp"
#include "partage/search/sums/weigh.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

constexpr double least_share = 1e-290;  // far from the numbers that processors are slow with
constexpr double least_step = -100.0;   // logarithm of the share of a last part that is kept

/// Numbers by border, then by number of parts.
class Shares {
public:
    explicit Shares(std::size_t n_borders) : n_borders_(n_borders), values_(n_borders, 0.0) {}

    std::size_t n_layers() const noexcept { return width_ - 1; }
    double* operator[](std::size_t border) noexcept { return values_.data() + border * width_; }
    const double* operator[](std::size_t border) const noexcept {
        return values_.data() + border * width_;
    }
    /// Makes room for numbers of parts up to this.
    void widen(std::size_t n_parts) {
        const std::size_t width = n_parts + 1;
        std::vector<double> wider(n_borders_ * width, 0.0);
        for (std::size_t b = 0; b < n_borders_; ++b)
            std::copy_n((*this)[b], width_, wider.begin() + static_cast<std::ptrdiff_t>(b * width));
        values_ = std::move(wider);
        width_ = width;
    }

private:
    std::size_t n_borders_;
    std::size_t width_ = 1;
    std::vector<double> values_;
};

void add_scaled(double scale, const double* __restrict from, double* __restrict to,
                std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) to[i] += scale * from[i];
}

void flush(double* values, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i)
        if (values[i] < least_share) values[i] = 0.0;
}

/// Sums over partitions as shares of those in which each part costs a price, whatever their number:
/// G(b) = Σ_a G(a) exp(-part(a, b) - price). Then a partition of the blocks before b has a last
/// part, [a, b) with the probability step(a, b); going back part by part, the numbers of parts
/// before b and behind it have probabilities too. They are plain numbers, and one exponential for
/// each part is all that is needed; what the numbers of parts really weigh comes last. Shares below
/// 1e-290 are lost, which matters where these weights are far from a price for each part.
class PricedSums {
public:
    PricedSums(const SumTask& task, const SizePrior& prior)
        : task_(task),
          prior_(prior),
          price_(prior.price()),
          costs_(task.criterion, task.sums, task.limits),
          n_blocks_(costs_.n_blocks()),
          priced_(n_blocks_ + 1, -infinite),
          first_(n_blocks_ + 1, 0),
          offset_(n_blocks_ + 2, 0),
          before_(n_blocks_ + 1),
          behind_(n_blocks_ + 1) {
        priced_[0] = 0.0;
        make_steps();
        before_[0][0] = 1.0;
        behind_[n_blocks_][0] = 1.0;
    }

    std::optional<Summed> run() {
        if (priced_.back() == -infinite) return std::nullopt;
        constexpr std::size_t at_first = 12;
        std::size_t n_layers = 0;
        while (n_layers == 0 && prior_.most() > 0) {
            fill_before(std::min(prior_.most(), std::max(at_first, 2 * before_.n_layers())));
            n_layers = prior_.enough(whole(before_.n_layers()));
        }
        if (n_layers == 0 || !keeps_all(n_layers)) return std::nullopt;
        Summed found = prior_.weighed(whole(n_layers));
        fill_behind(n_layers - 1);
        weigh_parts(n_layers, found);
        found.parts.sort(n_blocks_);
        return found;
    }

private:
    void make_steps() {
        std::vector<double> column(n_blocks_);
        for (std::size_t last = 1; last <= n_blocks_; ++last) {
            if (last % 16 == 0) task_.stop.check();
            offset_[last] = steps_.size();
            const std::size_t end = costs_.end_of_starts(last);
            const std::size_t first = costs_.first_start(last);
            if (first >= end) continue;
            costs_.ending_at(last, first, end, column.data());
            double highest = -infinite;
            for (std::size_t a = first; a < end; ++a) {
                column[a - first] = priced_[a] - column[a - first];
                highest = std::max(highest, column[a - first]);
            }
            if (highest == -infinite) continue;
            double sum = 0.0;
            for (std::size_t i = 0; i < end - first; ++i) {
                const double below = column[i] - highest;
                column[i] = below > least_step ? quick_exp(below) : 0.0;
                sum += column[i];
            }
            const bool is_inner = last < n_blocks_ && !task_.log_places.empty();
            priced_[last] = highest + portable_log(sum) - price_ +
                            (is_inner ? task_.log_places[last - 1] : 0.0);
            const double scale = 1.0 / sum;
            for (std::size_t i = 0; i < end - first; ++i) steps_.push_back(column[i] * scale);
            first_[last] = first;
        }
        offset_[n_blocks_ + 1] = steps_.size();
    }

    /// Calls f(a, step) for the parts that end at a border.
    template <class F>
    void for_each_step(std::size_t last, F f) const {
        const std::size_t n = offset_[last + 1] - offset_[last];
        const double* steps = steps_.data() + offset_[last];
        for (std::size_t i = 0; i < n; ++i)
            if (steps[i] > 0.0) f(first_[last] + i, steps[i]);
    }

    void fill_before(std::size_t n_parts) {
        const std::size_t known = before_.n_layers();
        before_.widen(n_parts);
        for (std::size_t last = 1; last <= n_blocks_; ++last) {
            if (last % 16 == 0) task_.stop.check();
            double* to = before_[last] + known + 1;
            for_each_step(last, [&](std::size_t a, double step) {
                add_scaled(step, before_[a] + known, to, n_parts - known);
            });
            flush(to, n_parts - known);
        }
    }

    void fill_behind(std::size_t n_parts) {
        behind_.widen(n_parts);
        for (std::size_t last = n_blocks_; last > 0; --last) {
            if (last % 16 == 0) task_.stop.check();
            flush(behind_[last], n_parts + 1);
            for_each_step(last, [&](std::size_t a, double step) {
                add_scaled(step, behind_[last], behind_[a] + 1, n_parts);
            });
        }
    }

    /// Logarithm of what a partition into k parts weighs beyond its share.
    double weight(std::size_t k) const noexcept {
        return prior_.log_of(k) + price_ * static_cast<double>(k) + priced_.back();
    }

    /// log F_k of all blocks for k = 1, 2, ...
    std::vector<double> whole(std::size_t n_layers) const {
        std::vector<double> found;
        for (std::size_t k = 1; k <= n_layers; ++k) {
            const double share = before_[n_blocks_][k];
            found.push_back(share > 0.0 ? portable_log(share) + price_ * static_cast<double>(k) +
                                              priced_.back()
                                        : -infinite);
        }
        return found;
    }

    /// Whether what is lost does not matter.
    bool keeps_all(std::size_t n_layers) const {
        constexpr double depth = 550.0;  // e^-550, and e^-40 besides, is above what is lost
        double highest = -infinite;
        for (std::size_t k = 1; k <= n_layers; ++k) highest = std::max(highest, weight(k));
        const std::vector<double> sums = whole(n_layers);
        double total = -infinite;
        for (std::size_t k = 1; k <= n_layers; ++k)
            total = log_add(total, prior_.log_of(k) + sums[k - 1]);
        return total > highest - depth;
    }

    /// P([a, b)) = step(a, b) Σ_j before_j(a) Σ_l weight(j+l+1) behind_l(b).
    void weigh_parts(std::size_t n_layers, Summed& found) const {
        std::vector<double> weights(n_layers + 1, 0.0);
        for (std::size_t k = 1; k <= n_layers; ++k) {
            const double log_weight = weight(k) - found.log_total;  // at most 550 or so
            if (log_weight > -700.0) weights[k] = grown(log_weight);
        }
        const double least = negligible_part(n_blocks_);
        std::vector<double> rest(n_layers);
        for (std::size_t b = 1; b <= n_blocks_; ++b) {
            if (b % 16 == 0) task_.stop.check();
            std::fill(rest.begin(), rest.end(), 0.0);
            for (std::size_t l = 0; l < n_layers; ++l)
                if (behind_[b][l] > 0.0)
                    add_scaled(behind_[b][l], weights.data() + l + 1, rest.data(), n_layers - l);
            for_each_step(b, [&](std::size_t a, double step) {
                const double* left = before_[a];
                double even = 0.0, odd = 0.0;
                std::size_t j = 0;
                for (; j + 2 <= n_layers; j += 2) {
                    even += left[j] * rest[j];
                    odd += left[j + 1] * rest[j + 1];
                }
                if (j < n_layers) even += left[j] * rest[j];
                const double p = step * (even + odd);
                if (p > least) found.parts.add(a, b, std::min(p, 1.0));
            });
        }
    }

    /// e^x for x of either sign.
    static double grown(double x) noexcept { return x > 0.0 ? 1.0 / quick_exp(-x) : quick_exp(x); }

    const SumTask& task_;
    const SizePrior& prior_;
    double price_;
    PartCosts costs_;
    std::size_t n_blocks_;
    std::vector<double> priced_;       // log G
    std::vector<std::size_t> first_;   // of the steps that end at each border
    std::vector<std::size_t> offset_;  // where they begin
    std::vector<double> steps_;
    Shares before_;
    Shares behind_;
};

}  // namespace

std::optional<Summed> sum_at_a_price(const SumTask& task, const SizePrior& prior) {
    return PricedSums(task, prior).run();
}

}  // namespace partage
