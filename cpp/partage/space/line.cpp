#include "partage/space/line.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace partage {
namespace {

/// A unit of many entries of few classes is kept as one weighted entry for each class.
constexpr std::size_t compress_below = 8;
/// Classes that long stretches are counted for side by side.
constexpr std::size_t most_counted = 64;

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
        const bool is_new = n_units_ == 0 || column_.values[n_units_ - 1] != value;
        // Written always, kept if new: without a branch the pipeline flows.
        column_.line.starts[n_units_] = static_cast<Index>(n_entries_);
        column_.values[n_units_] = value;
        n_units_ += is_new;
        ++n_entries_;
    }

    SortedColumn<Value> finish() {
        column_.line.starts.resize(n_units_ + 1);
        column_.line.starts[n_units_] = static_cast<Index>(n_entries_);
        column_.values.resize(n_units_);
        if (n_units_ < n_entries_ / compress_below) compress();
        return std::move(column_);
    }

private:
    void compress() {
        Line& line = column_.line;
        Line dense;
        dense.n_classes = line.n_classes;
        for (std::size_t unit = 0; unit < n_units_; ++unit) {
            dense.starts.push_back(static_cast<Index>(dense.codes.size()));
            for (std::size_t i = line.starts[unit]; i < line.starts[unit + 1];) {
                std::size_t end = i + 1;
                while (end < line.starts[unit + 1] && line.codes[end] == line.codes[i]) ++end;
                dense.codes.push_back(line.codes[i]);
                dense.weights.push_back(static_cast<double>(end - i));
                i = end;
            }
        }
        dense.starts.push_back(static_cast<Index>(dense.codes.size()));
        line = std::move(dense);
        column_.values.shrink_to_fit();
    }

    SortedColumn<Value> column_;
    std::size_t n_entries_ = 0;
    std::size_t n_units_ = 0;
};

template <class Value>
void merge_two(std::span<const Value> a, std::span<const Value> b, UnitWriter<Value>& out) {
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < a.size() && k < b.size()) {
        const bool take = b[k] < a[i];
        out.push(take ? b[k] : a[i], static_cast<Code>(take));
        i += !take;
        k += take;
    }
    for (; i < a.size(); ++i) out.push(a[i], 0);
    for (; k < b.size(); ++k) out.push(b[k], 1);
}

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

void Line::add(std::size_t first, std::size_t last, std::span<double> numbers) const noexcept {
    if (n_amounts == 3 && !codes.empty()) {
        // Scores of ranks lie on a grid on which sums are exact: four at once, in any order.
        std::array<std::array<double, 3>, 4> sums{};
        std::size_t i = first;
        for (; i + 4 <= last; i += 4)
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const double* amount = amounts.data() + 3 * codes[i + lane];
                for (std::size_t j = 0; j < 3; ++j) sums[lane][j] += amount[j];
            }
        for (; i < last; ++i)
            for (std::size_t j = 0; j < 3; ++j) sums[0][j] += amounts_of(i)[j];
        for (std::size_t j = 0; j < 3; ++j)
            numbers[j] += (sums[0][j] + sums[1][j]) + (sums[2][j] + sums[3][j]);
    } else if (n_amounts > 0) {
        for (std::size_t i = first; i < last; ++i)
            for (std::size_t j = 0; j < n_amounts; ++j) numbers[j] += amounts_of(i)[j];
    } else if (weights.empty() && n_classes <= most_counted && last - first > 8 * most_counted) {
        // Four counters for each class, so that an addition need not wait for the one before.
        std::array<std::array<Index, most_counted>, 4> counts{};
        std::size_t i = first;
        for (; i + 4 <= last; i += 4)
            for (std::size_t lane = 0; lane < 4; ++lane) ++counts[lane][codes[i + lane]];
        for (; i < last; ++i) ++counts[0][codes[i]];
        for (std::size_t j = 0; j < n_classes; ++j)
            for (std::size_t lane = 0; lane < 4; ++lane) numbers[j] += counts[lane][j];
    } else if (weights.empty()) {
        for (std::size_t i = first; i < last; ++i) numbers[codes[i]] += 1.0;
    } else {
        for (std::size_t i = first; i < last; ++i) numbers[codes[i]] += weights[i];
    }
}

bool Line::has_empty_unit() const noexcept {
    Index found = 0;  // without a branch: a vectorised pass
    for (std::size_t unit = 1; unit < starts.size(); ++unit)
        found |= starts[unit - 1] == starts[unit];
    return found != 0;
}

std::vector<double> Line::totals() const {
    std::vector<double> sums(layout().n_numbers, 0.0);
    add(0, n_entries(), sums);
    return sums;
}

std::vector<std::size_t> places_of(const Blocks& some, const Blocks& blocks) {
    std::vector<std::size_t> places;
    auto from = blocks.begin();
    for (const Index unit : some) {
        from = std::lower_bound(from, blocks.end() - 1, unit);
        places.push_back(static_cast<std::size_t>(from - blocks.begin()));
    }
    return places;
}

Blocks unit_blocks(const Line& line) {
    Blocks blocks(line.n_units() + 1);
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<Index>(i);
    return blocks;
}

