#pragma once

#include <string_view>
#include <vector>

#include "partage/groups/grouping.hpp"

namespace partage::bindings {

/// The grouping method of that name; throws std::invalid_argument if there is none, or if it takes
/// another number of parameters.
const GroupingEntry& grouping_named(std::string_view name, const std::vector<double>& parameters);

}  // namespace partage::bindings
