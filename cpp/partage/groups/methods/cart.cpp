#include "partage/groups/atoms.hpp"
#include "partage/groups/grouping.hpp"

namespace partage {
namespace {

/// Gini impurity of a row times its weight.
double impurity(Row row) noexcept {
    double n = 0.0;
    double squares = 0.0;
    for (const double count : row) {
        n += count;
        squares += count * count;
    }
    return n > 0.0 ? n - squares / n : 0.0;
}

/// The best cut of atoms in some order.
struct OrderCut {
    std::vector<Index> order;
    std::size_t at = 0;  ///< atoms before the cut; 0: none is allowed
    double impurity = infinite;
};

OrderCut best_cut(const Atoms& atoms, std::vector<Index> order, const Limits& limits) {
    OrderCut cut{std::move(order)};
    Rows sorted(atoms.size(), atoms.rows.n_classes());
    for (std::size_t i = 0; i < atoms.size(); ++i)
        std::copy_n(atoms.rows[cut.order[i]].begin(), sorted.n_classes(), sorted[i].begin());
    const Cumulative sums(sorted);
    std::vector<double> left(sorted.n_classes());
    std::vector<double> right(sorted.n_classes());
    for (std::size_t at = 1; at < atoms.size(); ++at) {
        sums.row(0, at, left);
        sums.row(at, atoms.size(), right);
        const double cost = impurity(left) + impurity(right);
        if (!limits.allows(weight(left)) || !limits.allows(weight(right))) continue;
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
    OrderCut best;
    for (std::size_t j = 0; j < totals.size(); ++j) {
        task.stop.check();
        if (!(totals[j] > 0.0)) continue;
        OrderCut cut = best_cut(atoms, order_by_share(atoms, j), task.limits);
        if (is_lower(cut.impurity, best.impurity)) best = std::move(cut);
        if (totals.size() == 2) break;
    }
    if (totals.size() > 2) {
        OrderCut cut = best_cut(atoms, order_by_direction(atoms), task.limits);
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

extern const GroupingEntry grouping_cart{
    "cart", "the two groups of least Gini impurity", "modl", 2, {}, group_cart};

}  // namespace partage
