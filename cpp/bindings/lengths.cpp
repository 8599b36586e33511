#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/criteria/criterion.hpp"
#include "partage/groups/grouping.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage::bindings {
namespace {

std::unique_ptr<PartitionCriterion> judge(std::string_view name,
                                          const std::vector<double>& parameters,
                                          const Problem& problem) {
    const CriterionEntry& entry = criterion_named(name);
    check_parameters(entry, parameters);
    return make_partition_criterion(entry, problem, parameters);
}

std::vector<double> sum_rows(const Table<double>& rows) {
    std::vector<double> totals(rows.shape(1), 0.0);
    for (std::size_t k = 0; k < rows.shape(0); ++k)
        for (std::size_t j = 0; j < totals.size(); ++j) totals[j] += rows(k, j);
    return totals;
}

std::vector<double> costs_of_parts(const Table<double>& rows, const PartitionCriterion& criterion) {
    const std::size_t n_classes = rows.shape(1);
    std::vector<double> costs(rows.shape(0));
    for (std::size_t k = 0; k < costs.size(); ++k)
        costs[k] = criterion.exact_part(row_of_counts({rows.data() + k * n_classes, n_classes}));
    return costs;
}

double cost(Table<double> counts, std::string_view criterion,
            const std::vector<double>& parameters) {
    const auto made = judge(criterion, parameters, Problem(sum_rows(counts)));
    double parts = 0.0;
    for (const double part : costs_of_parts(counts, *made)) parts += part;
    return made->total(counts.shape(0), parts);
}

auto part_lengths(Table<double> counts) {
    const auto modl = judge("modl", {}, Problem(sum_rows(counts)));
    return to_numpy(costs_of_parts(counts, *modl));
}

double structure_cost(std::size_t n_parts, std::vector<double> totals, std::string_view criterion,
                      const std::vector<double>& parameters, std::size_t n_values) {
    if (n_parts == 0) throw std::invalid_argument("there is at least one part");
    return judge(criterion, parameters, Problem(std::move(totals), n_values))->structure(n_parts);
}

double garbage_structure(const Line& values, Array<std::int64_t> group_of, std::size_t n_groups) {
    if (group_of.size() != values.n_units())
        throw std::invalid_argument("there is a group for each value");
    return structure_of_garbage_groups(values, view(group_of), n_groups);
}

double set_partitions(std::size_t n_values, std::size_t n_groups) {
    if (n_values > std::numeric_limits<Index>::max())
        throw std::invalid_argument("no column has so many values");
    return log_set_partitions(n_values, n_groups);
}

double universal_bits(double n) {
    constexpr double log_2 = 0.69314718055994530942;
    return universal_length(n) / log_2;
}

}  // namespace

void bind_lengths(nb::module_& m) {
    m.def("cost", &cost, nb::arg("counts").noconvert(), nb::arg("criterion"), nb::arg("parameters"),
          "Cost of a partition from the class weights of its parts.");
    m.def("part_lengths", &part_lengths, nb::arg("counts").noconvert(),
          "Length of each row of class weights under MODL, in nats.");
    m.def("structure_cost", &structure_cost, nb::arg("n_parts"), nb::arg("totals"),
          nb::arg("criterion") = "modl", nb::arg("parameters") = std::vector<double>{},
          nb::arg("n_values") = 0,
          "Cost of a number of parts, without what they hold, given the weight of each class: of a "
          "line, or of n_values values in any order.");
    m.def("garbage_structure", &garbage_structure, nb::arg("values"),
          nb::arg("group_of").noconvert(), nb::arg("n_groups"),
          "Cost of given groups under MODL with a garbage group, at its cheapest threshold and "
          "without what the groups hold, in nats; infinite if there is none.");
    m.def("null_cost_of_garbage_groups", &null_cost_of_garbage_groups, nb::arg("values"),
          "Cost of one group under MODL with a garbage group, in nats.");
    m.def("log_set_partitions", &set_partitions, nb::arg("n_values"), nb::arg("n_groups"),
          "log B(I, K), in nats.");
    m.def("log_binomial", &log_binomial, nb::arg("n"), nb::arg("k"), "log C(n, k), in nats.");
    m.def("universal_length", &universal_bits, nb::arg("n"),
          "Length of Rissanen's universal code of a whole number of at least 1, in bits.");
}

}  // namespace partage::bindings
