#include <algorithm>
#include <cmath>

#include "partage/groups/search/divide.hpp"

namespace partage {
namespace {

/// Groups with their rows and costs, so that each step is judged by what it changes.
class GroupImprover {
public:
    GroupImprover(const Atoms& atoms, const PartitionCriterion& criterion, const Limits& limits,
                  const Stop& stop, AtomGroups& groups)
        : atoms_(atoms),
          criterion_(criterion),
          limits_(limits),
          stop_(stop),
          groups_(groups),
          rows_(groups.n_groups, atoms.rows.width()),
          prices_(groups.n_groups, atoms.rows.width()),
          slopes_(groups.n_groups, atoms.rows.width()),
          sizes_(groups.n_groups, 0),
          costs_(groups.n_groups, 0.0),
          scratch_(atoms.rows.width()) {
        for (std::size_t i = 0; i < atoms.size(); ++i) add(i, groups_.group_of[i], 1.0);
        for (std::size_t k = 0; k < groups.n_groups; ++k) weigh(k);
        double sum = 1.0;
        for (const double cost : costs_) sum += std::abs(cost);
        slack_ = 1e-12 * sum;
    }

    void run() {
        constexpr int most_rounds = 50;
        for (int round = 0; round < most_rounds; ++round) {
            stop_.check();
            bool improved = move_clear_atoms();
            improved |= move_atoms();
            if (limits_.n_parts == 0) {
                improved |= join_groups();
                if (!improved) improved = split_groups();
            }
            if (!improved) break;
        }
    }

private:
    /// Computes what depends on the row of a group: its cost, and about what one more row of each
    /// class would add to it.
    void weigh(std::size_t k) noexcept {
        costs_[k] = criterion_.part(rows_.row(k));
        set_prices(rows_.row(k), prices_[k]);
        for (std::size_t j = 0; j < scratch_.size(); ++j) slopes_[k][j] = 1.0 / (rows_[k][j] + 0.5);
    }
    std::size_t n_groups() const noexcept { return groups_.n_groups; }
    double structure_change(std::size_t from, std::size_t to) const noexcept {
        return criterion_.structure(to) - criterion_.structure(from);
    }

    void add(std::size_t atom, std::size_t k, double sign) noexcept {
        const Numbers row = atoms_.rows[atom];
        const std::span<double> sum = rows_[k];
        for (std::size_t j = 0; j < row.size(); ++j) sum[j] = std::max(sum[j] + sign * row[j], 0.0);
        sizes_[k] += sign > 0.0 ? 1 : -1;
    }

    /// Cost of a group with an atom more or less.
    double cost_with(std::size_t atom, std::size_t k, double sign) noexcept {
        const Numbers row = atoms_.rows[atom];
        const Numbers sum = rows_[k];
        for (std::size_t j = 0; j < row.size(); ++j)
            scratch_[j] = std::max(sum[j] + sign * row[j], 0.0);
        return criterion_.part(rows_.layout().row(scratch_));
    }

    /// Whether an atom may leave its group, which may then be empty.
    bool may_leave(std::size_t atom) const noexcept {
        const std::size_t from = groups_.group_of[atom];
        if (sizes_[from] == 1) return limits_.n_parts == 0;
        return limits_.allows(rows_.weight(from) - atoms_.rows.weight(atom));
    }

    void move(std::size_t atom, std::size_t to) {
        const std::size_t from = groups_.group_of[atom];
        add(atom, from, -1.0);
        add(atom, to, 1.0);
        groups_.group_of[atom] = static_cast<Index>(to);
        weigh(to);
        if (sizes_[from] == 0)
            erase(from);
        else
            weigh(from);
    }

    /// Moves atoms where the price of their rows already shows that it pays. The cost of a part is
    /// concave: a price is more than what joining adds, and less than what leaving saves.
    bool move_clear_atoms() {
        constexpr int most_passes = 20;
        constexpr std::size_t enough = 64;  // atoms for which this saves anything
        if (atoms_.size() < enough) return false;
        bool moved = false;
        for (int pass = 0; pass < most_passes; ++pass) {
            stop_.check();
            std::size_t n_moved = 0;
            for (std::size_t atom = 0; atom < atoms_.size(); ++atom) n_moved += move_if_clear(atom);
            moved |= n_moved > 0;
            if (n_moved * 1000 < atoms_.size()) break;
        }
        return moved;
    }

    bool move_if_clear(std::size_t atom) {
        const Numbers row = atoms_.rows[atom];
        const std::size_t from = groups_.group_of[atom];
        std::size_t to = from;
        double lowest = infinite;
        double own = 0.0;
        for (std::size_t k = 0; k < n_groups(); ++k) {
            const double price = price_of(row, prices_[k]);
            if (k == from) own = price;
            if (price < lowest) {
                lowest = price;
                to = k;
            }
        }
        if (to == from || sizes_[from] == 1 || !(lowest < own - slack_) || !may_leave(atom))
            return false;
        const double saved = costs_[from] - cost_with(atom, from, -1.0);
        if (!(cost_with(atom, to, 1.0) - costs_[to] < saved - slack_)) return false;
        move(atom, to);
        return true;
    }

