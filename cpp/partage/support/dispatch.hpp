#pragma once

// Loops that gain from wide registers are compiled for several CPUs. They add in one order and
// never fuse, so every CPU gives the same bits.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PARTAGE_DISPATCH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PARTAGE_DISPATCH
#endif
