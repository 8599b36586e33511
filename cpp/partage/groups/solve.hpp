#pragma once

#include <memory>
#include <span>
#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/groups/atoms.hpp"
#include "partage/groups/grouping.hpp"

namespace partage {

/// The best grouping of atoms found, and whether it is proven.
struct SolvedGroups {
    AtomGroups groups;
    double cost = infinite;
    bool is_optimal = false;
};

/// A criterion for groups of some values with given class totals.
class GroupCriterion {
public:
    GroupCriterion(const CriterionEntry& entry, std::vector<double> totals, std::size_t n_values,
                   std::span<const double> parameters = {})
        : problem_(std::move(totals), n_values),
          criterion_(make_partition_criterion(entry, problem_, parameters)) {}

    const Problem& problem() const noexcept { return problem_; }
    const PartitionCriterion& operator*() const noexcept { return *criterion_; }
    const PartitionCriterion* operator->() const noexcept { return criterion_.get(); }

private:
    Problem problem_;
    std::unique_ptr<PartitionCriterion> criterion_;
};

/// The best grouping of atoms that can be found. It is proven for a dozen atoms, and for two
/// classes under a concave criterion, where groups are intervals of class shares; else several
/// orders are starts that are improved until nothing helps. Limits that need single values, and
/// criteria that are not concave, take atoms of one value for a proof.
SolvedGroups solve_groups(const Atoms& atoms, const GroupCriterion& criterion, const Limits& limits,
                          const Stop& stop);

/// What was found for atoms, for the values they stand for.
Grouping grouping_of(const SolvedGroups& solved, const std::vector<Index>& atom_of);

/// Improves groups that are known until nothing helps.
SolvedGroups improve_groups(const Atoms& atoms, const GroupCriterion& criterion,
                            const Limits& limits, const Stop& stop, AtomGroups groups);

}  // namespace partage
