#include "partage/search.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "module.hpp"
#include "parameters.hpp"
#include "stop.hpp"

namespace partage::bindings {
namespace {

nb::list list_criteria() {
    nb::list out;
    for (const CriterionEntry* entry : criteria()) {
        nb::dict row;
        row["name"] = entry->name;
        row["meaning"] = entry->meaning;
        row["searches"] = entry->searches;
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

void check_parameters(const CriterionEntry& entry, const std::vector<double>& parameters) {
    if (parameters.size() != entry.parameters.size())
        throw std::invalid_argument("the number of parameters is not the criterion's");
}

nb::tuple run_search(const Line& line, std::string_view criterion_name,
                     const std::vector<double>& parameters, std::string_view search_name,
                     std::size_t n_parts, std::size_t max_parts, double min_weight,
                     const Cancel* cancel) {
    const CriterionEntry& entry = criterion_named(criterion_name);
    const SearchEntry& search = search_named(search_name);
    check_parameters(entry, parameters);
    if (line.n_units() == 0) throw NotPossible("the line is empty");
    const Limits limits = make_limits(n_parts, max_parts, min_weight);
    Found found;
    Rows counts(0, line.n_classes);
    run_stoppable(cancel, [&](const Stop& stop) {
        const Problem problem(line.totals());
        const AnyCriterion criterion = entry.make(problem, parameters);
        const Task task{line, problem, entry, criterion, limits, stop};
        check_limits(task);
        found = search.run(task);
        counts = block_rows(line, found.starts);
    });
    const std::size_t n_found = counts.size();
    return nb::make_tuple(to_numpy(std::move(found.starts)),
                          to_numpy(std::move(counts.values()), n_found, line.n_classes),
                          found.is_optimal);
}

double cost(Table<double> counts, std::string_view criterion_name,
            const std::vector<double>& parameters) {
    const CriterionEntry& entry = criterion_named(criterion_name);
    check_parameters(entry, parameters);
    const std::size_t n_parts = counts.shape(0);
    const std::size_t n_classes = counts.shape(1);
    std::vector<double> totals(n_classes, 0.0);
    for (std::size_t k = 0; k < n_parts; ++k)
        for (std::size_t j = 0; j < n_classes; ++j) totals[j] += counts(k, j);
    const AnyCriterion made = entry.make(Problem(totals), parameters);
    const auto* held = std::get_if<std::unique_ptr<PartitionCriterion>>(&made);
    if (held == nullptr) throw std::invalid_argument("this criterion judges no whole partition");
    double parts = 0.0;
    for (std::size_t k = 0; k < n_parts; ++k)
        parts += (*held)->part(Row(counts.data() + k * n_classes, n_classes));
    return (*held)->total(n_parts, parts);
}

}  // namespace

void bind_search(nb::module_& m) {
    nb::class_<Cancel>(m, "Cancel", "Stops the searches it is passed to.")
        .def(nb::init<>())
        .def(
            "ask", [](Cancel& cancel) { cancel.asked.store(true); },
            "Make the searches stop at their next step.");
    nb::exception<NotPossible>(m, "NotPossible", PyExc_ValueError);
    m.def("criteria", &list_criteria, "The criteria, in the order shown to users.");
    m.def("searches", &list_searches, "The searches, in the order shown to users.");
    m.def("search", &run_search, nb::arg("line"), nb::arg("criterion"), nb::arg("parameters"),
          nb::arg("search"), nb::arg("n_parts"), nb::arg("max_parts"), nb::arg("min_weight"),
          nb::arg("cancel").none(),
          "Find a partition of a line: first unit of each part (and the end), the class weights "
          "of the parts, proven optimal or not.");
    m.def("cost", &cost, nb::arg("counts").noconvert(), nb::arg("criterion"), nb::arg("parameters"),
          "Cost of a partition from the class weights of its parts.");
}

}  // namespace partage::bindings
