#include <array>

#include "check.hpp"
#include "partage/support/dispatch.hpp"

namespace {

using namespace partage;

constexpr std::size_t size = 37;  // whole registers and a rest
using Values = std::array<double, size>;

/// out[i] = x[i] y[i] + z[i], which a fused instruction would round once.
struct MultiplyAndAdd {
    PARTAGE_INLINE static void run(const double* x, const double* y, const double* z, double* out) {
        for (std::size_t i = 0; i < size; ++i) out[i] = x[i] * y[i] + z[i];
    }
};

Values at_level(CpuLevel level) {
    Values x;
    Values y;
    Values z;
    Values out;
    for (std::size_t i = 0; i < size; ++i) {
        x[i] = 1.0 + 1.0 / static_cast<double>(i + 3);
        y[i] = 1.0 - 1.0 / static_cast<double>(i + 7);
        z[i] = -x[i] * y[i];
    }
    dispatch_at<MultiplyAndAdd>(level, x.data(), y.data(), z.data(), out.data());
    return out;
}

TEST(every_level_of_the_cpu_gives_the_same_bits) {
    const Values zeros{};  // a product that is rounded before the sum leaves nothing
    for (const CpuLevel level : {CpuLevel::baseline, CpuLevel::avx2, CpuLevel::avx512})
        if (level <= cpu_level) CHECK(at_level(level) == zeros);
}

TEST(the_level_is_found_when_the_library_is_loaded) { CHECK(cpu_level == find_cpu_level()); }

}  // namespace
