#pragma once

#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/search/limits.hpp"

namespace partage {

/// Values that no grouping need separate, joined: pure values of one class and values of equal
/// class shares. Joining them costs MODL nothing.
struct Atoms {
    Rows rows;
    std::vector<Index> atom_of;  ///< of each value

    std::size_t size() const noexcept { return rows.size(); }
};

/// The atoms of values given by their rows.
Atoms join_equal_shares(const Rows& values);

/// One atom for each value.
Atoms keep_apart(Rows values);

/// The atoms of values, or the values themselves where there are fewer atoms than `least`.
Atoms atoms_of(const Line& values, std::size_t least);

/// Groups of atoms under improvement.
struct AtomGroups {
    std::vector<Index> group_of;  ///< of each atom
    std::size_t n_groups = 0;
    /// The groups of any division into K groups cost at least floor - price K.
    double floor = -infinite;
    double price = 0.0;
};

/// The optimum among groupings that are contiguous in some order of the atoms: the same program as
/// for intervals. With two classes and the order of class shares this is the overall optimum.
/// Beyond `most_blocks` atoms, neighbours are joined first; then `floor` says nothing about the
/// atoms.
AtomGroups group_in_order(const Atoms& atoms, const std::vector<Index>& order,
                          const PartitionCriterion& criterion, const Limits& limits,
                          const Stop& stop, std::size_t most_blocks);

/// The optimum among all groupings of a dozen atoms, by a program over subsets: O(3^A).
AtomGroups group_by_subsets(const Atoms& atoms, const PartitionCriterion& criterion,
                            const Limits& limits, const Stop& stop);
constexpr std::size_t most_for_subsets = 12;

/// Moves atoms, joins and splits groups until nothing improves.
void improve(const Atoms& atoms, const PartitionCriterion& criterion, const Limits& limits,
             const Stop& stop, AtomGroups& groups);

/// Cost of groups.
double cost_of(const Atoms& atoms, const PartitionCriterion& criterion, const AtomGroups& groups);

/// Atoms ordered by the share of a class, ties by their rows.
std::vector<Index> order_by_share(const Atoms& atoms, std::size_t label);

/// Atoms ordered along the direction in which their class shares differ most.
std::vector<Index> order_by_direction(const Atoms& atoms);

}  // namespace partage
