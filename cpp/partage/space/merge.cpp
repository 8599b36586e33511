#include <algorithm>
#include <array>
#include <limits>

#include "partage/space/compress.hpp"
#include "partage/space/line.hpp"
#include "partage/space/range.hpp"

namespace partage {
namespace {

template <class Value>
class UnitWriter {
public:
    UnitWriter(std::size_t n_entries, std::size_t n_classes) {
        column_.line.n_classes = n_classes;
        column_.line.codes.resize(n_entries);
        column_.line.starts.resize(n_entries + 1);
        column_.values.resize(n_entries);
    }

    void push(Value value, Code code) noexcept {
        column_.line.codes[n_entries_] = code;
        column_.values[n_entries_] = value;
        ++n_entries_;
    }
    /// Room for entries that are written by their places, all of them.
    Code* codes() noexcept { return column_.line.codes.data(); }
    Value* values() noexcept { return column_.values.data(); }

    SortedColumn<Value> finish() {
        n_entries_ = column_.values.size();
        find_units();
        column_.line.starts.resize(n_units_ + 1);
        column_.line.starts[n_units_] = static_cast<Index>(n_entries_);
        column_.values.resize(n_units_);
        if (n_units_ < n_entries_ / 2) column_.values.shrink_to_fit();
        compress_units(column_.line);
        return std::move(column_);
    }

private:
    /// Joins equal values.
    void find_units() noexcept {
        Value* const values = column_.values.data();
        Index* const starts = column_.line.starts.data();
        if (!has_equal_neighbours<Value>({values, n_entries_})) {
            n_units_ = n_entries_;
            for (std::size_t i = 0; i < n_entries_; ++i) starts[i] = static_cast<Index>(i);
            return;
        }
        Value before = values[0];
        for (std::size_t i = 0; i < n_entries_; ++i) {
            // Written always, kept if new: without a branch the pipeline flows.
            const Value value = values[i];
            starts[n_units_] = static_cast<Index>(i);
            values[n_units_] = value;
            n_units_ += i == 0 || value != before;
            before = value;
        }
    }

    SortedColumn<Value> column_;
    std::size_t n_entries_ = 0;
    std::size_t n_units_ = 0;
};

/// Merges two sorted lists in stretches side by side, since each step waits for the one before it.
template <class Value>
class TwoLists {
public:
    TwoLists(std::span<const Value> a, std::span<const Value> b)
        : a_end_(a.data() + a.size()), b_end_(b.data() + b.size()) {
        const std::size_t n = a.size() + b.size();
        for (std::size_t lane = 0; lane <= n_lanes; ++lane) at_[lane] = n * lane / n_lanes;
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            const std::size_t n_first = n_of_first(a, b, at_[lane]);
            a_[lane] = a.data() + n_first;
            b_[lane] = b.data() + (at_[lane] - n_first);
        }
    }

    void run(Value* values, Code* codes) noexcept {
        std::size_t i = 0;  // in each stretch
        while (const std::size_t n_safe = steps_before_an_end(i)) {
            for (const std::size_t end = i + n_safe; i < end; ++i)
                for (std::size_t lane = 0; lane < n_lanes; ++lane) {
                    const bool take = *b_[lane] < *a_[lane];
                    put(lane, take, values[at_[lane] + i], codes[at_[lane] + i]);
                }
        }
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
            for (std::size_t k = at_[lane] + i; k < at_[lane + 1]; ++k) {
                const bool has_both = a_[lane] != a_end_ && b_[lane] != b_end_;
                const bool take = has_both ? *b_[lane] < *a_[lane] : a_[lane] == a_end_;
                put(lane, take, values[k], codes[k]);
            }
    }

private:
    static constexpr std::size_t n_lanes = 4;

