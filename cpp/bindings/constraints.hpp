#pragma once

#include <cstddef>

#include "partage/search/limits.hpp"

namespace partage::bindings {

/// Constraints beyond sizes, as Python states them.
struct Constraints {
    Limits limits;
};

/// The limits, after a check that what they say of units fits a line of so many units and classes.
Limits limits_of(std::size_t n_units, std::size_t n_classes, std::size_t n_parts,
                 std::size_t max_parts, double min_weight,
                 const Constraints* constraints);  // search.cpp

}  // namespace partage::bindings
