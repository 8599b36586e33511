#include "partage/covers/close_pairs.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Mark of a place where rows of several classes were met.
constexpr std::uint8_t many = 255;

}  // namespace

ClosePairs::ClosePairs(const Separation& separation, const Stop& stop)
    : separation_(separation),
      examples_(separation.examples()),
      stop_(stop),
      nullable_(examples_.n_attributes(), none) {
    for (std::size_t a = 0; a < examples_.n_attributes(); ++a) {
        if (!examples_.has_missing(a)) continue;
        nullable_[a] = n_nullable_++;
        lacks_.resize(examples_.size(), 0);
        const Index gap = examples_.attribute(a).n_codes;
        for (const Index row : examples_.rows(a, gap, gap + 1)) lacks_[row] |= bit(a);
    }
}

/// What stands for the lack of an attribute; 0 where it has no gaps or too many others have.
std::uint64_t ClosePairs::bit(std::size_t a) const noexcept {
    return nullable_[a] < 64 ? std::uint64_t{1} << nullable_[a] : 0;
}

bool ClosePairs::has_gaps(std::span<const Index> group) const noexcept {
    return std::any_of(group.begin(), group.end(),
                       [this](Index a) { return nullable_[a] != none; });
}

/// Chooses the groups; false where comparing every pair is cheaper.
bool ClosePairs::plan(std::size_t n_left, std::size_t n_right, std::size_t except,
                      std::size_t budget) {
    except_ = except;
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
    std::uint64_t asked = 0;
    for (const Index a : group) asked |= bit(a);
    std::vector<Share> out;
    if (rows.empty()) return out;
    if (asked == 0) {
        out.push_back({0, {rows.begin(), rows.end()}});
        return out;
    }
    std::unordered_map<std::uint64_t, std::size_t> known;
    std::size_t last = 0;
    for (const Index row : rows) {
        const std::uint64_t lacks = lacks_[row] & asked;
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

/// Chooses the attributes of a group that rows are hashed by: those that no row lacks.
void ClosePairs::choose_hashed(std::span<const Index> group, std::uint64_t lacks) {
    hashed_.clear();
    for (const Index a : group)
        if (nullable_[a] == none || (bit(a) & ~lacks) != 0) hashed_.push_back(a);
    spared_.clear();
    for (const Index a : active_)
        if (std::find(hashed_.begin(), hashed_.end(), a) == hashed_.end()) spared_.push_back(a);
}

/// Rows with their keys. Codes of rows are far apart in memory, so they are looked at only where
/// the sum of all words and one word for all rows do not give the key.
std::vector<ClosePairs::Keyed> ClosePairs::keyed(std::span<const Index> rows) const {
    std::vector<Keyed> out(rows.size());
    if (rows.empty()) return out;
    const bool is_without_gaps = !has_gaps(hashed_);
    std::vector<Index> looked_at = spared_;
    if (is_without_gaps) std::erase_if(looked_at, [this](Index a) { return nullable_[a] != none; });
    const bool by_sum = looked_at.size() < hashed_.size();
    if (!by_sum) looked_at = hashed_;
    std::uint64_t shared = 0;
    const auto own = std::find(looked_at.begin(), looked_at.end(), except_);
    if (by_sum && own != looked_at.end()) {
        // Rows come by their codes in this attribute: all of them stand between the first and last.
        const std::uint64_t first = separation_.word(except_, examples_.row(rows.front())[except_]);
        if (first == separation_.word(except_, examples_.row(rows.back())[except_])) {
            shared = first;
            looked_at.erase(own);
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::uint64_t sum = 0;
        if (by_sum)
            sum = (is_without_gaps ? separation_.sum_without_gaps(rows[i])
                                   : separation_.sum(rows[i])) -
                  shared;
        const Index* codes = looked_at.empty() ? nullptr : examples_.row(rows[i]);
        for (const Index a : looked_at) {
            const std::uint64_t word = separation_.word(a, codes[a]);
            sum += by_sum ? std::uint64_t{0} - word : word;
        }
        out[i] = {sum ^ (sum >> 32), rows[i]};
    }
    return out;
}

/// A mark of a row's class; classes that have none of their own share the last.
std::uint8_t ClosePairs::mark(Index row) const noexcept {
    return static_cast<std::uint8_t>(std::min<unsigned>(examples_.label(row) + 1U, many));
}

/// Keeps rows of one side that may meet a row of another class on the other: a key has few places,
/// so that they stay in fast memory, and each place knows which class it has met, or that it has
/// met many.
void ClosePairs::keep_met(const std::vector<Keyed>& one, std::vector<Keyed>& other) {
    marks_.assign(std::bit_ceil(4 * one.size() + 1), 0);
    const std::size_t mask = marks_.size() - 1;
    for (const auto& [key, row] : one) {
        std::uint8_t& here = marks_[key & mask];
        const std::uint8_t own = mark(row);
        here = here == 0 || here == own ? own : many;
    }
    std::erase_if(other, [&](const Keyed& some) {
        const std::uint8_t here = marks_[some.key & mask];
        return here == 0 || (here != many && here == mark(some.row));
    });
}

void ClosePairs::fill(const std::vector<Keyed>& rows, bool one_of_each) {
    const std::size_t size = std::bit_ceil(2 * rows.size() + 1);
    mask_ = size - 1;
    heads_.assign(size, -1);
    entries_.clear();
    for (const auto& [found, row] : rows) {
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
