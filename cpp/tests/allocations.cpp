#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>

#include "check.hpp"

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<std::int64_t> n_left{-1};  ///< allocations that succeed; below 0: all
std::atomic<std::int64_t> n_made{0};

void* allocate(std::size_t size) {
    n_made.fetch_add(1, std::memory_order_relaxed);
    if (n_left.load(std::memory_order_relaxed) >= 0 &&
        n_left.fetch_sub(1, std::memory_order_relaxed) == 0)
        throw std::bad_alloc();
    if (void* found = std::malloc(size == 0 ? 1 : size)) return found;
    throw std::bad_alloc();
}

/// What came of a test one of whose allocations failed.
enum class Outcome { refused, survived, wrong };

Outcome run_failing_at(const partage::tests::Test& test, std::int64_t n) {
    n_left.store(n);
    Outcome outcome = Outcome::survived;
    try {
        test.run();
    } catch (const std::bad_alloc&) {
        outcome = Outcome::refused;
    } catch (const std::exception& error) {
        n_left.store(-1);
        std::printf("FAILED %.*s, allocation %lld\n  %s\n", static_cast<int>(test.name.size()),
                    test.name.data(), static_cast<long long>(n), error.what());
        outcome = Outcome::wrong;
    }
    n_left.store(-1);
    return outcome;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return allocate(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

/// Runs every test again and again, and lets one allocation fail each time: the first, the second
/// and so on, then ever rarer ones, for half a second a test at most. A test must end by
/// std::bad_alloc, or as if nothing had happened; a leak or a terminated process is a fault.
int main() {
    using namespace partage::tests;
    std::size_t n_faults = 0;
    std::size_t n_refused = 0;
    std::size_t n_wrong = 0;
    for (const Test& test : all_tests()) {
        n_made.store(0);
        test.run();
        const std::int64_t n_needed = n_made.load();
        const Clock::time_point end = Clock::now() + std::chrono::milliseconds(500);
        for (std::int64_t n = 0; n < n_needed && Clock::now() < end; n += 1 + n / 50) {
            const Outcome outcome = run_failing_at(test, n);
            ++n_faults;
            n_refused += outcome == Outcome::refused;
            n_wrong += outcome == Outcome::wrong;
        }
    }
    std::printf("%zu allocations failed: %zu refused, %zu survived, %zu wrong\n", n_faults,
                n_refused, n_faults - n_refused - n_wrong, n_wrong);
    return n_wrong == 0 && n_refused > 0 ? 0 : 1;
}
