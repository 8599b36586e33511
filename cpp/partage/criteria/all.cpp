#include <array>
#include <stdexcept>
#include <string>

#include "partage/criteria/criterion.hpp"

namespace partage {

// Adding a criterion: write its file, declare its entry here, add it to the list.
extern const CriterionEntry modl, fusinter, gini, entropy, chi2, tschuprow, cramer, mdlpc,
    gain_ratio, chimerge, caim, cacc, ameva;

std::span<const CriterionEntry* const> criteria() noexcept {
    static constexpr std::array list{&modl,      &mdlpc,  &fusinter, &chimerge,   &chi2,
                                     &tschuprow, &cramer, &entropy,  &gain_ratio, &gini,
                                     &caim,      &cacc,   &ameva};
    return list;
}

const CriterionEntry& criterion_named(std::string_view name) {
    for (const CriterionEntry* entry : criteria())
        if (entry->name == name) return *entry;
    throw std::invalid_argument("no criterion is called " + std::string(name));
}

}  // namespace partage
