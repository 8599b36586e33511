#include "partage/covers/close_pairs.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "partage/support/combinatorics.hpp"

namespace partage {

ClosePairs::ClosePairs(const Separation& separation, const Stop& stop)
    : separation_(separation), examples_(separation.examples()), stop_(stop) {}

/// Chooses the groups; false where comparing every pair is cheaper.
bool ClosePairs::plan(std::size_t n_left, std::size_t n_right, std::size_t except,
                      std::size_t budget) {
    active_.clear();
    for (std::size_t a = 0; a < examples_.n_attributes(); ++a)
        if (separation_.is_active(a)) active_.push_back(static_cast<Index>(a));
    std::stable_sort(active_.begin(), active_.end(), [this](Index a, Index b) {
        return separation_.tie_chance(a) < separation_.tie_chance(b);
    });
    groups_.clear();
    const double n_all = static_cast<double>(n_left) * static_cast<double>(n_right);
    if (n_all <= 8.0 * static_cast<double>(n_left + n_right)) return false;
    std::vector<Index> hashable;
    for (const Index a : active_)
        if (a != except && examples_.attribute(a).direction == 0) hashable.push_back(a);
    is_whole_ = true;
    for (const Index a : active_) is_whole_ &= a == except || examples_.attribute(a).direction == 0;
    if (hashable.size() <= budget) return false;
    groups_.resize(budget + 1);
    std::vector<double> sharpness(budget + 1, 0.0);
    for (const Index a : hashable) {
        const auto least = std::min_element(sharpness.begin(), sharpness.end());
        *least -= portable_log(separation_.tie_chance(a));
        groups_[static_cast<std::size_t>(least - sharpness.begin())].push_back(a);
    }
    double n_met = 0.0;
    for (const double sharp : sharpness) n_met += n_all * portable_exp(-sharp);
    if (n_met >= 0.5 * n_all) groups_.clear();
    return !groups_.empty();
}

std::vector<ClosePairs::Share> ClosePairs::shares(std::span<const Index> rows,
                                                  std::span<const Index> group) const {
    std::vector<Index> nullable;
    for (const Index a : group)
        if (examples_.has_missing(a) && nullable.size() < 64) nullable.push_back(a);
    std::vector<Share> out;
    std::unordered_map<std::uint64_t, std::size_t> known;
    std::size_t last = 0;
    for (const Index row : rows) {
        std::uint64_t lacks = 0;
        for (std::size_t bit = 0; bit < nullable.size(); ++bit) {
            const Index a = nullable[bit];
            lacks |= std::uint64_t{separation_.place(a, examples_.row(row)[a]) < 0} << bit;
        }
        // Most rows lack what the one before did.
        if (out.empty() || out[last].lacks != lacks) {
            const auto [place, is_new] = known.try_emplace(lacks, out.size());
            if (is_new) out.push_back({lacks, {}});
            last = place->second;
        }
        out[last].rows.push_back(row);
    }
    return out;
}

std::uint64_t ClosePairs::key(std::size_t row) const noexcept {
    const Index* codes = examples_.row(row);
    std::uint64_t sum = 0;
    if (spared_.size() < hashed_.size()) {
        sum = separation_.sum(row);
        for (const Index a : spared_) sum -= separation_.word(a, codes[a]);
    } else {
        for (const Index a : hashed_) sum += separation_.word(a, codes[a]);
    }
    return sum ^ (sum >> 32);
}

void ClosePairs::fill(std::span<const Index> rows, bool one_of_each) {
    const std::size_t size = std::bit_ceil(2 * rows.size() + 1);
    mask_ = size - 1;
    heads_.assign(size, -1);
    entries_.clear();
    for (const Index row : rows) {
        const std::uint64_t found = key(row);
        std::int32_t& head = heads_[found & mask_];
        bool is_known = false;
        if (one_of_each)
            for (std::int32_t at = head; at >= 0 && !is_known;) {
                const Entry& entry = entries_[static_cast<std::size_t>(at)];
                is_known = entry.key == found &&
                           examples_.label(entry.row) == examples_.label(row) &&
                           agrees(hashed_, entry.row, row);
                at = entry.next;
            }
        if (is_known) continue;
        entries_.push_back({found, row, head});
        head = static_cast<std::int32_t>(entries_.size()) - 1;
    }
}

bool ClosePairs::agrees(std::span<const Index> group, std::size_t x, std::size_t y) const noexcept {
    return separation_.is_within(group, x, y, 0);
}

}  // namespace partage
