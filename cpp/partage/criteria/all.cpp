#include <array>

#include "partage/criteria/criterion.hpp"

namespace partage {

#define CRITERION(name) extern const CriterionEntry name;
#include "partage/criteria/list.inc"
#undef CRITERION

std::span<const CriterionEntry* const> criteria() noexcept {
#define CRITERION(name) &name,
    static constexpr std::array list{
#include "partage/criteria/list.inc"
    };
#undef CRITERION
    return list;
}

const CriterionEntry& criterion_named(std::string_view name) {
    return named(criteria(), "criterion", name);
}

}  // namespace partage
