#include "partage/grids/hierarchy.hpp"

#include <algorithm>
#include <utility>

#include "partage/grids/axis_problem.hpp"

namespace partage {
namespace {

/// A grid whose units are its parts, or on one axis its values.
struct PartTable {
    FineTable table;
    GridState state;
};

PartTable table_of_parts(const GridPricer& pricer, const std::vector<ValueParts>& axes,
                         std::size_t by_value) {
    const GridRows& rows = pricer.rows();
    std::vector<AxisUnits> units;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const GridColumn& column = rows.columns[a];
        units.push_back(a == by_value ? unordered_units(column)
                                      : unordered_units(column, axes[a].part_of));
        units.back().is_ordered = column.is_ordered;
    }
    PartTable out{FineTable(rows, std::move(units)), {}};
    out.state.part_of.resize(axes.size());
    out.state.n_parts.resize(axes.size());
    for (std::size_t a = 0; a < axes.size(); ++a) {
        std::vector<Index> part_of = axes[a].part_of;
        if (a != by_value) {
            part_of.resize(axes[a].n_parts);
            for (std::size_t k = 0; k < part_of.size(); ++k) part_of[k] = static_cast<Index>(k);
        }
        set_parts(out.state, out.table.axis(a), a, std::move(part_of), axes[a].n_parts);
    }
    return out;
}

/// What merges and moves are judged by: the prior of all values.
struct Judging {
    explicit Judging(const GridPricer& pricer)
        : factorials(pricer.total() + static_cast<double>(pricer.rows().n_classes)) {
        std::vector<std::size_t> n_values;
        for (const GridColumn& column : pricer.rows().columns) n_values.push_back(column.n_values);
        const std::vector<double> no_garbage(n_values.size(), 1.0);
        prior = pricer.prior(pricer.is_joint() ? 0 : 1, n_values, no_garbage);
        for (std::size_t a = 0; a < n_values.size(); ++a) max_parts.push_back(prior.most(a));
    }
    GridJudge judge() const { return {prior, factorials, max_parts, 0.0}; }

    GridPrior prior;
    Factorials factorials;
    std::vector<std::size_t> max_parts;
};

std::vector<OpenPart> open_parts(const AxisProblem& problem, std::span<const Index> part_of,
                                 std::size_t n_parts) {
    std::vector<OpenPart> parts(n_parts, OpenPart(problem));
    for (std::size_t u = 0; u < problem.n_units; ++u)
        parts[part_of[u]].add(problem.row(u), problem.n_values[u]);
    return parts;
}

constexpr std::size_t no_axis = static_cast<std::size_t>(-1);

}  // namespace

std::vector<double> merge_rises(const GridPricer& pricer, const std::vector<ValueParts>& axes,
                                std::size_t axis) {
    const Judging judging(pricer);
    const PartTable grid = table_of_parts(pricer, axes, no_axis);
    const AxisProblem problem = axis_problem(grid.table, grid.state, axis, judging.judge());
    const std::size_t n = axes[axis].n_parts;
    std::vector<double> rises(n * n, 0.0);
    if (n < 2) return rises;
    const std::vector<OpenPart> parts = open_parts(problem, grid.state.part_of[axis], n);
    const double change = problem.structure[n - 2] - problem.structure[n - 1];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j)
            rises[i * n + j] = rises[j * n + i] =
                parts[i].cost_with(parts[j]) - parts[i].cost() - parts[j].cost() + change;
    return rises;
}

std::vector<double> move_rises(const GridPricer& pricer, const std::vector<ValueParts>& axes,
                               std::size_t axis) {
    const Judging judging(pricer);
    const PartTable grid = table_of_parts(pricer, axes, axis);
    const AxisProblem problem = axis_problem(grid.table, grid.state, axis, judging.judge());
    const std::size_t n = axes[axis].n_parts;
    std::vector<double> rises(problem.n_units * n, 0.0);
    const std::vector<OpenPart> parts = open_parts(problem, grid.state.part_of[axis], n);
    std::vector<std::size_t> sizes(n, 0);
    for (std::size_t u = 0; u < problem.n_units; ++u) ++sizes[axes[axis].part_of[u]];
    for (std::size_t u = 0; u < problem.n_units; ++u) {
        const std::size_t own = axes[axis].part_of[u];
        const double left = parts[own].cost_without(problem.row(u), problem.n_values[u]);
        const bool empties = sizes[own] == 1;
        const double change =
            empties && n > 1 ? problem.structure[n - 2] - problem.structure[n - 1] : 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            if (k == own) continue;
            rises[u * n + k] = parts[k].cost_with(problem.row(u), problem.n_values[u]) -
                               parts[k].cost() + left - parts[own].cost() + change;
        }
    }
    return rises;
}

std::vector<GridMerge> merge_grid(const GridPricer& pricer, std::vector<ValueParts> axes,
                                  const Stop& stop) {
    std::vector<GridMerge> merges;
    for (;;) {
        stop.check();
        GridMerge best{no_axis, 0, 0, infinite};
        double least = infinite;
        for (std::size_t a = 0; a < axes.size(); ++a) {
            const std::size_t n = axes[a].n_parts;
            const std::vector<double> rises = merge_rises(pricer, axes, a);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = i + 1; j < n; ++j) {
                    if (pricer.rows().columns[a].is_ordered && j != i + 1) continue;
                    if (!is_lower(rises[i * n + j], least)) continue;
                    least = rises[i * n + j];
                    best = {a, i, j, 0.0};
                }
        }
        if (best.axis == no_axis) return merges;
        ValueParts& parts = axes[best.axis];
        for (Index& part : parts.part_of) {
            if (part == best.second)
                part = static_cast<Index>(best.first);
            else if (part > best.second)
                --part;
        }
        --parts.n_parts;
        best.cost = pricer.price(axes).cost;
        merges.push_back(best);
    }
}

}  // namespace partage
