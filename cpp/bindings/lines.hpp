#pragma once

#include <algorithm>
#include <stdexcept>

#include "partage/space/line.hpp"

namespace partage::bindings {

/// Refuse a line with units that hold no entry: searches read the first entry of each unit.
inline void check_entries(const Line& line) {
    if (std::adjacent_find(line.starts.begin(), line.starts.end()) != line.starts.end())
        throw std::invalid_argument("every unit of the line must hold an entry");
}

}  // namespace partage::bindings
