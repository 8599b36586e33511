#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "partage/rows/row.hpp"
#include "partage/space/line.hpp"
#include "partage/support/ties.hpp"

namespace partage {

/// How the rates of the parts must go from left to right; equal neighbours are always allowed.
enum class Trend { free, ascending, descending, peak, valley, any };

/// Rows of separate segments (months, say) at each unit: their weight and their sum of scores.
/// A rate counts as known to margin / sqrt(weight): a reversal within both margins is tolerated.
struct Segments {
    Rows weights{0, 0};
    Rows scores{0, 0};
    std::vector<double> margins{};  ///< of each segment
    std::size_t size() const noexcept { return weights.width(); }
};

/// What a partition must satisfy; the one home of constraints.
struct Limits {
    std::size_t n_parts = 0;  ///< exactly so many; 0: as many as the criterion likes
    std::size_t max_parts = std::numeric_limits<std::size_t>::max();
    double min_weight = 0.0;             ///< of every part, unless there is one part only
    std::vector<double> min_counts{};    ///< of each class in every part; empty: none
    Rows held{0, 0};                     ///< what these are of, by unit; empty: the line itself
    std::vector<Index> fixed{};          ///< units at which a part must start
    std::optional<Blocks> borders{};     ///< units at which parts may start; none: any
    std::size_t n_empty = 0;             ///< parts without rows, counted beside those found
    Trend trend = Trend::free;           ///< of the mean score of the parts
    std::vector<double> class_scores{};  ///< of each class: 0 and 1 for an event rate
    Segments segments{};                 ///< in each of which the trend must hold too
    std::vector<Index> hint{};           ///< starts of a partition found without these constraints

    std::size_t most() const noexcept { return n_parts > 0 ? n_parts : max_parts; }
    std::size_t least() const noexcept { return n_parts > 0 ? n_parts : 1; }
    bool allows(double part_weight) const noexcept { return part_weight >= min_weight; }
    bool allows(const Row& row) const noexcept;
    /// Whether a part holds enough of each class, where `held` says what units hold.
    bool allows_held(std::size_t first, std::size_t last) const noexcept;
    /// Whether a cut inside a run may be needed.
    bool needs_units() const noexcept { return n_parts > 0 || min_weight > 0.0 || !is_plain(); }
    /// Whether sizes are all that is asked; else only programs know how to obey.
    bool is_plain() const noexcept {
        return min_counts.empty() && fixed.empty() && !borders && n_empty == 0 &&
               trend == Trend::free;
    }
    /// The same limits on blocks of units: borders, fixed starts, segments and `held` by block.
    Limits on(const Blocks& blocks) const;
};

/// No partition satisfies the limits.
class NotPossible : public std::domain_error {
public:
    using std::domain_error::domain_error;
};

}  // namespace partage
