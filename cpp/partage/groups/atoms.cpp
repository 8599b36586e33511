#include "partage/groups/atoms.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <unordered_map>

#include "partage/search/program/program.hpp"

namespace partage {
namespace {

/// The class shares of a row as text of bytes: counts divided by their greatest common divisor
/// where they are whole, so that equal shares have equal keys; real weights by the row itself.
std::string share_key(Numbers row) {
    std::uint64_t divisor = 0;
    for (const double count : row) {
        if (count != std::floor(count) || count > 0x1p53) {
            divisor = 0;
            break;
        }
        divisor = std::gcd(divisor, static_cast<std::uint64_t>(count));
    }
    std::string key;
    for (std::size_t j = 0; j < row.size(); ++j) {
        if (row[j] == 0.0) continue;
        const double share = divisor > 0 ? row[j] / static_cast<double>(divisor) : row[j];
        const auto label = static_cast<Code>(j);
        key.append(reinterpret_cast<const char*>(&label), sizeof label);
        key.append(reinterpret_cast<const char*>(&share), sizeof share);
    }
    return key;
}

/// Atoms in an order, joined with their neighbours to blocks of about equal weight, or left alone
/// where there are no more than `most`: the place of each block's first atom, then their number.
std::vector<std::size_t> join_neighbours(const Atoms& atoms, const std::vector<Index>& order,
                                         std::size_t most) {
    std::vector<std::size_t> blocks;
    double total = 0.0;
    if (order.size() > most)
        for (std::size_t i = 0; i < order.size(); ++i) total += atoms.rows.weight(i);
    const double enough = total / static_cast<double>(most);
    double open = enough;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double n = atoms.rows.weight(order[i]);
        if (open >= enough || n >= enough) {
            blocks.push_back(i);
            open = 0.0;
        }
        open += n;
    }
    blocks.push_back(order.size());
    return blocks;
}

}  // namespace

Atoms join_equal_shares(const Rows& values) {
    std::unordered_map<std::string, Index> known;
    Atoms atoms{Rows(0, values.layout()), {}};
    std::vector<double>& rows = atoms.rows.values();
    atoms.atom_of.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Numbers row = values[i];
        const auto [place, is_new] =
            known.try_emplace(share_key(row), static_cast<Index>(known.size()));
        if (is_new) rows.resize(rows.size() + values.width(), 0.0);
        double* sum = rows.data() + place->second * values.width();
        for (std::size_t j = 0; j < row.size(); ++j) sum[j] += row[j];
        atoms.atom_of.push_back(place->second);
    }
    return atoms;
}

Atoms keep_apart(Rows values) {
    std::vector<Index> own(values.size());
    std::iota(own.begin(), own.end(), Index{0});
    return {std::move(values), std::move(own)};
}

Atoms atoms_of(const Line& values, std::size_t least) {
    Rows rows = block_rows(values, unit_blocks(values));
    Atoms atoms = join_equal_shares(rows);
    return atoms.size() < least ? keep_apart(std::move(rows)) : atoms;
}

AtomGroups group_in_order(const Atoms& atoms, const std::vector<Index>& order,
                          const PartitionCriterion& criterion, const Limits& limits,
                          const Stop& stop, std::size_t most_blocks) {
    most_blocks = std::max(most_blocks, 4 * limits.least());
    const std::vector<std::size_t> blocks = join_neighbours(atoms, order, most_blocks);
    Rows rows(blocks.size() - 1, atoms.rows.layout());
    for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
        const std::span<double> sum = rows[b];
        for (std::size_t i = blocks[b]; i < blocks[b + 1]; ++i) add(atoms.rows[order[i]], sum);
    }
    const Program found = best_partition(criterion, Cumulative(rows), limits, stop);
    AtomGroups groups{std::vector<Index>(order.size()), found.starts.size() - 1, found.floor,
                      found.price};
    for (std::size_t k = 0; k < groups.n_groups; ++k)
        for (std::size_t i = blocks[found.starts[k]]; i < blocks[found.starts[k + 1]]; ++i)
            groups.group_of[order[i]] = static_cast<Index>(k);
    return groups;
}

