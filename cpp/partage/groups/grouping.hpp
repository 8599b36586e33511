#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/search/limits.hpp"

namespace partage {

/// Values of a category with their classes: a line whose order means nothing.
using Values = Line;

/// A division of values into groups.
struct Grouping {
    std::vector<Index> group_of;  ///< of each value
    std::size_t n_groups = 0;
    double cost = 0.0;
    bool is_optimal = false;
    double threshold = 1.0;      ///< values less frequent than this are in the garbage group
    Index garbage = no_garbage;  ///< its group

    static constexpr Index no_garbage = std::numeric_limits<Index>::max();
};

struct GroupingEntry;

/// What a grouping must satisfy and how it may be stopped.
struct GroupingTask {
    const GroupingEntry& entry;
    const Values& values;
    const Limits& limits;
    const Stop& stop;
    std::vector<double> parameters;
};

/// Cost of one group under MODL with a garbage group, at the best threshold.
double null_cost_of_garbage_groups(const Values& values);

/// Cost in nats of K groups of I values under MODL with a garbage group of the values less frequent
/// than a threshold, without what they hold: log 2 + [F >= 2] L(F) + log I + log B(I, K).
double garbage_structure(double threshold, std::size_t n_values, std::size_t n_groups);

/// The same of given groups of values of some frequencies, at the best threshold; infinite if there
/// is none.
double structure_of_garbage_groups(std::span<const double> frequencies,
                                   std::span<const std::int64_t> group_of, std::size_t n_groups);

/// Whether the rows hold one class only, and one group is allowed: then there is nothing to
/// separate.
bool is_one_class(const GroupingTask& task);

/// All values in one group; throws NotPossible if the limits ask for more.
Grouping one_group(const Values& values, const Limits& limits = {});

/// Two groups: the values of side 0 and those of side 1.
Grouping two_groups(std::vector<Index> side);

/// One line of the list of grouping methods.
struct GroupingEntry {
    std::string_view name;
    std::string_view meaning;
    std::string_view criterion = "modl";  ///< results carry the cost of this
    std::size_t n_groups = 0;             ///< how many it makes; 0: as many as it likes
    std::vector<Parameter> parameters = {};
    Grouping (*run)(const GroupingTask&);
};

/// The groups of least cost under the criterion that the entry names: the method of criteria that
/// serve any space and have no other.
Grouping group_by_criterion(const GroupingTask& task);

/// Every grouping method, in the order shown to users: the list of their own, then the criteria.
std::span<const GroupingEntry* const> groupings();

/// The grouping method of that name; throws std::invalid_argument if there is none.
const GroupingEntry& grouping_named(std::string_view name);

}  // namespace partage
