#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "partage/search/sums/sums.hpp"

namespace partage {

/// Probability that a part starts at block 1, 2, ...
std::vector<double> cut_probabilities(const PartProbabilities& parts, std::size_t n_blocks);

/// Class shares of blocks, averaged over all partitions, and the averages of their squares. In a
/// part of class weights n_j the shares follow a Dirichlet law of parameters n_j + 1.
struct AveragedShares {
    Rows shares;
    Rows squares;
};
AveragedShares averaged_shares(const PartProbabilities& parts, const Cumulative& sums);

/// Consecutive borders; none if both are 0.
struct Stretch {
    Index low = 0;
    Index high = 0;
};

/// For each cut, the borders around it among which a part starts with at least that probability:
/// those between which the fewest rows lie, of several the most probable. None where all borders
/// together are not probable enough. A cut is the block that a part starts at.
std::vector<Stretch> credible_stretches(const PartProbabilities& parts, const Cumulative& sums,
                                        std::span<const Index> cuts, double level);

}  // namespace partage
