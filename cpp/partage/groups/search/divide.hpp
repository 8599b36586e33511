#pragma once

#include "partage/groups/atoms.hpp"

namespace partage {

/// Prices of the rows of groups: about what one more row of each class adds to the cost of a part,
/// log of the total over the count. The cost of a part is concave, so that a price is a little more
/// than what joining adds and a little less than what leaving saves.
void set_prices(const Row& row, std::span<double> prices) noexcept;

inline double price_of(Numbers row, Numbers prices) noexcept {
    double price = 0.0;
    for (std::size_t j = 0; j < row.size(); ++j) price += row[j] * prices[j];
    return price;
}

/// A group divided in two: the cost of both sides, and the atoms of one of them.
struct Division {
    double cost = infinite;
    std::vector<Index> right;

    bool is_possible() const noexcept { return !right.empty(); }
};

/// Divides a group at its share of some classes, then lets each atom go to the side where its rows
/// are cheaper until hardly any moves; the cheapest of these.
Division divide_at_shares(const Atoms& atoms, const PartitionCriterion& criterion,
                          const Limits& limits, const std::vector<Index>& members,
                          const std::vector<std::size_t>& labels);

/// Lets each atom of a divided group go to the side where its rows are cheaper; keeps the division
/// as it is if that makes it no cheaper.
void settle(const Atoms& atoms, const PartitionCriterion& criterion, const Limits& limits,
            const std::vector<Index>& members, Division& division);

/// Groups from one group by dividing the group that gains most, again and again, all atoms settling
/// after each division: the cheapest number of groups, and the largest tried.
std::vector<AtomGroups> grow_groups(const Atoms& atoms, const PartitionCriterion& criterion,
                                    const Limits& limits, const Stop& stop,
                                    const std::vector<std::size_t>& labels);

}  // namespace partage
