#include "partage/space/compress.hpp"

#include <utility>

namespace partage {

void compress_units(Line& line) {
    constexpr std::size_t least_entries = 8;  // of a unit, on average
    const std::size_t n_units = line.n_units();
    if (n_units >= line.n_entries() / least_entries) return;
    Line dense;
    dense.n_classes = line.n_classes;
    for (std::size_t unit = 0; unit < n_units; ++unit) {
        dense.starts.push_back(static_cast<Index>(dense.codes.size()));
        for (std::size_t i = line.starts[unit]; i < line.starts[unit + 1];) {
            std::size_t end = i + 1;
            while (end < line.starts[unit + 1] && line.codes[end] == line.codes[i]) ++end;
            dense.codes.push_back(line.codes[i]);
            dense.weights.push_back(static_cast<double>(end - i));
            i = end;
        }
    }
    dense.starts.push_back(static_cast<Index>(dense.codes.size()));
    line = std::move(dense);
}

}  // namespace partage
