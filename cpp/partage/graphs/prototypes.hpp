#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/balls.hpp"
#include "partage/support/parallel.hpp"

namespace partage {

/// How far points lie from candidates for prototypes: by their coordinates, or by a table.
struct Distances {
    std::size_t n_points = 0;
    std::span<const double> rows;  ///< coordinates of the points, row by row; empty: by the table
    std::size_t n_columns = 0;
    std::span<const double> table;  ///< one row for each point, one column for each candidate
};

/// Prototypes, each with the points that are nearest to it.
struct Prototypes {
    std::vector<Point> points;           ///< the prototypes
    std::vector<std::uint32_t> cell_of;  ///< of each point
    double cost = 0.0;                   ///< in nats
    double null_cost = 0.0;              ///< of one prototype
};

/// log N + log C(N+K-1, K) of K prototypes among N objects, in nats.
double prototypes_structure(std::size_t n_objects, std::size_t n_prototypes) noexcept;

/// Chooses prototypes among candidates so that log N + log C(N+K-1, K) + Σ_k L_k is low: starting
/// from all of them the one whose loss costs least goes, down to one; the cheapest set met is kept.
/// Objects belong to the nearest prototype, of equals the first.
Prototypes choose_prototypes(std::span<const std::uint32_t> object_starts,
                             std::span<const std::uint32_t> classes, std::size_t n_classes,
                             const Distances& distances, std::span<const Point> candidates,
                             const Workers& workers);

}  // namespace partage
