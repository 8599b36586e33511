#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/groups/grouping.hpp"

namespace partage {

/// Rows given by the code of their value and by their class.
struct CodedRows {
    std::span<const std::uint32_t> codes;
    std::span<const Code> labels;
    std::span<const double> weights;  ///< empty: 1 each
    std::size_t n_values;             ///< codes lie below
    std::size_t n_classes;
};

/// Groups of coded values.
struct CodedGroups {
    static constexpr std::int32_t absent = -1;
    std::vector<std::int32_t> group_of;  ///< of each value; `absent` where no row holds it
    std::size_t n_groups = 0;
    std::int64_t garbage = absent;  ///< group of rare values, if any
    double cost = 0.0;              ///< of the method, in nats for MODL
    double null_cost = 0.0;         ///< of one group under MODL with a garbage group
};

/// Counts the classes of each value and groups the values that rows hold.
/// Throws std::invalid_argument if codes, labels and weights do not fit together.
CodedGroups group_coded(const CodedRows& rows, const GroupingEntry& method,
                        std::vector<double> parameters, const Stop& stop);

}  // namespace partage
