#include "partage/grids/likeness.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace partage {
namespace {

constexpr std::size_t n_turns = 24;   // of the subspace
constexpr std::size_t n_rounds = 12;  // of the means of groups

/// What units go with: each unit of each other axis, and each class there. A row tells how much
/// more often than its total and the totals of those would say (without a target), or than the
/// shares of the classes would say (with one).
class Correspondence {
public:
    Correspondence(const FineTable& table, std::size_t axis) : table_(table), axis_(axis) {
        std::size_t n_keys = 0;
        for (std::size_t b = 0; b < table.n_axes(); ++b) {
            firsts_.push_back(n_keys);
            if (b != axis) n_keys += table.axis(b).n_all() * table.n_classes();
        }
        key_scale_.assign(n_keys, 0.0);
        unit_scale_.assign(table.axis(axis).size(), 0.0);
        shares_.assign(table.n_classes(), 0.0);
        double n_rows = 0.0;
        for_each([&](std::size_t unit, std::size_t key, double weight) {
            key_scale_[key] += weight;
            unit_scale_[unit] += weight;
            shares_[key % table.n_classes()] += weight;
            n_rows += weight;
        });
        for (double& share : shares_) share /= std::max(n_rows, 1.0);
        key_shares_ = key_scale_;
        for (double& share : key_shares_) share /= std::max(n_rows, 1.0);
        // Units of few rows would take all directions for themselves without the mean added.
        const auto scale = [&](std::vector<double>& sums) {
            const double mean = n_rows / static_cast<double>(std::max<std::size_t>(1, sums.size()));
            for (double& sum : sums) sum = 1.0 / std::sqrt(sum + mean + 1e-300);
        };
        scale(key_scale_);
        scale(unit_scale_);
    }

    std::size_t n_keys() const noexcept { return key_scale_.size(); }
    double unit_scale(std::size_t unit) const noexcept { return unit_scale_[unit]; }

    /// Rows times vectors of keys; n numbers for each.
    std::vector<double> forward(std::vector<double> keys, std::size_t n) const {
        for (std::size_t k = 0; k < n_keys(); ++k)
            for (std::size_t d = 0; d < n; ++d) keys[k * n + d] *= key_scale_[k];
        center(keys, n);
        std::vector<double> units(unit_scale_.size() * n, 0.0);
        for_each([&](std::size_t unit, std::size_t key, double weight) {
            for (std::size_t d = 0; d < n; ++d) units[unit * n + d] += weight * keys[key * n + d];
        });
        for (std::size_t u = 0; u < unit_scale_.size(); ++u)
            for (std::size_t d = 0; d < n; ++d) units[u * n + d] *= unit_scale_[u];
        return units;
    }

    /// The transpose of `forward`.
    std::vector<double> back(std::vector<double> units, std::size_t n) const {
        for (std::size_t u = 0; u < unit_scale_.size(); ++u)
            for (std::size_t d = 0; d < n; ++d) units[u * n + d] *= unit_scale_[u];
        std::vector<double> keys(n_keys() * n, 0.0);
        for_each([&](std::size_t unit, std::size_t key, double weight) {
            for (std::size_t d = 0; d < n; ++d) keys[key * n + d] += weight * units[unit * n + d];
        });
        center_back(keys, n);
        for (std::size_t k = 0; k < n_keys(); ++k)
            for (std::size_t d = 0; d < n; ++d) keys[k * n + d] *= key_scale_[k];
        return keys;
    }

private:
    template <class Do>
    void for_each(Do act) const {
        for (std::size_t e = 0; e < table_.size(); ++e) {
            const std::size_t unit = table_.unit(axis_, e);
            if (unit >= table_.axis(axis_).size()) continue;  // set aside
            for (std::size_t b = 0; b < table_.n_axes(); ++b)
                if (b != axis_)
                    act(unit, firsts_[b] + table_.unit(b, e) * table_.n_classes() + table_.label(e),
                        table_.weight(e));
        }
    }

    /// Each block of keys, with the shares that are expected in it: classes of one unit, or all
    /// the units of an axis.
    template <class Do>
    void for_each_block_of_keys(Do act) const {
        if (table_.has_target()) {
            for (std::size_t k = 0; k < n_keys(); k += table_.n_classes())
                act(k, table_.n_classes(), shares_.data(), 1.0);
            return;
        }
        const double n_others = static_cast<double>(table_.n_axes() - 1);
        for (std::size_t b = 0; b < table_.n_axes(); ++b)
            if (b != axis_)
                act(firsts_[b], table_.axis(b).n_all(), key_shares_.data() + firsts_[b], n_others);
    }

    void center(std::vector<double>& keys, std::size_t n) const {
        for_each_block_of_keys(
            [&](std::size_t first, std::size_t size, const double* shares, double times) {
                for (std::size_t d = 0; d < n; ++d) {
                    double mean = 0.0;
                    for (std::size_t k = 0; k < size; ++k)
                        mean += times * shares[k] * keys[(first + k) * n + d];
                    for (std::size_t k = 0; k < size; ++k) keys[(first + k) * n + d] -= mean;
                }
            });
    }

