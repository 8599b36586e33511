#include "partage/groups/coded_groups.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "stop.hpp"

namespace partage::bindings {
namespace {

/// Groups of many columns of codes: without Python between one column and the next.
nb::tuple group_columns(Table<std::uint32_t> codes, Array<std::int64_t> n_values,
                        Array<Code> labels, std::optional<Array<double>> weights,
                        std::size_t n_classes, std::string_view method,
                        const std::vector<double>& parameters, const Cancel* cancel) {
    const GroupingEntry& entry = grouping_named(method);
    check_parameters(entry, parameters);
    const std::size_t n_rows = codes.shape(1);
    if (n_values.size() != codes.shape(0) || n_rows != labels.size())
        throw std::invalid_argument("codes, labels and numbers of values do not fit");
    std::vector<std::int32_t> group_of;
    std::vector<std::int64_t> n_groups;
    std::vector<std::int64_t> garbage;
    std::vector<double> costs;
    std::vector<double> null_costs;
    run_stoppable(cancel, [&](const Stop& stop) {
        for (std::size_t k = 0; k < n_values.size(); ++k) {
            stop.check();
            const CodedRows rows{{codes.data() + k * n_rows, n_rows},
                                 view(labels),
                                 weights ? view(*weights) : std::span<const double>{},
                                 static_cast<std::size_t>(n_values.data()[k]),
                                 n_classes};
            const CodedGroups found = group_coded(rows, entry, parameters, stop);
            group_of.insert(group_of.end(), found.group_of.begin(), found.group_of.end());
            n_groups.push_back(static_cast<std::int64_t>(found.n_groups));
            garbage.push_back(found.garbage);
            costs.push_back(found.cost);
            null_costs.push_back(found.null_cost);
        }
    });
    return nb::make_tuple(to_numpy(std::move(group_of)), to_numpy(std::move(n_groups)),
                          to_numpy(std::move(garbage)), to_numpy(std::move(costs)),
                          to_numpy(std::move(null_costs)));
}

}  // namespace

void bind_coded_groups(nb::module_& m) {
    m.def("group_columns", &group_columns, nb::arg("codes").noconvert(),
          nb::arg("n_values").noconvert(), nb::arg("labels").noconvert(),
          nb::arg("weights").noconvert().none(), nb::arg("n_classes"), nb::arg("method"),
          nb::arg("parameters"), nb::arg("cancel").none(),
          "Group the values of columns of codes: the group of every value, column by column (-1 "
          "where no row holds it), and for each column the number of groups, the garbage group or "
          "-1, the method's cost and that of one group under MODL.");
}

}  // namespace partage::bindings
