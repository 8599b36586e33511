#pragma once

#include <cstddef>
#include <stdexcept>

namespace partage {

/// Cells of a dense table that is about to be made. More than 2^30 throw std::invalid_argument:
/// such a table would take all memory, and larger products wrap around.
inline std::size_t n_cells_of(std::size_t n_rows, std::size_t n_columns) {
    constexpr std::size_t most = std::size_t{1} << 30;
    if (n_columns > 0 && n_rows > most / n_columns)
        throw std::invalid_argument("a table of values and classes has more than 1073741824 cells");
    return n_rows * n_columns;
}

}  // namespace partage
