#pragma once

#include <cstdint>

namespace partage {

/// Random numbers that are the same everywhere (splitmix64).
class Draws {
public:
    /// A whole number below n < 2^32.
    std::uint64_t below(std::uint64_t n) noexcept {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return (((z ^ (z >> 31)) >> 32) * n) >> 32;
    }

private:
    std::uint64_t state_ = 0;
};

}  // namespace partage
