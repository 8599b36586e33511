#pragma once

#include <cstddef>
#include <span>

namespace partage {

/// log(1 + x) for x > -1, to some ulp of itself; the same bits on every CPU.
double portable_log1p(double x) noexcept;

/// e^x - 1 for x <= 0, to some ulp of itself; the same bits on every CPU.
double portable_expm1(double x) noexcept;

/// log of the multinomial coefficient (Σ n_j)! / Π n_j!, in nats, to 1e-12 of itself for weights
/// from 1e-3 to 1e15. No large terms cancel: it is Σ n_j log(n / n_j) plus what Stirling's formula
/// leaves, where differences of log-factorials lose 1 nat at n = 1e14. O(J).
double log_multinomial(std::span<const double> counts) noexcept;

/// log C(n+J-1, J-1), in nats: the ways to share a weight n out among J classes or parts.
double log_choices(double n, std::size_t n_classes) noexcept;

/// Σ n_j log(n / n_j), in nats: n times the entropy of the shares, without cancellation.
double entropy_length(std::span<const double> counts) noexcept;

/// MODL's length of the classes of one part, log C(n+J-1, J-1) + log(n! / Π n_j!), in nats; as
/// exact as `log_multinomial`.
double class_length(std::span<const double> counts) noexcept;

}  // namespace partage
