#include <array>

#include "partage/search/task.hpp"

namespace partage {

#define SEARCH(name) extern const SearchEntry name;
#include "partage/search/list.inc"
#undef SEARCH

std::span<const SearchEntry* const> searches() noexcept {
#define SEARCH(name) &name,
    static constexpr std::array list{
#include "partage/search/list.inc"
    };
#undef SEARCH
    return list;
}

const SearchEntry& search_named(std::string_view name) { return named(searches(), "search", name); }

}  // namespace partage
