#pragma once

#include "partage/rows/row.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {

/// What one level for all rows of a part leaves of the squares of their scores: q - s² / (n + 1),
/// the level itself having been drawn around 0 with the spread of one row.
inline double spread_of(double n, double s, double q) noexcept { return q - s * s / (n + 1.0); }

/// The length of scores of n rows whose spreads add up to `spread`, in nats: (n - 1) / 2 log
/// spread.
inline double log_of_spread(double spread, double n) noexcept {
    return n > 1.0 ? 0.5 * (n - 1.0) * portable_log(spread) : 0.0;
}

}  // namespace partage
