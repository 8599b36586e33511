#pragma once

#include <utility>

#include "partage/criteria/separable.hpp"
#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"

namespace partage {

/// Classes of parts by their counts: structure + Σ [ log C(n_k+J-1, J-1) + log(n_k!/Π n_kj!) ].
/// `Structure` gives the price of a number of parts, which grows concavely.
template <class Structure>
class ClassCode final : public Separable<ClassCode<Structure>> {
public:
    ClassCode(const Problem& problem, Structure structure)
        : structure_(std::move(structure)),
          n_others_(static_cast<double>(problem.n_classes()) - 1.0),
          log_others_(log_factorial(n_others_)) {}

    double structure(std::size_t n_parts) const noexcept override { return structure_(n_parts); }
    Growth growth() const noexcept override { return Growth::concave; }
    double exact_part(Row row) const noexcept override { return class_length(row.sums); }

    // L_k = log (n_k+J-1)! - log (J-1)! - Σ log n_kj!
    double offset(double n) const noexcept { return log_factorial(n + n_others_) - log_others_; }
    double scale(double) const noexcept { return 1.0; }
    double term(double count, std::size_t) const noexcept { return -log_factorial(count); }
    // The same sums in the same order, from one look into the table for each.
    void parts_ending_at(const Cumulative& sums, std::size_t first, std::size_t end,
                         std::size_t last, double* out) const override {
        constexpr auto size = static_cast<double>(LogFactorialTable::size);
        if (!sums.is_whole() || sums.weight(first, last) + n_others_ >= size)
            return Separable<ClassCode>::parts_ending_at(sums, first, end, last, out);
        if (sums.layout().n_numbers == 2)
            look_up<2>(sums, first, end, last, out);
        else
            look_up<0>(sums, first, end, last, out);
    }
    bool is_concave() const noexcept override { return true; }
    bool is_code_length() const noexcept override { return true; }
    // A part's cost is -log of its likelihood averaged over all class shares; more rows multiply
    // the likelihood by no more than their own maximum.
    double least_growth(Row row) const noexcept override {
        return entropy_of(row.weight, row.sums);
    }
    // The same sum in the same order; of few rows from one look into the table for each.
    double growth_between(const Cumulative& sums, std::size_t first, std::size_t last,
                          std::span<double> row) const noexcept override {
        if (row.size() != 2) return Separable<ClassCode>::growth_between(sums, first, last, row);
        const double* start = sums.before(first).data();
        const double* stop = sums.before(last).data();
        const double one = stop[0] - start[0];
        const double two = stop[1] - start[1];
        if (!sums.is_whole() || one + two >= static_cast<double>(EntropyTable::size))
            return x_log_x(one + two) - (x_log_x(one) + x_log_x(two));
        const auto n_one = static_cast<std::uint32_t>(static_cast<std::int32_t>(one));
        const auto n_two = static_cast<std::uint32_t>(static_cast<std::int32_t>(two));
        return entropies[n_one + n_two] - (entropies[n_one] + entropies[n_two]);
    }

private:
    /// Costs of parts that hold whole numbers of the table; `fixed` classes, or any number if 0.
    template <std::size_t fixed>
    void look_up(const Cumulative& sums, std::size_t first, std::size_t end, std::size_t last,
                 double* out) const noexcept {
        const std::size_t n_classes = fixed > 0 ? fixed : sums.layout().n_numbers;
        const auto n_others = static_cast<std::uint32_t>(n_others_);
        const double* start = sums.before(first).data();
        const double* stop = sums.before(last).data();
        for (std::size_t i = 0; i < end - first; ++i, start += n_classes) {
            std::uint32_t n = n_others;
            double sum = 0.0;
            for (std::size_t j = 0; j < n_classes; ++j) {
                const auto count =
                    static_cast<std::uint32_t>(static_cast<std::int32_t>(stop[j] - start[j]));
                n += count;
                sum -= log_factorials[count];
            }
            out[i] = log_factorials[n] - log_others_ + sum;
        }
    }

    Structure structure_;
    double n_others_;
    double log_others_;
};

/// The same for weights so large that differences of log-factorials would lose what parts differ
/// by.
template <class Structure>
class ClassCodeOfLargeWeights final : public PartitionCriterion {
public:
    explicit ClassCodeOfLargeWeights(Structure structure) : structure_(std::move(structure)) {}
    double part(Row row) const noexcept override { return class_length(row.sums); }
    double structure(std::size_t n_parts) const noexcept override { return structure_(n_parts); }
    Growth growth() const noexcept override { return Growth::concave; }
    bool is_concave() const noexcept override { return true; }
    bool is_code_length() const noexcept override { return true; }
    double least_growth(Row row) const noexcept override { return entropy_length(row.sums); }

private:
    Structure structure_;
};

/// The criterion of a structure for the weights of a problem.
template <class Structure>
AnyCriterion make_class_code(const Problem& problem, Structure structure) {
    constexpr double large = 1e11;  // rounding of log-factorials reaches 1e-4 nats
    if (problem.n_samples > large)
        return std::make_unique<ClassCodeOfLargeWeights<Structure>>(std::move(structure));
    return std::make_unique<ClassCode<Structure>>(problem, std::move(structure));
}

}  // namespace partage
