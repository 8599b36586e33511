#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "partage/bayes/bayes.hpp"

namespace partage {
namespace {

constexpr unsigned digit_bits = 11;
constexpr unsigned n_digits = 3;  // of the 32 bits of a score; its sign is never set
constexpr std::size_t n_buckets = std::size_t{1} << digit_bits;

/// Orders a non-negative number to one part in a million; scores nearer than that tie.
std::uint64_t order_of(double score) noexcept { return std::bit_cast<std::uint64_t>(score) >> 32; }

/// Sorts by the upper half; the lower half is what a key belongs to.
void sort_keys(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare) {
    constexpr std::size_t small = 256;
    if (keys.size() < small) {
        std::sort(keys.begin(), keys.end());
        return;
    }
    std::array<std::array<std::uint32_t, n_buckets>, n_digits> counts{};
    const auto digit = [](std::uint64_t key, unsigned d) {
        return static_cast<std::size_t>((key >> (32 + d * digit_bits)) & (n_buckets - 1));
    };
    for (const std::uint64_t key : keys)
        for (unsigned d = 0; d < n_digits; ++d) ++counts[d][digit(key, d)];
    spare.resize(keys.size());
    for (unsigned d = 0; d < n_digits; ++d) {
        auto& count = counts[d];
        if (count[digit(keys.front(), d)] == keys.size()) continue;
        std::exclusive_scan(count.begin(), count.end(), count.begin(), std::uint32_t{0});
        for (const std::uint64_t key : keys) spare[count[digit(key, d)]++] = key;
        keys.swap(spare);
    }
}

/// Scales a row by a power of two so that its largest number lies in [1, 2).
void rescale(std::span<double> row) noexcept {
    const double largest = *std::max_element(row.begin(), row.end());
    const auto exponent = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(largest) >> 52);
    const auto power = static_cast<std::uint64_t>(2046 - exponent);
    if (exponent == 0 || power == 0 || power >= 2047) return;
    const double scale = std::bit_cast<double>(power << 52);
    for (double& value : row) value *= scale;
}

}  // namespace

Posteriors::Posteriors(const CodedColumns& columns) : columns_(columns) {
    columns_.check();
    class_weights_.resize(columns_.n_classes);
    for (std::size_t i = 0; i < columns_.n_rows; ++i) {
        class_weights_[columns_.labels[i]] += weight(i);
        total_weight_ += weight(i);
    }
    reset();
}

void Posteriors::reset() {
    rows_.clear();
    rows_.reserve(columns_.n_rows * columns_.n_classes);
    for (std::size_t i = 0; i < columns_.n_rows; ++i)
        rows_.insert(rows_.end(), columns_.prior.begin(), columns_.prior.end());
}

double Posteriors::lift_area() const {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> spare;
    return area_of(rows_, keys, spare);
}

std::vector<double> Posteriors::lift_areas(std::span<const std::uint32_t> candidates,
                                           const Stop& stop) const {
    const std::size_t J = columns_.n_classes;
    std::vector<double> areas;
    std::vector<double> rows(rows_.size());
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> spare;
    for (const std::uint32_t k : candidates) {
        stop.check();
        if (k >= columns_.n_columns()) throw std::invalid_argument("there is no such column");
        const std::uint32_t* codes = columns_.codes.data() + k * columns_.n_rows;
        const double* table =
            columns_.tables.data() + static_cast<std::size_t>(columns_.offsets[k]) * J;
        for (std::size_t i = 0; i < columns_.n_rows; ++i)
            for (std::size_t j = 0; j < J; ++j)
                rows[i * J + j] = rows_[i * J + j] * table[codes[i] * J + j];
        areas.push_back(area_of(rows, keys, spare));
    }
    return areas;
}

void Posteriors::take(std::size_t column) {
    if (column >= columns_.n_columns()) throw std::invalid_argument("there is no such column");
    const auto first = static_cast<std::size_t>(columns_.offsets[column]) * columns_.n_classes;
    const auto last = static_cast<std::size_t>(columns_.offsets[column + 1]) * columns_.n_classes;
    multiply(column, columns_.tables.subspan(first, last - first));
}

void Posteriors::multiply(std::size_t column, std::span<const double> factors) {
    const std::size_t J = columns_.n_classes;
    const std::uint32_t* codes = columns_.codes.data() + column * columns_.n_rows;
    for (std::size_t i = 0; i < columns_.n_rows; ++i) {
        double* row = rows_.data() + i * J;
        for (std::size_t j = 0; j < J; ++j) row[j] *= factors[codes[i] * J + j];
        rescale({row, J});
    }
}

double Posteriors::area_of(std::span<const double> rows, std::vector<std::uint64_t>& keys,
                           std::vector<std::uint64_t>& spare) const {
    const std::size_t n = columns_.n_rows;
    const std::size_t J = columns_.n_classes;
    double area = 0.0;
    // With two classes the order of one is the order of the other, backwards.
    for (std::size_t j = J == 2 ? 1 : 0; j < J; ++j) {
        keys.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double* row = rows.data() + i * J;
            double others = 0.0;
            for (std::size_t other = 0; other < J; ++other)
                if (other != j) others += row[other];
            keys[i] = order_of(others / row[j]) << 32 | i;
        }
        sort_keys(keys, spare);
        double seen = 0.0;       // weight of the class so far
        double seen_rest = 0.0;  // and of the other classes
        for (std::size_t i = 0; i < n;) {
            double tied = 0.0;
            double tied_rest = 0.0;
            const std::uint64_t score = keys[i] >> 32;
            for (; i < n && keys[i] >> 32 == score; ++i) {
                const auto row = static_cast<std::size_t>(keys[i] & 0xffffffffU);
                (columns_.labels[row] == j ? tied : tied_rest) += weight(row);
            }
            area += (tied + tied_rest) * (seen + 0.5 * tied);
            if (J == 2)  // seen from the end, what comes later comes first
                area += (tied + tied_rest) * (class_weights_[0] - seen_rest - 0.5 * tied_rest);
            seen += tied;
            seen_rest += tied_rest;
        }
    }
    return area / (total_weight_ * total_weight_);
}

}  // namespace partage
