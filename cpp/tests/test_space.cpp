#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "check.hpp"
#include "partage/space/line.hpp"
#include "partage/space/read.hpp"
#include "partage/support/arrays.hpp"
#include "partage/support/ties.hpp"

namespace {

using namespace partage;

/// Values of each class, sorted, drawn from a pool so small that most of them tie.
template <class Value>
struct Lists {
    std::vector<Value> values;
    std::vector<std::int64_t> offsets{0};
};

template <class Value>
Lists<Value> draw(const std::vector<Value>& pool, std::size_t n_classes, std::size_t most,
                  unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::size_t> pick(0, pool.size() - 1);
    std::uniform_int_distribution<std::size_t> size(0, most);
    Lists<Value> lists;
    for (std::size_t j = 0; j < n_classes; ++j) {
        const std::size_t n = size(random);
        for (std::size_t i = 0; i < n; ++i) lists.values.push_back(pool[pick(random)]);
        std::sort(lists.values.begin() + lists.offsets.back(), lists.values.end());
        lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
    }
    return lists;
}

template <class Value>
void check_line(const Lists<Value>& lists) {
    const std::size_t n_classes = lists.offsets.size() - 1;
    std::map<Value, std::vector<double>> counts;
    for (std::size_t j = 0; j < n_classes; ++j)
        for (auto i = lists.offsets[j]; i < lists.offsets[j + 1]; ++i) {
            auto& row = counts[lists.values[static_cast<std::size_t>(i)]];
            row.resize(n_classes, 0.0);
            row[j] += 1.0;
        }
    const SortedColumn<Value> column = merge_classes<Value>(lists.values, lists.offsets);
    const Line& line = column.line;
    CHECK(line.n_units() == counts.size());
    CHECK(column.values.size() == counts.size());
    const Rows rows = block_rows(line, unit_blocks(line));
    std::size_t unit = 0;
    for (const auto& [value, row] : counts) {
        CHECK(column.values[unit] == value);
        CHECK(std::equal(row.begin(), row.end(), rows[unit].begin()));
        CHECK(std::is_sorted(line.codes.begin() + line.starts[unit],
                             line.codes.begin() + line.starts[unit + 1]));
        ++unit;
    }
}

TEST(merged_classes_are_counted_value_by_value) {
    const std::vector<double> pool{-1.5, 0.0, 0.25, 1.0, 2.0, 3.0, 8.0};
    for (unsigned seed = 0; seed < 60; ++seed)
        for (std::size_t n_classes = 1; n_classes <= 6; ++n_classes)
            check_line(draw(pool, n_classes, 20, seed));
}

TEST(long_lists_are_merged_like_short_ones) {
    std::vector<double> pool;
    for (int i = 0; i < 5000; ++i) pool.push_back(i / 7.0);
    for (unsigned seed = 0; seed < 20; ++seed) {
        check_line(draw(pool, 2, 900, seed));
        // One list ends before the other begins.
        Lists<double> apart;
        const std::ptrdiff_t n_low = 1 + 37 * static_cast<std::ptrdiff_t>(seed);
        apart.values.assign(pool.begin() + n_low, pool.begin() + 1000);
        apart.offsets.push_back(1000 - n_low);
        apart.values.insert(apart.values.end(), pool.begin(), pool.begin() + n_low);
        apart.offsets.push_back(1000);
        check_line(apart);
    }
}

/// The values of each class, sorted, whatever their order.
std::vector<std::vector<double>> sorted_classes(const ByClass<double>& split) {
    std::vector<std::vector<double>> classes;
    for (std::size_t j = 0; j + 1 < split.offsets.size(); ++j) {
        classes.emplace_back(split.values.begin() + split.offsets[j],
                             split.values.begin() + split.offsets[j + 1]);
        std::sort(classes.back().begin(), classes.back().end());
    }
    return classes;
}

TEST(a_column_is_laid_out_class_by_class) {
    std::mt19937 random(3);
    for (std::size_t n = 0; n < 40; ++n)
        for (const std::size_t n_classes : {2, 3})
            for (const bool has_gaps : {false, true}) {
                std::vector<double> values(n);
                std::vector<Code> codes(n);
                std::vector<std::uint8_t> marks(has_gaps ? n : 0);
                std::vector<std::vector<double>> wanted(n_classes);
                std::vector<double> missing(n_classes, 0.0);
                for (std::size_t i = 0; i < n; ++i) {
                    values[i] = static_cast<double>(random() % 9) - 4.0;
                    codes[i] = static_cast<Code>(random() % n_classes);
                    if (has_gaps) marks[i] = random() % 3 == 0;
                    if (has_gaps && marks[i] != 0)
                        missing[codes[i]] += 1.0;
                    else
                        wanted[codes[i]].push_back(values[i]);
                }
                for (auto& one : wanted) std::sort(one.begin(), one.end());
                const auto split = split_by_class<double>(values, codes, marks, n_classes);
                CHECK(sorted_classes(split) == wanted);
                CHECK(split.missing == missing);
            }
}

TEST(a_large_array_grows_and_shrinks) {
    constexpr std::size_t large = large_array / sizeof(Index);
    Buffer<Index> numbers(3, 7);
    numbers.resize(large - 1);  // the last size that is not large
    numbers[large - 2] = 1;
    numbers.resize(large + 1);
    numbers[large] = 2;
    CHECK(numbers[0] == 7 && numbers[large - 2] == 1);
    CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % (std::uintptr_t{1} << 21) == 0);
    const Buffer<Index> copy = numbers;
    CHECK(copy[0] == 7 && copy[large] == 2);
    numbers = Buffer<Index>(numbers.begin(), numbers.begin() + 2);
    CHECK(numbers[0] == 7 && numbers.capacity() < large);
}

