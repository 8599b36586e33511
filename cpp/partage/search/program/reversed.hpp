#pragma once

#include <algorithm>

#include "partage/search/limits.hpp"

namespace partage {

/// The rows of a line read from its end.
inline Rows reversed_rows(const Cumulative& sums) {
    const std::size_t n = sums.n_blocks();
    Rows rows(n, sums.layout());
    for (std::size_t i = 0; i < n; ++i) sums.subtract(n - 1 - i, n - i, rows[i]);
    return rows;
}

/// The limits of a line read from its end; trends and segments stay as they are.
inline Limits reversed_limits(const Limits& limits, std::size_t n_blocks) {
    Limits found = limits;
    for (Index& block : found.fixed) block = static_cast<Index>(n_blocks - block);
    std::sort(found.fixed.begin(), found.fixed.end());
    for (std::size_t i = 0; i < found.held.size(); ++i)
        std::ranges::copy(limits.held[n_blocks - 1 - i], found.held[i].begin());
    return found;
}

}  // namespace partage