    /// Most that leaving its group can save an atom: its price at the group without it.
    double most_saved(std::size_t atom) const noexcept {
        const Numbers row = atoms_.rows[atom];
        const std::size_t from = groups_.group_of[atom];
        double saved = price_of(row, prices_[from]);
        for (std::size_t j = 0; j < row.size(); ++j)
            saved += row[j] * row[j] / (std::max(rows_[from][j] - row[j], 0.0) + 0.5);
        return saved;
    }

    /// Least that an atom can add to a group: its price at the group with it.
    double least_added(std::size_t atom, std::size_t k) const noexcept {
        const Numbers row = atoms_.rows[atom];
        double added = 0.0;
        for (std::size_t j = 0; j < row.size(); ++j)
            added += row[j] * (prices_[k][j] - row[j] * slopes_[k][j]);
        return added;
    }

    bool may_gain(std::size_t atom) const noexcept {
        const double saved = most_saved(atom);
        for (std::size_t k = 0; k < n_groups(); ++k)
            if (k != groups_.group_of[atom] && least_added(atom, k) < saved) return true;
        return false;
    }

    bool move_atoms() {
        bool moved = false;
        for (std::size_t atom = 0; atom < atoms_.size(); ++atom) {
            if (atom % 4096 == 0) stop_.check();
            if (!may_leave(atom)) continue;
            const std::size_t from = groups_.group_of[atom];
            const bool empties = sizes_[from] == 1;
            if (!empties && criterion_.is_code_length() && !may_gain(atom)) continue;
            double best = costs_[from] - (empties ? 0.0 : cost_with(atom, from, -1.0));
            if (empties) best -= structure_change(n_groups(), n_groups() - 1);
            std::size_t to = from;
            for (std::size_t k = 0; k < n_groups(); ++k) {
                if (k == from) continue;
                const double growth = cost_with(atom, k, 1.0) - costs_[k];
                if (!(growth < best - slack_)) continue;
                best = growth;
                to = k;
            }
            if (to == from) continue;
            move(atom, to);
            moved = true;
        }
        return moved;
    }

    bool join_groups() {
        bool joined = false;
        while (n_groups() > 1) {
            const double change = structure_change(n_groups(), n_groups() - 1);
            double lowest = slack_;
            std::size_t a = 0;
            std::size_t b = 0;
            for (std::size_t i = 0; i < n_groups(); ++i) {
                for (std::size_t k = i + 1; k < n_groups(); ++k) {
                    for (std::size_t j = 0; j < scratch_.size(); ++j)
                        scratch_[j] = rows_[i][j] + rows_[k][j];
                    const double loss = criterion_.part(rows_.layout().row(scratch_)) - costs_[i] -
                                        costs_[k] + change;
                    if (!(loss < lowest)) continue;
                    lowest = loss;
                    a = i;
                    b = k;
                }
            }
            if (a == b) break;
            for (std::size_t i = 0; i < atoms_.size(); ++i) {
                if (groups_.group_of[i] != b) continue;
                add(i, b, -1.0);
                add(i, a, 1.0);
                groups_.group_of[i] = static_cast<Index>(a);
            }
            weigh(a);
            erase(b);
            joined = true;
        }
        return joined;
    }

    /// Splits groups in two where that pays.
    bool split_groups() {
        constexpr std::size_t few = 512;  // atoms whose splits are all looked at
        const std::vector<std::size_t> labels = labels_to_try();
        std::vector<std::vector<Index>> members(n_groups());
        for (std::size_t i = 0; i < atoms_.size(); ++i)
            members[groups_.group_of[i]].push_back(static_cast<Index>(i));
        bool split = false;
        for (std::size_t k = 0; k < members.size() && n_groups() < limits_.most(); ++k) {
            stop_.check();
            const Division found =
                members[k].size() > few
                    ? divide_at_shares(atoms_, criterion_, limits_, members[k], labels)
                    : best_split(k, members[k], labels);
            const double change = structure_change(n_groups(), n_groups() + 1);
            if (!found.is_possible() || !(found.cost + change < costs_[k] - slack_)) continue;
            apply(k, found.right);
            split = true;
        }
        return split;
    }