TEST(merged_classes_keep_the_greatest_values_apart_from_empty_lists) {
    using Whole = std::numeric_limits<std::int64_t>;
    const std::vector<std::int64_t> whole{Whole::min(), -1, 0, Whole::max() - 1, Whole::max()};
    const std::vector<double> real{-infinite, -1.0, 0.0, std::numeric_limits<double>::max(),
                                   infinite};
    for (unsigned seed = 0; seed < 60; ++seed)
        for (std::size_t n_classes = 1; n_classes <= 6; ++n_classes) {
            check_line(draw(whole, n_classes, 4, seed));
            check_line(draw(real, n_classes, 4, seed));
        }
}

TEST(units_of_many_entries_become_weighted_entries) {
    const std::vector<double> pool{1.0, 2.0};
    const Lists<double> lists = draw(pool, 3, 200, 5);
    check_line(lists);
    const Line line = merge_classes<double>(lists.values, lists.offsets).line;
    CHECK(!line.weights.empty());
    CHECK(line.n_entries() <= 2 * 3);
    CHECK(line.weight(0, line.n_entries()) == static_cast<double>(lists.values.size()));
}

TEST(runs_join_pure_neighbours_of_one_class_only) {
    // Units: a, a, {a, b}, b, b, a.
    const std::vector<double> values{1.0, 2.0, 3.0, 6.0, 3.0, 4.0, 5.0};
    const std::vector<std::int64_t> offsets{0, 4, 7};
    const Line line = merge_classes<double>(values, offsets).line;
    const Blocks wanted{0, 2, 3, 5, 6};
    CHECK(run_blocks(line) == wanted);
}

TEST(long_stretches_are_counted_like_short_ones) {
    std::mt19937 random(9);
    Line line;
    line.n_classes = 5;
    std::uniform_int_distribution<int> code(0, 4);
    std::vector<double> wanted(5, 0.0);
    for (int i = 0; i < 5003; ++i) {
        line.codes.push_back(static_cast<Code>(code(random)));
        wanted[line.codes.back()] += 1.0;
    }
    line.starts.push_back(0);
    line.starts.push_back(static_cast<Index>(line.codes.size()));
    CHECK(line.totals() == wanted);
    line.weights.resize(line.codes.size(), 1.0);
    CHECK(line.totals() == wanted);
}

}  // namespace