AtomGroups group_by_subsets(const Atoms& atoms, const PartitionCriterion& criterion,
                            const Limits& limits, const Stop& stop) {
    const std::size_t n = atoms.size();
    const std::size_t n_sets = std::size_t{1} << n;
    // Cost of each set as one group; sums build on the set without its lowest atom.
    Rows sums(n_sets, atoms.rows.layout());
    std::vector<double> part(n_sets, infinite);
    for (std::size_t set = 1; set < n_sets; ++set) {
        const auto lowest = static_cast<std::size_t>(std::countr_zero(set));
        const Numbers rest = sums[set & (set - 1)];
        const Numbers atom = atoms.rows[lowest];
        const std::span<double> sum = sums[set];
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = rest[j] + atom[j];
        const Row row = sums.row(set);
        if (limits.allows(row.weight) || (set + 1 == n_sets && limits.least() == 1))
            part[set] = criterion.part(row);
    }
    const std::size_t most = std::min(n, limits.most());
    std::vector<std::vector<double>> lowest(most + 1, std::vector<double>(n_sets, infinite));
    std::vector<std::vector<Index>> taken(most + 1, std::vector<Index>(n_sets, 0));
    lowest[0][0] = 0.0;
    double best = infinite;
    std::size_t best_k = 0;
    for (std::size_t k = 1; k <= most; ++k) {
        stop.check();
        for (std::size_t set = 1; set < n_sets; ++set) {
            const std::size_t first = set & (~set + 1);
            const std::size_t rest = set ^ first;
            for (std::size_t other = rest;; other = (other - 1) & rest) {
                const double value = part[first | other] + lowest[k - 1][rest ^ other];
                if (value < lowest[k][set]) {
                    lowest[k][set] = value;
                    taken[k][set] = static_cast<Index>(first | other);
                }
                if (other == 0) break;
            }
        }
        if (k < limits.least() || lowest[k][n_sets - 1] == infinite) continue;
        const double cost = criterion.total(k, lowest[k][n_sets - 1]);
        if (is_lower(cost, best)) {
            best = cost;
            best_k = k;
        }
    }
    if (best_k == 0) throw NotPossible("no grouping satisfies the limits");
    AtomGroups groups{std::vector<Index>(n), best_k, -infinite, 0.0};
    std::size_t set = n_sets - 1;
    for (std::size_t k = best_k; k > 0; --k) {
        const std::size_t part_set = taken[k][set];
        for (std::size_t i = 0; i < n; ++i)
            if ((part_set >> i) & 1) groups.group_of[i] = static_cast<Index>(k - 1);
        set ^= part_set;
    }
    return groups;
}

double cost_of(const Atoms& atoms, const PartitionCriterion& criterion, const AtomGroups& groups) {
    Rows rows(groups.n_groups, atoms.rows.layout());
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        add(atoms.rows[i], rows[groups.group_of[i]]);
    }
    double parts = 0.0;
    for (std::size_t k = 0; k < rows.size(); ++k) parts += criterion.part(rows.row(k));
    return criterion.total(groups.n_groups, parts);
}

std::vector<Index> order_by_share(const Atoms& atoms, std::size_t label) {
    std::vector<double> shares(atoms.size());
    for (std::size_t i = 0; i < atoms.size(); ++i)
        shares[i] = atoms.rows[i][label] / atoms.rows.weight(i);
    std::vector<Index> order(atoms.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        if (shares[a] != shares[b]) return shares[a] < shares[b];
        const Numbers left = atoms.rows[a];
        const Numbers right = atoms.rows[b];
        return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
    });
    return order;
}

std::vector<Index> order_by_direction(const Atoms& atoms) {
    const std::size_t n_classes = atoms.rows.width();
    std::vector<double> mean(n_classes, 0.0);
    double total = 0.0;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        for (std::size_t j = 0; j < n_classes; ++j) mean[j] += atoms.rows[i][j];
        total += atoms.rows.weight(i);
    }
    for (double& m : mean) m /= total;
    // A few rounds of the power method on the weighted covariance of the shares.
    std::vector<double> direction(n_classes);
    for (std::size_t j = 0; j < n_classes; ++j)
        direction[j] = 1.0 + static_cast<double>(j) / static_cast<double>(n_classes);
    std::vector<double> score(atoms.size());
    for (int round = 0; round < 12; ++round) {
        std::vector<double> next(n_classes, 0.0);
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            const Numbers row = atoms.rows[i];
            const double n = atoms.rows.weight(i);
            score[i] = 0.0;
            for (std::size_t j = 0; j < n_classes; ++j)
                score[i] += (row[j] / n - mean[j]) * direction[j];
            for (std::size_t j = 0; j < n_classes; ++j)
                next[j] += n * score[i] * (row[j] / n - mean[j]);
        }
        double norm = 0.0;
        for (const double x : next) norm += x * x;
        if (!(norm > 0.0)) break;
        for (std::size_t j = 0; j < n_classes; ++j) direction[j] = next[j] / std::sqrt(norm);
    }
    std::vector<Index> order(atoms.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return score[a] != score[b] ? score[a] < score[b] : a < b; });
    return order;
}

}  // namespace partage
