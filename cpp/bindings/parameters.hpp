#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "partage/support/registry.hpp"

namespace partage::bindings {

/// The parameters of a method as a list of dicts.
nanobind::list describe(const std::vector<Parameter>& parameters);

}  // namespace partage::bindings
