#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "partage/bayes/bayes.hpp"
#include "partage/support/dispatch.hpp"

namespace partage {
namespace {

constexpr std::size_t most_together = 512;  // rows whose odds are found together
// The largest number of a row is near 1: scaled, and none below the least, any odds within 2^64
// keep their precision with factors down to the least.
constexpr double scale = 0x1p100;
constexpr double least_row = 1e-30;
constexpr double least_factor = 1e-8;

/// Rows of one class that follow each other.
struct Run {
    std::size_t first;
    std::size_t size;
    std::size_t label;
};

std::vector<Run> runs_of(std::span<const std::uint16_t> labels) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (!runs.empty() && runs.back().label == labels[i] && runs.back().size < most_together)
            ++runs.back().size;
        else
            runs.push_back({i, 1, labels[i]});
    return runs;
}

/// Odds are looked at by their bits, from 2^-64 to 2^64: 23 bits are an octave.
constexpr float least_odds = 0x1p-64F;
constexpr std::int32_t last_key = (std::int32_t{128} << 23) - 1;
constexpr unsigned cell_bits = 21;  // four cells in an octave
constexpr std::size_t n_cells = (static_cast<std::size_t>(last_key) >> cell_bits) + 1;

/// Where the rows of a class and the others were, cell by cell.
struct Mixture {
    std::array<double, n_cells> own{};
    std::array<double, n_cells> rest{};
};

/// Buckets that share the cells: in proportion to √(own · rest), which leaves fewest pairs of the
/// two in one bucket.
class Buckets {
public:
    explicit Buckets(const Mixture& mixture) {
        constexpr double n_each = 2.0;
        constexpr double n_shared = 3072.0;
        std::array<double, n_cells> mixed;
        for (std::size_t c = 0; c < n_cells; ++c)
            mixed[c] = std::sqrt(mixture.own[c]) * std::sqrt(mixture.rest[c]);
        const double sum = std::accumulate(mixed.begin(), mixed.end(), 1e-300);
        for (std::size_t c = 0; c < n_cells; ++c) {
            const double wanted = n_each + n_shared * mixed[c] / sum;
            const auto bits =
                std::min(cell_bits,
                         static_cast<unsigned>(std::bit_width(static_cast<unsigned>(wanted))) - 1);
            cells_[c] = size_ << 5 | (cell_bits - bits);
            size_ += 1U << bits;
        }
    }
    std::size_t size() const noexcept { return size_; }
    /// Bucket of a key; it grows with the key.
    std::uint32_t operator[](std::uint32_t key) const noexcept {
        const std::uint32_t cell = cells_[key >> cell_bits];
        return (cell >> 5) + ((key & ((1U << cell_bits) - 1)) >> (cell & 31U));
    }

private:
    std::array<std::uint32_t, n_cells> cells_;  ///< its first bucket, and how far keys are shifted
    std::uint32_t size_ = 0;
};

struct MultiplyByCode {
    PARTAGE_INLINE static void run(const float* rows, const std::uint32_t* codes,
                                   const float* table, std::size_t n, float* products) {
        for (std::size_t i = 0; i < n; ++i) products[i] = rows[i] * table[codes[i]];
    }
};

struct AddTerms {
    PARTAGE_INLINE static void run(const float* terms, std::size_t n, float* sums) {
        for (std::size_t i = 0; i < n; ++i) sums[i] += terms[i];
    }
};

/// Keys of odds that are moved by `slack` units of their last place.
struct FindKeys {
    PARTAGE_INLINE static void run(const float* others, const float* own, std::size_t n,
                                   std::int32_t slack, std::uint32_t* keys) {
        const std::int32_t low = std::bit_cast<std::int32_t>(least_odds) - slack;
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t key = std::bit_cast<std::int32_t>(others[i] / own[i]) - low;
            keys[i] = static_cast<std::uint32_t>(std::min(std::max(key, 0), last_key));
        }
    }
};

/// What is counted of a bucket.
template <class Count>
struct Bucket {
    Count own = 0;
    Count rest = 0;
};

/// Σ over the other classes' weight of the class's weight in the same bucket or before.
template <class Count>
double sum_pairs(std::span<const Bucket<Count>> buckets) noexcept {
    using Sum = std::conditional_t<std::is_integral_v<Count>, std::uint64_t, double>;
    Sum seen = 0;
    Sum pairs = 0;
    for (const auto& bucket : buckets) {
        seen += bucket.own;
        pairs += seen * bucket.rest;
    }
    return static_cast<double>(pairs);
}

