#include <array>

#include "partage/groups/grouping.hpp"

namespace partage {

// Adding a method: write its file, declare its entry here, add it to the list.
extern const GroupingEntry grouping_modl, grouping_modl_standard, grouping_chaid,
    grouping_tschuprow, grouping_cramer, grouping_khiops, grouping_gain_ratio,
    grouping_one_against_rest, grouping_forward, grouping_cart;

std::span<const GroupingEntry* const> groupings() noexcept {
    static constexpr std::array list{&grouping_modl,       &grouping_modl_standard,
                                     &grouping_chaid,      &grouping_tschuprow,
                                     &grouping_cramer,     &grouping_khiops,
                                     &grouping_gain_ratio, &grouping_one_against_rest,
                                     &grouping_forward,    &grouping_cart};
    return list;
}

}  // namespace partage
