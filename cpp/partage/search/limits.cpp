#include "partage/search/limits.hpp"

#include <algorithm>

namespace partage {

bool Limits::allows(const Row& row) const noexcept {
    if (!allows(row.weight)) return false;
    for (std::size_t j = 0; j < min_counts.size(); ++j)
        if (row.sums[j] < min_counts[j]) return false;
    return true;
}

Limits Limits::on(const Blocks& blocks) const {
    Limits found = *this;
    found.borders.reset();
    found.hint.clear();
    found.fixed.clear();
    for (const Index unit : fixed) {
        const auto place = std::lower_bound(blocks.begin(), blocks.end(), unit);
        found.fixed.push_back(static_cast<Index>(place - blocks.begin()));
    }
    const std::size_t n_segments = segments.size();
    if (n_segments == 0) return found;
    found.segments.weights = Rows(blocks.size() - 1, n_segments);
    found.segments.scores = Rows(blocks.size() - 1, n_segments);
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i)
        for (std::size_t unit = blocks[i]; unit < blocks[i + 1]; ++unit)
            for (std::size_t s = 0; s < n_segments; ++s) {
                found.segments.weights[i][s] += segments.weights[unit][s];
                found.segments.scores[i][s] += segments.scores[unit][s];
            }
    return found;
}

}  // namespace partage
