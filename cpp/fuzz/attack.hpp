#pragma once

#include <cstdint>
#include <span>

namespace partage::fuzz {

/// Makes a problem of the bytes, solves it in every way and ends the process where a promise is
/// broken.
void attack(std::span<const std::uint8_t> input);

}  // namespace partage::fuzz
