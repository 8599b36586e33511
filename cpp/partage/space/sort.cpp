#include "partage/space/sort.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <vector>

namespace partage {
namespace {

/// Rows of a bucket, about, and buckets at most: more would not stay in the cache while they fill.
constexpr std::size_t in_bucket = 256;
constexpr std::size_t most_buckets = 4096;
/// Numbers of the sample for each bucket.
constexpr std::size_t in_sample = 8;
/// Items that are sorted by insertion.
constexpr std::size_t few = 32;

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// A whole number that is ordered like the value.
std::uint64_t key_of(double value) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}
std::uint64_t key_of(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) ^ sign_bit;
}

/// The value of a key.
template <class Value>
Value value_of(std::uint64_t key) noexcept {
    if constexpr (std::is_same_v<Value, double>)
        return std::bit_cast<double>((key & sign_bit) != 0 ? key ^ sign_bit : ~key);
    else
        return static_cast<std::int64_t>(key ^ sign_bit);
}

/// A row that is sorted by its key, then its class.
struct KeyedRow {
    std::uint64_t key;
    Index row;
    Code code;
    friend bool operator<(const KeyedRow& a, const KeyedRow& b) noexcept {
        return a.key != b.key ? a.key < b.key : a.code < b.code;
    }
};

std::uint64_t sort_key(const KeyedRow& item) noexcept { return item.key; }
std::uint64_t sort_key(std::uint64_t item) noexcept { return item; }

template <class Item>
class BucketSort {
public:
    explicit BucketSort(Buffer<Item>& items) : items_(items), scratch_(items.size()) {
        const std::size_t n = items.size();
        if (n <= 2 * in_bucket) {
            std::sort(items.begin(), items.end());
            return;
        }
        n_buckets_ = std::min(std::bit_ceil(n / in_bucket), most_buckets);
        find_borders();
        const std::vector<Index> starts = fill();
        for (std::size_t b = 0; b < n_buckets_; ++b)
            sort_bucket(items_.data() + starts[b], scratch_.data() + starts[b],
                        starts[b + 1] - starts[b]);
    }

private:
    void find_borders() {
        const std::size_t n_drawn = in_sample * n_buckets_;
        std::vector<std::uint64_t> drawn(n_drawn);
        for (std::size_t i = 0; i < n_drawn; ++i)
            drawn[i] = sort_key(items_[i * items_.size() / n_drawn]);
        std::sort(drawn.begin(), drawn.end());
        for (std::size_t b = 1; b < n_buckets_; ++b) borders_.push_back(drawn[b * in_sample]);
    }

    /// The bucket of a key: how many borders are below it, by halving without a branch.
    std::size_t bucket_of(std::uint64_t key) const noexcept {
        std::size_t found = 0;
        for (std::size_t step = n_buckets_ / 2; step > 0; step /= 2)
            found += borders_[found + step - 1] < key ? step : 0;
        return found;
    }

    /// Moves the items bucket by bucket; the first of each, then their number.
    std::vector<Index> fill() {
        const std::size_t n = items_.size();
        Buffer<Code> places(n);
        std::vector<Index> starts(n_buckets_ + 1, 0);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t bucket = bucket_of(sort_key(items_[i]));
            places[i] = static_cast<Code>(bucket);
            ++starts[bucket + 1];
        }
        for (std::size_t b = 0; b < n_buckets_; ++b) starts[b + 1] += starts[b];
        std::vector<Index> next(starts.begin(), starts.end() - 1);
        for (std::size_t i = 0; i < n; ++i) scratch_[next[places[i]]++] = items_[i];
        items_.swap(scratch_);
        return starts;
    }

    /// Sorts a bucket: its items go to slots of even width, of which each is sorted.
    void sort_bucket(Item* items, Item* scratch, std::size_t n) {
        if (n <= few) return sort_few(items, n);
        std::uint64_t low = sort_key(items[0]);
        std::uint64_t high = low;
        for (std::size_t i = 1; i < n; ++i) {
            low = std::min(low, sort_key(items[i]));
            high = std::max(high, sort_key(items[i]));
        }
        if (low == high || n > 64 * in_bucket) return std::sort(items, items + n);
        const double scale = (static_cast<double>(n) - 0.5) / static_cast<double>(high - low);
        slots_.assign(n + 1, 0);
        slot_of_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double away = static_cast<double>(sort_key(items[i]) - low);
            slot_of_[i] = std::min(static_cast<Index>(away * scale), static_cast<Index>(n - 1));
            ++slots_[slot_of_[i] + 1];
        }
        for (std::size_t s = 0; s < n; ++s) slots_[s + 1] += slots_[s];
        for (std::size_t i = 0; i < n; ++i) scratch[slots_[slot_of_[i]]++] = items[i];
        // Each slot ends now where the next one started.
        Index first = 0;
        for (std::size_t s = 0; s < n; ++s) {
            if (slots_[s] - first > 1) sort_slot(scratch + first, slots_[s] - first);
            first = slots_[s];
        }
        std::copy(scratch, scratch + n, items);
    }

    static void sort_slot(Item* items, std::size_t n) {
        if (n <= few) return sort_few(items, n);
        std::sort(items, items + n);
    }

    static void sort_few(Item* items, std::size_t n) noexcept {
        for (std::size_t i = 1; i < n; ++i) {
            const Item item = items[i];
            std::size_t at = i;
            for (; at > 0 && item < items[at - 1]; --at) items[at] = items[at - 1];
            items[at] = item;
        }
    }

    Buffer<Item>& items_;
    Buffer<Item> scratch_;
    std::size_t n_buckets_ = 1;
    std::vector<std::uint64_t> borders_;
    std::vector<Index> slots_;
    Buffer<Index> slot_of_;
};

