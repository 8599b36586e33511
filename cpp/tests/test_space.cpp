#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "check.hpp"
#include "partage/space/line.hpp"
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
