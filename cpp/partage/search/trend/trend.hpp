#pragma once

#include "partage/search/program/program.hpp"

namespace partage {

/// The best partition within the limits whose rates follow the trend, overall and in each segment.
/// Exact: a program over the last part. At each border the parts that end there are kept in the
/// order of their cost, each with a rate more permissive than all cheaper ones; with two series of
/// rates or more there is no such order, and all are kept. Parts that cannot lead to a partition as
/// good as one known, by what the rest costs without a trend, are left out.
/// O(B² log B) for each price at worst, O(B³) with segments. Throws NotPossible if there is none.
Program best_with_trend(const PartitionCriterion& criterion, const Cumulative& sums,
                        const Limits& limits, const Stop& stop);

/// Whether the rates of a partition of blocks follow a trend, overall and in each segment.
bool follows(Trend trend, const Cumulative& sums, const Limits& limits,
             const std::vector<std::size_t>& starts);

}  // namespace partage
