#pragma once

#include <stdexcept>

#include "partage/criteria/criterion.hpp"
#include "partage/space/line.hpp"

namespace partage::bindings {

/// Refuse a line with units that hold no entry: searches read the first entry of each unit.
inline void check_entries(const Line& line) {
    if (line.has_empty_unit())
        throw std::invalid_argument("every unit of the line must hold an entry");
}

/// Refuse a criterion that reads other numbers than a line holds.
inline void check_reads(const CriterionEntry& entry, const Line& line) {
    if (entry.reads != line.layout().reads ||
        (entry.reads == Reads::moments && line.n_amounts < entry.n_moments))
        throw std::invalid_argument("the criterion does not read what the line holds");
}

}  // namespace partage::bindings
