#include "partage/groups/grouping.hpp"
#include "partage/groups/solve.hpp"

namespace partage {

Grouping group_by_criterion(const GroupingTask& task) {
    const GroupCriterion criterion(criterion_named(task.entry.criterion), task.values.totals(),
                                   task.values.n_units(), task.parameters);
    Rows rows = block_rows(task.values, unit_blocks(task.values));
    // Under a concave criterion no grouping need separate values of equal shares.
    const bool is_provable = !criterion->is_concave() && rows.size() <= most_for_subsets;
    const Atoms atoms = is_provable || task.limits.needs_units() ? keep_apart(std::move(rows))
                                                                 : join_equal_shares(rows);
    return grouping_of(solve_groups(atoms, criterion, task.limits, task.stop), atoms.atom_of);
}

}  // namespace partage
