#pragma once

#include <cstdint>
#include <vector>

#include "partage/graphs/description.hpp"
#include "partage/parallel.hpp"

namespace partage {

/// Where merging starts.
enum class InitialGroups {
    balls,      ///< the largest balls of one class: Algorithm 1 on the classes
    singletons  ///< single objects
};

struct AgglomerationSettings {
    InitialGroups initial = InitialGroups::balls;
    GroupingCode code = GroupingCode::any;
    bool moves = false;
    BallLimits limits;
};

/// Merges adjacent groups, the best pair first, down to one group for each piece of the graph, and
/// gives the cheapest partition met: the group of each object. While pairs are few all of them are
/// priced at every step; before, a pair is priced anew when it comes first.
std::vector<std::uint32_t> agglomerate(const Objects& objects,
                                       const AgglomerationSettings& settings,
                                       const Workers& workers);

/// Moves whole balls to groups next to them, or out on their own, while the cost falls and groups
/// stay connected.
void move_balls(const Objects& objects, Description& description, Cover& cover, const Stop& stop);

}  // namespace partage
