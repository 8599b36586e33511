#pragma once

#include "partage/space/line.hpp"

namespace partage {

/// Keeps units of many entries of few classes as one weighted entry for each class, if entries of
/// weight one are many for each unit. Entries of a unit are in the order of their classes.
void compress_units(Line& line);

}  // namespace partage
