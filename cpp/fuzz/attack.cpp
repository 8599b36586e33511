#include "attack.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "partage/graphs/agglomerate.hpp"
#include "partage/graphs/bipartition.hpp"
#include "partage/graphs/proximity.hpp"
#include "partage/grids/solve.hpp"
#include "partage/groups/grouping.hpp"
#include "partage/search/task.hpp"

namespace partage::fuzz {
namespace {

const Stop no_stop;

/// A promise that must hold for every input: a finding if it does not.
void must(bool holds) {
    if (!holds) std::abort();
}

Line read_line(Bytes& bytes) {
    Line line;
    line.n_classes = 1 + bytes.below(5);
    const bool is_weighted = bytes.chance();
    const std::size_t n_units = 1 + bytes.below(60);
    for (std::size_t unit = 0; unit < n_units; ++unit) {
        line.starts.push_back(static_cast<Index>(line.codes.size()));
        std::vector<std::size_t> codes(1 + bytes.below(3));
        for (std::size_t& code : codes) code = bytes.below(line.n_classes);
        std::ranges::sort(codes);
        for (const std::size_t code : codes) {
            line.codes.push_back(static_cast<Code>(code));
            if (is_weighted) line.weights.push_back(bytes.weight());
        }
    }
    line.starts.push_back(static_cast<Index>(line.codes.size()));
    return line;
}

Limits read_limits(Bytes& bytes, const Line& line, bool on_a_line) {
    Limits limits;
    switch (bytes.below(6)) {
        case 1:
            limits.n_parts = 1 + bytes.below(line.n_units() + 2);
            break;
        case 2:
            limits.max_parts = 1 + bytes.below(8);
            break;
        case 3:
            limits.min_weight = static_cast<double>(bytes.below(40));
            break;
        case 4:
            limits.max_parts = 2, limits.min_weight = 3.0;
            break;
        case 5:
            for (std::size_t j = 0; j < line.n_classes; ++j)
                limits.min_counts.push_back(static_cast<double>(bytes.below(3)));
            break;
        default:
            break;
    }
    if (!on_a_line || !bytes.chance()) return limits;
    limits.trend = static_cast<Trend>(bytes.below(6));
    if (limits.trend == Trend::free) return limits;
    for (std::size_t j = 0; j < line.n_classes; ++j)
        limits.class_scores.push_back(static_cast<double>(bytes.below(3)));
    return limits;
}

std::vector<double> fallbacks_of(std::span<const Parameter> parameters) {
    std::vector<double> values;
    for (const Parameter& parameter : parameters) values.push_back(parameter.fallback);
    return values;
}

void check_parts(const Rows& counts, const Limits& limits) {
    must(counts.size() >= limits.least() && counts.size() <= limits.most());
    for (std::size_t k = 0; k < counts.size() && counts.size() > 1; ++k)
        must(limits.allows(Row(counts.row(k))));
}

/// Every search of one criterion: parts that obey the limits, and none below a proven optimum.
void attack_searches(Bytes& bytes) {
    const CriterionEntry& entry = *criteria()[bytes.below(criteria().size())];
    const Line line = read_line(bytes);
    if (entry.reads != line.layout().reads) return;
    const Limits limits = read_limits(bytes, line, true);
    if (entry.needs_size && limits.most() > line.n_units()) return;
    const Problem problem(line.totals());
    const AnyCriterion criterion = entry.make(problem, fallbacks_of(entry.parameters));
    const Task task{line, problem, entry, criterion, limits, no_stop};
    const bool has_cost = std::holds_alternative<std::unique_ptr<PartitionCriterion>>(criterion);
    double optimum = -infinite;
    double lowest = infinite;
    for (const std::string_view search : entry.searches) {
        const bool is_program = search == "exact" || search == "auto" || search == "coarse";
        if (!is_program && !limits.is_plain()) continue;  // these obey sizes only
        try {
            check_limits(task);
            const Found found = search_named(search).run(task);
            must(!found.starts.empty() && found.starts[0] == 0);
            must(found.starts.back() == line.n_units());
            must(std::ranges::adjacent_find(found.starts, std::greater_equal<>()) ==
                 found.starts.end());
            check_parts(block_rows(line, found.starts), limits);
            if (!has_cost) continue;
            const double cost = partition_cost(line, task.partition_criterion(), found.starts);
            lowest = std::min(lowest, cost);
            if (found.is_optimal) optimum = std::max(optimum, cost);
        } catch (const NotPossible&) {
            continue;
        }
    }
    must(optimum == -infinite || !is_lower(lowest, optimum));
}

/// Every method for groups: each value in a group, no group empty, limits obeyed.
void attack_groups(Bytes& bytes) {
    const GroupingEntry& entry = *groupings()[bytes.below(groupings().size())];
    const Line values = read_line(bytes);
    const Limits limits = read_limits(bytes, values, false);
    try {
        const Grouping found =
            entry.run({entry, values, limits, no_stop, fallbacks_of(entry.parameters)});
        must(found.group_of.size() == values.n_units() && found.n_groups > 0);
        Rows counts(found.n_groups, values.n_classes);
        std::vector<bool> is_used(found.n_groups, false);
        for (std::size_t value = 0; value < values.n_units(); ++value) {
            must(found.group_of[value] < found.n_groups);
            is_used[found.group_of[value]] = true;
            values.add(values.starts[value], values.starts[value + 1],
                       counts[found.group_of[value]]);
        }
        must(std::ranges::find(is_used, false) == is_used.end());
        if (entry.n_groups == 0) check_parts(counts, limits);
    } catch (const NotPossible&) {
        return;
    }
}

/// The axes of a grid in any order: each value in a part, and never dearer than one cell.
void attack_grids(Bytes& bytes) {
    const std::size_t n_rows = 1 + bytes.below(60);
    std::array<std::vector<Index>, 2> codes;
    GridRows rows;
    for (std::vector<Index>& column : codes) {
        const std::size_t n_values = 1 + bytes.below(std::min<std::size_t>(n_rows, 9));
        const std::size_t n_aside = bytes.below(2);
        const bool is_ordered = bytes.chance();
        for (std::size_t i = 0; i < n_rows; ++i)
            column.push_back(
                static_cast<Index>(i < n_values ? i : bytes.below(n_values + n_aside)));
        rows.columns.push_back({column, n_values, n_aside, is_ordered});
    }
    std::vector<Code> labels;
    std::vector<double> weights;
    if (bytes.chance()) {
        rows.n_classes = 1 + bytes.below(4);
        for (std::size_t i = 0; i < n_rows; ++i)
            labels.push_back(static_cast<Code>(bytes.below(rows.n_classes)));
        rows.labels = labels;
    }
    if (bytes.chance()) {
        for (std::size_t i = 0; i < n_rows; ++i) weights.push_back(bytes.weight());
        rows.weights = weights;
    }
    GridQuestion question{rows};
    question.method = bytes.chance() ? GridMethod::modl : GridMethod::khiops11;
    if (bytes.chance()) question.max_parts = {1 + bytes.below(3), 1 + bytes.below(3)};
    const GridAnswer one = solve_grid(question, Workers{no_stop, 1, nullptr});
    const GridAnswer two = solve_grid(question, Workers{no_stop, 2, nullptr});
    must(one.grid.cost == two.grid.cost);
    const bool is_whole = rows.columns[0].n_aside + rows.columns[1].n_aside == 0;
    // Values set aside have their price, and sums over cells of huge weights round.
    must(!is_whole || one.grid.cost <= one.null_cost * (1.0 + 1e-7) + 1e-9);
    for (std::size_t a = 0; a < 2; ++a) {
        const ValueParts& parts = one.grid.axes[a];
        must(parts.part_of == two.grid.axes[a].part_of);
        must(parts.part_of.size() == rows.columns[a].n_values);
        must(question.max_parts.empty() || parts.n_parts <= question.max_parts[a]);
        must(!rows.columns[a].is_ordered || std::ranges::is_sorted(parts.part_of));
        must(*std::ranges::max_element(parts.part_of) < parts.n_parts);
    }
}

/// Graphs of whole points, parts of their objects: the same on any number of threads.
void attack_graphs(Bytes& bytes) {
    const std::size_t n_columns = 1 + bytes.below(4);
    std::set<std::vector<double>> points;
    const std::size_t n_points = 2 + bytes.below(40);
    for (std::size_t p = 0; p < n_points; ++p) {
        std::vector<double> point(n_columns);
        for (double& x : point) x = static_cast<double>(bytes.below(16));
        points.insert(point);
    }
    std::vector<double> rows;
    for (const std::vector<double>& point : points)
        rows.insert(rows.end(), point.begin(), point.end());
    const Cloud cloud{rows, n_columns, 0.0};
    const Workers one{no_stop, 1, nullptr};
    const Workers two{no_stop, 2, nullptr};
    const Graph graph = gabriel_graph(cloud, one);
    must(graph.neighbours == gabriel_graph(cloud, two).neighbours);
    for (const Point p : relative_neighbours(cloud, one).neighbours) must(p < points.size());
    std::vector<std::uint32_t> starts(points.size() + 1);
    std::iota(starts.begin(), starts.end(), 0U);
    const std::size_t n_classes = 1 + bytes.below(4);
    std::vector<std::uint32_t> classes;
    for (std::size_t p = 0; p < points.size(); ++p)
        classes.push_back(static_cast<std::uint32_t>(bytes.below(n_classes)));
    const Objects objects{graph, starts, classes, n_classes};
    const Balls balls = find_all_balls(objects, {}, one);
    const Bipartition halves = split_recursively(objects, balls, {}, one);
    must(halves.leaf_of == split_recursively(objects, balls, {}, two).leaf_of);
    must(halves.leaf_of.size() == classes.size());
    must(agglomerate(objects, balls, {}, one).size() == classes.size());
}

}  // namespace

void attack(std::span<const std::uint8_t> input) {
    Bytes bytes(input);
    constexpr void (*attacks[])(Bytes&) = {attack_searches, attack_groups, attack_grids,
                                           attack_graphs};
    attacks[bytes.below(4)](bytes);
}

}  // namespace partage::fuzz
