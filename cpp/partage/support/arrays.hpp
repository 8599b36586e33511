#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace partage {

using Code = std::uint16_t;   ///< class of an entry
using Index = std::uint32_t;  ///< position of an entry or a unit

/// Leaves new elements unset: arrays that are written at once need no zeros first.
template <class Value>
struct Unset : std::allocator<Value> {
    template <class Other>
    struct rebind {
        using other = Unset<Other>;
    };
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
