#pragma once

#include <utility>

// Loops that gain from wide registers are compiled for several CPUs, and the widest that the CPU
// has is run. They add in one order and never fuse, so every CPU gives the same bits.
//
// The choice is made here rather than by `target_clones`: that needs a C library with indirect
// functions (not musl, macOS or Windows) and a part of the compiler's runtime that not all have.
#if defined(__x86_64__) && defined(__GNUC__)
#define PARTAGE_HAS_LEVELS 1
#define PARTAGE_INLINE [[gnu::always_inline]] inline
#else
#define PARTAGE_HAS_LEVELS 0
#define PARTAGE_INLINE inline
#endif

namespace partage {

/// Widths of registers for which loops are compiled.
enum class CpuLevel { baseline, avx2, avx512 };

/// The widest level that the CPU and the operating system have.
CpuLevel find_cpu_level() noexcept;

/// Found once, when the library is loaded.
extern const CpuLevel cpu_level;

#if PARTAGE_HAS_LEVELS
template <class Loop, class... Args>
[[gnu::target("avx2"), gnu::noinline]] auto run_avx2(Args... args) {
    return Loop::run(args...);
}

template <class Loop, class... Args>
[[gnu::target("avx512f"), gnu::noinline]] auto run_avx512(Args... args) {
    return Loop::run(args...);
}
#endif

/// Call `Loop::run`, marked PARTAGE_INLINE, as it was compiled for a level; `args` are small.
template <class Loop, class... Args>
auto dispatch_at([[maybe_unused]] CpuLevel level, Args... args) {
#if PARTAGE_HAS_LEVELS
    if (level == CpuLevel::avx512) return run_avx512<Loop>(args...);
    if (level == CpuLevel::avx2) return run_avx2<Loop>(args...);
#endif
    return Loop::run(args...);
}

/// Call `Loop::run` as it was compiled for this CPU.
template <class Loop, class... Args>
auto dispatch(Args... args) {
    return dispatch_at<Loop>(cpu_level, args...);
}

}  // namespace partage
