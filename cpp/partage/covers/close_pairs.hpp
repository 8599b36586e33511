#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "partage/covers/cover.hpp"

namespace partage {

/// Finds pairs of rows of different classes that few discriminants separate, without listing the
/// others. Two rows with at most b separators agree on one of any b + 1 groups of attributes: rows
/// are hashed by each group, and only those that meet are compared.
class ClosePairs {
public:
    ClosePairs(const Separation& separation, const Stop& stop);

    /// Calls visit(x, y), once for each pair with x in `left`, y in `right` that at most `most`
    /// discriminants separate in all and at most `budget` in attributes other than `except`, until
    /// it returns true; says whether it did. Where `one_of_each` is set, rows that no discriminant
    /// separates from a visited one of their class may be left out.
    template <class Visit>
    bool search(std::span<const Index> left, std::span<const Index> right, std::size_t except,
                std::size_t budget, std::size_t most, bool one_of_each, Visit visit);

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

private:
    /// A share of one side: rows that lack the same attributes of a group.
    struct Share {
        std::uint64_t lacks = 0;
        std::vector<Index> rows;
    };
    struct Entry {
        std::uint64_t key;
        Index row;
        std::int32_t next;
    };

    bool plan(std::size_t n_left, std::size_t n_right, std::size_t except, std::size_t budget);
    std::vector<Share> shares(std::span<const Index> rows, std::span<const Index> group) const;
    std::uint64_t key(std::size_t row) const noexcept;
    void fill(std::span<const Index> rows, bool one_of_each);
    bool agrees(std::span<const Index> group, std::size_t x, std::size_t y) const noexcept;
    template <class Visit>
    bool compare(std::size_t x, std::size_t y, std::size_t most, std::size_t group, Visit& visit);
    template <class Visit>
    bool match(const Share& left, const Share& right, std::size_t group, std::size_t most,
               bool one_of_each, Visit& visit);

    const Separation& separation_;
    const Examples& examples_;
    const Stop& stop_;
    std::vector<Index> active_;               ///< attributes with discriminants, sharpest first
    std::vector<std::vector<Index>> groups_;  ///< attributes whose codes are hashed together
    bool is_whole_ = false;                   ///< whether the groups hold every attribute there is
    std::vector<Index> hashed_;
    std::vector<Index> spared_;  ///< active attributes that are not hashed
    std::vector<Entry> entries_;
    std::vector<std::int32_t> heads_;
    std::size_t mask_ = 0;
    std::size_t n_compared_ = 0;
};

template <class Visit>
bool ClosePairs::compare(std::size_t x, std::size_t y, std::size_t most, std::size_t group,
                         Visit& visit) {
    if (examples_.label(x) == examples_.label(y)) return false;
    if ((++n_compared_ & 0xffff) == 0) stop_.check();
    if (!separation_.is_within(active_, x, y, most)) return false;
    // A pair that an earlier group brought together was visited then.
    for (std::size_t g = 0; g < group; ++g)
        if (agrees(groups_[g], x, y)) return false;
    return visit(x, y);
}

template <class Visit>
bool ClosePairs::match(const Share& left, const Share& right, std::size_t group, std::size_t most,
                       bool one_of_each, Visit& visit) {
    const auto& nullable = groups_[group];
    hashed_.clear();
    std::size_t bit = 0;
    for (const Index a : nullable) {
        const bool lacks =
            examples_.has_missing(a) && bit < 64 && (((left.lacks | right.lacks) >> bit) & 1) != 0;
        const bool is_beyond = examples_.has_missing(a) && bit >= 64;
        bit += examples_.has_missing(a);
        if (!lacks && !is_beyond) hashed_.push_back(a);
    }
    spared_.clear();
    for (const Index a : active_)
        if (std::find(hashed_.begin(), hashed_.end(), a) == hashed_.end()) spared_.push_back(a);
    fill(right.rows, one_of_each && is_whole_ && groups_.size() == 1 && bit <= 64);
    for (const Index x : left.rows) {
        const std::uint64_t wanted = key(x);
        for (std::int32_t at = heads_[wanted & mask_]; at >= 0;) {
            const Entry& entry = entries_[static_cast<std::size_t>(at)];
            if (entry.key == wanted && compare(x, entry.row, most, group, visit)) return true;
            at = entry.next;
        }
    }
    return false;
}

template <class Visit>
bool ClosePairs::search(std::span<const Index> left, std::span<const Index> right,
                        std::size_t except, std::size_t budget, std::size_t most, bool one_of_each,
                        Visit visit) {
    stop_.check();
    bool is_hashed = plan(left.size(), right.size(), except, budget);
    std::vector<std::vector<Share>> lefts;
    std::vector<std::vector<Share>> rights;
    std::size_t n_filled = 0;
    for (const auto& group : groups_) {
        lefts.push_back(shares(left, group));
        rights.push_back(shares(right, group));
        n_filled += lefts.back().size() * right.size() + rights.back().size() * left.size();
    }
    if (!is_hashed || n_filled > left.size() * right.size() / 2) {
        for (const Index x : left)
            for (const Index y : right)
                if (compare(x, y, most, 0, visit)) return true;
        return false;
    }
    for (std::size_t group = 0; group < groups_.size(); ++group)
        for (const Share& one : lefts[group])
            for (const Share& other : rights[group])
                if (match(one, other, group, most, one_of_each, visit)) return true;
    return false;
}

}  // namespace partage
