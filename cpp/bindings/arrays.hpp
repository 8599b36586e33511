#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <vector>

namespace partage::bindings {

namespace nb = nanobind;

/// Arrays as they come in: contiguous, of one type, never converted behind the caller's back.
template <class Value>
using Array = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Value>
using Table = nb::ndarray<const Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Value>
std::span<const Value> view(const Array<Value>& array) {
    return {array.data(), array.size()};
}

/// Hands a vector over to NumPy without a copy; the array owns it.
template <class Value>
auto to_numpy(std::vector<Value>&& values) {
    auto* held = new std::vector<Value>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return nb::ndarray<nb::numpy, Value, nb::ndim<1>>(held->data(), {held->size()}, owner);
}

template <class Value>
auto to_numpy(std::vector<Value>&& values, std::size_t n_rows, std::size_t n_columns) {
    auto* held = new std::vector<Value>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return nb::ndarray<nb::numpy, Value, nb::ndim<2>>(held->data(), {n_rows, n_columns}, owner);
}

}  // namespace partage::bindings
