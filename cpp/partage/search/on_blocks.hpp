#pragma once

#include "partage/search/task.hpp"

namespace partage {

/// The exact search, given the blocks it starts from.
Found exact_on(const Task& task, const Blocks& blocks);

/// The search from coarse to fine, given the blocks it starts from.
Found coarse_on(const Task& task, const Blocks& blocks);

}  // namespace partage
