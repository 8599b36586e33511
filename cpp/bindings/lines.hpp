#pragma once

#include <stdexcept>

#include "partage/space/line.hpp"

namespace partage::bindings {

/// Refuse a line with units that hold no entry: searches read the first entry of each unit.
inline void check_entries(const Line& line) {
    if (line.has_empty_unit())
        throw std::invalid_argument("every unit of the line must hold an entry");
}

}  // namespace partage::bindings
