#include "partage/support/dispatch.hpp"

#include <cstdint>

#if PARTAGE_HAS_LEVELS
#include <cpuid.h>
#endif

namespace partage {

#if PARTAGE_HAS_LEVELS

namespace {

/// Registers that the operating system saves: XCR0.
std::uint64_t saved_registers() noexcept {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (static_cast<std::uint64_t>(high) << 32) | low;
}

constexpr unsigned os_saves = 1U << 27;     // leaf 1, ecx: xgetbv may be asked
constexpr unsigned has_avx2 = 1U << 5;      // leaf 7, ebx
constexpr unsigned has_avx512f = 1U << 16;  // leaf 7, ebx
constexpr std::uint64_t ymm_saved = 0x6;    // XMM and YMM
constexpr std::uint64_t zmm_saved = 0xe6;   // and the masks and both halves of ZMM

}  // namespace

CpuLevel find_cpu_level() noexcept {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & os_saves) == 0) return CpuLevel::baseline;
    const std::uint64_t saved = saved_registers();
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return CpuLevel::baseline;
    if ((b & has_avx512f) != 0 && (saved & zmm_saved) == zmm_saved) return CpuLevel::avx512;
    if ((b & has_avx2) != 0 && (saved & ymm_saved) == ymm_saved) return CpuLevel::avx2;
    return CpuLevel::baseline;
}

#else

CpuLevel find_cpu_level() noexcept { return CpuLevel::baseline; }

#endif

const CpuLevel cpu_level = find_cpu_level();

}  // namespace partage
