#pragma once

#include <vector>

#include "partage/groups/atoms.hpp"

namespace partage {

/// Values of a category from the rarest to the most frequent. Values of equal class counts are one
/// kind, so that a hundred thousand rare values are a few hundred kinds.
struct RankedValues {
    Rows rows;                        ///< class counts of one value of each kind
    std::vector<double> frequencies;  ///< weight of one value of each kind, never falling
    std::vector<Index> n_values;      ///< of each kind
    std::vector<Index> kind_of;       ///< of each value
    std::vector<Index> share_of;      ///< of each kind; kinds of equal class shares have one number
    std::size_t n_shares = 0;

    std::size_t n_kinds() const noexcept { return frequencies.size(); }
    std::size_t n_classes() const noexcept { return rows.width(); }
    /// Adds all values of a kind to a row.
    void add(std::size_t kind, std::span<double> row) const noexcept {
        const double n = static_cast<double>(n_values[kind]);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] += n * rows[kind][j];
    }
};

/// Ranks values. With `apart` every value is a kind and a share of its own.
RankedValues rank_values(const Line& values, bool apart);

/// The atoms of the kinds from `first` on, and one more, the last, of all rarer kinds. `atom_of` is
/// that of each kind.
Atoms pool_below(const RankedValues& values, std::size_t first);

}  // namespace partage
