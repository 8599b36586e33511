#include "partage/space/line.hpp"

#include <algorithm>
#include <array>

namespace partage {
namespace {

/// Classes that long stretches are counted for side by side.
constexpr std::size_t most_counted = 64;

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

}  // namespace partage
