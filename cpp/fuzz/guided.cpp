#include <cstddef>
#include <cstdint>

#include "attack.hpp"

/// What libFuzzer calls with inputs that reach new code.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    partage::fuzz::attack({data, size});
    return 0;
}
