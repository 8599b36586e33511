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
    /// A row and the key of its places in the hashed attributes.
    struct Keyed {
        std::uint64_t key;
        Index row;
    };

    static constexpr std::uint64_t all = ~std::uint64_t{0};  ///< attributes with gaps
    static constexpr std::size_t endless = static_cast<std::size_t>(-1);

    bool has_gaps(std::span<const Index> group) const noexcept;
    bool plan(std::size_t n_left, std::size_t n_right, std::size_t except, std::size_t budget);
    std::uint64_t bit(std::size_t a) const noexcept;
    std::vector<Share> shares(std::span<const Index> rows, std::span<const Index> group) const;
    void choose_hashed(std::span<const Index> group, std::uint64_t lacks);
    std::vector<Keyed> keyed(std::span<const Index> rows) const;
    std::uint8_t mark(Index row) const noexcept;
    void keep_met(const std::vector<Keyed>& one, std::vector<Keyed>& other);
    void fill(const std::vector<Keyed>& rows, bool one_of_each);
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
    std::size_t except_ = none;
    std::vector<Index> hashed_;
    std::vector<Index> spared_;          ///< active attributes that are not hashed
    std::vector<std::size_t> nullable_;  ///< place of an attribute among those with gaps, or none
    std::vector<std::uint64_t> lacks_;   ///< what each row lacks; empty without gaps
    std::vector<std::uint8_t> marks_;    ///< classes met by the last digits of keys
    std::vector<Entry> entries_;
    std::vector<std::int32_t> heads_;
    std::size_t mask_ = 0;
    std::size_t n_nullable_ = 0;
    std::size_t n_compared_ = 0;
    std::size_t n_left_to_look_at_ = endless;  ///< entries, before the search is given up
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
    choose_hashed(groups_[group], left.lacks | right.lacks);
    std::vector<Keyed> ones = keyed(left.rows);
    std::vector<Keyed> others = keyed(right.rows);
    keep_met(ones, others);
    keep_met(others, ones);
    fill(others, one_of_each);
    for (const auto& [wanted, x] : ones)
        for (std::int32_t at = heads_[wanted & mask_]; at >= 0;) {
            const Entry& entry = entries_[static_cast<std::size_t>(at)];
            if (n_left_to_look_at_ == 0) return false;
            --n_left_to_look_at_;
            if (entry.key == wanted && compare(x, entry.row, most, group, visit)) return true;
            at = entry.next;
        }
    return false;
}

template <class Visit>
bool ClosePairs::search(std::span<const Index> left, std::span<const Index> right,
                        std::size_t except, std::size_t budget, std::size_t most, bool one_of_each,
                        Visit visit) {
    stop_.check();
    const bool is_hashed = plan(left.size(), right.size(), except, budget);
    n_left_to_look_at_ = endless;
    const bool asks_for_any = one_of_each && groups_.size() == 1;
    if (is_hashed && asks_for_any && has_gaps(groups_.front())) {
        // Rows that agree on all that no row lacks are few as a rule, and the first pair is enough.
        n_left_to_look_at_ = 8 * (left.size() + right.size());
        if (match({all, {left.begin(), left.end()}}, {all, {right.begin(), right.end()}}, 0, most,
                  false, visit))
            return true;
        if (n_left_to_look_at_ > 0) return false;
        n_left_to_look_at_ = endless;
    }
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
    const bool is_one_enough = asks_for_any && is_whole_ && n_nullable_ <= 64;
    for (std::size_t group = 0; group < groups_.size(); ++group)
        for (const Share& one : lefts[group])
            for (const Share& other : rights[group])
                if (match(one, other, group, most, is_one_enough, visit)) return true;
    return false;
}

}  // namespace partage
