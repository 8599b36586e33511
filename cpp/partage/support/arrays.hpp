#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace partage {

using Code = std::uint16_t;   ///< class of an entry
using Index = std::uint32_t;  ///< position of an entry or a unit

/// Bytes from which on an array has memory in large pages, where the system has them: a first touch
/// of each small page would take longer than most loops over what it holds.
constexpr std::size_t large_array = std::size_t{1} << 22;
void* allocate_large(std::size_t n_bytes);
void release_large(void* place) noexcept;

/// Leaves new elements unset: arrays that are written at once need no zeros first.
template <class Value>
struct Unset : std::allocator<Value> {
    template <class Other>
    struct rebind {
        using other = Unset<Other>;
    };
    Value* allocate(std::size_t n) {
        if (n < large_array / sizeof(Value)) return std::allocator<Value>::allocate(n);
        if (n > SIZE_MAX / sizeof(Value)) throw std::bad_array_new_length();
        return static_cast<Value*>(allocate_large(n * sizeof(Value)));
    }
    void deallocate(Value* place, std::size_t n) noexcept {
        if (n < large_array / sizeof(Value)) return std::allocator<Value>::deallocate(place, n);
        release_large(place);
    }
    template <class Other>
    void construct(Other* place) noexcept {
        ::new (static_cast<void*>(place)) Other;
    }
    template <class Other, class... Arguments>
    void construct(Other* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) Other(std::forward<Arguments>(arguments)...);
    }
};

template <class Value>
using Buffer = std::vector<Value, Unset<Value>>;

}  // namespace partage