Line line_of_amounts(std::span<const double> amounts, std::size_t n_amounts) {
    Line line;
    line.n_amounts = n_amounts;
    line.amounts.assign(amounts.begin(), amounts.end());
    const std::size_t n_units = amounts.size() / n_amounts;
    line.weights.resize(n_units);
    line.starts.resize(n_units + 1);
    for (std::size_t unit = 0; unit < n_units; ++unit) {
        line.weights[unit] = amounts[unit * n_amounts];
        line.starts[unit + 1] = static_cast<Index>(unit + 1);
    }
    line.starts[0] = 0;
    return line;
}

Buffer<double> scored_units(const Line& line, std::span<const double> scores, std::size_t n_sums) {
    const std::size_t width = n_sums + 1;
    Buffer<double> found(line.n_units() * width);
    double* amounts = found.data();
    for (std::size_t unit = 0; unit < line.n_units(); ++unit, amounts += width) {
        std::fill_n(amounts, width, 0.0);
        for (std::size_t i = line.starts[unit]; i < line.starts[unit + 1]; ++i) {
            const double weight = line.entry_weight(i);
            const double* score = scores.data() + line.codes[i] * n_sums;
            amounts[0] += weight;
            for (std::size_t j = 0; j < n_sums; ++j) amounts[j + 1] += weight * score[j];
        }
    }
    return found;
}

Line scored_line(const Line& line, std::span<const double> scores, std::size_t n_sums) {
    if (!line.weights.empty() || 2 * line.n_units() < line.n_entries())
        return line_of_amounts(scored_units(line, scores, n_sums), n_sums + 1);
    Line out;
    out.codes = line.codes;
    out.starts = line.starts;
    out.n_amounts = n_sums + 1;
    for (std::size_t code = 0; code < line.n_classes; ++code) {
        const double* score = scores.data() + code * n_sums;
        out.amounts.push_back(1.0);
        out.amounts.insert(out.amounts.end(), score, score + n_sums);
    }
    return out;
}

Line with_classes(const Line& line, std::span<const Code> classes, std::size_t n_classes) {
    Line out;
    out.n_classes = n_classes;
    out.weights = line.weights;
    out.starts = line.starts;
    out.codes.resize(line.codes.size());
    for (std::size_t i = 0; i < line.codes.size(); ++i) out.codes[i] = classes[line.codes[i]];
    return out;
}

Blocks quantile_blocks(const Line& line, std::size_t n) {
    const std::size_t n_units = line.n_units();
    Blocks found{0};
    if (n_units == 0) return found;
    std::vector<double> sums;  // up to the end of each unit; the numbers of entries without weights
    if (!line.weights.empty()) {
        double total = 0.0;
        for (std::size_t unit = 0; unit < n_units; ++unit) {
            total += line.weight(line.starts[unit], line.starts[unit + 1]);
            sums.push_back(total);
        }
    }
    const auto end_of = [&](std::size_t unit) {
        return sums.empty() ? static_cast<double>(line.starts[unit + 1]) : sums[unit];
    };
    const double whole = end_of(n_units - 1);
    std::size_t after = 0;
    for (std::size_t i = 1; i < n; ++i) {
        const double wanted = whole * static_cast<double>(i) / static_cast<double>(n);
        std::size_t last = n_units - 1;  // the first unit that ends at the quantile or beyond
        while (after < last) {
            const std::size_t middle = after + (last - after) / 2;
            if (end_of(middle) < wanted)
                after = middle + 1;
            else
                last = middle;
        }
        const std::size_t before = after > 0 ? after - 1 : 0;
        const bool is_nearer = wanted - end_of(before) <= end_of(after) - wanted;
        const auto start = static_cast<Index>((is_nearer ? before : after) + 1);
        if (start > found.back() && start < n_units) found.push_back(start);
    }
    found.push_back(static_cast<Index>(n_units));
    return found;
}

Blocks run_blocks(const Line& line) {
    if (line.n_amounts > 0) return unit_blocks(line);  // units of a number have no class
    // Entries of a unit are in the order of their classes: it is pure if its ends agree.
    Blocks blocks(line.n_units() + 1);
    std::size_t n_blocks = 0;
    bool previous_pure = false;
    Code previous_code = 0;
    for (std::size_t unit = 0; unit < line.n_units(); ++unit) {
        const Code code = line.codes[line.starts[unit]];
        const bool pure = code == line.codes[line.starts[unit + 1] - 1];
        const bool joins = pure & previous_pure & (code == previous_code);
        blocks[n_blocks] = static_cast<Index>(unit);
        n_blocks += !joins;
        previous_pure = pure;
        previous_code = code;
    }
    // A unit that joined has left its start behind the last block.
    blocks.resize(n_blocks + 1);
    blocks[n_blocks] = static_cast<Index>(line.n_units());
    blocks.shrink_to_fit();
    return blocks;
}

Rows block_rows(const Line& line, const Blocks& blocks) {
    const std::size_t n_blocks = blocks.size() - 1;
    Rows rows(n_blocks, line.layout());
    for (std::size_t i = 0; i < n_blocks; ++i)
        line.add(line.starts[blocks[i]], line.starts[blocks[i + 1]], rows[i]);
    return rows;
}

template <class Value>
SortedColumn<Value> merge_classes(std::span<const Value> values,
                                  std::span<const std::int64_t> offsets) {
    const std::size_t n_classes = offsets.size() - 1;
    UnitWriter<Value> out(values.size(), n_classes);
    if (n_classes <= 2) {
        const auto middle = static_cast<std::size_t>(offsets[1]);
        merge_two<Value>(values.first(middle), values.subspan(middle), out);
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
