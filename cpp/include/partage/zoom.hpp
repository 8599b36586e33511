#pragma once

#include "partage/search.hpp"

namespace partage {

/// Coarse to fine under constraints: the exact program on a few hundred borders, then again on
/// borders ever closer to the cuts found, until neither the cost nor the borders change.
/// The borders are those of joined runs, of the partition known without the constraints, and the
/// corners of the convex hulls of the running scores: where the rates must rise, the corners of the
/// lower hull are the best cuts for any rates of their two sides; where they must fall, of the
/// upper.
Found zoom(const Task& task);

}  // namespace partage
