#include "partage/groups/solve.hpp"

#include <algorithm>

#include "partage/groups/search/divide.hpp"

namespace partage {
namespace {

/// Classes whose shares order the atoms of a start, beside the main direction.
constexpr std::size_t most_orders = 6;
/// Beyond so many atoms, a start joins neighbours first: moves of single atoms follow anyway.
constexpr std::size_t most_blocks = 256;
/// Starts along an order that are improved.
constexpr std::size_t most_ordered = 3;

std::vector<std::size_t> present_classes(const std::vector<double>& totals) {
    std::vector<std::size_t> labels;
    for (std::size_t j = 0; j < totals.size(); ++j)
        if (totals[j] > 0.0) labels.push_back(j);
    return labels;
}

/// Improves groups where their cost is a sum, so that a step is judged by what it changes.
void improve_if_sum(const Atoms& atoms, const PartitionCriterion& criterion, const Limits& limits,
                    const Stop& stop, AtomGroups& groups) {
    if (criterion.growth() != Growth::other) improve(atoms, criterion, limits, stop, groups);
}

/// Several classes. Starts: the optimum along the share of each of the heavier classes and along
/// the main direction, of which the cheapest few; and groups grown in number. Each is improved
/// until nothing helps.
AtomGroups group_many(const Atoms& atoms, const GroupCriterion& judge, const Limits& limits,
                      const Stop& stop) {
    const std::vector<double>& totals = judge.problem().totals;
    const PartitionCriterion& criterion = *judge;
    std::vector<std::size_t> labels = present_classes(totals);
    std::stable_sort(labels.begin(), labels.end(),
                     [&](std::size_t a, std::size_t b) { return totals[a] > totals[b]; });
    labels.resize(std::min(labels.size(), most_orders));
    const bool is_large = atoms.size() > most_blocks;
    std::vector<std::pair<double, AtomGroups>> starts;
    for (std::size_t start = is_large ? labels.size() : 0; start <= labels.size(); ++start) {
        const std::vector<Index> order = start == labels.size()
                                             ? order_by_direction(atoms)
                                             : order_by_share(atoms, labels[start]);
        AtomGroups groups = group_in_order(atoms, order, criterion, limits, stop, most_blocks);
        const double cost = cost_of(atoms, criterion, groups);
        starts.emplace_back(cost, std::move(groups));
    }
    std::ranges::stable_sort(starts, {}, [](const auto& start) { return start.first; });
    starts.resize(std::min(starts.size(), most_ordered));
    if (!limits.needs_units() && criterion.growth() != Growth::other)
        for (AtomGroups& groups : grow_groups(atoms, criterion, limits, stop, labels))
            starts.emplace_back(0.0, std::move(groups));
    AtomGroups best;
    double lowest = infinite;
    for (auto& [cost, groups] : starts) {
        improve_if_sum(atoms, criterion, limits, stop, groups);
        cost = cost_of(atoms, criterion, groups);
        if (!is_lower(cost, lowest)) continue;
        lowest = cost;
        best = std::move(groups);
    }
    return best;
}

}  // namespace

SolvedGroups solve_groups(const Atoms& atoms, const GroupCriterion& criterion, const Limits& limits,
                          const Stop& stop) {
    if (limits.n_parts > atoms.size())
        throw NotPossible("more groups are asked for than there are values");
    const std::vector<std::size_t> labels = present_classes(criterion.problem().totals);
    SolvedGroups solved;
    const bool is_ordered = labels.size() <= 2 && criterion->is_concave() && !limits.needs_units();
    if (atoms.size() <= most_for_subsets && !is_ordered) {
        solved.groups = group_by_subsets(atoms, *criterion, limits, stop);
        solved.is_optimal = true;
    } else if (labels.size() <= 2) {
        solved.groups = group_in_order(atoms, order_by_share(atoms, labels.front()), *criterion,
                                       limits, stop, atoms.size());
        solved.is_optimal = is_ordered;
        if (!is_ordered) improve_if_sum(atoms, *criterion, limits, stop, solved.groups);
    } else {
        solved.groups = group_many(atoms, criterion, limits, stop);
    }
    solved.cost = cost_of(atoms, *criterion, solved.groups);
    return solved;
}

Grouping grouping_of(const SolvedGroups& solved, const std::vector<Index>& atom_of) {
    Grouping grouping;
    grouping.n_groups = solved.groups.n_groups;
    grouping.cost = solved.cost;
    grouping.is_optimal = solved.is_optimal;
    grouping.group_of.reserve(atom_of.size());
    for (const Index atom : atom_of) grouping.group_of.push_back(solved.groups.group_of[atom]);
    return grouping;
}

SolvedGroups improve_groups(const Atoms& atoms, const GroupCriterion& criterion,
                            const Limits& limits, const Stop& stop, AtomGroups groups) {
    improve(atoms, *criterion, limits, stop, groups);
    const double cost = cost_of(atoms, *criterion, groups);
    return {std::move(groups), cost, false};
}

}  // namespace partage
