#pragma once

#include "partage/groups/ranked.hpp"

namespace partage {

/// The best grouping of atoms found, and whether it is proven.
struct SolvedGroups {
    AtomGroups groups;
    double cost = infinite;
    bool is_optimal = false;
};

/// MODL's criterion for groups of some values with given class totals.
class ModlOfGroups {
public:
    ModlOfGroups(const std::vector<double>& totals, std::size_t n_values);

    const Problem& problem() const noexcept { return problem_; }
    const SeparableCriterion& criterion() const noexcept { return *criterion_; }

private:
    Problem problem_;
    AnyCriterion made_;
    const SeparableCriterion* criterion_;
};

/// MODL's best grouping of atoms: exact for two classes and for a dozen atoms; else from several
/// orders, improved until nothing helps. Limits that need single values take atoms of one value.
SolvedGroups solve_groups(const Atoms& atoms, const ModlOfGroups& modl, const Limits& limits,
                          const Stop& stop);

/// Improves groups that are known until nothing helps.
SolvedGroups improve_groups(const Atoms& atoms, const ModlOfGroups& modl, const Limits& limits,
                            const Stop& stop, AtomGroups groups);

}  // namespace partage
