#include "partage/groups/atoms.hpp"
#include "partage/groups/grouping.hpp"
#include "partage/groups/solve.hpp"

namespace partage {
namespace {

/// The best cut of atoms in some order.
struct OrderCut {
    std::vector<Index> order;
    std::size_t at = 0;  ///< atoms before the cut; 0: none is allowed
    double impurity = infinite;
};

OrderCut best_cut(const Atoms& atoms, std::vector<Index> order, const PartitionCriterion& gini,
                  const Limits& limits) {
    OrderCut cut{std::move(order)};
    Rows sorted(atoms.size(), atoms.rows.layout());
    for (std::size_t i = 0; i < atoms.size(); ++i)
        std::copy_n(atoms.rows[cut.order[i]].begin(), sorted.width(), sorted[i].begin());
    const Cumulative sums(sorted);
    std::vector<double> left(sorted.width());
    std::vector<double> right(sorted.width());
    for (std::size_t at = 1; at < atoms.size(); ++at) {
        sums.subtract(0, at, left);
        sums.subtract(at, atoms.size(), right);
        const Row a = sums.layout().row(left);
        const Row b = sums.layout().row(right);
        if (!limits.allows(a.weight) || !limits.allows(b.weight)) continue;
        const double cost = gini.part(a) + gini.part(b);
        if (!is_lower(cost, cut.impurity)) continue;
        cut.at = at;
        cut.impurity = cost;
    }
    return cut;
}

/// CART: the two groups of least Gini impurity. With two classes they are contiguous in the order
/// of class shares (Breiman et al. 1984); with more, the best along the share of each class and
/// along the main direction.
Grouping group_cart(const GroupingTask& task) {
    const Rows rows = block_rows(task.values, unit_blocks(task.values));
    if (is_one_class(task) || rows.size() < 2) return one_group(task.values, task.limits);
    const bool needs_values = task.limits.min_weight > 0.0;
    Atoms atoms = needs_values ? keep_apart(rows) : join_equal_shares(rows);
    if (atoms.size() < 2) atoms = keep_apart(rows);
    const std::vector<double> totals = task.values.totals();
    const GroupCriterion gini(criterion_named("gini"), totals, task.values.n_units());
    OrderCut best;
    for (std::size_t j = 0; j < totals.size(); ++j) {
        task.stop.check();
        if (!(totals[j] > 0.0)) continue;
        OrderCut cut = best_cut(atoms, order_by_share(atoms, j), *gini, task.limits);
        if (is_lower(cut.impurity, best.impurity)) best = std::move(cut);
        if (totals.size() == 2) break;
    }
    if (totals.size() > 2) {
        OrderCut cut = best_cut(atoms, order_by_direction(atoms), *gini, task.limits);
        if (is_lower(cut.impurity, best.impurity)) best = std::move(cut);
    }
    if (best.at == 0) return one_group(task.values, task.limits);
    std::vector<Index> side(atoms.size(), 0);
    for (std::size_t i = best.at; i < atoms.size(); ++i) side[best.order[i]] = 1;
    std::vector<Index> group_of;
    for (const Index atom : atoms.atom_of) group_of.push_back(side[atom]);
    return two_groups(std::move(group_of));
}

}  // namespace

extern const GroupingEntry grouping_cart{.name = "cart",
                                         .meaning = "the two groups of least Gini impurity",
                                         .n_groups = 2,
                                         .run = group_cart};

}  // namespace partage
