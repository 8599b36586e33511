#include "partage/search/task.hpp"

namespace partage {

Blocks starting_blocks(const Task& task) {
    if (task.limits.borders) return *task.limits.borders;
    const bool runs_do = task.entry.border_cuts && !task.limits.needs_units();
    return runs_do ? run_blocks(task.line) : unit_blocks(task.line);
}

void check_limits(const Task& task) {
    if (task.limits.n_parts > task.line.n_units())
        throw NotPossible("more parts are asked for than there are distinct values");
    const double asked = static_cast<double>(task.limits.n_parts) * task.limits.min_weight;
    if (task.limits.n_parts > 1 && asked > task.problem.n_samples)
        throw NotPossible("so many parts of that size need more rows than there are");
}

double partition_cost(const Line& line, const PartitionCriterion& criterion, const Blocks& starts) {
    const Rows rows = block_rows(line, starts);
    double parts = 0.0;
    for (std::size_t k = 0; k < rows.size(); ++k) parts += criterion.part(rows.row(k));
    return criterion.total(rows.size(), parts);
}

}  // namespace partage
