#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "partage/support/ties.hpp"

namespace partage {

/// A parameter of a method: a number in (low, high), or one of some words given by its index.
struct Parameter {
    std::string_view name;
    std::string_view meaning;
    double fallback;
    double low = -infinite;
    double high = infinite;
    bool low_included = true;
    bool high_included = true;
    std::vector<std::string_view> words = {};
};

/// The entry of that name in a list of methods; throws std::invalid_argument if there is none.
template <class Entry>
const Entry& named(std::span<const Entry* const> list, std::string_view kind,
                   std::string_view name) {
    for (const Entry* entry : list)
        if (entry->name == name) return *entry;
    throw std::invalid_argument("no " + std::string(kind) + " is called " + std::string(name));
}

/// Throws std::invalid_argument unless there is a number for each parameter of a method.
template <class Entry>
void check_parameters(const Entry& entry, const std::vector<double>& parameters) {
    if (parameters.size() != entry.parameters.size())
        throw std::invalid_argument("the number of parameters is not that of " +
                                    std::string(entry.name));
}

}  // namespace partage
