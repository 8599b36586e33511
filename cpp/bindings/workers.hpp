#pragma once

#include "partage/support/parallel.hpp"
#include "stop.hpp"

namespace partage::bindings {

/// Runs work that takes Workers; Ctrl-C stops it.
template <class Work>
void run_workers(std::size_t n_jobs, Progress* progress, Work work) {
    run_stoppable(nullptr, [&](const Stop& stop) { work(Workers{stop, n_jobs, progress}); });
}

}  // namespace partage::bindings
