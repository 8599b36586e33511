#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "partage/support/stop.hpp"
#include "partage/support/ties.hpp"

namespace partage {

/// How far a long piece of work is; another thread may read it at any time.
struct Progress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};

    void start(std::uint64_t n_steps) noexcept {
        done.store(0, std::memory_order_relaxed);
        total.store(n_steps, std::memory_order_relaxed);
    }
    void add(std::uint64_t n_steps) noexcept { done.fetch_add(n_steps, std::memory_order_relaxed); }
};

/// Who does the work: how many threads, how they are stopped, whom they report to.
struct Workers {
    const Stop& stop;
    std::size_t n_threads = 1;
    Progress* progress = nullptr;

    void start(std::uint64_t n_steps) const noexcept {
        if (progress != nullptr) progress->start(n_steps);
    }
    void add(std::uint64_t n_steps) const noexcept {
        if (progress != nullptr) progress->add(n_steps);
    }
};

/// Does `work(thread, first, last)` for the blocks of [0, n); the calling thread works too and is
/// the only one that polls `stop`. The first exception ends the others and is thrown again.
template <class Work>
void for_each_block(const Workers& workers, std::size_t n, std::size_t block, Work work) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> halt{false};
    const std::size_t n_threads =
        std::max<std::size_t>(1, std::min(workers.n_threads, (n + block - 1) / block));
    std::vector<std::exception_ptr> failures(n_threads);
    const auto run = [&](std::size_t thread) {
        try {
            while (!halt.load(std::memory_order_relaxed)) {
                const std::size_t first = next.fetch_add(block);
                if (first >= n) return;
                const std::size_t last = std::min(n, first + block);
                work(thread, first, last);
                workers.add(last - first);
                if (thread == 0) workers.stop.check();
            }
        } catch (...) {
            failures[thread] = std::current_exception();
            halt.store(true);
        }
    };
    std::vector<std::thread> others;
    try {
        for (std::size_t thread = 1; thread < n_threads; ++thread) others.emplace_back(run, thread);
    } catch (...) {
        // Fewer threads than asked for do the same work.
    }
    run(0);
    for (std::thread& other : others) other.join();
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace partage