/// Distinct values of sorted keys: where each starts, then the number of keys.
Buffer<Index> starts_of_values(const Buffer<std::uint64_t>& keys) {
    Buffer<Index> starts(keys.size() + 1);
    std::size_t n = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        starts[n] = static_cast<Index>(i);  // written always, kept if new
        n += i == 0 || keys[i] != keys[i - 1];
    }
    starts.resize(n + 1);
    starts[n] = static_cast<Index>(keys.size());
    return starts;
}

}  // namespace

template <class Value>
SortedRows<Value> sort_rows(std::span<const Value> values, std::span<const Code> codes,
                            std::span<const std::uint8_t> is_missing, std::size_t n_classes) {
    Buffer<KeyedRow> items(values.size());
    std::size_t n = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        items[n] = {key_of(values[i]), static_cast<Index>(i), codes[i]};
        n += !(values[i] != values[i] || (!is_missing.empty() && is_missing[i] != 0));
    }
    items.resize(n);
    BucketSort<KeyedRow>{items};
    SortedRows<Value> out;
    Line& line = out.column.line;
    line.n_classes = n_classes;
    line.codes.resize(n);
    out.rows.resize(n);
    out.starts.resize(n + 1);
    out.column.values.resize(n);
    std::size_t n_units = 0;
    for (std::size_t i = 0; i < n; ++i) {
        line.codes[i] = items[i].code;
        out.rows[i] = items[i].row;
        const bool is_new = i == 0 || items[i].key != items[i - 1].key;
        // Written always, kept if new, as the merge of classes does.
        out.starts[n_units] = static_cast<Index>(i);
        out.column.values[n_units] = value_of<Value>(items[i].key);
        n_units += is_new;
    }
    out.starts.resize(n_units + 1);
    out.starts[n_units] = static_cast<Index>(n);
    out.column.values.resize(n_units);
    line.starts = out.starts;
    return out;
}

RankCells rank_cells(std::span<const double> numbers, std::size_t most) {
    Buffer<std::uint64_t> keys(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) keys[i] = key_of(numbers[i]);
    BucketSort<std::uint64_t>{keys};
    const Buffer<Index> starts = starts_of_values(keys);
    const std::size_t n_values = starts.size() - 1;
    std::vector<std::size_t> cells{0};  // first value of each cell, then their number
    if (n_values <= most) {
        for (std::size_t v = 1; v <= n_values; ++v) cells.push_back(v);
    } else {
        const auto whole = static_cast<double>(keys.size());
        const auto end_of = [&](std::size_t v) { return static_cast<double>(starts[v + 1]); };
        for (std::size_t i = 1; i < most; ++i) {
            const double wanted = whole * static_cast<double>(i) / static_cast<double>(most);
            const auto place = std::lower_bound(
                starts.begin() + 1, starts.end() - 1, wanted,
                [](Index end, double share) { return static_cast<double>(end) < share; });
            const auto after = static_cast<std::size_t>(place - starts.begin()) - 1;
            const std::size_t before = after > 0 ? after - 1 : 0;
            const bool is_nearer = wanted - end_of(before) <= end_of(after) - wanted;
            const std::size_t first = (is_nearer ? before : after) + 1;
            if (first > cells.back() && first < n_values) cells.push_back(first);
        }
        cells.push_back(n_values);
    }
    RankCells out;
    std::vector<std::uint64_t> lows;
    for (std::size_t c = 0; c + 1 < cells.size(); ++c) {
        lows.push_back(keys[starts[cells[c]]]);
        out.lows.push_back(value_of<double>(lows.back()));
        out.highs.push_back(value_of<double>(keys[starts[cells[c + 1]] - 1]));
        out.weights.push_back(static_cast<double>(starts[cells[c + 1]] - starts[cells[c]]));
    }
    const std::size_t size = std::bit_ceil(lows.size());
    lows.resize(size, ~std::uint64_t{0});
    out.codes.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::uint64_t key = key_of(numbers[i]);
        std::size_t cell = 0;  // the last whose least value is not above the number
        for (std::size_t step = size / 2; step > 0; step /= 2)
            cell += lows[cell + step] <= key ? step : 0;
        out.codes[i] = static_cast<Code>(cell);
    }
    return out;
}

template SortedRows<double> sort_rows<double>(std::span<const double>, std::span<const Code>,
                                              std::span<const std::uint8_t>, std::size_t);
template SortedRows<std::int64_t> sort_rows<std::int64_t>(std::span<const std::int64_t>,
                                                          std::span<const Code>,
                                                          std::span<const std::uint8_t>,
                                                          std::size_t);

}  // namespace partage
