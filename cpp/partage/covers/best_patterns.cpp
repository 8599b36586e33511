#include "partage/covers/best_patterns.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace partage {

RowBits::RowBits(const PatternTask& task)
    : all(task.literals.n_words(), 0), positive(task.literals.n_words(), 0) {
    if (task.is_positive.size() != task.literals.n_rows())
        throw std::invalid_argument("is_positive must have one entry for each row");
    for (std::size_t i = 0; i < task.is_positive.size(); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << (i % 64);
        all[i / 64] |= bit;
        if (task.is_positive[i]) positive[i / 64] |= bit;
    }
}

bool is_pure(const Pattern& pattern, const PatternTask& task) noexcept {
    const double covered = pattern.positives + pattern.negatives;
    return pattern.positives > 0.0 && pattern.positives >= task.min_precision * covered - 1e-9;
}

/// Drops what a row keeps no longer beside a pattern; false where the pattern is not kept itself.
bool BestPatterns::make_room(const Pattern& pattern, std::vector<std::size_t>& best) const {
    if (joins_alike_) {
        const auto alike = std::find_if(best.begin(), best.end(), [&](std::size_t k) {
            return known_[k].positives == pattern.positives &&
                   known_[k].negatives == pattern.negatives;
        });
        if (alike != best.end()) {
            if (!before_(pattern, known_[*alike])) return false;
            best.erase(alike);
            return true;
        }
    }
    if (best.size() < n_best_) return true;
    if (!before_(pattern, known_[best.back()])) return false;
    best.pop_back();
    return true;
}

void BestPatterns::offer(const Pattern& pattern, const Bits& covered, const Bits& positive) {
    bool is_known = false;
    for (std::size_t w = 0; w < covered.size(); ++w)
        for (std::uint64_t left = covered[w] & positive[w]; left != 0; left &= left - 1) {
            auto& best = best_of_[64 * w + static_cast<std::size_t>(std::countr_zero(left))];
            if (!make_room(pattern, best)) continue;
            if (!is_known) known_.push_back(pattern);
            is_known = true;
            const auto place = std::find_if(best.begin(), best.end(), [&](std::size_t k) {
                return before_(pattern, known_[k]);
            });
            best.insert(place, known_.size() - 1);
        }
}

std::vector<Pattern> BestPatterns::collect() {
    std::vector<std::uint8_t> is_used(known_.size(), 0);
    for (const auto& best : best_of_)
        for (const std::size_t k : best) is_used[k] = 1;
    std::vector<Pattern> found;
    for (std::size_t k = 0; k < known_.size(); ++k)
        if (is_used[k]) found.push_back(std::move(known_[k]));
    std::sort(found.begin(), found.end(), before_);
    return found;
}

}  // namespace partage
