#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/criteria/criterion.hpp"
#include "partage/criteria/scores.hpp"
#include "partage/groups/grouping.hpp"
#include "partage/search/bound.hpp"
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

/// How a criterion reads rows of numbers; throws std::invalid_argument if they are too few for it.
Layout layout_of(std::string_view criterion, std::size_t n_numbers) {
    const CriterionEntry& entry = criterion_named(criterion);
    const Layout layout{entry.reads, n_numbers};
    if (layout.reads == Reads::moments && layout.n_numbers < entry.n_moments)
        throw std::invalid_argument("a row holds a weight and the sums that the criterion reads");
    return layout;
}

std::vector<double> sum_rows(const Table<double>& rows) {
    std::vector<double> totals(rows.shape(1), 0.0);
    for (std::size_t k = 0; k < rows.shape(0); ++k)
        for (std::size_t j = 0; j < totals.size(); ++j) totals[j] += rows(k, j);
    return totals;
}

std::vector<double> costs_of_parts(const Table<double>& rows, const Layout& layout,
                                   const PartitionCriterion& criterion) {
    const std::size_t width = layout.n_numbers;
    std::vector<double> costs(rows.shape(0));
    for (std::size_t k = 0; k < costs.size(); ++k)
        costs[k] = criterion.exact_part(layout.row({rows.data() + k * width, width}));
    return costs;
}

double cost(Table<double> counts, std::string_view criterion,
            const std::vector<double>& parameters) {
    const Layout layout = layout_of(criterion, counts.shape(1));
    const auto made = judge(criterion, parameters, Problem(sum_rows(counts), 0, layout.reads));
    double parts = 0.0;
    for (const double part : costs_of_parts(counts, layout, *made)) parts += part;
    return made->total(counts.shape(0), parts);
}

double bound_of_rows(Table<double> counts, std::string_view criterion,
                     const std::vector<double>& parameters, std::size_t least, std::size_t most,
                     std::size_t n_values) {
    if (counts.shape(0) == 0 || least == 0) throw std::invalid_argument("there is a part");
    const Layout layout = layout_of(criterion, counts.shape(1));
    Rows rows(counts.shape(0), layout);
    std::copy_n(counts.data(), counts.size(), rows.values().begin());
    const auto made =
        judge(criterion, parameters, Problem(sum_rows(counts), n_values, layout.reads));
    return lower_bound_of_rows(*made, rows, least, most);
}

auto least_growths(Table<double> counts, std::string_view criterion,
                   const std::vector<double>& parameters) {
    const Layout layout = layout_of(criterion, counts.shape(1));
    const auto made = judge(criterion, parameters, Problem(sum_rows(counts), 0, layout.reads));
    std::vector<double> growths(counts.shape(0));
    for (std::size_t k = 0; k < growths.size(); ++k)
        growths[k] =
            made->least_growth(layout.row({counts.data() + k * counts.shape(1), counts.shape(1)}));
    return to_numpy(std::move(growths));
}

auto part_lengths(Table<double> counts, std::string_view criterion,
                  const std::vector<double>& parameters) {
    const Layout layout = layout_of(criterion, counts.shape(1));
    const auto made = judge(criterion, parameters, Problem(sum_rows(counts), 0, layout.reads));
    return to_numpy(costs_of_parts(counts, layout, *made));
}

auto spreads(Table<double> rows) {
    layout_of("scores", rows.shape(1));
    std::vector<double> out(rows.shape(0));
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = spread_of(rows(k, 0), rows(k, 1), rows(k, 2));
    return to_numpy(std::move(out));
}

auto logs_of_spreads(Array<double> spreads, double n) {
    std::vector<double> out(spreads.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = log_of_spread(spreads.data()[i], n);
    return to_numpy(std::move(out));
}

double structure_cost(std::size_t n_parts, std::vector<double> totals, std::string_view criterion,
                      const std::vector<double>& parameters, std::size_t n_values) {
    if (n_parts == 0) throw std::invalid_argument("there is at least one part");
    const Layout layout = layout_of(criterion, totals.size());
    return judge(criterion, parameters, Problem(std::move(totals), n_values, layout.reads))
        ->structure(n_parts);
}

double garbage_structure(const Line& values, Array<std::int64_t> group_of, std::size_t n_groups) {
    if (group_of.size() != values.n_units())
        throw std::invalid_argument("there is a group for each value");
    std::vector<double> frequencies(values.n_units());
    for (std::size_t i = 0; i < frequencies.size(); ++i)
        frequencies[i] = values.weight(values.starts[i], values.starts[i + 1]);
    return structure_of_garbage_groups(frequencies, view(group_of), n_groups);
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
    m.def("lower_bound_of_rows", &bound_of_rows, nb::arg("counts").noconvert(),
          nb::arg("criterion"), nb::arg("parameters"), nb::arg("least"), nb::arg("most"),
          nb::arg("n_values") = 0,
          "Cost that no partition into `least` to `most` parts is below whichever rows join; "
          "structure as in `structure_cost`.");
    m.def("least_growths", &least_growths, nb::arg("counts").noconvert(), nb::arg("criterion"),
          nb::arg("parameters"),
          "Least that any part's cost grows by when each of these rows joins it.");
    m.def(
        "part_lengths", &part_lengths, nb::arg("counts").noconvert(), nb::arg("criterion") = "modl",
        nb::arg("parameters") = std::vector<double>{},
        "Cost of each row, of class weights or of moments, under a criterion; MODL's is in nats.");
    m.def("spreads", &spreads, nb::arg("rows").noconvert(),
          "What a level of its own leaves of the squares of the scores of each part.");
    m.def("log_factorial", &log_factorial, nb::arg("n"), "log n!, in nats.");
    m.def("logs_of_spreads", &logs_of_spreads, nb::arg("spreads").noconvert(), nb::arg("n"),
          "(n - 1) / 2 times the logarithm of each sum of the spreads of parts, in nats.");
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
