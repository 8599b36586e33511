#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace partage::fuzz {

/// Bytes read as small numbers, one after another; zeros once they are used up.
class Bytes {
public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::size_t below(std::size_t n) noexcept { return next() % n; }
    bool chance() noexcept { return next() % 2 == 1; }
    /// A weight: mostly a whole number, sometimes tiny or huge.
    double weight() noexcept {
        constexpr double all[] = {1, 1, 1, 2, 3, 0.5, 1e-6, 1e9};
        return all[below(8)];
    }

private:
    std::uint8_t next() noexcept { return at_ < bytes_.size() ? bytes_[at_++] : 0; }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

}  // namespace partage::fuzz
