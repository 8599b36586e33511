#include <algorithm>

#include "partage/covers/terms.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Length of which of `all` rows are of a class that has `some` of them, in nats.
double class_length(double some, double all) noexcept {
    all = std::max(all, 0.0);  // sums of real weights are rounded
    some = std::clamp(some, 0.0, all);
    return portable_log(all + 1.0) + log_binomial(all, some);
}

/// More saved first, then shorter, then in the order of the literals.
bool saves_more(const Pattern& a, const Pattern& b) {
    if (a.gain != b.gain) return a.gain > b.gain;
    if (a.literals.size() != b.literals.size()) return a.literals.size() < b.literals.size();
    return a.literals < b.literals;
}

}  // namespace

PatternPrices::PatternPrices(const PatternTask& task)
    : price_(task.price),
      n_discriminants_(static_cast<double>(task.literals.size() / 2)),
      max_degree_(static_cast<double>(task.max_degree)) {
    const RowBits rows(task);
    positives_ = task.literals.weigh(rows.positive);
    rows_ = task.literals.weigh(rows.all);
    whole_ = class_length(positives_, rows_);
}

double PatternPrices::length(std::size_t degree) const noexcept {
    const auto d = static_cast<double>(degree);
    const double of_degree = d <= n_discriminants_ ? log_binomial(n_discriminants_, d) : 0.0;
    return portable_log(2.0) + portable_log(max_degree_) + of_degree + d * portable_log(2.0);
}

double PatternPrices::saved(double positives, double negatives) const noexcept {
    const double covered = positives + negatives;
    return whole_ - class_length(positives, covered) -
           class_length(positives_ - positives, rows_ - covered);
}

double PatternPrices::gain(const Pattern& pattern) const noexcept {
    const double covered = pattern.positives + pattern.negatives;
    const double saved_here = saved(pattern.positives, pattern.negatives);
    // A term that holds less of the class than all rows do says something about the others.
    const bool is_for = pattern.positives * rows_ > covered * positives_;
    return (is_for ? saved_here : -saved_here) - price_ * length(pattern.literals.size());
}

bool PatternPrices::may_pay(double positives, std::size_t degree) const noexcept {
    // The rows of the class alone would save most, but for the length of a number of rows.
    return saved(positives, 0.0) + portable_log(2.0) > price_ * length(degree);
}

std::vector<Pattern> find_priced_patterns(const PatternTask& task) {
    const PatternPrices prices(task);
    Terms terms(task);
    BestPatterns best(task, saves_more, true);
    const double rows = task.literals.weigh(terms.rows().all);
    if (prices.positives() <= 0.0 || prices.positives() >= rows) return best.collect();
    terms.walk(affordable_degree(task), [&](Pattern& pattern, const Bits& covered) {
        pattern.gain = prices.gain(pattern);
        if (pattern.gain > 0.0 && is_pure(pattern, task))
            best.offer(pattern, covered, terms.rows().positive);
        return prices.may_pay(pattern.positives, pattern.literals.size() + 1);
    });
    return best.collect();
}

}  // namespace partage
