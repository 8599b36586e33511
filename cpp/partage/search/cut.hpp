#pragma once

#include <algorithm>
#include <cstddef>

#include "partage/criteria/walk.hpp"
#include "partage/search/limits.hpp"
#include "partage/support/ties.hpp"

namespace partage {

/// A cut and the cost of both its sides.
struct Cut {
    std::size_t at = 0;  ///< block; 0: none
    double cost = infinite;

    /// Takes a cut that is cheaper, or as cheap and further left.
    void consider(std::size_t other, double other_cost) noexcept {
        if (is_lower(other_cost, cost) || (other < at && !is_lower(cost, other_cost))) {
            at = other;
            cost = std::min(cost, other_cost);
        }
    }
};

/// Considers the cuts of a walk that the limits allow.
inline void look(Walk& walk, const Limits& limits, Cut& best) {
    while (walk.next()) {
        if (!limits.allows(walk.left().weight) || !limits.allows(walk.right().weight)) continue;
        const auto [left, right] = walk.costs();
        best.consider(walk.at(), left + right);
    }
}

}  // namespace partage
