#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include "partage/criteria/criterion.hpp"
#include "partage/search/limits.hpp"
#include "partage/space/line.hpp"
#include "partage/support/stop.hpp"

namespace partage {

/// Everything a search is given.
struct Task {
    const Line& line;
    const Problem& problem;
    const CriterionEntry& entry;
    const AnyCriterion& criterion;
    const Limits& limits;
    const Stop& stop;

    const PartitionCriterion& partition_criterion() const {
        return *std::get<std::unique_ptr<PartitionCriterion>>(criterion);
    }
};

/// What a search found.
struct Found {
    Blocks starts;            ///< first unit of each part, then the number of units
    bool is_optimal = false;  ///< proven by the search
};

/// One line of the list of searches.
struct SearchEntry {
    std::string_view name;
    std::string_view meaning;
    Found (*run)(const Task&);
};

/// Every search, in the order shown to users.
std::span<const SearchEntry* const> searches() noexcept;

/// The search of that name; throws std::invalid_argument if there is none.
const SearchEntry& search_named(std::string_view name);

/// The blocks a search starts from: runs where cuts inside them cannot help, else units, or those
/// that the limits name.
Blocks starting_blocks(const Task& task);

/// Throws NotPossible if no partition of the line satisfies the limits.
void check_limits(const Task& task);

/// Cost of a partition of the line.
double partition_cost(const Line& line, const PartitionCriterion& criterion, const Blocks& starts);

}  // namespace partage
