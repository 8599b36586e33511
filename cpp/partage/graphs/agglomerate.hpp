#pragma once

#include <cstdint>
#include <vector>

#include "partage/graphs/description.hpp"
#include "partage/support/parallel.hpp"

namespace partage {

/// Where merging starts.
enum class InitialGroups {
    all,          ///< the next three, of many objects a bipartition, whole and pruned, and smoothed
                  ///< classes; then what they have in common
    balls,        ///< the largest balls of one class: Algorithm 1 on the classes
    classes,      ///< objects of one class that hang together
    bipartition,  ///< objects of one part of recursive bipartition that hang together
    singletons    ///< single objects
};

struct AgglomerationSettings {
    InitialGroups initial = InitialGroups::all;
    GroupingCode code = GroupingCode::any;
    bool moves = true;
    BallLimits limits;
};

/// Merges adjacent groups from each start, moves objects, and gives the cheapest partition met: the
/// group of each object.
std::vector<std::uint32_t> agglomerate(const Objects& objects, const Balls& balls,
                                       const AgglomerationSettings& settings,
                                       const Workers& workers);

/// Moves balls and objects to groups next to them, balls also out on their own, while the cost
/// falls. Groups stay connected: what a move cuts off goes along.
void move_objects(Description& description, Cover& cover, const Stop& stop);

}  // namespace partage
