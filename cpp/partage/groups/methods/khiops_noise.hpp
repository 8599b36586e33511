#pragma once

#include "partage/groups/search/ward.hpp"

namespace partage {

/// The chi-square that the merges of so many values without information stay below with the given
/// confidence, from a table of simulated quantiles.
double tabled_noise(std::size_t n_values, std::size_t n_classes, double confidence) noexcept;

/// The same for these very rows, by permuting their classes; the draws are always the same.
double permuted_noise(const Rows& rows, double confidence, const Stop& stop);

}  // namespace partage
