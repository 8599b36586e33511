#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

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
template <class Vector>
nb::capsule owner_of(Vector* held) {
    return nb::capsule(held, [](void* p) noexcept { delete static_cast<Vector*>(p); });
}

template <class Vector>
auto to_numpy(Vector&& values) {
    using Held = std::remove_cvref_t<Vector>;
    auto* held = new Held(std::forward<Vector>(values));
    return nb::ndarray<nb::numpy, typename Held::value_type, nb::ndim<1>>(
        held->data(), {held->size()}, owner_of(held));
}

template <class Vector>
auto to_numpy(Vector&& values, std::size_t n_rows, std::size_t n_columns) {
    using Held = std::remove_cvref_t<Vector>;
    auto* held = new Held(std::forward<Vector>(values));
    return nb::ndarray<nb::numpy, typename Held::value_type, nb::ndim<2>>(
        held->data(), {n_rows, n_columns}, owner_of(held));
}

}  // namespace partage::bindings
