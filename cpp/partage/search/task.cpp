#include "partage/search/task.hpp"

#include <algorithm>

namespace partage {

bool Limits::allows(Row counts) const noexcept {
    if (!allows(weight(counts))) return false;
    for (std::size_t j = 0; j < min_counts.size(); ++j)
        if (counts[j] < min_counts[j]) return false;
    return true;
}

Limits Limits::on(const Blocks& blocks) const {
    Limits found = *this;
    found.borders.reset();
    found.hint.clear();
    found.fixed.clear();
    for (const Index unit : fixed) {
        const auto place = std::lower_bound(blocks.begin(), blocks.end(), unit);
        found.fixed.push_back(static_cast<Index>(place - blocks.begin()));
    }
    const std::size_t n_segments = segments.size();
    if (n_segments == 0) return found;
    found.segments = {Rows(blocks.size() - 1, n_segments), Rows(blocks.size() - 1, n_segments)};
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i)
        for (std::size_t unit = blocks[i]; unit < blocks[i + 1]; ++unit)
            for (std::size_t s = 0; s < n_segments; ++s) {
                found.segments.weights[i][s] += segments.weights[unit][s];
                found.segments.scores[i][s] += segments.scores[unit][s];
            }
    return found;
}

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
    for (std::size_t k = 0; k < rows.size(); ++k) parts += criterion.part(Row(rows[k]));
    return criterion.total(rows.size(), parts);
}

}  // namespace partage
