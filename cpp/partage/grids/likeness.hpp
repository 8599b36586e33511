#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "partage/grids/table.hpp"
#include "partage/support/fixed_numbers.hpp"
#include "partage/support/stop.hpp"

namespace partage {

/// Points for the units of an axis that lie near each other where units go with the same units of
/// the other axes, or with the same classes there: the leading directions of the correspondence
/// between them. Where values are many and rows few, blind groups mix all there is to see.
class Likeness {
public:
    Likeness(const FineTable& table, std::size_t axis, const Stop& stop);

    /// About m groups of units that lie near each other, numbered without gaps.
    std::vector<Index> groups(std::size_t m) const;

private:
    static constexpr std::size_t n_directions = 16;

    std::span<const double> point(std::size_t unit) const noexcept {
        return std::span(points_).subspan(unit * n_directions, n_directions);
    }
    std::vector<double> far_apart(std::size_t m) const;

    const Stop& stop_;
    std::size_t n_units_;
    std::vector<double> points_;
    std::vector<double> weights_;
};

}  // namespace partage
