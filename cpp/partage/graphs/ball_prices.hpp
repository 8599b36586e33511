#pragma once

#include <vector>

#include "partage/graphs/cover_changes.hpp"

namespace partage {

/// Objects from which on changes of a partition are estimated before they are priced.
inline constexpr std::size_t least_estimated = 3'000;

/// What balls of each size cost in a description, by which changes of it are estimated: the balls
/// that stay are taken to cost what they did.
class BallPrices {
public:
    void look(const Description& description, Cover& cover);

    /// What a change of the balls of groups adds to the description of the balls, in nats.
    double growth(const CoverChange& change) const noexcept;

private:
    std::vector<double> of_size_;
};

}  // namespace partage
