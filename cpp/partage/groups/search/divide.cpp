#include "partage/groups/search/divide.hpp"

#include <algorithm>
#include <cmath>

#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

constexpr int most_passes = 8;

/// Rows and prices of both sides of a group.
struct Sides {
    explicit Sides(std::size_t n_classes) : rows(2, n_classes), prices(2, n_classes) {}
    Rows rows;
    Rows prices;
};

void sum_sides(const Atoms& atoms, const std::vector<Index>& members,
               const std::vector<char>& is_right, Sides& sides) {
    std::ranges::fill(sides.rows.values(), 0.0);
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Numbers row = atoms.rows[members[i]];
        const std::span<double> sum = sides.rows[static_cast<std::size_t>(is_right[i])];
        for (std::size_t j = 0; j < row.size(); ++j) sum[j] += row[j];
    }
}

/// Moves atoms between two sides in whole passes.
void settle_sides(const Atoms& atoms, const std::vector<Index>& members,
                  std::vector<char>& is_right, Sides& sides) {
    for (int pass = 0; pass < most_passes; ++pass) {
        for (std::size_t side = 0; side < 2; ++side)
            set_prices(sides.rows.row(side), sides.prices[side]);
        std::size_t n_moved = 0;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Numbers row = atoms.rows[members[i]];
            double difference = 0.0;
            for (std::size_t j = 0; j < row.size(); ++j)
                difference += row[j] * (sides.prices[1][j] - sides.prices[0][j]);
            const char goes = difference < 0.0;
            n_moved += goes != is_right[i];
            is_right[i] = goes;
        }
        if (n_moved == 0) break;
        sum_sides(atoms, members, is_right, sides);
        if (n_moved * 200 < members.size()) break;
    }
}

/// Takes the sides as the division if they are cheaper and allowed.
void consider(const PartitionCriterion& criterion, const Limits& limits,
              const std::vector<Index>& members, const std::vector<char>& is_right,
              const Sides& sides, Division& best) {
    const double left = sides.rows.weight(0);
    const double right = sides.rows.weight(1);
    if (!(left > 0.0 && right > 0.0 && limits.allows(left) && limits.allows(right))) return;
    const double cost = criterion.part(sides.rows.row(0)) + criterion.part(sides.rows.row(1));
    if (!(cost < best.cost)) return;
    best.cost = cost;
    best.right.clear();
    for (std::size_t i = 0; i < members.size(); ++i)
        if (is_right[i]) best.right.push_back(members[i]);
}

}  // namespace

void set_prices(const Row& row, std::span<double> prices) noexcept {
    const double n = row.weight + static_cast<double>(row.sums.size()) - 0.5;
    for (std::size_t j = 0; j < row.sums.size(); ++j)
        prices[j] = portable_log(n / (row.sums[j] + 0.5));
}

Division divide_at_shares(const Atoms& atoms, const PartitionCriterion& criterion,
                          const Limits& limits, const std::vector<Index>& members,
                          const std::vector<std::size_t>& labels) {
    Division best;
    if (members.size() < 2) return best;
    std::vector<double> total(atoms.rows.width(), 0.0);
    for (const Index i : members)
        for (std::size_t j = 0; j < total.size(); ++j) total[j] += atoms.rows[i][j];
    const double n = atoms.rows.layout().weight(total);
    std::vector<char> is_right(members.size());
    Sides sides(total.size());
    for (const std::size_t label : labels) {
        if (total[label] == 0.0 || total[label] == n) continue;
        const double share = total[label] / n;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Numbers row = atoms.rows[members[i]];
            is_right[i] = row[label] > share * atoms.rows.weight(members[i]);
        }
        sum_sides(atoms, members, is_right, sides);
        settle_sides(atoms, members, is_right, sides);
        consider(criterion, limits, members, is_right, sides, best);
    }
    return best;
}

void settle(const Atoms& atoms, const PartitionCriterion& criterion, const Limits& limits,
            const std::vector<Index>& members, Division& division) {
    std::vector<char> is_member_right(atoms.size(), 0);
    for (const Index i : division.right) is_member_right[i] = 1;
    std::vector<char> is_right(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) is_right[i] = is_member_right[members[i]];
    Sides sides(atoms.rows.width());
    sum_sides(atoms, members, is_right, sides);
    settle_sides(atoms, members, is_right, sides);
    consider(criterion, limits, members, is_right, sides, division);
}

}  // namespace partage
