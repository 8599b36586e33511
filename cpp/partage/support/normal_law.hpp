#pragma once

namespace partage {

/// The value that a standard normal variable stays below with the given probability, by Newton's
/// method on the logarithm of the tail; infinite at 0 and 1. The same bits on every CPU.
double normal_quantile(double probability) noexcept;

}  // namespace partage
