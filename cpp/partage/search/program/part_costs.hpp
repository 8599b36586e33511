#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/search/limits.hpp"

namespace partage {

/// The parts that the limits allow, and what they cost.
class PartCosts {
public:
    PartCosts(const PartitionCriterion& criterion, const Cumulative& sums, const Limits& limits)
        : criterion_(criterion),
          sums_(sums),
          ends_(sums.n_blocks() + 1, 0),
          firsts_(sums.n_blocks() + 1, 0),
          has_fixed_(!limits.fixed.empty()) {
        const std::size_t n = sums.n_blocks();
        std::vector<double> row(sums.layout().n_numbers);
        std::size_t end = 0;
        for (std::size_t last = 1; last <= n; ++last) {
            for (; end < last; ++end) {
                if (!limits.allows(sums.weight(end, last))) break;
                if (limits.min_counts.empty()) continue;
                sums.subtract(end, last, row);
                if (!limits.allows(sums.layout().row(row))) break;
                if (!limits.allows_held(end, last)) break;
            }
            ends_[last] = end;
        }
        for (const Index block : limits.fixed)
            for (std::size_t last = block + 1; last <= n; ++last) firsts_[last] = block;
        // One part is always allowed, unless a cut is fixed.
        if (n > 0 && limits.least() == 1 && !has_fixed_)
            ends_[n] = std::max<std::size_t>(ends_[n], 1);
    }

    std::size_t n_blocks() const noexcept { return sums_.n_blocks(); }
    /// Parts [i, last) with i below this are large enough.
    std::size_t end_of_starts(std::size_t last) const noexcept { return ends_[last]; }
    /// Parts [i, last) with i below this would leave out a fixed cut; their cost is infinite.
    std::size_t first_start(std::size_t last) const noexcept { return firsts_[last]; }
    bool has_fixed() const noexcept { return has_fixed_; }
    /// Costs of the parts [i, last) for i in [first, end), into out[i - first].
    void ending_at(std::size_t last, std::size_t first, std::size_t end, double* out) const {
        const std::size_t from = std::clamp(firsts_[last], first, end);
        std::fill(out, out + (from - first), infinite);
        if (from < end) criterion_.parts_ending_at(sums_, from, end, last, out + (from - first));
    }
    const PartitionCriterion& criterion() const noexcept { return criterion_; }
    const Cumulative& sums() const noexcept { return sums_; }

private:
    const PartitionCriterion& criterion_;
    const Cumulative& sums_;
    std::vector<std::size_t> ends_;
    std::vector<std::size_t> firsts_;
    bool has_fixed_;
};

/// A free priced program: the lowest Σ (part + price) of the blocks before each border, and the
/// starts of its best partition (none if no partition is allowed).
struct PricedValues {
    std::vector<double> lowest;
    std::vector<std::size_t> starts;
};
PricedValues priced_values(double price, const PartCosts& costs, const Stop& stop);

/// Blocks [first, last) that may also be cut inside, at more borders than those of the program:
/// what the pieces then cost, the parts inside and what they add to the parts that reach beyond.
struct Bridge {
    std::size_t first;
    std::size_t last;
    double cost;
};

/// A free priced program over all blocks with bridges, one after the other. Its value is below
/// every partition's; it has starts where no bridge is used.
struct BridgedValue {
    double value;
    std::vector<std::size_t> starts;
    std::vector<std::size_t> used;  ///< bridges
};
BridgedValue bridged_value(double price, const PartCosts& costs, const Stop& stop,
                           std::span<const Bridge> bridges);

/// The lowest Σ part of the blocks before each border, for each number of parts up to `most`.
std::vector<std::vector<double>> layered_values(const PartCosts& costs, std::size_t most,
                                                const Stop& stop);

}  // namespace partage
