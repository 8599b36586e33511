#include "partage/graphs/graph.hpp"

#include <algorithm>

namespace partage {

Graph graph_from_edges(std::size_t n_points, const std::vector<std::vector<Edge>>& edges) {
    Graph graph;
    graph.starts.assign(n_points + 1, 0);
    for (const auto& some : edges)
        for (const auto& [a, b] : some) {
            ++graph.starts[a + 1];
            ++graph.starts[b + 1];
        }
    for (std::size_t p = 0; p < n_points; ++p) graph.starts[p + 1] += graph.starts[p];
    graph.neighbours.resize(graph.starts[n_points]);
    std::vector<std::uint64_t> next(graph.starts.begin(), graph.starts.end() - 1);
    for (const auto& some : edges)
        for (const auto& [a, b] : some) {
            graph.neighbours[next[a]++] = b;
            graph.neighbours[next[b]++] = a;
        }
    for (std::size_t p = 0; p < n_points; ++p)
        std::sort(graph.neighbours.begin() + static_cast<std::ptrdiff_t>(graph.starts[p]),
                  graph.neighbours.begin() + static_cast<std::ptrdiff_t>(graph.starts[p + 1]));
    return graph;
}

}  // namespace partage