/// Finds bounds of lift areas with numbers of single precision.
template <class Count>
class Screen {
public:
    Screen(const CodedColumns& columns, std::span<const double> rows)
        : columns_(columns), runs_(runs_of(columns.labels)), rows_(rows.size()) {
        const std::size_t J = columns_.n_classes;
        for (std::size_t i = 0; i < columns_.n_rows; ++i)
            for (std::size_t j = 0; j < J; ++j)
                rows_[j * columns_.n_rows + i] =
                    static_cast<float>(std::max(scale * rows[i * J + j], least_row));
        products_ = rows_;
        for (std::size_t j = 0; j < J; ++j) {
            Mixture mixture;
            each_run(j, [&](const Run& run, const std::uint32_t* keys) {
                auto& counts = run.label == j ? mixture.own : mixture.rest;
                for (std::size_t i = 0; i < run.size; ++i)
                    counts[keys[i] >> cell_bits] += weight<double>(run.first + i);
            });
            buckets_.emplace_back(mixture);
        }
    }

    /// Number of pairs of a row of a class and one of another, at most, that a column puts in
    /// order; over all classes, or over the second alone where there are two.
    double pairs_with(std::size_t column) {
        const std::size_t n = columns_.n_rows;
        const std::size_t J = columns_.n_classes;
        const std::uint32_t* codes = columns_.codes.data() + column * n;
        const auto first = static_cast<std::size_t>(columns_.offsets[column]);
        const auto n_codes = static_cast<std::size_t>(columns_.offsets[column + 1]) - first;
        table_.resize(n_codes);
        for (std::size_t j = 0; j < J; ++j) {
            for (std::size_t code = 0; code < n_codes; ++code)
                table_[code] = static_cast<float>(columns_.tables[(first + code) * J + j]);
            dispatch<MultiplyByCode>(rows_.data() + j * n, codes, table_.data(), n,
                                     products_.data() + j * n);
        }
        double pairs = 0.0;
        for (std::size_t j = J == 2 ? 1 : 0; j < J; ++j) pairs += pairs_of(j);
        return pairs;
    }

private:
    double pairs_of(std::size_t own_class) {
        const Buckets& buckets = buckets_[own_class];
        counts_.assign(buckets.size(), {});
        each_run(own_class, [&](const Run& run, const std::uint32_t* keys) {
            const auto member = run.label == own_class ? &Bucket<Count>::own : &Bucket<Count>::rest;
            for (std::size_t i = 0; i < run.size; ++i)
                counts_[buckets[keys[i]]].*member += weight<Count>(run.first + i);
        });
        return sum_pairs<Count>(counts_);
    }

    /// Calls `visit` with each run and its keys against a class; keys of rows of the class are too
    /// low and others too high, so that no rounding hides a pair.
    template <class Visit>
    void each_run(std::size_t own_class, Visit visit) const {
        // Scores tie within eight units; sums and products of J numbers are off by fewer than 2 J.
        const auto slack = static_cast<std::int32_t>(16 + 2 * columns_.n_classes);
        float others[most_together];
        std::uint32_t keys[most_together];
        for (const Run& run : runs_) {
            std::fill_n(others, run.size, 0.0F);
            for (std::size_t j = 0; j < columns_.n_classes; ++j)
                if (j != own_class) dispatch<AddTerms>(product(j, run.first), run.size, others);
            dispatch<FindKeys>(others, product(own_class, run.first), run.size,
                               run.label == own_class ? -slack : slack, keys);
            visit(run, keys);
        }
    }

    const float* product(std::size_t j, std::size_t row) const noexcept {
        return products_.data() + j * columns_.n_rows + row;
    }
    template <class Number>
    Number weight(std::size_t row) const noexcept {
        if constexpr (std::is_same_v<Count, double>) return columns_.weights[row];
        return 1;
    }

    const CodedColumns& columns_;
    std::vector<Run> runs_;
    std::vector<float> rows_;      ///< class by class
    std::vector<float> products_;  ///< class by class
    std::vector<float> table_;
    std::vector<Buckets> buckets_;  ///< of each class
    std::vector<Bucket<Count>> counts_;
};

}  // namespace

template <class Count>
std::vector<double> Posteriors::bounds_of(std::span<const std::uint32_t> candidates,
                                          const Stop& stop) const {
    Screen<Count> screen(columns_, rows_);
    double alike = 0.0;  // pairs of rows of one class, half of which count in any order
    for (const double weight : class_weights_) alike += 0.5 * weight * weight;
    std::vector<double> bounds;
    bounds.reserve(candidates.size());
    for (const std::uint32_t k : candidates) {
        stop.check();
        if (k >= columns_.n_columns()) throw std::invalid_argument("there is no such column");
        const double pairs = screen.pairs_with(k) * (columns_.n_classes == 2 ? 2.0 : 1.0);
        constexpr double rounding = 1e-9;
        bounds.push_back((alike + pairs) / (total_weight_ * total_weight_) + rounding);
    }
    return bounds;
}

std::vector<double> Posteriors::lift_bounds(std::span<const std::uint32_t> candidates,
                                            const Stop& stop) const {
    if (std::any_of(columns_.tables.begin(), columns_.tables.end(),
                    [](double factor) { return factor < least_factor; }))
        return std::vector<double>(candidates.size(), 1.0);
    return columns_.weights.empty() ? bounds_of<std::uint32_t>(candidates, stop)
                                    : bounds_of<double>(candidates, stop);
}

}  // namespace partage
