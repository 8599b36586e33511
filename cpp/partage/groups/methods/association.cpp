#include "partage/groups/atoms.hpp"
#include "partage/groups/search/ward.hpp"

namespace partage {
namespace {

/// Merges the pair that loses least chi-square while the association does not fall, never below
/// two groups: T² (Ritschard, Zighed, Nicoloyannis 2001) or V².
Grouping group_by_association(const GroupingTask& task, std::string_view name) {
    if (is_one_class(task)) return one_group(task.values);
    const Problem problem(task.values.totals());
    const AnyCriterion made = criterion_named(name).make(problem, {});
    const auto& criterion = *std::get<std::unique_ptr<PartitionCriterion>>(made);
    const Atoms atoms = atoms_of(
        task.values, std::max(task.limits.least(), std::min<std::size_t>(2, task.limits.most())));
    Ward ward(atoms.rows);
    Merging merging(ward, atoms.rows, task.limits, task.stop);
    merging.run([&](double distance, std::size_t n_groups) {
        const double now = criterion.total(n_groups, -ward.chi_square());
        const double then = criterion.total(n_groups - 1, distance - ward.chi_square());
        return n_groups > 2 && !is_lower(now, then);
    });
    return grouping_of(merging, atoms.atom_of);
}

Grouping group_tschuprow(const GroupingTask& task) {
    return group_by_association(task, "tschuprow");
}

Grouping group_cramer(const GroupingTask& task) { return group_by_association(task, "cramer"); }

}  // namespace

extern const GroupingEntry grouping_tschuprow{
    "tschuprow", "merges while Tschuprow's T² between groups and classes grows",
    "tschuprow", 0,
    {},          group_tschuprow};
extern const GroupingEntry grouping_cramer{
    "cramer",    "merges while Cramér's V² between groups and classes grows", "cramer", 0, {},
    group_cramer};

}  // namespace partage
