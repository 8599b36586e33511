#include "partage/grids/state.hpp"

#include <map>
#include <utility>

#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"

namespace partage {

void set_parts(GridState& state, const AxisUnits& units, std::size_t axis,
               std::vector<Index> part_of, std::size_t n_parts) {
    part_of.resize(units.n_all());
    for (std::size_t i = 0; i < units.n_aside; ++i)
        part_of[units.size() + i] = static_cast<Index>(n_parts + i);
    state.part_of[axis] = std::move(part_of);
    state.n_parts[axis] = n_parts;
}

GridState one_cell(const FineTable& table) {
    GridState state;
    state.part_of.resize(table.n_axes());
    state.n_parts.resize(table.n_axes());
    for (std::size_t a = 0; a < table.n_axes(); ++a) {
        const AxisUnits& units = table.axis(a);
        std::vector<Index> part_of(units.size());
        Index part = 0;
        for (std::size_t u = 0; u < units.size(); ++u) {
            if (u > 0 && units.starts[u]) ++part;
            part_of[u] = part;
        }
        set_parts(state, units, a, std::move(part_of), std::size_t{part} + 1);
    }
    return state;
}

namespace {

/// Weight of each class in each cell that occurs, by the number of the cell.
std::map<std::size_t, std::vector<double>> cells_of(const FineTable& table,
                                                    const GridState& state) {
    std::map<std::size_t, std::vector<double>> cells;
    for (std::size_t e = 0; e < table.size(); ++e) {
        std::size_t cell = 0;
        for (std::size_t a = 0; a < table.n_axes(); ++a)
            cell = cell * (state.n_parts[a] + table.axis(a).n_aside) +
                   state.part_of[a][table.unit(a, e)];
        std::vector<double>& counts = cells[cell];
        counts.resize(table.n_classes(), 0.0);
        counts[table.label(e)] += table.weight(e);
    }
    return cells;
}

/// What the rows of the parts of an axis cost without a target: log n! of an interval, and
/// log (n+v-1)! - log (v-1)! of a group of v values. Of rows aside, which are alike, log n!.
double own_cost(const FineTable& table, const GridState& state, std::size_t a) {
    const AxisUnits& units = table.axis(a);
    const std::size_t n_parts = state.n_parts[a] + units.n_aside;
    std::vector<double> weights(n_parts, 0.0);
    std::vector<double> n_values(n_parts, units.is_ordered ? 1.0 : 0.0);
    for (std::size_t e = 0; e < table.size(); ++e)
        weights[state.part_of[a][table.unit(a, e)]] += table.weight(e);
    if (!units.is_ordered)
        for (std::size_t u = 0; u < units.size(); ++u)
            n_values[state.part_of[a][u]] += units.n_values[u];
    double sum = 0.0;
    for (std::size_t k = 0; k < n_parts; ++k) {
        const double v = k < state.n_parts[a] ? n_values[k] : 1.0;
        sum += log_factorial(weights[k] + v - 1.0) - log_factorial(v - 1.0);
    }
    return sum;
}

}  // namespace

double grid_cost(const FineTable& table, const GridState& state, const GridJudge& judge) {
    std::vector<std::size_t> n_aside;
    for (std::size_t a = 0; a < table.n_axes(); ++a) n_aside.push_back(table.axis(a).n_aside);
    double cost = judge.prior.structure(state.n_parts, n_aside);
    for (const auto& [cell, counts] : cells_of(table, state)) {
        double weight = 0.0;
        for (const double count : counts) weight += count;
        if (weight < judge.min_cell) return infinite;
        cost += judge.prior.is_joint ? -log_factorial(weight) : class_length(counts);
    }
    if (judge.prior.is_joint)
        for (std::size_t a = 0; a < table.n_axes(); ++a) cost += own_cost(table, state, a);
    return cost;
}

bool is_better(const GridState& a, const GridState& b) noexcept {
    if (is_lower(a.cost, b.cost)) return true;
    if (is_lower(b.cost, a.cost)) return false;
    if (a.n_cells() != b.n_cells()) return a.n_cells() < b.n_cells();
    return a.n_parts.front() < b.n_parts.front();
}

}  // namespace partage