    /// The best split along the share of a class, its sides settled.
    Division best_split(std::size_t k, std::vector<Index>& members,
                        const std::vector<std::size_t>& labels) {
        Division best{costs_[k], {}};
        std::vector<double> shares(atoms_.size());
        for (const std::size_t label : labels) {
            if (rows_[k][label] == 0.0) continue;
            for (const Index i : members) shares[i] = atoms_.rows[i][label] / atoms_.rows.weight(i);
            std::ranges::sort(members, [&](Index a, Index b) {
                return shares[a] != shares[b] ? shares[a] < shares[b] : a < b;
            });
            look_at_splits(k, members, best);
        }
        if (best.is_possible()) settle(atoms_, criterion_, limits_, members, best);
        return best;
    }

    /// Classes along whose shares groups are split: all, or the heaviest where atoms are many.
    std::vector<std::size_t> labels_to_try() const {
        constexpr std::size_t many = 2000;
        constexpr std::size_t most_labels = 8;
        std::vector<double> totals(scratch_.size(), 0.0);
        for (std::size_t k = 0; k < n_groups(); ++k)
            for (std::size_t j = 0; j < totals.size(); ++j) totals[j] += rows_[k][j];
        std::vector<std::size_t> labels;
        for (std::size_t j = 0; j < totals.size(); ++j)
            if (totals[j] > 0.0) labels.push_back(j);
        if (atoms_.size() <= many || labels.size() <= most_labels) return labels;
        std::stable_sort(labels.begin(), labels.end(),
                         [&](std::size_t a, std::size_t b) { return totals[a] > totals[b]; });
        labels.resize(most_labels);
        return labels;
    }

    /// Looks at the divisions of a group, whose atoms are given in some order, in two.
    void look_at_splits(std::size_t k, const std::vector<Index>& members, Division& best) {
        std::vector<double> a(scratch_.size(), 0.0);
        std::vector<double> b(rows_[k].begin(), rows_[k].end());
        std::size_t at_best = 0;
        for (std::size_t at = 0; at + 1 < members.size(); ++at) {
            const Numbers row = atoms_.rows[members[at]];
            for (std::size_t j = 0; j < row.size(); ++j) {
                a[j] += row[j];
                b[j] = std::max(b[j] - row[j], 0.0);
            }
            const Row left = rows_.layout().row(a);
            const Row right = rows_.layout().row(b);
            if (!limits_.allows(left.weight) || !limits_.allows(right.weight)) continue;
            const double cost = criterion_.part(left) + criterion_.part(right);
            if (!(cost < best.cost)) continue;
            best.cost = cost;
            at_best = at + 1;
        }
        if (at_best > 0)
            best.right.assign(members.begin() + static_cast<std::ptrdiff_t>(at_best),
                              members.end());
    }

    /// Puts some atoms of a group into a new one.
    void apply(std::size_t k, const std::vector<Index>& right) {
        const std::size_t made = n_groups();
        rows_.values().resize((made + 1) * scratch_.size(), 0.0);
        prices_.values().resize((made + 1) * scratch_.size(), 0.0);
        slopes_.values().resize((made + 1) * scratch_.size(), 0.0);
        sizes_.push_back(0);
        costs_.push_back(0.0);
        ++groups_.n_groups;
        for (const Index i : right) {
            add(i, k, -1.0);
            add(i, made, 1.0);
            groups_.group_of[i] = static_cast<Index>(made);
        }
        weigh(k);
        weigh(made);
    }

    /// Takes an empty group out; the last one takes its number.
    void erase(std::size_t k) {
        const std::size_t last = n_groups() - 1;
        if (k != last) {
            std::copy_n(rows_[last].begin(), scratch_.size(), rows_[k].begin());
            std::copy_n(prices_[last].begin(), scratch_.size(), prices_[k].begin());
            std::copy_n(slopes_[last].begin(), scratch_.size(), slopes_[k].begin());
            sizes_[k] = sizes_[last];
            costs_[k] = costs_[last];
            for (Index& group : groups_.group_of)
                if (group == last) group = static_cast<Index>(k);
        }
        rows_.values().resize(last * scratch_.size());
        prices_.values().resize(last * scratch_.size());
        slopes_.values().resize(last * scratch_.size());
        sizes_.pop_back();
        costs_.pop_back();
        --groups_.n_groups;
    }

    const Atoms& atoms_;
    const PartitionCriterion& criterion_;
    const Limits& limits_;
    const Stop& stop_;
    AtomGroups& groups_;
    Rows rows_;
    Rows prices_;
    Rows slopes_;                      // how fast the prices fall as rows come in
    std::vector<std::int64_t> sizes_;  // atoms of each group
    std::vector<double> costs_;
    std::vector<double> scratch_;
    double slack_;  // rounding, which is no improvement
};

}  // namespace

void improve(const Atoms& atoms, const PartitionCriterion& criterion, const Limits& limits,
             const Stop& stop, AtomGroups& groups) {
    GroupImprover(atoms, criterion, limits, stop, groups).run();
}

}  // namespace partage
