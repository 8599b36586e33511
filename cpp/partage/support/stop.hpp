#pragma once

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace partage {

/// The user asked to stop.
class Interrupted : public std::runtime_error {
public:
    Interrupted() : std::runtime_error("interrupted") {}
};

/// Lets a long search be stopped: `check` throws once `asked` is set or the poll says so. The poll,
/// which may be costly, is asked twenty times a second.
class Stop {
public:
    using Poll = bool (*)();
    explicit Stop(const std::atomic<bool>* asked = nullptr, Poll poll = nullptr)
        : asked_(asked), poll_(poll), polled_(Clock::now()) {}
    void check() const {
        if (asked_ != nullptr && asked_->load(std::memory_order_relaxed)) throw Interrupted();
        if (poll_ == nullptr) return;
        const auto now = Clock::now();
        if (now - polled_ < std::chrono::milliseconds(50)) return;
        polled_ = now;
        if (poll_()) throw Interrupted();
    }

private:
    using Clock = std::chrono::steady_clock;
    const std::atomic<bool>* asked_;
    Poll poll_;
    mutable Clock::time_point polled_;
};

}  // namespace partage
