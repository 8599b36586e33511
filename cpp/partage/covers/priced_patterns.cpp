#include <algorithm>
#include <bit>

#include "partage/covers/patterns.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

using Bits = std::vector<std::uint64_t>;

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
          positive_(literals_.n_words(), 0),
          best_of_(literals_.n_rows()) {
        Bits all(literals_.n_words(), 0);
        for (std::size_t i = 0; i < literals_.n_rows(); ++i) {
            const std::uint64_t bit = std::uint64_t{1} << (i % 64);
            all[i / 64] |= bit;
            if (task.is_positive[i]) positive_[i / 64] |= bit;
        }
        scratch_ = all;
        levels_.assign(task.max_degree + 1, all);
    }

    std::vector<Pattern> run() {
        const double positives = literals_.weigh(positive_);
        const double rows = literals_.weigh(levels_.front());
        if (positives > 0.0 && positives < rows) extend(0, affordable_degree(task_), rows);
        return collect();
    }

private:
    double positives_of(const Bits& rows) {
        for (std::size_t w = 0; w < rows.size(); ++w) scratch_[w] = rows[w] & positive_[w];
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
            if (pattern.gain > 0.0 && is_pure(pattern)) offer(pattern, rows);
            if (term_.size() < degree && prices_.may_pay(positives, term_.size() + 1))
                extend(literal + 1, degree, covered);
            term_.pop_back();
        }
    }

    bool is_pure(const Pattern& pattern) const noexcept {
        const double covered = pattern.positives + pattern.negatives;
        return pattern.positives >= task_.min_precision * covered - 1e-9;
    }

    /// Shows a pattern to the rows of the class that it covers; of two that cover as many rows of
    /// each kind a row keeps the shorter.
    void offer(const Pattern& pattern, const Bits& rows) {
        bool is_known = false;
        for (std::size_t w = 0; w < rows.size(); ++w)
            for (std::uint64_t left = rows[w] & positive_[w]; left != 0; left &= left - 1) {
                auto& best = best_of_[64 * w + static_cast<std::size_t>(std::countr_zero(left))];
                const auto alike = std::find_if(best.begin(), best.end(), [&](std::size_t k) {
                    return known_[k].positives == pattern.positives &&
                           known_[k].negatives == pattern.negatives;
                });
                if (alike != best.end()) {
                    if (!saves_more(pattern, known_[*alike])) continue;
                    best.erase(alike);
                } else if (best.size() == task_.n_best) {
                    if (!saves_more(pattern, known_[best.back()])) continue;
                    best.pop_back();
                }
                if (!is_known) known_.push_back(pattern);
                is_known = true;
                const auto place = std::find_if(best.begin(), best.end(), [&](std::size_t k) {
                    return saves_more(pattern, known_[k]);
                });
                best.insert(place, known_.size() - 1);
            }
    }

    std::vector<Pattern> collect() {
        std::vector<std::uint8_t> is_used(known_.size(), 0);
        for (const auto& best : best_of_)
            for (const std::size_t k : best) is_used[k] = 1;
        std::vector<Pattern> found;
        for (std::size_t k = 0; k < known_.size(); ++k)
            if (is_used[k]) found.push_back(std::move(known_[k]));
        std::sort(found.begin(), found.end(), saves_more);
        return found;
    }

    const PatternTask& task_;
    const Literals& literals_;
    PatternPrices prices_;
    Bits positive_;
    Bits scratch_;
    std::vector<Bits> levels_;
    std::vector<Index> term_;
    std::vector<std::vector<std::size_t>> best_of_;  ///< places in `known_`, best first
    std::vector<Pattern> known_;
    std::size_t n_terms_ = 0;
};

}  // namespace

PatternPrices::PatternPrices(const PatternTask& task)
    : price_(task.price),
      n_discriminants_(static_cast<double>(task.literals.size() / 2)),
      max_degree_(static_cast<double>(task.max_degree)) {
    if (task.is_positive.size() != task.literals.n_rows())
        throw std::invalid_argument("is_positive must have one entry for each row");
    Bits positive(task.literals.n_words(), 0);
    Bits all(task.literals.n_words(), 0);
    for (std::size_t i = 0; i < task.is_positive.size(); ++i) {
        all[i / 64] |= std::uint64_t{1} << (i % 64);
        if (task.is_positive[i]) positive[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    positives_ = task.literals.weigh(positive);
    rows_ = task.literals.weigh(all);
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
