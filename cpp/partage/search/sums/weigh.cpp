#include "partage/search/sums/weigh.hpp"

#include <algorithm>
#include <stdexcept>

#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Highest value(i) over i < n; four at a time.
template <class Value>
double highest_of(std::size_t n, Value value) noexcept {
    double m0 = -infinite, m1 = -infinite, m2 = -infinite, m3 = -infinite;
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        m0 = std::max(m0, value(i));
        m1 = std::max(m1, value(i + 1));
        m2 = std::max(m2, value(i + 2));
        m3 = std::max(m3, value(i + 3));
    }
    for (; i < n; ++i) m0 = std::max(m0, value(i));
    return std::max(std::max(m0, m1), std::max(m2, m3));
}

template <class Value>
double log_sum_of(std::size_t n, Value value) noexcept {
    const double highest = highest_of(n, value);
    if (highest == -infinite) return highest;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double below = value(i) - highest;
        if (below > deepest) sum += quick_exp(below);
    }
    return highest + portable_log(sum);
}

}  // namespace

double log_sum(const double* values, std::size_t n) noexcept {
    return log_sum_of(n, [values](std::size_t i) { return values[i]; });
}

double log_sum(const double* values, const double* costs, std::size_t n) noexcept {
    return log_sum_of(n, [values, costs](std::size_t i) { return values[i] - costs[i]; });
}

double log_add(double a, double b) noexcept {
    const double high = std::max(a, b);
    const double below = std::min(a, b) - high;
    return below > deepest ? high + portable_log(1.0 + quick_exp(below)) : high;
}

SizePrior::SizePrior(const SumTask& task) : task_(task) {
    if (task.criterion.growth() == Growth::other)
        throw std::invalid_argument("the costs of this criterion are no sums");
    most_ = std::min(task.limits.most(), task.sums.n_blocks());
    if (!task.log_prior.empty()) most_ = std::min(most_, task.log_prior.size());
    if (task.limits.n_parts > most_) most_ = 0;
}

double SizePrior::log_of(std::size_t n_parts) const noexcept {
    if (n_parts < task_.limits.least() || n_parts > most_) return -infinite;
    if (!task_.log_prior.empty()) return task_.log_prior[n_parts - 1];
    return -task_.criterion.structure(n_parts + task_.limits.n_empty);
}

std::vector<double> SizePrior::logs(std::size_t n) const {
    std::vector<double> found;
    for (std::size_t k = 1; k <= n; ++k) found.push_back(log_of(k));
    return found;
}

double SizePrior::price() const noexcept {
    const std::size_t n_parts = task_.least_followed;
    if (!task_.log_prior.empty()) {
        const double price = log_of(n_parts) - log_of(n_parts + 1);
        if (price > -infinite && price < infinite) return price;
    }
    return task_.criterion.structure(n_parts + 1) - task_.criterion.structure(n_parts);
}

std::size_t SizePrior::enough(const std::vector<double>& sums) const noexcept {
    if (sums.size() >= most_) return most_;
    constexpr double negligible = -23.0;  // log 1e-10
    const std::size_t first = std::max(task_.least_followed, task_.limits.least()) + 1;
    double total = -infinite;
    double before = -infinite;
    for (std::size_t k = 1; k <= sums.size(); ++k) {
        const double term = log_of(k) + sums[k - 1];
        total = log_add(total, term);
        // Terms of a falling ratio q add up to less than q / (1 - q) times the last.
        const double ratio = quick_exp(std::min(term - before, 0.0));
        const bool is_small =
            ratio < 1.0 && term + portable_log(1.0 / (1.0 - ratio)) < total + negligible;
        if (k > first && is_small) return k;
        before = term;
    }
    return 0;
}

Summed SizePrior::weighed(const std::vector<double>& sums) const {
    Summed found;
    for (std::size_t k = 1; k <= sums.size(); ++k) found.n_parts.push_back(log_of(k) + sums[k - 1]);
    found.log_total = log_sum(found.n_parts.data(), found.n_parts.size());
    if (!(found.log_total > -infinite)) throw NotPossible("no partition satisfies the limits");
    for (double& term : found.n_parts) term = quick_exp(std::min(term - found.log_total, 0.0));
    return found;
}

double negligible_part(std::size_t n_blocks) noexcept {
    const auto n = static_cast<double>(n_blocks);
    return 1e-10 / (n * (n + 1.0));
}

void PartProbabilities::sort(std::size_t n_blocks) {
    std::vector<std::size_t> place(n_blocks + 1, 0);
    for (const Index i : first) ++place[i + 1];
    for (std::size_t i = 0; i < n_blocks; ++i) place[i + 1] += place[i];
    PartProbabilities sorted{std::vector<Index>(size()), std::vector<Index>(size()),
                             std::vector<double>(size())};
    for (std::size_t i = 0; i < size(); ++i) {
        const std::size_t to = place[first[i]]++;
        sorted.first[to] = first[i];
        sorted.last[to] = last[i];
        sorted.probability[to] = probability[i];
    }
    *this = std::move(sorted);
}

Summed sum_partitions(const SumTask& task) {
    const SizePrior prior(task);
    if (task.limits.trend != Trend::free) return sum_with_trend(task, prior);
    std::optional<Summed> found = sum_at_a_price(task, prior);
    return found ? std::move(*found) : sum_in_logarithms(task, prior);
}

}  // namespace partage
