#include "partage/groups/atoms.hpp"
#include "partage/groups/search/ward.hpp"
#include "partage/groups/solve.hpp"

namespace partage {
namespace {

/// Merges the pair that loses least chi-square while the association does not fall, never below
/// two groups: T² (Ritschard, Zighed, Nicoloyannis 2001) or V².
Grouping group_by_association(const GroupingTask& task) {
    if (is_one_class(task)) return one_group(task.values);
    const GroupCriterion criterion(criterion_named(task.entry.criterion), task.values.totals(),
                                   task.values.n_units());
    const Atoms atoms = atoms_of(
        task.values, std::max(task.limits.least(), std::min<std::size_t>(2, task.limits.most())));
    Ward ward(atoms.rows);
    Merging merging(ward, atoms.rows, task.limits, task.stop);
    merging.run([&](double distance, std::size_t n_groups) {
        const double now = criterion->total(n_groups, -ward.chi_square());
        const double then = criterion->total(n_groups - 1, distance - ward.chi_square());
        return n_groups > 2 && !is_lower(now, then);
    });
    return grouping_of(merging, atoms.atom_of);
}

}  // namespace

extern const GroupingEntry grouping_tschuprow{
    .name = "tschuprow",
    .meaning = "merges while Tschuprow's T² between groups and classes grows",
    .criterion = "tschuprow",
    .run = group_by_association};
extern const GroupingEntry grouping_cramer{
    .name = "cramer",
    .meaning = "merges while Cramér's V² between groups and classes grows",
    .criterion = "cramer",
    .run = group_by_association};

}  // namespace partage
