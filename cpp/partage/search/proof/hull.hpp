#pragma once

#include <cstddef>
#include <vector>

namespace partage {

/// Calls keep(i) for the vertices strictly between two borders of the convex hull of the counts of
/// two classes before each border: the chains above and below their path. `counts(i)` are the two
/// counts before border i, `chain` is room to work in.
template <class Counts, class Keep>
void for_each_vertex(std::size_t first, std::size_t last, std::vector<std::size_t>& chain,
                     Counts counts, Keep keep) {
    for (const double side : {1.0, -1.0}) {
        chain.clear();
        for (std::size_t i = first; i <= last; ++i) {
            const auto p = counts(i);
            while (chain.size() > 1) {
                const auto a = counts(chain[chain.size() - 2]);
                const auto b = counts(chain.back());
                const double turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
                if (side * turn > 0.0) break;
                chain.pop_back();
            }
            chain.push_back(i);
        }
        for (std::size_t i = 1; i + 1 < chain.size(); ++i) keep(chain[i]);
    }
}

}  // namespace partage
