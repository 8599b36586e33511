#include <algorithm>
#include <cmath>

#include "partage/atoms.hpp"

namespace partage {
namespace {

/// Groups with their rows and costs, so that each step is judged by what it changes.
class GroupImprover {
public:
    GroupImprover(const Atoms& atoms, const SeparableCriterion& criterion, const Limits& limits,
                  const Stop& stop, AtomGroups& groups)
        : atoms_(atoms),
          criterion_(criterion),
          limits_(limits),
          stop_(stop),
          groups_(groups),
          rows_(groups.n_groups, atoms.rows.n_classes()),
          sizes_(groups.n_groups, 0),
          scratch_(atoms.rows.n_classes()) {
        for (std::size_t i = 0; i < atoms.size(); ++i) add(i, groups_.group_of[i], 1.0);
        for (std::size_t k = 0; k < groups.n_groups; ++k) costs_.push_back(part(k));
        double sum = 1.0;
        for (const double cost : costs_) sum += std::abs(cost);
        slack_ = 1e-12 * sum;
    }

    void run() {
        constexpr int most_rounds = 50;
        for (int round = 0; round < most_rounds; ++round) {
            stop_.check();
            bool improved = move_atoms();
            if (limits_.n_parts == 0) {
                improved |= join_groups();
                improved |= split_groups();
            }
            if (!improved) break;
        }
    }

private:
    double part(std::size_t k) const noexcept { return criterion_.part(Row(rows_[k])); }
    std::size_t n_groups() const noexcept { return groups_.n_groups; }
    double structure_change(std::size_t from, std::size_t to) const noexcept {
        return criterion_.structure(to) - criterion_.structure(from);
    }

    void add(std::size_t atom, std::size_t k, double sign) noexcept {
        const Row row = atoms_.rows[atom];
        const std::span<double> sum = rows_[k];
        for (std::size_t j = 0; j < row.size(); ++j) sum[j] = std::max(sum[j] + sign * row[j], 0.0);
        sizes_[k] += sign > 0.0 ? 1 : -1;
    }

    /// Cost of a group with an atom more or less.
    double cost_with(std::size_t atom, std::size_t k, double sign) noexcept {
        const Row row = atoms_.rows[atom];
        const Row sum = rows_[k];
        for (std::size_t j = 0; j < row.size(); ++j)
            scratch_[j] = std::max(sum[j] + sign * row[j], 0.0);
        return criterion_.part(scratch_);
    }

    bool move_atoms() {
        bool moved = false;
        for (std::size_t atom = 0; atom < atoms_.size(); ++atom) {
            if (atom % 4096 == 0) stop_.check();
            const std::size_t from = groups_.group_of[atom];
            const bool empties = sizes_[from] == 1;
            if (empties && limits_.n_parts > 0) continue;
            const double n = weight(atoms_.rows[atom]);
            if (!empties && !limits_.allows(weight(Row(rows_[from])) - n)) continue;
            const double left = empties ? 0.0 : cost_with(atom, from, -1.0);
            double best = costs_[from] - left;
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
            add(atom, from, -1.0);
            add(atom, to, 1.0);
            groups_.group_of[atom] = static_cast<Index>(to);
            costs_[to] = part(to);
            costs_[from] = empties ? 0.0 : part(from);
            if (empties) erase(from);
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
                    const double loss = criterion_.part(scratch_) - costs_[i] - costs_[k] + change;
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
            costs_[a] = part(a);
            erase(b);
            joined = true;
        }
        return joined;
    }

    /// Splits a group in two along the share of one of its classes where that pays.
    bool split_groups() {
        bool split = false;
        for (std::size_t k = 0; k < n_groups() && n_groups() < limits_.most(); ++k) {
            if (sizes_[k] < 2) continue;
            std::vector<Index> members;
            for (std::size_t i = 0; i < atoms_.size(); ++i)
                if (groups_.group_of[i] == k) members.push_back(static_cast<Index>(i));
            split |= split_group(k, members);
        }
        return split;
    }

    bool split_group(std::size_t k, std::vector<Index>& members) {
        const double ceiling = costs_[k] - structure_change(n_groups(), n_groups() + 1) - slack_;
        double best = ceiling;
        std::vector<Index> right;
        for (std::size_t label = 0; label < scratch_.size(); ++label) {
            if (rows_[k][label] == 0.0) continue;
            const auto share = [&](Index i) {
                return atoms_.rows[i][label] / weight(atoms_.rows[i]);
            };
            std::sort(members.begin(), members.end(), [&](Index a, Index b) {
                return share(a) != share(b) ? share(a) < share(b) : a < b;
            });
            std::vector<double> a(scratch_.size(), 0.0);
            std::vector<double> b(rows_[k].begin(), rows_[k].end());
            for (std::size_t at = 0; at + 1 < members.size(); ++at) {
                const Row row = atoms_.rows[members[at]];
                for (std::size_t j = 0; j < row.size(); ++j) {
                    a[j] += row[j];
                    b[j] = std::max(b[j] - row[j], 0.0);
                }
                if (!limits_.allows(weight(a)) || !limits_.allows(weight(b))) continue;
                const double cost = criterion_.part(a) + criterion_.part(b);
                if (!(cost < best)) continue;
                best = cost;
                right.assign(members.begin() + static_cast<std::ptrdiff_t>(at + 1), members.end());
            }
            if (members.size() > 2000 && label > 8) break;
        }
        if (right.empty()) return false;
        const std::size_t made = n_groups();
        rows_.values().resize((made + 1) * scratch_.size(), 0.0);
        sizes_.push_back(0);
        costs_.push_back(0.0);
        ++groups_.n_groups;
        for (const Index i : right) {
            add(i, k, -1.0);
            add(i, made, 1.0);
            groups_.group_of[i] = static_cast<Index>(made);
        }
        costs_[k] = part(k);
        costs_[made] = part(made);
        return true;
    }

    /// Takes an empty group out; the last one takes its number.
    void erase(std::size_t k) {
        const std::size_t last = n_groups() - 1;
        if (k != last) {
            std::copy_n(rows_[last].begin(), scratch_.size(), rows_[k].begin());
            sizes_[k] = sizes_[last];
            costs_[k] = costs_[last];
            for (Index& group : groups_.group_of)
                if (group == last) group = static_cast<Index>(k);
        }
        rows_.values().resize(last * scratch_.size());
        sizes_.pop_back();
        costs_.pop_back();
        --groups_.n_groups;
    }

    const Atoms& atoms_;
    const SeparableCriterion& criterion_;
    const Limits& limits_;
    const Stop& stop_;
    AtomGroups& groups_;
    Rows rows_;
    std::vector<std::int64_t> sizes_;  // atoms of each group
    std::vector<double> costs_;
    std::vector<double> scratch_;
    double slack_;  // rounding, which is no improvement
};

}  // namespace

void improve(const Atoms& atoms, const SeparableCriterion& criterion, const Limits& limits,
             const Stop& stop, AtomGroups& groups) {
    GroupImprover(atoms, criterion, limits, stop, groups).run();
}

}  // namespace partage