    /// How many of the lowest `n` are of the first list, which goes first on a tie.
    static std::size_t n_of_first(std::span<const Value> a, std::span<const Value> b,
                                  std::size_t n) noexcept {
        std::size_t low = n > b.size() ? n - b.size() : 0;
        std::size_t high = std::min(n, a.size());
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (b[n - middle - 1] < a[middle])
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    /// Steps that all stretches can take before one of them, or a list, may be at its end.
    std::size_t steps_before_an_end(std::size_t i) const noexcept {
        std::size_t n = at_[1] - i;
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            n = std::min(n, static_cast<std::size_t>(a_end_ - a_[lane]));
            n = std::min(n, static_cast<std::size_t>(b_end_ - b_[lane]));
        }
        return n;
    }

    void put(std::size_t lane, bool take, Value& value, Code& code) noexcept {
        value = take ? *b_[lane] : *a_[lane];
        code = static_cast<Code>(take);
        a_[lane] += !take;
        b_[lane] += take;
    }

    const Value* a_end_;
    const Value* b_end_;
    std::array<std::size_t, n_lanes + 1> at_;  // first of each stretch, then their number
    std::array<const Value*, n_lanes> a_;
    std::array<const Value*, n_lanes> b_;
};

/// Merges any number of sorted lists with a tournament of losers.
template <class Value>
class Tournament {
public:
    Tournament(std::span<const Value> values, std::span<const std::int64_t> offsets)
        : values_(values), n_(offsets.size() - 1), losers_(n_), positions_(n_), ends_(n_) {
        std::vector<Head> winners(2 * n_);
        for (std::size_t list = 0; list < n_; ++list) {
            positions_[list] = static_cast<std::size_t>(offsets[list]);
            ends_[list] = static_cast<std::size_t>(offsets[list + 1]);
            winners[n_ + list] = head(list);
        }
        for (std::size_t node = n_ - 1; node > 0; --node) {
            winners[node] = winners[2 * node];
            losers_[node] = winners[2 * node + 1];
            play(losers_[node], winners[node]);
        }
        losers_[0] = winners[1];
    }

    void run(UnitWriter<Value>& out) {
        Head winner = losers_[0];
        for (std::size_t left = values_.size(); left > 0; --left) {
            const std::size_t list = winner.rank;
            out.push(winner.value, static_cast<Code>(list));
            ++positions_[list];
            winner = head(list);
            for (std::size_t node = (n_ + list) / 2; node > 0; node /= 2)
                play(losers_[node], winner);
        }
    }

private:
    struct Head {
        Value value{};
        std::size_t rank = 0;  // its list; a list that is used up ranks behind every other
    };

    Head head(std::size_t list) const noexcept {
        const bool is_empty = positions_[list] >= ends_[list];
        return {is_empty ? highest : values_[positions_[list]], is_empty ? list + n_ : list};
    }

    /// Leaves the lower head in `winner`, equal values in the order of their lists.
    static void play(Head& loser, Head& winner) noexcept {
        const bool swaps = (loser.value < winner.value) |
                           ((loser.value == winner.value) & (loser.rank < winner.rank));
        const Head other = loser;
        loser = swaps ? winner : other;
        winner = swaps ? other : winner;
    }

    static constexpr Value highest = std::numeric_limits<Value>::has_infinity
                                         ? std::numeric_limits<Value>::infinity()
                                         : std::numeric_limits<Value>::max();
    std::span<const Value> values_;
    std::size_t n_;
    std::vector<Head> losers_;
    std::vector<std::size_t> positions_;
    std::vector<std::size_t> ends_;
};

}  // namespace

template <class Value>
SortedColumn<Value> merge_classes(std::span<const Value> values,
                                  std::span<const std::int64_t> offsets) {
    const std::size_t n_classes = offsets.size() - 1;
    UnitWriter<Value> out(values.size(), n_classes);
    if (n_classes <= 2) {
        const auto middle = static_cast<std::size_t>(offsets[1]);
        TwoLists<Value>(values.first(middle), values.subspan(middle))
            .run(out.values(), out.codes());
    } else {
        Tournament<Value>(values, offsets).run(out);
    }
    return out.finish();
}

template SortedColumn<double> merge_classes<double>(std::span<const double>,
                                                    std::span<const std::int64_t>);
template SortedColumn<std::int64_t> merge_classes<std::int64_t>(std::span<const std::int64_t>,
                                                                std::span<const std::int64_t>);

}  // namespace partage
