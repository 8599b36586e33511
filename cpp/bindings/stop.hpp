#pragma once

#include <nanobind/nanobind.h>

#include <atomic>

#include "partage/search/limits.hpp"
#include "partage/support/stop.hpp"

namespace partage::bindings {

/// Set from Python to stop a search in another thread.
struct Cancel {
    std::atomic<bool> asked{false};
};

/// Whether a signal (Ctrl-C) waits for Python; only its main thread will see one.
inline bool has_signal() {
    nanobind::gil_scoped_acquire held;
    return PyErr_CheckSignals() != 0;
}

/// Runs work without Python's lock; Ctrl-C and `cancel` stop it.
template <class Work>
void run_stoppable(const Cancel* cancel, Work work) {
    try {
        nanobind::gil_scoped_release free;
        work(Stop(cancel == nullptr ? nullptr : &cancel->asked, has_signal));
    } catch (const Interrupted&) {
        if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw nanobind::python_error();
    }
}

inline Limits make_limits(std::size_t n_parts, std::size_t max_parts, double min_weight) {
    Limits limits;
    limits.n_parts = n_parts;
    if (max_parts > 0) limits.max_parts = max_parts;
    limits.min_weight = min_weight;
    return limits;
}

}  // namespace partage::bindings
