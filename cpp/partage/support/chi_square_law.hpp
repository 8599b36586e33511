#pragma once

namespace partage {

/// log P(X > x) for a chi-square variable; exact where the probability itself underflows.
double log_chi_square_tail(double x, double freedom) noexcept;

/// The value that a chi-square variable stays below with the given probability in (0, 1).
double chi_square_quantile(double probability, double freedom) noexcept;

}  // namespace partage
