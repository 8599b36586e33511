#pragma once

#include <cstddef>
#include <vector>

#include "partage/search/program/part_costs.hpp"
#include "partage/search/program/tangents.hpp"
#include "partage/search/trend/rates.hpp"

namespace partage {

/// What a program is given besides the parts: a price for each part or a number of parts, the
/// directions, a bound on the cost of what is left, and a cost that must not be exceeded.
struct TrendOrder {
    const Phases& phases;
    double price = 0.0;
    std::size_t n_layers = 0;                      // 0: any number of parts, each at its price
    const std::vector<std::vector<double>>& rest;  // by parts left (one row if any), then border
    double ceiling = infinite;
};

/// The best partition that follows the directions: the program over the last part.
Priced best_in_order(const PartCosts& costs, const Rates& rates, const TrendOrder& order,
                     const Stop& stop);

}  // namespace partage
