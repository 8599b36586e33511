#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "lines.hpp"
#include "module.hpp"
#include "parameters.hpp"
#include "partage/groups/grouping.hpp"
#include "stop.hpp"

namespace partage::bindings {
namespace {

nb::list list_groupings() {
    nb::list out;
    for (const GroupingEntry* entry : groupings()) {
        nb::dict row;
        row["name"] = entry->name;
        row["meaning"] = entry->meaning;
        row["criterion"] = entry->criterion;
        row["n_groups"] = entry->n_groups;
        row["parameters"] = describe(entry->parameters);
        out.append(row);
    }
    return out;
}

nb::tuple run_grouping(const Line& values, std::string_view method,
                       const std::vector<double>& parameters, std::size_t n_parts,
                       std::size_t max_parts, double min_weight, const Cancel* cancel) {
    const GroupingEntry& entry = grouping_named(method);
    check_parameters(entry, parameters);
    if (values.n_units() == 0) throw NotPossible("there are no values");
    check_entries(values);
    const Limits limits = make_limits(n_parts, max_parts, min_weight);
    if (values.n_units() < limits.least())
        throw NotPossible("more groups are asked for than there are values");
    Grouping found;
    run_stoppable(cancel, [&](const Stop& stop) {
        found = entry.run({entry, values, limits, stop, parameters});
    });
    const std::int64_t garbage =
        found.garbage == Grouping::no_garbage ? -1 : static_cast<std::int64_t>(found.garbage);
    return nb::make_tuple(to_numpy(std::move(found.group_of)), found.n_groups, garbage,
                          found.threshold, found.cost, found.is_optimal);
}

}  // namespace

void bind_groups(nb::module_& m) {
    m.def("groupings", &list_groupings, "The grouping methods, in the order shown to users.");
    m.def("group", &run_grouping, nb::arg("values"), nb::arg("method"), nb::arg("parameters"),
          nb::arg("n_parts"), nb::arg("max_parts"), nb::arg("min_weight"), nb::arg("cancel").none(),
          "Group values: group of each, number of groups, garbage group or -1, its threshold, the "
          "method's cost, proven optimal or not.");
}

}  // namespace partage::bindings
