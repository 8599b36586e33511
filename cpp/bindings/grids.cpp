#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/grids/hierarchy.hpp"
#include "partage/grids/pairs.hpp"
#include "partage/grids/solve.hpp"
#include "workers.hpp"

namespace partage::bindings {
namespace {

/// Columns and target of a grid as they come in.
struct GridArrays {
    Table<Index> codes;
    std::vector<std::size_t> n_values;
    std::vector<std::size_t> n_aside;
    std::vector<Array<Index>> anchors;
    std::vector<bool> is_ordered;
    std::optional<Array<Code>> labels;
    std::optional<Array<double>> weights;
    std::size_t n_classes;

    GridRows rows() const {
        const std::size_t n_axes = codes.shape(0);
        const std::size_t n_rows = codes.shape(1);
        if (n_axes == 0 || n_rows == 0 || n_values.size() != n_axes || n_aside.size() != n_axes ||
            is_ordered.size() != n_axes || (!anchors.empty() && anchors.size() != n_axes) ||
            n_classes == 0 || n_classes > 65536 || (labels && labels->size() != n_rows) ||
            (weights && weights->size() != n_rows))
            throw std::invalid_argument("columns, classes and weights do not fit");
        GridRows rows;
        rows.n_classes = labels ? n_classes : 1;
        for (std::size_t a = 0; a < n_axes; ++a) {
            const std::span<const Index> column{codes.data() + a * n_rows, n_rows};
            const std::size_t most = n_values[a] + n_aside[a];
            if (n_values[a] == 0 || n_values[a] > n_rows || n_aside[a] > n_rows ||
                *std::ranges::max_element(column) >= most)
                throw std::invalid_argument("a code is no value");
            rows.columns.push_back({column, n_values[a], n_aside[a], is_ordered[a]});
            if (!anchors.empty()) rows.columns.back().anchors = anchors_of(a);
        }
        if (labels) {
            rows.labels = view(*labels);
            if (*std::ranges::max_element(rows.labels) >= n_classes)
                throw std::invalid_argument("a label is no class");
        }
        if (weights) rows.weights = view(*weights);
        for (const double weight : rows.weights)
            if (!(weight > 0.0) || weight > 1e18) throw std::invalid_argument("a weight is none");
        return rows;
    }

private:
    std::span<const Index> anchors_of(std::size_t a) const {
        const auto values = view(anchors[a]);
        if (values.empty()) return {};
        if (values.size() != n_aside[a] || !labels)
            throw std::invalid_argument("sets aside join values where there are classes");
        for (const Index value : values)
            if (value != GridColumn::apart && value >= n_values[a])
                throw std::invalid_argument("a set aside joins no value");
        return values;
    }
};

GridMethod method_named(std::string_view name) {
    if (name == "modl") return GridMethod::modl;
    if (name == "khiops11") return GridMethod::khiops11;
    throw std::invalid_argument("no method of grids has this name");
}

/// Refuses numbers of columns and thresholds that no table has.
void check_numbers(double n_columns, double n_families, const std::vector<double>& thresholds,
                   std::size_t n_axes) {
    constexpr double most = 1e18;
    const auto is_wrong = [](double number, double least) {
        return !(number >= least) || number > most;
    };
    if (is_wrong(n_columns, 1.0) || is_wrong(n_families, 0.0))
        throw std::invalid_argument("the number of columns is none");
    if (!thresholds.empty() && thresholds.size() != n_axes)
        throw std::invalid_argument("there is a threshold for each axis");
    for (const double threshold : thresholds)
        if (is_wrong(threshold, 1.0)) throw std::invalid_argument("a threshold is none");
}

GridEffort effort_named(std::string_view name) {
    if (name == "auto") return {};
    if (name == "thorough") return GridEffort::thorough();
    if (name == "screen") return GridEffort::screen();
    if (name == "refine") return GridEffort::refine();
    if (name == "auto, unlisted" || name == "thorough, unlisted") {  // to judge the search itself
        GridEffort effort = name == "auto, unlisted" ? GridEffort{} : GridEffort::thorough();
        effort.lists = false;
        return effort;
    }
    throw std::invalid_argument("no search of grids has this name");
}

std::vector<ValueParts> parts_of(const std::vector<Array<Index>>& axes, const GridRows& rows) {
    std::vector<ValueParts> out;
    if (!axes.empty() && axes.size() != rows.columns.size())
        throw std::invalid_argument("there are parts for each axis");
    for (std::size_t a = 0; a < axes.size(); ++a) {
        ValueParts parts{{axes[a].data(), axes[a].data() + axes[a].size()}, 1};
        if (parts.part_of.size() != rows.columns[a].n_values)
            throw std::invalid_argument("there is a part for each value");
        std::vector<bool> is_used(parts.part_of.size() + 1, false);
        for (const Index part : parts.part_of) {
            if (part >= parts.part_of.size()) throw std::invalid_argument("a part is none");
            is_used[part] = true;
            parts.n_parts = std::max(parts.n_parts, std::size_t{part} + 1);
        }
        for (std::size_t k = 0; k < parts.n_parts && !parts.part_of.empty(); ++k)
            if (!is_used[k]) throw std::invalid_argument("a part has no value");
        const bool falls = !std::ranges::is_sorted(parts.part_of);
        if (rows.columns[a].is_ordered && falls)
            throw std::invalid_argument("the parts of an ordered axis follow its values");
        out.push_back(std::move(parts));
    }
    return out;
}

std::vector<std::vector<Index>> fixed_of(const std::vector<Array<Index>>& fixed,
                                         const GridRows& rows) {
    std::vector<std::vector<Index>> out;
    if (!fixed.empty() && fixed.size() != rows.columns.size())
        throw std::invalid_argument("there are fixed cuts for each axis");
    for (std::size_t a = 0; a < fixed.size(); ++a) {
        out.emplace_back(fixed[a].data(), fixed[a].data() + fixed[a].size());
        for (const Index value : out.back())
            if (value == 0 || value >= rows.columns[a].n_values)
                throw std::invalid_argument("a cut lies at no value");
        if (!std::ranges::is_sorted(out.back())) throw std::invalid_argument("cuts are sorted");
    }
    return out;
}

nb::tuple to_tuple(GridAnswer answer) {
    nb::list axes;
    for (ValueParts& parts : answer.grid.axes) axes.append(to_numpy(std::move(parts.part_of)));
    return nb::make_tuple(axes, answer.grid.cost, answer.null_cost, answer.grid.is_optimal,
                          answer.granularity);
}

nb::tuple solve(Table<Index> codes, std::vector<std::size_t> n_values,
                std::vector<std::size_t> n_aside, std::vector<Array<Index>> anchors,
                std::vector<bool> is_ordered, std::optional<Array<Code>> labels,
                std::optional<Array<double>> weights, std::size_t n_classes,
                std::string_view method, std::string_view search, double n_columns,
                double n_families, std::vector<std::size_t> max_parts,
                const std::vector<Array<Index>>& fixed, double min_cell,
                const std::vector<Array<Index>>& own, std::vector<double> thresholds,
                std::size_t n_jobs) {
    const GridRows rows =
        GridArrays{codes, n_values, n_aside, anchors, is_ordered, labels, weights, n_classes}
            .rows();
    GridQuestion question{rows,
                          method_named(method),
                          n_columns,
                          n_families,
                          std::move(max_parts),
                          fixed_of(fixed, rows),
                          min_cell,
                          parts_of(own, rows),
                          std::move(thresholds),
                          effort_named(search)};
    const std::size_t n_axes = rows.columns.size();
    check_numbers(n_columns, n_families, question.thresholds, n_axes);
    if (!question.max_parts.empty() && question.max_parts.size() != n_axes)
        throw std::invalid_argument("limits and columns do not fit");
    for (std::size_t& most : question.max_parts)
        if (most == 0) most = std::numeric_limits<std::size_t>::max();
    GridAnswer answer;
    run_workers(n_jobs, nullptr,
                [&](const Workers& workers) { answer = solve_grid(question, workers); });
    return to_tuple(std::move(answer));
}

nb::tuple price(Table<Index> codes, std::vector<std::size_t> n_values,
                std::vector<std::size_t> n_aside, std::vector<Array<Index>> anchors,
                std::vector<bool> is_ordered, std::optional<Array<Code>> labels,
                std::optional<Array<double>> weights, std::size_t n_classes,
                std::string_view method, double n_columns, double n_families,
                const std::vector<Array<Index>>& axes) {
    const GridRows rows =
        GridArrays{codes, n_values, n_aside, anchors, is_ordered, labels, weights, n_classes}
            .rows();
    const std::vector<ValueParts> parts = parts_of(axes, rows);
    if (parts.empty()) throw std::invalid_argument("there are parts for each axis");
    check_numbers(n_columns, n_families, {}, rows.columns.size());
    const GridPricer pricer(rows, method_named(method), n_columns, n_families);
    const GridPricer::Price found = pricer.price(parts);
    return nb::make_tuple(found.cost, pricer.null_cost(), found.granularity);
}

PairsQuestion pairs_of(const GridRows& rows, Table<std::int64_t> pairs) {
    PairsQuestion question{rows};
    if (pairs.shape(1) != 2) throw std::invalid_argument("a pair has two columns");
    const auto n = static_cast<std::int64_t>(rows.columns.size());
    for (std::size_t i = 0; i < pairs.shape(0); ++i) {
        const std::int64_t first = pairs.data()[2 * i];
        const std::int64_t second = pairs.data()[2 * i + 1];
        if (first < 0 || second < 0 || first >= n || second >= n)
            throw std::invalid_argument("a pair names columns");
        question.pairs.emplace_back(first, second);
    }
    return question;
}

nb::tuple to_tuple(PairsFound found) {
    std::vector<double> costs;
    std::vector<double> null_costs;
    std::vector<std::int64_t> n_parts;
    std::vector<std::int64_t> n_cells;
    for (const PairFound& pair : found.pairs) {
        costs.push_back(pair.cost);
        null_costs.push_back(pair.null_cost);
        for (const std::size_t n : pair.n_parts) n_parts.push_back(static_cast<std::int64_t>(n));
        n_cells.push_back(static_cast<std::int64_t>(pair.n_cells));
    }
    const std::size_t n = costs.size();
    return nb::make_tuple(to_numpy(std::move(costs)), to_numpy(std::move(null_costs)),
                          to_numpy(std::move(n_parts), n, 2), to_numpy(std::move(n_cells)),
                          to_numpy(std::move(found.column_gains)));
}

nb::tuple screen(Table<Index> codes, std::vector<std::size_t> n_values,
                 std::vector<std::size_t> n_aside, std::vector<Array<Index>> anchors,
                 std::vector<bool> is_ordered, std::optional<Array<Code>> labels,
                 std::optional<Array<double>> weights, std::size_t n_classes,
                 Table<std::int64_t> pairs, std::size_t n_jobs, Progress* progress) {
    const GridRows rows =
        GridArrays{codes, n_values, n_aside, anchors, is_ordered, labels, weights, n_classes}
            .rows();
    const PairsQuestion question = pairs_of(rows, pairs);
    PairsFound found;
    run_workers(n_jobs, progress,
                [&](const Workers& workers) { found = screen_pairs(question, workers); });
    return to_tuple(std::move(found));
}

nb::tuple refine(Table<Index> codes, std::vector<std::size_t> n_values,
                 std::vector<std::size_t> n_aside, std::vector<Array<Index>> anchors,
                 std::vector<bool> is_ordered, std::optional<Array<Code>> labels,
                 std::optional<Array<double>> weights, std::size_t n_classes,
                 Table<std::int64_t> pairs, std::string_view method, double n_columns,
                 const std::vector<Array<Index>>& own, std::vector<double> thresholds,
                 std::size_t n_jobs, Progress* progress) {
    const GridRows rows =
        GridArrays{codes, n_values, n_aside, anchors, is_ordered, labels, weights, n_classes}
            .rows();
    PairsQuestion question = pairs_of(rows, pairs);
    question.method = method_named(method);
    question.n_columns = n_columns;
    question.own = parts_of(own, rows);
    question.thresholds = std::move(thresholds);
    check_numbers(n_columns, 1.0, question.thresholds, rows.columns.size());
    PairsFound found;
    run_workers(n_jobs, progress,
                [&](const Workers& workers) { found = solve_pairs(question, workers); });
    return to_tuple(std::move(found));
}

/// Rows, method and parts of a grid whose merges are asked for.
template <class Use>
void use_grid(const GridArrays& arrays, std::string_view method, double n_columns,
              const std::vector<Array<Index>>& axes, Use use) {
    const GridRows rows = arrays.rows();
    const std::vector<ValueParts> parts = parts_of(axes, rows);
    if (parts.empty()) throw std::invalid_argument("there are parts for each axis");
    check_numbers(n_columns, 1.0, {}, rows.columns.size());
    const GridPricer pricer(rows, method_named(method), n_columns, 1.0);
    run_stoppable(nullptr, [&](const Stop& stop) { use(pricer, parts, stop); });
}

nb::tuple merges(Table<Index> codes, std::vector<std::size_t> n_values,
                 std::vector<std::size_t> n_aside, std::vector<Array<Index>> anchors,
                 std::vector<bool> is_ordered, std::optional<Array<Code>> labels,
                 std::optional<Array<double>> weights, std::size_t n_classes,
                 std::string_view method, double n_columns, const std::vector<Array<Index>>& axes) {
    std::vector<std::int64_t> steps;
    std::vector<double> costs;
    use_grid({codes, n_values, n_aside, anchors, is_ordered, labels, weights, n_classes}, method,
             n_columns, axes, [&](const GridPricer& pricer, const auto& parts, const Stop& stop) {
                 for (const GridMerge& merge : merge_grid(pricer, parts, stop)) {
                     for (const std::size_t part : {merge.axis, merge.first, merge.second})
                         steps.push_back(static_cast<std::int64_t>(part));
                     costs.push_back(merge.cost);
                 }
             });
    const std::size_t n = costs.size();
    return nb::make_tuple(to_numpy(std::move(steps), n, 3), to_numpy(std::move(costs)));
}

auto rises(Table<Index> codes, std::vector<std::size_t> n_values, std::vector<std::size_t> n_aside,
           std::vector<Array<Index>> anchors, std::vector<bool> is_ordered,
           std::optional<Array<Code>> labels, std::optional<Array<double>> weights,
           std::size_t n_classes, std::string_view method, double n_columns,
           const std::vector<Array<Index>>& axes, std::size_t axis, bool by_value) {
    std::vector<double> found;
    std::size_t n_parts = 1;
    use_grid({codes, n_values, n_aside, anchors, is_ordered, labels, weights, n_classes}, method,
             n_columns, axes, [&](const GridPricer& pricer, const auto& parts, const Stop&) {
                 if (axis >= parts.size()) throw std::invalid_argument("no such axis");
                 n_parts = parts[axis].n_parts;
                 found =
                     by_value ? move_rises(pricer, parts, axis) : merge_rises(pricer, parts, axis);
             });
    const std::size_t n = found.size() / n_parts;
    return to_numpy(std::move(found), n, n_parts);
}

/// Units of the values of a column at a granularity of Khiops 11.
auto khiops_units(const Array<double>& weights, int granularity, bool is_ordered) {
    const auto sizes = view(weights);
    double total = 0.0;
    for (const double weight : sizes) {
        if (!(weight >= 0.0) || !std::isfinite(weight))
            throw std::invalid_argument("weights are finite and at least 0");
        total += weight;
    }
    if (granularity < 1 || granularity > 64)
        throw std::invalid_argument("a granularity is from 1 to 64");
    std::vector<Index> unit_of;
    {
        const nb::gil_scoped_release released;
        unit_of = is_ordered ? khiops_quantiles(sizes, granularity)
                             : khiops_pool(sizes, total, granularity);
    }
    return to_numpy(std::move(unit_of));
}

}  // namespace

void bind_grids(nb::module_& m) {
    m.def(
        "khiops_units", &khiops_units, nb::arg("weights").noconvert(), nb::arg("granularity"),
        nb::arg("is_ordered"),
        "Unit of each value of a column at a granularity of Khiops 11: its quantile, or itself if "
        "it is frequent.");
    m.def(
        "solve_grid", &solve, nb::arg("codes").noconvert(), nb::arg("n_values"), nb::arg("n_aside"),
        nb::arg("anchors"), nb::arg("is_ordered"), nb::arg("labels").noconvert().none(),
        nb::arg("weights").noconvert().none(), nb::arg("n_classes"), nb::arg("method"),
        nb::arg("search"), nb::arg("n_columns"), nb::arg("n_families"), nb::arg("max_parts"),
        nb::arg("fixed"), nb::arg("min_cell"), nb::arg("own"), nb::arg("thresholds"),
        nb::arg("n_jobs"),
        "Find the grid of least cost of columns of codes, one row each: the part of each value of "
        "each axis, the cost, that of one cell, whether it is optimal, and the granularity.");
    m.def("grid_cost", &price, nb::arg("codes").noconvert(), nb::arg("n_values"),
          nb::arg("n_aside"), nb::arg("anchors"), nb::arg("is_ordered"),
          nb::arg("labels").noconvert().none(), nb::arg("weights").noconvert().none(),
          nb::arg("n_classes"), nb::arg("method"), nb::arg("n_columns"), nb::arg("n_families"),
          nb::arg("axes"), "Cost of a grid in nats, that of one cell, and the granularity.");
    m.def("screen_pairs", &screen, nb::arg("codes").noconvert(), nb::arg("n_values"),
          nb::arg("n_aside"), nb::arg("anchors"), nb::arg("is_ordered"),
          nb::arg("labels").noconvert().none(), nb::arg("weights").noconvert().none(),
          nb::arg("n_classes"), nb::arg("pairs").noconvert(), nb::arg("n_jobs"),
          nb::arg("progress").none(),
          "Look at pairs of columns of codes quickly: costs, those of one cell, parts and cells of "
          "each pair, and what each column saves alone, in nats.");
    m.def("refine_pairs", &refine, nb::arg("codes").noconvert(), nb::arg("n_values"),
          nb::arg("n_aside"), nb::arg("anchors"), nb::arg("is_ordered"),
          nb::arg("labels").noconvert().none(), nb::arg("weights").noconvert().none(),
          nb::arg("n_classes"), nb::arg("pairs").noconvert(), nb::arg("method"),
          nb::arg("n_columns"), nb::arg("own"), nb::arg("thresholds"), nb::arg("n_jobs"),
          nb::arg("progress").none(),
          "Search the grids of pairs of columns of codes: as screen_pairs, without what columns "
          "save.");
    m.def("grid_merges", &merges, nb::arg("codes").noconvert(), nb::arg("n_values"),
          nb::arg("n_aside"), nb::arg("anchors"), nb::arg("is_ordered"),
          nb::arg("labels").noconvert().none(), nb::arg("weights").noconvert().none(),
          nb::arg("n_classes"), nb::arg("method"), nb::arg("n_columns"), nb::arg("axes"),
          "Merge the parts of a grid down to one cell, the cheapest merge first: axis and the two "
          "parts of each merge, the second joining the first, and the cost afterwards.");
    m.def("grid_rises", &rises, nb::arg("codes").noconvert(), nb::arg("n_values"),
          nb::arg("n_aside"), nb::arg("anchors"), nb::arg("is_ordered"),
          nb::arg("labels").noconvert().none(), nb::arg("weights").noconvert().none(),
          nb::arg("n_classes"), nb::arg("method"), nb::arg("n_columns"), nb::arg("axes"),
          nb::arg("axis"), nb::arg("by_value"),
          "By how many nats the cost rises if two parts of an axis merge, or if a value moves to "
          "another part: a row for each part or value, a column for each part.");
}

}  // namespace partage::bindings
