#include <algorithm>
#include <deque>
#include <vector>

#include "partage/groups/grouping.hpp"

namespace partage {

#define GROUPING(name) extern const GroupingEntry name;
#include "partage/groups/methods/list.inc"
#undef GROUPING

std::span<const GroupingEntry* const> groupings() noexcept {
#define GROUPING(name) &name,
    static const std::vector<const GroupingEntry*> list{
#include "partage/groups/methods/list.inc"
    };
#undef GROUPING
    return list;
}

const GroupingEntry& grouping_named(std::string_view name) {
    return named(groupings(), "grouping method", name);
}

}  // namespace partage
