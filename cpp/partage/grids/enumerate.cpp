#include <algorithm>
#include <utility>

#include "partage/grids/axis_problem.hpp"
#include "partage/grids/search.hpp"

namespace partage {
namespace {

constexpr double most_partitions = 4200.0;
constexpr double most_work = 4e6;  // partitions of one axis times squared units of the other

/// Number of partitions of an axis: 2^(n-1) of a line, Bell's number of values in any order.
double n_partitions(const GridColumn& column) {
    const std::size_t n = column.n_values;
    if (n == 0 || n > 40) return n == 0 ? 1.0 : infinite;
    if (column.is_ordered) return static_cast<double>(std::size_t{1} << (n - 1));
    std::vector<double> row{1.0};  // Bell's triangle
    for (std::size_t i = 1; i < n; ++i) {
        std::vector<double> next{row.back()};
        for (const double value : row) next.push_back(next.back() + value);
        row = std::move(next);
    }
    return row.back();
}

/// Calls f(parts) with each partition of n values, by their group numbers in order of appearance.
template <class F>
void for_each_partition(bool is_ordered, std::size_t n, F f) {
    std::vector<Index> part_of(n, 0);
    const auto extend = [&](auto&& self, std::size_t at, Index n_parts) -> void {
        if (at == n) {
            f(part_of, n_parts);
            return;
        }
        const Index first = is_ordered ? n_parts - 1 : 0;
        for (Index part = first; part <= n_parts; ++part) {
            part_of[at] = part;
            self(self, at + 1, std::max(n_parts, part + 1));
        }
    };
    extend(extend, 1, 1);
}

AxisUnits all_values(const GridColumn& column, std::span<const Index> fixed) {
    if (!column.is_ordered) return unordered_units(column);
    std::vector<Index> starts(column.n_values);
    for (std::size_t v = 0; v < starts.size(); ++v) starts[v] = static_cast<Index>(v);
    return ordered_units(column, starts, fixed);
}

}  // namespace

bool enumerate_grid(const GridTask& task, const Workers& workers, FoundGrid& best) {
    const auto& columns = task.rows.columns;
    if (!task.effort.lists || columns.size() != 2 || columns[0].n_values == 0 ||
        columns[1].n_values == 0)
        return false;
    const std::size_t listed = n_partitions(columns[1]) < n_partitions(columns[0]);
    const std::size_t other = 1 - listed;
    const double n = n_partitions(columns[listed]);
    const auto n_units = static_cast<double>(columns[other].n_values);
    if (n > most_partitions || n * n_units * n_units > most_work) return false;
    if (!columns[other].is_ordered && columns[other].n_values > 9) return false;
    const FineTable table(
        task.rows, {all_values(columns[0], task.fixed[0]), all_values(columns[1], task.fixed[1])});
    const GridJudge judge{task.prior, task.factorials, task.max_parts, task.min_cell};
    for_each_partition(
        columns[listed].is_ordered, columns[listed].n_values,
        [&](const std::vector<Index>& part_of, Index n_parts) {
            workers.stop.check();
            if (n_parts > judge.most(listed)) return;
            for (std::size_t v = 1; v < part_of.size(); ++v)
                if (table.axis(listed).starts[v] && part_of[v] == part_of[v - 1]) return;
            GridState state = one_cell(table);
            set_parts(state, table.axis(listed), listed, part_of, n_parts);
            const AxisProblem problem = axis_problem(table, state, other, judge);
            AxisParts whole{{state.part_of[other].begin(),
                             state.part_of[other].begin() +
                                 static_cast<std::ptrdiff_t>(columns[other].n_values)},
                            state.n_parts[other],
                            0.0};
            // What neither search changes: rows aside, and the rows of the parts that are listed.
            GridJudge free = judge;
            free.min_cell = 0.0;
            AxisProblem plain = problem;
            plain.min_cell = 0.0;
            const double constant =
                grid_cost(table, state, free) - parts_cost(plain, whole.part_of, whole.n_parts);
            AxisParts present;
            present.cost = best.cost - constant;
            AxisParts found = columns[other].is_ordered
                                  ? solve_ordered(problem, present.cost, judge.most(other))
                                  : solve_unordered(problem, present, judge.most(other), 0);
            if (found.n_parts == 0) return;
            best.axes.resize(2);
            best.axes[listed] = {part_of, n_parts};
            best.axes[other] = {found.part_of, found.n_parts};
            set_parts(state, table.axis(other), other, std::move(found.part_of), found.n_parts);
            best.cost = grid_cost(table, state, judge);
        });
    return true;
}

}  // namespace partage
