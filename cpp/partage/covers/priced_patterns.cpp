#include <algorithm>

#include "partage/covers/best_patterns.hpp"
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

/// Enumerates terms depth first; each row of the class keeps the best that pay for themselves.
class PricedSearch {
public:
    explicit PricedSearch(const PatternTask& task)
        : task_(task),
          literals_(task.literals),
          prices_(task),
          rows_(task),
          scratch_(literals_.n_words(), 0),
          levels_(task.max_degree + 1, rows_.all),
          best_(task, saves_more, true) {}

    std::vector<Pattern> run() {
        const double positives = literals_.weigh(rows_.positive);
        const double rows = literals_.weigh(levels_.front());
        if (positives > 0.0 && positives < rows) extend(0, affordable_degree(task_), rows);
        return best_.collect();
    }

private:
    double positives_of(const Bits& rows) {
        for (std::size_t w = 0; w < rows.size(); ++w) scratch_[w] = rows[w] & rows_.positive[w];
        return literals_.weigh(scratch_);
    }

    void extend(std::size_t from, std::size_t degree, double parent) {
        const std::size_t level = term_.size();
        for (std::size_t literal = from; literal < literals_.size(); ++literal) {
            if (!term_.empty() && term_.back() / 2 == literal / 2) continue;
            if ((++n_terms_ & 0xfff) == 0) task_.stop.check();
            Bits& rows = levels_[level + 1];
            const Literals::Words words = literals_[literal];
            for (std::size_t w = 0; w < rows.size(); ++w) rows[w] = levels_[level][w] & words[w];
            const double covered = literals_.weigh(rows);
            // A literal that narrows nothing lengthens the term for nothing.
            if (covered <= 0.0 || covered >= parent) continue;
            const double positives = positives_of(rows);
            if (positives <= 0.0 || positives < task_.min_support * prices_.positives()) continue;
            term_.push_back(static_cast<Index>(literal));
            Pattern pattern{term_, positives, covered - positives};
            pattern.gain = prices_.gain(pattern);
            if (pattern.gain > 0.0 && is_pure(pattern, task_))
                best_.offer(pattern, rows, rows_.positive);
            if (term_.size() < degree && prices_.may_pay(positives, term_.size() + 1))
                extend(literal + 1, degree, covered);
            term_.pop_back();
        }
    }

    const PatternTask& task_;
    const Literals& literals_;
    PatternPrices prices_;
    RowBits rows_;
    Bits scratch_;
    std::vector<Bits> levels_;
    std::vector<Index> term_;
    BestPatterns best_;
    std::size_t n_terms_ = 0;
};

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
    return PricedSearch(task).run();
}

}  // namespace partage
