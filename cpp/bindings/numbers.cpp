#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/search/rank_classes.hpp"
#include "partage/space/amounts.hpp"
#include "partage/space/sort.hpp"
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

RankCode code_of(bool is_published) {
    return is_published ? RankCode::published : RankCode::quantiles;
}

nb::tuple find(Table<double> blocks, Table<double> beside, const Cancel* cancel,
               bool is_published) {
    if (blocks.shape(0) == 0 || blocks.shape(1) != beside.shape(1))
        throw std::invalid_argument("there are blocks, and as many cells beside them");
    const Rows rows = to_rows(blocks);
    const Rows others = to_rows(beside);
    RankClasses found;
    run_stoppable(cancel, [&](const Stop& stop) {
        found = find_rank_classes(rows, others, stop, code_of(is_published));
    });
    return nb::make_tuple(found.starts, found.n_grid, found.parts);
}

constexpr std::size_t most_grid = 1 << 20;

nb::tuple best(Table<double> sets, const std::vector<std::size_t>& grids, bool is_published) {
    const bool fits = std::all_of(grids.begin(), grids.end(), [](std::size_t n_grid) {
        return n_grid > 0 && n_grid <= most_grid;
    });
    if (sets.shape(0) == 0 || grids.empty() || !fits)
        throw std::invalid_argument("there are sets, and grids of at most 2^20 intervals");
    return to_tuple(best_rank_classes(to_rows(sets), grids, code_of(is_published)));
}

nb::tuple climb(Table<double> sets, std::size_t n_grid, std::size_t finest, bool is_published) {
    if (sets.shape(0) == 0 || n_grid == 0 || n_grid > most_grid || finest > most_grid)
        throw std::invalid_argument("there are sets, and grids of at most 2^20 intervals");
    return to_tuple(climb_rank_classes(to_rows(sets), n_grid, finest, code_of(is_published)));
}

double price(std::size_t n_grid, std::size_t n_classes, std::size_t n_sets) {
    if (n_classes == 0 || n_classes > n_grid || n_sets == 0)
        throw std::invalid_argument("a grid has at least as many intervals as are kept");
    return price_of_rank_classes(n_grid, n_classes, n_sets);
}

nb::tuple cells(Array<double> numbers, Array<std::uint64_t> packed, std::size_t most) {
    const std::span<const double> values = view(numbers);
    const bool fits = std::all_of(values.begin(), values.end(),
                                  [](double value) { return std::isfinite(value); });
    if (!fits || values.empty() || values.size() >= std::numeric_limits<Index>::max() ||
        packed.size() != values.size() || most == 0 || most > std::size_t{1} << 16)
        throw std::invalid_argument("there are finite numbers, packed, and at most 65536 cells");
    RankCells found;
    {
        nb::gil_scoped_release free;
        found = rank_cells(values, view(packed), most);
    }
    return nb::make_tuple(to_numpy(std::move(found.lows)), to_numpy(std::move(found.highs)),
                          to_numpy(std::move(found.weights)), to_numpy(std::move(found.codes)));
}

nb::tuple sums_of_runs(Array<double> amounts, Array<Index> edges, double center,
                       const std::vector<double>& steps) {
    const std::span<const Index> ends = view(edges);
    const bool fits = !ends.empty() && std::is_sorted(ends.begin(), ends.end()) &&
                      ends.back() <= amounts.size() && steps.size() == 4 &&
                      std::all_of(steps.begin(), steps.end(),
                                  [](double step) { return step > 0.0 && std::isfinite(step); });
    if (!fits) throw std::invalid_argument("edges must increase, and there are four steps");
    RunSums found;
    {
        nb::gil_scoped_release free;
        found = run_sums(view(amounts), ends, center, {{steps[0], steps[1]}, {steps[2], steps[3]}});
    }
    const std::size_t n_runs = ends.size() - 1;
    return nb::make_tuple(to_numpy(std::move(found.sums), n_runs, 5),
                          to_numpy(std::move(found.extremes), n_runs, 2));
}

}  // namespace

void bind_numbers(nb::module_& m) {
    m.def("find_rank_classes", &find, nb::arg("blocks").noconvert(), nb::arg("beside").noconvert(),
          nb::arg("cancel").none(), nb::arg("is_published") = false,
          "Intervals of the ranks of a number that suit a partition of consecutive blocks, which "
          "hold these weights of its cells: first cell of each, then the end; the grid they were "
          "chosen from; the first block of each part, then the end.");
    m.def("best_rank_classes", &best, nb::arg("sets").noconvert(), nb::arg("grids"),
          nb::arg("is_published") = false,
          "The cheapest intervals of the ranks of a number for sets that hold these weights of its "
          "cells, on some grids: first cell of each, then the end; the grid; their cost.");
    m.def("climb_rank_classes", &climb, nb::arg("sets").noconvert(), nb::arg("n_grid"),
          nb::arg("finest"), nb::arg("is_published") = false,
          "The same on a grid and on those half and twice as fine, from there on while one is "
          "cheaper, up to the finest.");
    m.def("rank_cells", &cells, nb::arg("numbers").noconvert(), nb::arg("packed").noconvert(),
          nb::arg("most"),
          "Intervals of the ranks of numbers, one for each value or so many of even size, given "
          "their packed rows sorted: least "
          "value, greatest value and rows of each, and the cell of every number.");
    m.def("run_sums", &sums_of_runs, nb::arg("amounts").noconvert(), nb::arg("edges").noconvert(),
          nb::arg("center"), nb::arg("steps"),
          "Sums of the runs of amounts between edges: of deviations from a centre and of their "
          "squares, each in a coarse and a fine piece on grids of these steps, and of zeros; then "
          "the least and the greatest amount of each run.");
    m.def("price_of_rank_classes", &price, nb::arg("n_grid"), nb::arg("n_classes"),
          nb::arg("n_sets"), "Nats that tell the intervals of ranks which sets tell like classes.");
}

}  // namespace partage::bindings
