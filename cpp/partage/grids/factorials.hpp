#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "partage/support/combinatorics.hpp"

namespace partage {

/// log x! by table for whole numbers up to a size, made once for all grids of the same rows: beyond
/// the library's own table Stirling's series would be the inner loop.
class Factorials {
public:
    explicit Factorials(double largest) {
        constexpr double most = 1 << 22;
        values_.resize(static_cast<std::size_t>(std::clamp(largest, 0.0, most)) + 2);
        for (std::size_t n = 0; n < values_.size(); ++n)
            values_[n] = log_factorial(static_cast<double>(n));
    }
    double operator()(double x) const noexcept {
        if (x < static_cast<double>(values_.size())) {
            const auto n = static_cast<std::uint32_t>(x);
            if (static_cast<double>(n) == x) return values_[n];
        }
        return log_factorial(x);
    }

private:
    std::vector<double> values_;
};

}  // namespace partage
