#include <array>
#include <stdexcept>
#include <string>

#include "partage/search/task.hpp"

namespace partage {

// Adding a search: write its file, declare its entry here, add it to the list.
extern const SearchEntry auto_search, exact, coarse, bottom_up, top_down;

std::span<const SearchEntry* const> searches() noexcept {
    static constexpr std::array list{&auto_search, &exact, &coarse, &bottom_up, &top_down};
    return list;
}

const SearchEntry& search_named(std::string_view name) {
    for (const SearchEntry* entry : searches())
        if (entry->name == name) return *entry;
    throw std::invalid_argument("no search is called " + std::string(name));
}

}  // namespace partage
