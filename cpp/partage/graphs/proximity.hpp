#pragma once

#include <span>

#include "partage/graphs/graph.hpp"
#include "partage/support/parallel.hpp"

namespace partage {

/// Distinct points as rows of coordinates, and what makes two numbers equal: `slack` is 0 where
/// squares of distances are exact in floating point, else a share of the squared length of an edge.
struct Cloud {
    std::span<const double> rows;
    std::size_t n_columns;
    double slack;

    std::size_t size() const noexcept { return rows.size() / n_columns; }
};

/// Edges ij such that no point o has L(i,o)² + L(j,o)² < L(i,j)², in any number of dimensions.
/// About O(n log n) in few dimensions, O(n² + E n) in many.
Graph gabriel_graph(const Cloud& cloud, const Workers& workers);

/// Edges ij such that no point o has max(L(i,o), L(j,o)) < L(i,j); a part of the Gabriel graph.
Graph relative_neighbours(const Cloud& cloud, const Workers& workers);

/// Edges ij where one is among the k nearest points of the other; ties go to the smaller point.
Graph nearest_neighbours(const Cloud& cloud, std::size_t n_neighbours, const Workers& workers);

/// The nearest point of the cloud to each row of coordinates; of equals the first.
std::vector<Point> nearest_points(const Cloud& cloud, std::span<const double> rows,
                                  const Workers& workers);

/// Which of two points two others keep apart.
enum class Proximity { gabriel, relative };

/// The same graphs from a table of distances, for any metric. O(n³) at worst.
Graph graph_from_distances(std::span<const double> distances, std::size_t n_points,
                           Proximity proximity, double slack, const Workers& workers);

/// Mean number of Gabriel neighbours of a few points, to estimate the memory a graph needs.
double sampled_gabriel_degree(const Cloud& cloud, std::size_t n_sampled, const Workers& workers);

}  // namespace partage
