#pragma once

#include "partage/search/task.hpp"

namespace partage {

/// Coarse to fine under constraints: the exact program on a few hundred borders, then again on
/// borders ever closer to the cuts found, until neither the cost nor the borders change.
/// The borders are those of joined runs, of the partition known without the constraints, and the
/// corners of the convex hulls of the running scores: where the rates must rise, the corners of the
/// lower hull are the best cuts for any rates of their two sides; where they must fall, of the
/// upper.
Found zoom(const Task& task);

/// A cost, in nats, that no MODL partition of a line of two classes is below if the rates of its
/// parts rise (`sign` 1) or fall (-1). With h the entropy, a part's length is at least
/// n h + log((n + 1) / 2) / 2, which is concave; for any rising rates of the parts the cuts that
/// code the classes shortest are corners of the lower hull, and parts between corners do rise. The
/// free optimum among the corners under that shorter length is therefore a bound.
double trend_bound(const Line& line, double sign, const Stop& stop);

}  // namespace partage
