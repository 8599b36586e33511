#pragma once

#include <cstddef>
#include <vector>

#include "partage/grids/price.hpp"

namespace partage {

/// One merge of two parts of an axis: `second` joins `first`, later parts move up by one.
struct GridMerge {
    std::size_t axis;
    std::size_t first;
    std::size_t second;
    double cost;  ///< of the grid afterwards
};

/// Merges down to one cell, each time the two parts, neighbours on an ordered axis, whose merge
/// costs least.
std::vector<GridMerge> merge_grid(const GridPricer& pricer, std::vector<ValueParts> axes,
                                  const Stop& stop);

/// By how much the cost rises if two parts of an axis merge: [first][second], 0 on the diagonal.
/// Any two, also on an ordered axis.
std::vector<double> merge_rises(const GridPricer& pricer, const std::vector<ValueParts>& axes,
                                std::size_t axis);

/// By how much the cost rises if a value moves into another part of its unordered axis:
/// [value][part], 0 for its own.
std::vector<double> move_rises(const GridPricer& pricer, const std::vector<ValueParts>& axes,
                               std::size_t axis);

}  // namespace partage
