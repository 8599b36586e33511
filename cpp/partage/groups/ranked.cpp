#include "partage/groups/ranked.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace partage {
namespace {

/// Numbers rows in the order in which they first come; equal rows have one number.
class RowNumbers {
public:
    explicit RowNumbers(std::size_t n_classes) : rows_(0, n_classes), slots_(1024, none) {}

    Index number(Numbers row) {
        if (2 * rows_.size() >= slots_.size()) grow();
        std::size_t slot = slot_of(row);
        while (slots_[slot] != none) {
            if (std::ranges::equal(rows_[slots_[slot]], row)) return slots_[slot];
            slot = (slot + 1) & (slots_.size() - 1);
        }
        const auto number = static_cast<Index>(rows_.size());
        slots_[slot] = number;
        rows_.values().insert(rows_.values().end(), row.begin(), row.end());
        return number;
    }

    const Rows& rows() const noexcept { return rows_; }

private:
    static constexpr Index none = std::numeric_limits<Index>::max();

    std::size_t slot_of(Numbers row) const noexcept {
        std::uint64_t hash = 0;
        for (const double value : row) {
            hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
        }
        return static_cast<std::size_t>(hash) & (slots_.size() - 1);
    }

    void grow() {
        slots_.assign(2 * slots_.size(), none);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            std::size_t slot = slot_of(rows_[i]);
            while (slots_[slot] != none) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<Index>(i);
        }
    }

    Rows rows_;
    std::vector<Index> slots_;
};

/// Numbers kinds by their class shares. Equal fractions give equal quotients; different ones do
/// too only beyond 2^26 rows a value, where joining them costs nothing that doubles could show.
void number_shares(RankedValues& values) {
    RowNumbers shares(values.n_classes());
    std::vector<double> share(values.n_classes());
    values.share_of.reserve(values.n_kinds());
    for (std::size_t i = 0; i < values.n_kinds(); ++i) {
        const Numbers row = values.rows[i];
        for (std::size_t j = 0; j < share.size(); ++j) share[j] = row[j] / values.frequencies[i];
        values.share_of.push_back(shares.number(share));
    }
    values.n_shares = shares.rows().size();
}

}  // namespace

RankedValues rank_values(const Line& values, bool apart) {
    const std::size_t n_classes = values.n_classes;
    const std::size_t n_values = values.n_units();
    RowNumbers known(n_classes);
    Rows own(apart ? n_values : 0, n_classes);
    std::vector<Index> number_of(n_values);
    std::vector<double> row(n_classes);
    for (std::size_t i = 0; i < n_values; ++i) {
        std::fill(row.begin(), row.end(), 0.0);
        values.add(values.starts[i], values.starts[i + 1], row);
        if (apart) std::ranges::copy(row, own[i].begin());
        number_of[i] = apart ? static_cast<Index>(i) : known.number(row);
    }
    const Rows& rows = apart ? own : known.rows();
    std::vector<double> frequencies(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) frequencies[i] = rows.weight(i);
    std::vector<Index> order(rows.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        if (frequencies[a] != frequencies[b]) return frequencies[a] < frequencies[b];
        const auto difference = std::lexicographical_compare_three_way(
            rows[a].begin(), rows[a].end(), rows[b].begin(), rows[b].end());
        return difference != 0 ? difference < 0 : a < b;
    });
    RankedValues ranked{Rows(rows.size(), n_classes),
                        std::vector<double>(rows.size()),
                        std::vector<Index>(rows.size(), 0),
                        std::vector<Index>(n_values),
                        {}};
    std::vector<Index> place(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = static_cast<Index>(i);
        ranked.frequencies[i] = frequencies[order[i]];
        std::ranges::copy(rows[order[i]], ranked.rows[i].begin());
    }
    for (std::size_t i = 0; i < n_values; ++i) {
        ranked.kind_of[i] = place[number_of[i]];
        ++ranked.n_values[ranked.kind_of[i]];
    }
    if (apart) {
        ranked.share_of.resize(n_values);
        std::iota(ranked.share_of.begin(), ranked.share_of.end(), Index{0});
        ranked.n_shares = n_values;
    } else {
        number_shares(ranked);
    }
    return ranked;
}

Atoms pool_below(const RankedValues& values, std::size_t first) {
    constexpr Index none = std::numeric_limits<Index>::max();
    std::vector<Index> atom_of_share(values.n_shares, none);
    std::vector<Index> atom_of(values.n_kinds());
    Index n_atoms = 0;
    for (std::size_t i = first; i < values.n_kinds(); ++i) {
        Index& atom = atom_of_share[values.share_of[i]];
        if (atom == none) atom = n_atoms++;
        atom_of[i] = atom;
    }
    std::fill_n(atom_of.begin(), first, n_atoms);
    Atoms atoms{Rows(n_atoms + (first > 0), values.n_classes()), std::move(atom_of)};
    for (std::size_t i = 0; i < values.n_kinds(); ++i) values.add(i, atoms.rows[atoms.atom_of[i]]);
    return atoms;
}

}  // namespace partage
