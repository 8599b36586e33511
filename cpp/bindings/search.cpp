#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>

#include "arrays.hpp"
#include "constraints.hpp"
#include "lines.hpp"
#include "module.hpp"
#include "parameters.hpp"
#include "partage/search/bound.hpp"
#include "partage/search/task.hpp"
#include "partage/search/trend/trend_coarse.hpp"
#include "stop.hpp"

namespace partage::bindings {
namespace {

std::string_view name_of(Reads reads) { return reads == Reads::counts ? "counts" : "moments"; }

std::vector<std::string_view> names_of(const std::vector<Space>& spaces) {
    std::vector<std::string_view> names;
    for (const Space space : spaces) names.push_back(space == Space::line ? "line" : "any");
    return names;
}

nb::list list_criteria() {
    nb::list out;
    for (const CriterionEntry* entry : criteria()) {
        nb::dict row;
        row["name"] = entry->name;
        row["meaning"] = entry->meaning;
        row["reads"] = name_of(entry->reads);
        row["spaces"] = names_of(entry->spaces);
        row["searches"] = entry->searches;
        row["unit"] = entry->unit == Unit::nats ? "nats" : "own";
        row["own_cost"] = entry->own_cost;
        row["needs_size"] = entry->needs_size;
        row["parameters"] = describe(entry->parameters);
        out.append(row);
    }
    return out;
}

nb::list list_searches() {
    nb::list out;
    for (const SearchEntry* entry : searches()) {
        nb::dict row;
        row["name"] = entry->name;
        row["meaning"] = entry->meaning;
        out.append(row);
    }
    return out;
}

Trend trend_named(std::string_view name) {
    constexpr std::pair<std::string_view, Trend> names[] = {
        {"ascending", Trend::ascending},
        {"descending", Trend::descending},
        {"peak", Trend::peak},
        {"valley", Trend::valley},
        {"auto", Trend::any},
    };
    for (const auto& [known, trend] : names)
        if (known == name) return trend;
    throw std::invalid_argument("no trend is called " + std::string(name));
}

void set_trend(Constraints& constraints, std::string_view name, const std::vector<double>& scores) {
    constraints.limits.trend = trend_named(name);
    constraints.limits.class_scores = scores;
}

Rows to_rows(const Table<double>& table) {
    Rows rows(table.shape(0), table.shape(1));
    std::copy_n(table.data(), table.shape(0) * table.shape(1), rows.values().begin());
    return rows;
}

void set_segments(Constraints& constraints, Table<double> weights, Table<double> scores,
                  const std::vector<double>& margins) {
    if (weights.shape(0) != scores.shape(0) || weights.shape(1) != scores.shape(1) ||
        weights.shape(1) != margins.size())
        throw std::invalid_argument("weights, scores and margins differ in shape");
    constraints.limits.segments = {to_rows(weights), to_rows(scores), margins};
}

/// The same constraints where no score of a class is followed, but one more segment: amounts that
/// are known of each unit.
Constraints following(const Constraints& constraints, std::size_t n_numbers, Table<double> weights,
                      Table<double> scores) {
    Constraints found = constraints;
    if (found.limits.trend == Trend::free) return found;
    const Segments& known = constraints.limits.segments;
    const std::size_t n_units = weights.shape(0);
    const bool fits = weights.shape(1) == 1 && scores.shape(1) == 1 && scores.shape(0) == n_units &&
                      (known.size() == 0 || known.weights.size() == n_units);
    if (!fits) throw std::invalid_argument("weights and scores differ in shape");
    found.limits.class_scores.assign(n_numbers, 0.0);
    std::vector<double> margins = known.margins;
    margins.push_back(0.0);
    found.limits.segments = {Rows(n_units, known.size() + 1), Rows(n_units, known.size() + 1),
                             margins};
    for (std::size_t unit = 0; unit < n_units; ++unit) {
        const std::span<double> weight = found.limits.segments.weights[unit];
        const std::span<double> score = found.limits.segments.scores[unit];
        for (std::size_t s = 0; s < known.size(); ++s) {
            weight[s] = known.weights[unit][s];
            score[s] = known.scores[unit][s];
        }
        weight[known.size()] = weights(unit, 0);
        score[known.size()] = scores(unit, 0);
    }
    return found;
}

nb::tuple run_search(const Line& line, std::string_view criterion_name,
                     const std::vector<double>& parameters, std::string_view search_name,
                     std::size_t n_parts, std::size_t max_parts, double min_weight,
                     const Cancel* cancel, const Constraints* constraints, std::size_t n_values,
                     double of_log_parts, double n_beside) {
    const CriterionEntry& entry = criterion_named(criterion_name);
    const SearchEntry& search = search_named(search_name);
    check_parameters(entry, parameters);
    if (line.n_units() == 0) throw NotPossible("the line is empty");
    check_entries(line);
    check_reads(entry, line);
    const Limits limits = limits_of(line.n_units(), line.layout().n_numbers, n_parts, max_parts,
                                    min_weight, constraints);
    Found found;
    Rows counts(0, line.layout());
    run_stoppable(cancel, [&](const Stop& stop) {
        Problem problem(line, n_values);
        problem.of_log_parts = of_log_parts;
        problem.n_beside = n_beside;
        const AnyCriterion criterion = entry.make(problem, parameters);
        const Task task{line, problem, entry, criterion, limits, stop};
        check_limits(task);
        found = search.run(task);
        counts = block_rows(line, found.starts);
    });
    const std::size_t n_found = counts.size();
    return nb::make_tuple(to_numpy(std::move(found.starts)),
                          to_numpy(std::move(counts.values()), n_found, line.layout().n_numbers),
                          found.is_optimal);
}

double bound_of(const Line& line, std::string_view criterion_name,
                const std::vector<double>& parameters, std::size_t n_parts, std::size_t max_parts,
                const Cancel* cancel, const Constraints* constraints, double known,
                std::size_t in_leaf, std::size_t in_tile) {
    const CriterionEntry& entry = criterion_named(criterion_name);
    check_parameters(entry, parameters);
    if (line.n_units() == 0) throw NotPossible("the line is empty");
    if (in_leaf == 0 || in_tile == 0) throw std::invalid_argument("there is at least one tile");
    check_entries(line);
    check_reads(entry, line);
    const Limits limits =
        limits_of(line.n_units(), line.layout().n_numbers, n_parts, max_parts, 0.0, constraints);
    double found = 0.0;
    run_stoppable(cancel, [&](const Stop& stop) {
        const Problem problem(line);
        const AnyCriterion criterion = make_partition_criterion(entry, problem, parameters);
        const Task task{line, problem, entry, criterion, limits, stop};
        check_limits(task);
        found = lower_bound(task, known, {in_leaf, in_tile});
    });
    return found;
}

double bound_of_trend(const Line& line, double sign, const Cancel* cancel) {
    if (line.n_classes != 2 || line.n_amounts > 0 || line.n_units() == 0)
        throw std::invalid_argument("the bound is for lines of two classes");
    check_entries(line);
    double found = 0.0;
    run_stoppable(cancel, [&](const Stop& stop) { found = trend_bound(line, sign, stop); });
    return found;
}

}  // namespace

Limits limits_of(std::size_t n_units, std::size_t n_classes, std::size_t n_parts,
                 std::size_t max_parts, double min_weight, const Constraints* constraints) {
    Limits limits = make_limits(n_parts, max_parts, min_weight);
    if (constraints == nullptr) return limits;
    Limits found = constraints->limits;
    found.n_parts = limits.n_parts;
    found.max_parts = limits.max_parts;
    found.min_weight = limits.min_weight;
    const auto is_inside = [n_units](std::span<const Index> starts) {
        return std::is_sorted(starts.begin(), starts.end(), std::less_equal<>()) &&
               (starts.empty() || (starts.front() > 0 && starts.back() < n_units));
    };
    bool fits =
        is_inside(found.fixed) && std::all_of(found.hint.begin(), found.hint.end(),
                                              [n_units](Index unit) { return unit <= n_units; });
    if (found.borders) {
        const std::span<const Index> borders(*found.borders);
        fits =
            fits && borders.size() >= 2 && borders.front() == 0 && borders.back() == n_units &&
            is_inside(borders.subspan(1, borders.size() - 2)) &&
            std::includes(borders.begin(), borders.end(), found.fixed.begin(), found.fixed.end());
    }
    if (found.trend != Trend::free) fits = fits && found.class_scores.size() == n_classes;
    if (!found.min_counts.empty()) fits = fits && found.min_counts.size() == n_classes;
    if (found.segments.size() > 0) fits = fits && found.segments.weights.size() == n_units;
    if (found.held.size() > 0)
        fits = fits && found.held.size() == n_units && found.held.width() == n_classes;
    if (!fits) throw std::invalid_argument("the constraints do not fit the line");
    return found;
}

void bind_search(nb::module_& m) {
    nb::class_<Cancel>(m, "Cancel", "Stops the searches it is passed to.")
        .def(nb::init<>())
        .def(
            "ask", [](Cancel& cancel) { cancel.asked.store(true); },
            "Make the searches stop at their next step.");
    nb::exception<NotPossible>(m, "NotPossible", PyExc_ValueError);
    m.def("criteria", &list_criteria, "The criteria, in the order shown to users.");
    m.def("searches", &list_searches, "The searches, in the order shown to users.");
    nb::class_<Constraints>(m, "Constraints", "What parts must satisfy beyond their sizes.")
        .def(nb::init<>())
        .def(
            "set_min_counts",
            [](Constraints& self, const std::vector<double>& counts) {
                self.limits.min_counts = counts;
            },
            nb::arg("counts"), "Least weight of each class in every part.")
        .def(
            "set_held",
            [](Constraints& self, Table<double> held) { self.limits.held = to_rows(held); },
            nb::arg("held").noconvert(),
            "What each unit holds of each class, where the least weights are not of the line's.")
        .def(
            "set_fixed",
            [](Constraints& self, const std::vector<Index>& starts, std::size_t n_empty) {
                self.limits.fixed = starts;
                self.limits.n_empty = n_empty;
            },
            nb::arg("starts"), nb::arg("n_empty"),
            "Units at which parts must start, and parts without rows that are counted besides.")
        .def(
            "set_borders",
            [](Constraints& self, const std::vector<Index>& starts) {
                self.limits.borders = Blocks(starts.begin(), starts.end());
            },
            nb::arg("starts"), "Units at which parts may start, 0 and the number of units too.")
        .def(
            "set_hint",
            [](Constraints& self, const std::vector<Index>& starts) { self.limits.hint = starts; },
            nb::arg("starts"), "Starts of a partition found without these constraints.")
        .def("set_trend", &set_trend, nb::arg("trend"), nb::arg("scores"),
             "How the mean score of the parts must go, and the score of each class.")
        .def(
            "clear_segments", [](Constraints& self) { self.limits.segments = {}; },
            "Ask no longer for the trend in segments.")
        .def(
            "following", &following, nb::arg("n_numbers"), nb::arg("weights").noconvert(),
            nb::arg("scores").noconvert(),
            "The same constraints for units of other numbers: a trend follows these amounts, a row "
            "for each unit, and no scores of the numbers.")
        .def("set_segments", &set_segments, nb::arg("weights").noconvert(),
             nb::arg("scores").noconvert(), nb::arg("margins"),
             "Weight and sum of scores of each segment at each unit; the trend holds in each, but "
             "for reversals within margin / sqrt(weight) of both rates.");
    m.def("search", &run_search, nb::arg("line"), nb::arg("criterion"), nb::arg("parameters"),
          nb::arg("search"), nb::arg("n_parts"), nb::arg("max_parts"), nb::arg("min_weight"),
          nb::arg("cancel").none(), nb::arg("constraints").none() = nb::none(),
          nb::arg("n_values") = 0, nb::arg("of_log_parts") = 0.0, nb::arg("n_beside") = 0.0,
          "Find a partition of a line: first unit of each part (and the end), the class weights "
          "of the parts, proven optimal or not. Units of n_values values that could join in any "
          "way pay for that; sets of rows, those beside too, pay of_log_parts for the logarithm of "
          "their number.");
    m.def("lower_bound", &bound_of, nb::arg("line"), nb::arg("criterion"), nb::arg("parameters"),
          nb::arg("n_parts"), nb::arg("max_parts"), nb::arg("cancel").none(),
          nb::arg("constraints").none() = nb::none(), nb::arg("known") = infinite,
          nb::arg("in_leaf") = BoundSizes{}.in_leaf, nb::arg("in_tile") = BoundSizes{}.in_tile,
          "Cost that no partition of a line is below, from a program over tiles of leaves; minus "
          "infinity where the criterion claims nothing that bounds it.");
    m.def(
        "trend_bound", &bound_of_trend, nb::arg("line"), nb::arg("sign"), nb::arg("cancel").none(),
        "Cost that no MODL partition of two classes is below if its rates rise (1) or fall (-1).");
}

}  // namespace partage::bindings
