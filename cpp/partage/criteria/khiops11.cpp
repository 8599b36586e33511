#include <algorithm>
#include <cmath>

#include "partage/criteria/class_code.hpp"
#include "partage/support/whole_numbers.hpp"

namespace partage {
namespace {

constexpr double log_of_2 = 0.69314718055994530942;

/// What the number of parts costs under Khiops 11 at one granularity g, in nats. One part: log 2.
/// More: log 2, the choice of the column, the code of g, and
///   intervals of V = min(2^g, N) quantiles: R(K-1, V-1) + (K-1) log(V-1) - log (K-1)!
///   groups of V values:                     R(K-1, V-1) + log B(V, K), and log 2 if V > 7
///   groups, of which one is the garbage group of some values: its values are told first.
class KhiopsStructure {
public:
    KhiopsStructure(const Problem& problem, std::span<const double> parameters)
        : n_values_(static_cast<std::size_t>(parameters[2])),
          n_garbage_(static_cast<std::size_t>(parameters[3])) {
        if (problem.n_values > 0 && n_values_ == 0) n_values_ = problem.n_values;
        int most = 1;
        while (std::ldexp(1.0, most) < problem.n_samples) ++most;
        const int granularity =
            parameters[0] >= 1.0 ? std::min(static_cast<int>(parameters[0]), most) : most;
        more_ = log_of_2 + portable_log(parameters[1]) + bounded_length(granularity, most);
        if (n_values_ == 0) {
            const double all = std::min(std::ldexp(1.0, granularity), problem.n_samples);
            n_cuts_ = std::max(all - 1.0, 1.0);
            log_cuts_ = portable_log(n_cuts_);
            more_ += log_sum_of_codes(n_cuts_);
            return;
        }
        if (n_values_ > 7) more_ += log_of_2;
        n_garbage_ = std::min(n_garbage_, n_values_ - 1);
        const auto all = static_cast<double>(n_values_);
        const auto kept = static_cast<double>(n_values_ - n_garbage_);
        if (n_garbage_ > 0 && n_values_ > 2 && kept > 1.0) {
            more_ += bounded_length(kept - 1.0, all - 2.0) + kept * portable_log(all) -
                     log_factorial(kept);
        } else {
            n_garbage_ = 0;
        }
        more_ += log_sum_of_codes(std::max(static_cast<double>(n_values_ - n_garbage_) - 1.0, 1.0));
    }

    double operator()(std::size_t n_parts) const noexcept {
        if (n_parts < 2) return log_of_2;
        if (n_values_ == 0) {
            const auto cuts = static_cast<double>(n_parts - 1);
            return more_ + iterated_logs(cuts) + cuts * log_cuts_ - log_factorial(cuts);
        }
        const std::size_t n_groups = std::max<std::size_t>(n_parts - (n_garbage_ > 0), 2);
        return more_ + iterated_logs(static_cast<double>(n_groups - 1)) +
               log_set_partitions(n_values_ - n_garbage_, n_groups);
    }

private:
    std::size_t n_values_;   ///< of a category; 0 for intervals
    std::size_t n_garbage_;  ///< values of its garbage group; 0 without one
    double more_ = 0.0;      ///< that any two parts cost
    double n_cuts_ = 1.0;
    double log_cuts_ = 0.0;
};

AnyCriterion make_khiops11(const Problem& problem, std::span<const double> parameters) {
    return make_class_code(problem, KhiopsStructure(problem, parameters));
}

}  // namespace

extern const CriterionEntry khiops11{
    .name = "khiops11",
    .meaning = "the prior of Khiops 11: parts of quantiles or frequent values",
    .spaces = {Space::line, Space::any},
    .searches = {"exact", "bottom-up", "top-down", "coarse"},
    .unit = Unit::nats,
    .own_cost = true,
    .border_cuts = true,
    .parameters = {{"granularity", "g of 2^g quantiles; 0 for the best", 0.0, 0.0, 64.0},
                   {"columns", "columns among which this one was chosen", 1.0, 1.0, 1e9},
                   {"values", "values of a category; 0 for those that are there", 0.0, 0.0, 1e9},
                   {"garbage", "values of its garbage group; 0 without one", 0.0, 0.0, 1e9}},
    .make = make_khiops11};

}  // namespace partage
