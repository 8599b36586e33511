#include "partage/groups/coded_groups.hpp"

#include <algorithm>
#include <stdexcept>

#include "partage/support/cells.hpp"

namespace partage {
namespace {

void check(const CodedRows& rows) {
    if (rows.codes.size() != rows.labels.size() ||
        (!rows.weights.empty() && rows.weights.size() != rows.codes.size()))
        throw std::invalid_argument("codes, labels and weights differ in rows");
    for (std::size_t i = 0; i < rows.codes.size(); ++i)
        if (rows.codes[i] >= rows.n_values || rows.labels[i] >= rows.n_classes)
            throw std::invalid_argument("a code is no value, or a label no class");
}

/// The values that rows hold, in the order of their codes, and their classes.
struct Counted {
    Values values;
    std::vector<std::uint32_t> codes;
};

Counted count_classes(const CodedRows& rows) {
    const std::size_t J = rows.n_classes;
    std::vector<double> cells(n_cells_of(rows.n_values, J), 0.0);
    for (std::size_t i = 0; i < rows.codes.size(); ++i)
        cells[rows.codes[i] * J + rows.labels[i]] += rows.weights.empty() ? 1.0 : rows.weights[i];
    Counted out;
    out.values.n_classes = J;
    out.values.starts.push_back(0);
    for (std::size_t v = 0; v < rows.n_values; ++v) {
        for (std::size_t j = 0; j < J; ++j) {
            if (cells[v * J + j] <= 0.0) continue;
            out.values.codes.push_back(static_cast<Code>(j));
            out.values.weights.push_back(cells[v * J + j]);
        }
        const auto end = static_cast<Index>(out.values.codes.size());
        if (end == out.values.starts.back()) continue;
        out.values.starts.push_back(end);
        out.codes.push_back(static_cast<std::uint32_t>(v));
    }
    return out;
}

}  // namespace

CodedGroups group_coded(const CodedRows& rows, const GroupingEntry& method,
                        std::vector<double> parameters, const Stop& stop) {
    check(rows);
    const Counted counted = count_classes(rows);
    CodedGroups out;
    out.group_of.assign(rows.n_values, CodedGroups::absent);
    if (counted.codes.empty()) return out;
    const Limits limits;
    const Grouping found =
        method.run({method, counted.values, limits, stop, std::move(parameters)});
    for (std::size_t i = 0; i < counted.codes.size(); ++i)
        out.group_of[counted.codes[i]] = static_cast<std::int32_t>(found.group_of[i]);
    out.n_groups = found.n_groups;
    if (found.garbage != Grouping::no_garbage) out.garbage = found.garbage;
    out.cost = found.cost;
    out.null_cost = null_cost_of_garbage_groups(counted.values);
    return out;
}

}  // namespace partage
