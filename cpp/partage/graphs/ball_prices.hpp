#pragma once

#include <vector>

#include "partage/graphs/description.hpp"

namespace partage {

/// Objects from which on changes of a partition are estimated before they are priced.
inline constexpr std::size_t least_estimated = 3'000;

/// What balls of each size cost in a description, by which changes of it are estimated: the balls
/// that stay are taken to cost what they did.
class BallPrices {
public:
    void look(const Description& description, Cover& cover);

    /// The balls and the classes of a group, in nats.
    double length(const Group& group) const noexcept;
    /// What it would add to the cost if some groups went and others came, in nats.
    double growth(const Description& description, Cover& cover, std::span<const std::uint32_t> gone,
                  std::span<const Group* const> come) const;

private:
    std::vector<double> of_size_;
};

}  // namespace partage
