#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "attack.hpp"

/// Attacks once more with every input of a folder: those that found something once, and those that
/// reached code that others did not.
int main(int n_arguments, char** arguments) {
    if (n_arguments != 2) return 2;
    std::size_t n_inputs = 0;
    for (const auto& file : std::filesystem::directory_iterator(arguments[1])) {
        std::ifstream stream(file.path(), std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
        const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
        partage::fuzz::attack({data, bytes.size()});
        ++n_inputs;
    }
    std::printf("%zu inputs replayed\n", n_inputs);
    return n_inputs > 0 ? 0 : 1;
}
