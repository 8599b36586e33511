#pragma once

#include <algorithm>

#include "partage/support/parallel.hpp"
#include "stop.hpp"

namespace partage::bindings {

/// More threads help nobody, and each has memory of its own.
constexpr std::size_t most_threads = 1024;

/// Runs work that takes Workers; Ctrl-C stops it.
template <class Work>
void run_workers(std::size_t n_jobs, Progress* progress, Work work) {
    run_stoppable(nullptr, [&](const Stop& stop) {
        work(Workers{stop, std::min(n_jobs, most_threads), progress});
    });
}

}  // namespace partage::bindings
