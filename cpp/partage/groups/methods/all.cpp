#include <algorithm>
#include <deque>
#include <vector>

#include "partage/groups/grouping.hpp"

namespace partage {

#define GROUPING(name) extern const GroupingEntry name;
#include "partage/groups/methods/list.inc"
#undef GROUPING

namespace {

/// The methods of the list, and after them the criteria for any space that it does not name.
std::vector<const GroupingEntry*> list_all() {
#define GROUPING(name) &name,
    std::vector<const GroupingEntry*> list{
#include "partage/groups/methods/list.inc"
    };
#undef GROUPING
    static std::deque<GroupingEntry> made;
    for (const CriterionEntry* entry : criteria()) {
        const bool serves = std::ranges::count(entry->spaces, Space::any) > 0;
        const bool is_listed = std::ranges::count(list, entry->name, &GroupingEntry::name) > 0;
        if (!serves || is_listed) continue;
        made.push_back({.name = entry->name,
                        .meaning = entry->meaning,
                        .criterion = entry->name,
                        .parameters = entry->parameters,
                        .run = group_by_criterion});
        list.push_back(&made.back());
    }
    return list;
}

}  // namespace

std::span<const GroupingEntry* const> groupings() {
    static const std::vector<const GroupingEntry*> list = list_all();
    return list;
}

const GroupingEntry& grouping_named(std::string_view name) {
    return named(groupings(), "grouping method", name);
}

}  // namespace partage
