#include "partage/space/assign.hpp"

#include <algorithm>

#include "partage/support/dispatch.hpp"

namespace partage {
namespace {

/// Cuts that are compared one after the other; more are searched.
constexpr std::size_t most_compared = 48;
constexpr std::size_t block = 512;

/// out[i] = the cuts below values[i], or the code of missing values where it is NaN.
template <class Value>
struct CountCutsBelow {
    PARTAGE_INLINE static void run(const Value* values, std::size_t n, const Value* cuts,
                                   std::size_t n_cuts, std::int64_t missing_code,
                                   std::int64_t* out) {
        for (std::size_t i = 0; i < n; ++i) out[i] = values[i] == values[i] ? 0 : missing_code;
        for (std::size_t k = 0; k < n_cuts; ++k) {
            const Value cut = cuts[k];
            for (std::size_t i = 0; i < n; ++i) out[i] += values[i] > cut;
        }
    }
};

template <class Value>
std::int64_t search_cuts(Value value, std::span<const Value> cuts) noexcept {
    const Value* base = cuts.data();
    std::size_t length = cuts.size();
    while (length > 1) {
        const std::size_t half = length / 2;
        base += (base[half - 1] < value) ? half : 0;
        length -= half;
    }
    return (base - cuts.data()) + (length == 1 && *base < value);
}

}  // namespace

template <class Value>
void assign_parts(std::span<const Value> values, std::span<const Value> cuts,
                  std::int64_t missing_code, std::int64_t* out) {
    const std::size_t n = values.size();
    if (cuts.size() <= most_compared) {
        for (std::size_t i = 0; i < n; i += block)
            dispatch<CountCutsBelow<Value>>(values.data() + i, std::min(block, n - i), cuts.data(),
                                            cuts.size(), missing_code, out + i);
    } else {
        for (std::size_t i = 0; i < n; ++i)
            out[i] = values[i] != values[i] ? missing_code : search_cuts(values[i], cuts);
    }
}

template void assign_parts<double>(std::span<const double>, std::span<const double>, std::int64_t,
                                   std::int64_t*);
template void assign_parts<std::int64_t>(std::span<const std::int64_t>,
                                         std::span<const std::int64_t>, std::int64_t,
                                         std::int64_t*);

}  // namespace partage