    void center_back(std::vector<double>& keys, std::size_t n) const {
        for_each_block_of_keys(
            [&](std::size_t first, std::size_t size, const double* shares, double times) {
                for (std::size_t d = 0; d < n; ++d) {
                    double sum = 0.0;
                    for (std::size_t k = 0; k < size; ++k) sum += keys[(first + k) * n + d];
                    for (std::size_t k = 0; k < size; ++k)
                        keys[(first + k) * n + d] -= times * shares[k] * sum;
                }
            });
    }

    const FineTable& table_;
    std::size_t axis_;
    std::vector<std::size_t> firsts_;
    std::vector<double> key_scale_;
    std::vector<double> key_shares_;
    std::vector<double> unit_scale_;
    std::vector<double> shares_;
};

/// Makes n columns orthonormal, one after the other; a column that is none becomes 0.
void make_orthonormal(std::vector<double>& values, std::size_t n) {
    const std::size_t size = values.size() / n;
    for (std::size_t d = 0; d < n; ++d) {
        const auto product = [&](std::size_t c) {
            double sum = 0.0;
            for (std::size_t i = 0; i < size; ++i) sum += values[i * n + c] * values[i * n + d];
            return sum;
        };
        const double before = product(d);
        for (std::size_t c = 0; c < d; ++c) {
            const double along = product(c);
            for (std::size_t i = 0; i < size; ++i) values[i * n + d] -= along * values[i * n + c];
        }
        const double squares = product(d);
        const double scale = squares > 1e-20 * before ? 1.0 / std::sqrt(squares) : 0.0;
        for (std::size_t i = 0; i < size; ++i) values[i * n + d] *= scale;
    }
}

double squared_distance(std::span<const double> a, std::span<const double> b) noexcept {
    double sum = 0.0;
    for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

}  // namespace

Likeness::Likeness(const FineTable& table, std::size_t axis, const Stop& stop)
    : stop_(stop), n_units_(table.axis(axis).size()), weights_(n_units_, 0.0) {
    const Correspondence rows(table, axis);
    FixedNumbers numbers(axis + 1);
    std::vector<double> keys(rows.n_keys() * n_directions);
    for (double& value : keys) value = numbers.around_zero();
    make_orthonormal(keys, n_directions);
    for (std::size_t turn = 0; turn < n_turns; ++turn) {
        stop.check();
        keys = rows.back(rows.forward(std::move(keys), n_directions), n_directions);
        make_orthonormal(keys, n_directions);
    }
    points_ = rows.forward(std::move(keys), n_directions);
    for (std::size_t u = 0; u < n_units_; ++u)
        for (std::size_t d = 0; d < n_directions; ++d)
            points_[u * n_directions + d] *= rows.unit_scale(u);
    for (std::size_t u = 0; u < n_units_; ++u)
        for (const Index e : table.entries(axis, u)) weights_[u] += table.weight(e);
}

/// Means to start from: the heaviest unit, then each time the one that is missed most.
std::vector<double> Likeness::far_apart(std::size_t m) const {
    std::vector<double> means;
    std::vector<double> missed(n_units_, infinite);
    auto next = static_cast<std::size_t>(std::ranges::max_element(weights_) - weights_.begin());
    for (std::size_t i = 0; i < m; ++i) {
        const auto chosen = point(next);
        means.insert(means.end(), chosen.begin(), chosen.end());
        double most = 0.0;
        for (std::size_t u = 0; u < n_units_; ++u) {
            missed[u] = std::min(missed[u], squared_distance(point(u), chosen));
            if (missed[u] * weights_[u] > most) {
                most = missed[u] * weights_[u];
                next = u;
            }
        }
        if (most == 0.0) break;
    }
    return means;
}

std::vector<Index> Likeness::groups(std::size_t m) const {
    std::vector<double> means = far_apart(m);
    const std::size_t n_groups = means.size() / n_directions;
    std::vector<Index> group_of(n_units_, 0);
    for (std::size_t round = 0; round < n_rounds; ++round) {
        stop_.check();
        for (std::size_t u = 0; u < n_units_; ++u) {
            double nearest = infinite;
            for (std::size_t g = 0; g < n_groups; ++g) {
                const double distance = squared_distance(
                    point(u), std::span(means).subspan(g * n_directions, n_directions));
                if (distance < nearest) {
                    nearest = distance;
                    group_of[u] = static_cast<Index>(g);
                }
            }
        }
        std::vector<double> sums(means.size(), 0.0);
        std::vector<double> totals(n_groups, 0.0);
        for (std::size_t u = 0; u < n_units_; ++u) {
            totals[group_of[u]] += weights_[u];
            for (std::size_t d = 0; d < n_directions; ++d)
                sums[group_of[u] * n_directions + d] += weights_[u] * point(u)[d];
        }
        for (std::size_t g = 0; g < n_groups; ++g)
            for (std::size_t d = 0; d < n_directions && totals[g] > 0.0; ++d)
                means[g * n_directions + d] = sums[g * n_directions + d] / totals[g];
    }
    std::vector<Index> place(n_groups, static_cast<Index>(n_groups));
    Index next = 0;
    for (Index& group : group_of) {
        if (place[group] == n_groups) place[group] = next++;
        group = place[group];
    }
    return group_of;
}

}  // namespace partage
