#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "partage/support/stop.hpp"

namespace partage {

/// What a card sums: fractions of points by column, and the rows that hold them.
///
/// The parts of a column whose points have the same fraction are one unit. Units are numbered
/// within their column by descending fractions, so that unit 0 is the first to be rounded up.
struct CardRows {
    std::span<const double> fractions;    ///< of the units of all columns, in [0, 1)
    std::span<const std::int64_t> ends;   ///< where the units of each column end
    std::span<const std::int32_t> units;  ///< of each row, column after column
    std::span<const double> shares;       ///< of the rows; they sum to 1

    std::size_t n_columns() const noexcept { return ends.size(); }
    std::size_t n_rows() const noexcept { return shares.size(); }
};

/// Rounds every column at one fraction so that the largest error of the sums of the rows is small,
/// and their mean error at most `most_bias` if that can be.
///
/// Gives how many units of each column are rounded up: n + k m of m units are all of them n times
/// more than down, and the first k once more. Threshold accepting: a proposal moves the edge of up
/// to four columns; it stands if the sum of a high power of the errors grows by less than a small
/// share, which shrinks. The same for the same rows, on every machine.
/// Time: O(n_rows) for each proposal, memory O(n_rows n_columns).
std::vector<std::int64_t> round_card(const CardRows& card, double most_bias,
                                     std::size_t n_proposals, const Stop& stop);

}  // namespace partage
