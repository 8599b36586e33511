#include <utility>

#include "partage/grids/axis_problem.hpp"
#include "partage/grids/search.hpp"

namespace partage {
namespace {

/// Solves one axis, the others given; whether that lowers the cost.
bool solve_axis(const FineTable& table, const GridJudge& judge, const GridEffort& effort,
                std::size_t axis, GridState& state) {
    const AxisUnits& units = table.axis(axis);
    if (units.size() < 2) return false;
    const AxisProblem problem = axis_problem(table, state, axis, judge);
    AxisParts present;
    present.part_of.assign(state.part_of[axis].begin(),
                           state.part_of[axis].begin() + static_cast<std::ptrdiff_t>(units.size()));
    present.n_parts = state.n_parts[axis];
    present.cost = parts_cost(problem, present.part_of, present.n_parts);
    const std::size_t most = judge.most(axis);
    AxisParts found = units.is_ordered
                          ? solve_ordered(problem, present.cost, most)
                          : solve_unordered(problem, present, most, effort.most_merged);
    if (found.n_parts == 0 || !is_lower(found.cost, present.cost)) return false;
    set_parts(state, units, axis, std::move(found.part_of), found.n_parts);
    return true;
}

}  // namespace

void alternate(const FineTable& table, const GridJudge& judge, const GridEffort& effort,
               std::size_t first, GridState& state) {
    std::size_t n_same = 0;
    const std::size_t n_axes = table.n_axes();
    for (std::size_t step = 0; step < effort.most_steps && n_same < n_axes; ++step) {
        const bool improved = solve_axis(table, judge, effort, (first + step) % n_axes, state);
        n_same = improved ? 1 : n_same + 1;
    }
    state.cost = grid_cost(table, state, judge);
}

}  // namespace partage
