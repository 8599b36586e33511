#include "partage/search/limits.hpp"

#include <algorithm>

namespace partage {

bool Limits::allows(const Row& row) const noexcept {
    if (!allows(row.weight)) return false;
    if (held.size() > 0) return true;
    for (std::size_t j = 0; j < min_counts.size(); ++j)
        if (row.sums[j] < min_counts[j]) return false;
    return true;
}

bool Limits::allows_held(std::size_t first, std::size_t last) const noexcept {
    for (std::size_t j = 0; held.size() > 0 && j < min_counts.size(); ++j) {
        double sum = 0.0;
        for (std::size_t i = first; i < last; ++i) sum += held[i][j];
        if (sum < min_counts[j]) return false;
    }
    return true;
}

namespace {

/// Sums of the rows of units, by block.
Rows by_block(const Rows& units, const Blocks& blocks) {
    Rows found(units.size() > 0 ? blocks.size() - 1 : 0, units.width());
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t unit = blocks[i]; unit < blocks[i + 1]; ++unit)
            for (std::size_t s = 0; s < units.width(); ++s) found[i][s] += units[unit][s];
    return found;
}

}  // namespace

Limits Limits::on(const Blocks& blocks) const {
    Limits found = *this;
    found.borders.reset();
    found.hint.clear();
    found.fixed.clear();
    for (const Index unit : fixed) {
        const auto place = std::lower_bound(blocks.begin(), blocks.end(), unit);
        found.fixed.push_back(static_cast<Index>(place - blocks.begin()));
    }
    found.segments.weights = by_block(segments.weights, blocks);
    found.segments.scores = by_block(segments.scores, blocks);
    found.held = by_block(held, blocks);
    return found;
}

}  // namespace partage
