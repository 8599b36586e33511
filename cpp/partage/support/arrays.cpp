#include "partage/support/arrays.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace partage {
namespace {

constexpr std::align_val_t large_page{std::size_t{1} << 21};

}  // namespace

void* allocate_large(std::size_t n_bytes) {
    void* const place = ::operator new(n_bytes, large_page);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(place, n_bytes, MADV_HUGEPAGE);  // a wish: what it returns does not matter
#endif
    return place;
}

void release_large(void* place) noexcept { ::operator delete(place, large_page); }

}  // namespace partage
