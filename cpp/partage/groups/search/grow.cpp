#include <algorithm>
#include <cmath>

#include "partage/groups/search/divide.hpp"

namespace partage {
namespace {

/// Groups that grow in number by dividing one of them.
class GrowingGroups {
public:
    GrowingGroups(const Atoms& atoms, const PartitionCriterion& criterion, const Limits& limits,
                  const Stop& stop, const std::vector<std::size_t>& labels)
        : atoms_(atoms),
          criterion_(criterion),
          limits_(limits),
          stop_(stop),
          labels_(labels),
          groups_{std::vector<Index>(atoms.size(), 0), 1},
          rows_(0, atoms.rows.width()) {
        sum();
        cost_ = cost_of(atoms, criterion, groups_);
    }

    std::vector<AtomGroups> run() {
        constexpr std::size_t patience = 3;
        AtomGroups best = groups_;
        double lowest = cost_;
        std::size_t n_vain = 0;
        while (groups_.n_groups < std::min(atoms_.size(), limits_.most())) {
            stop_.check();
            if (!divide_best()) break;
            settle_all();
            cost_ = cost_of(atoms_, criterion_, groups_);
            if (is_lower(cost_, lowest)) {
                lowest = cost_;
                best = groups_;
                n_vain = 0;
            }
            // Steps are counted, not groups: settling may undo a division time and again.
            if (n_vain++ > patience) break;
        }
        if (groups_.n_groups == best.n_groups) return {best};
        return {best, groups_};
    }

private:
    void sum() {
        rows_ = Rows(groups_.n_groups, atoms_.rows.width());
        members_.assign(groups_.n_groups, {});
        for (std::size_t i = 0; i < atoms_.size(); ++i) {
            const std::size_t k = groups_.group_of[i];
            members_[k].push_back(static_cast<Index>(i));
            for (std::size_t j = 0; j < rows_.width(); ++j) rows_[k][j] += atoms_.rows[i][j];
        }
    }

    /// What dividing a group gains; known from before where the group has hardly changed.
    struct Gain {
        std::vector<double> row;
        double gain = 0.0;
        Division division;
    };

    bool is_current(std::size_t k) const noexcept {
        if (k >= gains_.size() || gains_[k].row.empty()) return false;
        constexpr double hardly = 0.02;
        double change = 0.0;
        for (std::size_t j = 0; j < rows_.width(); ++j)
            change += std::abs(rows_[k][j] - gains_[k].row[j]);
        return change <= hardly * rows_.weight(k);
    }

    void look(std::size_t k) {
        Gain& gain = gains_[k];
        gain.row.assign(rows_[k].begin(), rows_[k].end());
        gain.division = divide_at_shares(atoms_, criterion_, limits_, members_[k], labels_);
        gain.gain = gain.division.is_possible() ? criterion_.part(rows_.row(k)) - gain.division.cost
                                                : -infinite;
    }

    bool divide_best() {
        gains_.resize(groups_.n_groups);
        for (std::size_t k = 0; k < groups_.n_groups; ++k)
            if (!is_current(k)) look(k);
        const auto best = std::ranges::max_element(gains_, {}, &Gain::gain);
        if (!best->division.is_possible()) return false;
        const auto k = static_cast<std::size_t>(best - gains_.begin());
        const auto has_left = [&](Index i) { return groups_.group_of[i] != k; };
        std::erase_if(best->division.right, has_left);
        const std::vector<Index>& right = best->division.right;
        if (right.empty() || right.size() == members_[k].size()) return false;
        for (const Index i : right) groups_.group_of[i] = static_cast<Index>(groups_.n_groups);
        ++groups_.n_groups;
        best->row.clear();
        sum();
        return true;
    }

    /// All atoms go to the group where their rows are cheapest, in whole passes.
    void settle_all() {
        constexpr int most_passes = 6;
        Rows prices(groups_.n_groups, rows_.width());
        for (int pass = 0; pass < most_passes; ++pass) {
            for (std::size_t k = 0; k < groups_.n_groups; ++k) set_prices(rows_.row(k), prices[k]);
            std::size_t n_moved = 0;
            for (std::size_t i = 0; i < atoms_.size(); ++i) {
                std::size_t to = groups_.group_of[i];
                double lowest = price_of(atoms_.rows[i], prices[to]);
                for (std::size_t k = 0; k < groups_.n_groups; ++k) {
                    const double price = price_of(atoms_.rows[i], prices[k]);
                    if (!(price < lowest)) continue;
                    lowest = price;
                    to = k;
                }
                n_moved += to != groups_.group_of[i];
                groups_.group_of[i] = static_cast<Index>(to);
            }
            if (n_moved == 0) break;
            drop_empty();
            sum();
            if (n_moved * 200 < atoms_.size()) break;
        }
    }

    void drop_empty() {
        std::vector<Index> dense(groups_.n_groups, 0);
        for (const Index group : groups_.group_of) dense[group] = 1;
        Index n_used = 0;
        bool has_empty = false;
        for (Index& place : dense) {
            has_empty |= place == 0;
            place = place ? n_used++ : 0;
        }
        if (!has_empty) return;
        for (Index& group : groups_.group_of) group = dense[group];
        groups_.n_groups = n_used;
        gains_.clear();
    }

    const Atoms& atoms_;
    const PartitionCriterion& criterion_;
    const Limits& limits_;
    const Stop& stop_;
    const std::vector<std::size_t>& labels_;
    AtomGroups groups_;
    Rows rows_;
    std::vector<std::vector<Index>> members_;
    std::vector<Gain> gains_;
    double cost_;
};

}  // namespace

std::vector<AtomGroups> grow_groups(const Atoms& atoms, const PartitionCriterion& criterion,
                                    const Limits& limits, const Stop& stop,
                                    const std::vector<std::size_t>& labels) {
    return GrowingGroups(atoms, criterion, limits, stop, labels).run();
}

}  // namespace partage
