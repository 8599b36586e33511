#pragma once

#include <new>
#include <unordered_map>

#include "partage/criteria/criterion.hpp"
#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"

namespace partage {

/// What the number of parts costs under MODL, in nats: log N + log C(N+K-1, K-1) on a line,
/// log I + log B(I, K) for I values in any order; where parts tell the ranks of a number, also
/// something for the logarithm of the number of sets.
class Structure {
public:
    explicit Structure(const Problem& problem)
        : n_values_(problem.n_values),
          n_samples_(problem.n_samples),
          log_n_(portable_log(n_values_ > 0 ? static_cast<double>(n_values_) : n_samples_)),
          of_log_parts_(problem.of_log_parts),
          n_beside_(problem.n_beside) {}

    double operator()(std::size_t n_parts) const noexcept {
        if (of_log_parts_ == 0.0) return places(n_parts);
        const double n_sets = static_cast<double>(n_parts) + n_beside_;
        return places(n_parts) + of_log_parts_ * portable_log(n_sets);
    }

private:
    double places(std::size_t n_parts) const noexcept {
        if (n_values_ == 0) return log_n_ + log_choices(n_samples_, n_parts);
        if (const auto known = groups_.find(n_parts); known != groups_.end()) return known->second;
        const double found = log_n_ + log_set_partitions(n_values_, n_parts);
        try {
            groups_.emplace(n_parts, found);
        } catch (const std::bad_alloc&) {
            // Computed again when asked again.
        }
        return found;
    }

    std::size_t n_values_;
    double n_samples_;
    double log_n_;
    double of_log_parts_;
    double n_beside_;
    mutable std::unordered_map<std::size_t, double> groups_;  // computed so far
};

}  // namespace partage
