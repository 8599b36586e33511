#pragma once

#include <cstddef>
#include <cstdint>

namespace partage {

/// A fixed sequence of numbers that look random: the same on every machine.
class FixedNumbers {
public:
    explicit FixedNumbers(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
    std::uint64_t next() noexcept {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t n) noexcept { return static_cast<std::size_t>(next() % n); }
    /// Between -1 and 1.
    double around_zero() noexcept { return static_cast<double>(next() >> 11) * 0x1p-52 - 1.0; }

private:
    std::uint64_t state_;
};

}  // namespace partage
