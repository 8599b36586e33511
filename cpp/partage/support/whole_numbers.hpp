#pragma once

namespace partage {

/// log2*(n) in nats, for n >= 1: the sum of its iterated logarithms as long as they are positive.
double iterated_logs(double n) noexcept;

/// log Σ_{i<=most} 2^-log2*(i): what makes Rissanen's code of the numbers up to `most` complete.
double log_sum_of_codes(double most);

/// Length of a whole number n from 1 to `most` under Rissanen's code cut off there, in nats.
double bounded_length(double n, double most);

/// Length of a whole number n >= 1 under Rissanen's code as Khiops computes it, in nats.
double unbounded_length(double n) noexcept;

}  // namespace partage
