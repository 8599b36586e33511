#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/search/rank_classes.hpp"
#include "stop.hpp"

namespace partage::bindings {
namespace {

Rows to_rows(const Table<double>& table) {
    Rows rows(table.shape(0), table.shape(1));
    std::copy_n(table.data(), table.size(), rows.values().begin());
    const std::span<const double> values(table.data(), table.size());
    const bool fits = std::all_of(values.begin(), values.end(), [](double value) {
        return value >= 0.0 && std::isfinite(value);
    });
    if (!fits || table.shape(1) == 0) throw std::invalid_argument("counts must be at least 0");
    return rows;
}

nb::tuple to_tuple(const RankClasses& found) {
    return nb::make_tuple(found.starts, found.n_grid, found.cost);
}

nb::tuple find(Table<double> blocks, Table<double> beside, const Cancel* cancel) {
    if (blocks.shape(0) == 0 || blocks.shape(1) != beside.shape(1))
        throw std::invalid_argument("there are blocks, and as many cells beside them");
    const Rows rows = to_rows(blocks);
    const Rows others = to_rows(beside);
    RankClasses found;
    run_stoppable(cancel, [&](const Stop& stop) { found = find_rank_classes(rows, others, stop); });
    return to_tuple(found);
}

nb::tuple best(Table<double> sets, std::size_t n_grid) {
    if (sets.shape(0) == 0 || n_grid == 0 || n_grid > sets.shape(1) * 2 + 2)
        throw std::invalid_argument("there are sets, and a grid of at most their cells");
    return to_tuple(best_rank_classes(to_rows(sets), n_grid));
}

double price(std::size_t n_grid, std::size_t n_classes, std::size_t n_sets) {
    if (n_classes == 0 || n_classes > n_grid || n_sets == 0)
        throw std::invalid_argument("a grid has at least as many intervals as are kept");
    return price_of_rank_classes(n_grid, n_classes, n_sets);
}

}  // namespace

void bind_numbers(nb::module_& m) {
    m.def("find_rank_classes", &find, nb::arg("blocks").noconvert(), nb::arg("beside").noconvert(),
          nb::arg("cancel").none(),
          "Intervals of the ranks of a number that suit a partition of consecutive blocks, which "
          "hold these weights of its cells: first cell of each, then the end; the grid they were "
          "chosen from; their cost.");
    m.def("best_rank_classes", &best, nb::arg("sets").noconvert(), nb::arg("n_grid"),
          "The cheapest intervals of the ranks of a number for sets that hold these weights of its "
          "cells, on a grid: first cell of each, then the end; the grid; their cost.");
    m.def("price_of_rank_classes", &price, nb::arg("n_grid"), nb::arg("n_classes"),
          nb::arg("n_sets"), "Nats that tell the intervals of ranks which sets tell like classes.");
}

}  // namespace partage::bindings
