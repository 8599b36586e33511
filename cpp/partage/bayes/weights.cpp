#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "partage/bayes/bayes.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Σ log of positive numbers as the log of their product, kept within range by its exponent.
class LogOfProduct {
public:
    void add(double factor) noexcept {
        product_ *= factor;
        constexpr double low = 0x1p-400;
        if (product_ < low) take_exponent();
    }
    double value() const noexcept {
        if (product_ == 0.0) return -std::numeric_limits<double>::infinity();
        constexpr double log_2 = 0.69314718055994530942;
        return portable_log(product_) + static_cast<double>(exponent_) * log_2;
    }

private:
    void take_exponent() noexcept {
        const auto bits = std::bit_cast<std::uint64_t>(product_);
        const auto exponent = static_cast<std::int64_t>(bits >> 52);
        if (exponent == 0) return;  // below what a factor of a row can be
        exponent_ += exponent - 1023;
        product_ = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
    }

    double product_ = 1.0;
    std::int64_t exponent_ = 0;
};

/// What a step of a column's weight multiplies its rows by: P^step upwards, 1 / P^step downwards.
struct Steps {
    std::vector<double> up;
    std::vector<double> down;
};

Steps steps_of(std::span<const double> tables, unsigned n_halvings) {
    Steps steps;
    steps.up.assign(tables.begin(), tables.end());
    for (unsigned h = 0; h < n_halvings; ++h)
        for (double& factor : steps.up) factor = std::sqrt(factor);  // the same bits on every CPU
    steps.down.reserve(steps.up.size());
    for (const double factor : steps.up) steps.down.push_back(1.0 / factor);
    return steps;
}

}  // namespace

double selection_prior(double n_columns, double sum) noexcept {
    const double choice = n_columns > 0.0 ? log_factorial(n_columns + sum - 1.0) -
                                                log_factorial(n_columns - 1.0) - log_factorial(sum)
                                          : 0.0;
    return portable_log(n_columns + 1.0) + choice;
}

double Posteriors::log_loss() const { return loss_with(0, {}); }

double Posteriors::loss_with(std::size_t column, std::span<const double> factors) const {
    const std::size_t J = columns_.n_classes;
    const std::uint32_t* codes =
        factors.empty() ? nullptr : columns_.codes.data() + column * columns_.n_rows;
    LogOfProduct product;
    double sum = 0.0;
    for (std::size_t i = 0; i < columns_.n_rows; ++i) {
        const double* row = rows_.data() + i * J;
        const double* factor = codes == nullptr ? nullptr : factors.data() + codes[i] * J;
        double all = 0.0;
        double own = 0.0;
        for (std::size_t j = 0; j < J; ++j) {
            const double value = factor == nullptr ? row[j] : row[j] * factor[j];
            all += value;
            if (j == columns_.labels[i]) own = value;
        }
        const double share = own / all;
        if (columns_.weights.empty())
            product.add(share);
        else
            sum += columns_.weights[i] * portable_log(share);
    }
    return -(columns_.weights.empty() ? product.value() : sum);
}

std::vector<double> Posteriors::weigh(std::span<const std::uint32_t> order, std::size_t n_known,
                                      unsigned n_halvings, const Stop& stop) {
    constexpr int most_sweeps = 64;
    const auto p = static_cast<double>(n_known);
    for (const std::uint32_t k : order)
        if (k >= columns_.n_columns()) throw std::invalid_argument("there is no such column");
    reset();
    std::vector<double> weights(columns_.n_columns(), 0.0);
    double sum = 0.0;
    double cost = log_loss() + selection_prior(p, 0.0);
    for (unsigned h = 0; h <= n_halvings; ++h) {
        const Steps steps = steps_of(columns_.tables, h);
        const double step = std::ldexp(1.0, -static_cast<int>(h));
        const auto try_step = [&](std::size_t k, double change) {
            const auto first = static_cast<std::size_t>(columns_.offsets[k]) * columns_.n_classes;
            const std::span<const double> all = change > 0.0 ? steps.up : steps.down;
            const auto factors = all.subspan(first);
            const double found = loss_with(k, factors) + selection_prior(p, sum + change);
            if (!is_lower(found, cost)) return false;
            multiply(k, factors);
            weights[k] += change;
            sum += change;
            cost = found;
            return true;
        };
        bool has_changed = true;
        for (int sweep = 0; sweep < most_sweeps && has_changed; ++sweep) {
            has_changed = false;
            for (const std::uint32_t k : order) {
                stop.check();
                if ((weights[k] + step <= 1.0 && try_step(k, step)) ||
                    (weights[k] >= step && try_step(k, -step)))
                    has_changed = true;
            }
        }
    }
    return weights;
}

}  // namespace partage
