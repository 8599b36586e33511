#include "partage/covers/patterns.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>

#include "partage/covers/terms.hpp"

namespace partage {
namespace {

/// Wider first, then purer, then shorter, then in the order of the literals.
bool is_better(const Pattern& a, const Pattern& b) {
    if (a.positives != b.positives) return a.positives > b.positives;
    if (a.negatives != b.negatives) return a.negatives < b.negatives;
    if (a.literals.size() != b.literals.size()) return a.literals.size() < b.literals.size();
    return a.literals < b.literals;
}

/// What the searches of patterns of one class share.
class PatternSearch {
public:
    explicit PatternSearch(const PatternTask& task)
        : task_(task), literals_(task.literals), rows_(task) {}

protected:
    Bits cover(std::span<const Index> term) const {
        Bits rows = rows_.all;
        for (const Index literal : term) keep(rows, literal);
        return rows;
    }
    void keep(Bits& rows, std::size_t literal) const {
        const Literals::Words words = literals_[literal];
        for (std::size_t w = 0; w < rows.size(); ++w) rows[w] &= words[w];
    }
    Pattern measure(std::vector<Index> term, const Bits& rows) {
        scratch_ = rows;
        for (std::size_t w = 0; w < rows.size(); ++w) scratch_[w] &= rows_.positive[w];
        const double positives = literals_.weigh(scratch_);
        return {std::move(term), positives, literals_.weigh(rows) - positives};
    }
    bool is_pure(const Pattern& pattern) const noexcept { return partage::is_pure(pattern, task_); }
    /// Whether no literal can be left out.
    bool is_prime(const Pattern& pattern) {
        for (std::size_t out = 0; out < pattern.literals.size(); ++out) {
            std::vector<Index> shorter = pattern.literals;
            shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(out));
            const Bits rows = cover(shorter);
            if (is_pure(measure(std::move(shorter), rows))) return false;
        }
        return true;
    }
    /// Grows a term of literals that a row satisfies, each time the one that leaves the best share
    /// of the class, until it is a pattern; then leaves out what it can. False: there is none.
    bool grow(std::size_t row, Pattern& found) {
        Pattern term = measure({}, rows_.all);
        Bits rows = rows_.all;
        while (!is_pure(term)) {
            Pattern best;
            bool is_found = false;
            for (std::size_t literal = 0; literal < literals_.size(); ++literal) {
                if (!literals_.holds(literal, row)) continue;
                Bits narrower = rows;
                keep(narrower, literal);
                std::vector<Index> longer = term.literals;
                longer.push_back(static_cast<Index>(literal));
                Pattern next = measure(std::move(longer), narrower);
                if (next.negatives >= term.negatives) continue;
                if (!is_found || score(next, term) > score(best, term)) {
                    best = std::move(next);
                    is_found = true;
                }
            }
            if (!is_found) return false;
            term = std::move(best);
            rows = cover(term.literals);
        }
        shorten(term);
        std::sort(term.literals.begin(), term.literals.end());
        found = std::move(term);
        return true;
    }

    const PatternTask& task_;
    const Literals& literals_;
    RowBits rows_;

private:
    /// Share of the class kept times share of the others lost.
    static double score(const Pattern& next, const Pattern& term) noexcept {
        return next.positives / term.positives *
               (1.0 - (next.negatives + 0.5) / (term.negatives + 1.0));
    }
    /// Leaves out literals, each time the one whose loss covers most, while it stays a pattern.
    void shorten(Pattern& pattern) {
        while (true) {
            Pattern best;
            for (std::size_t out = 0; out < pattern.literals.size(); ++out) {
                std::vector<Index> shorter = pattern.literals;
                shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(out));
                const Bits rows = cover(shorter);
                Pattern next = measure(std::move(shorter), rows);
                if (is_pure(next) && (best.positives == 0.0 || is_better(next, best)))
                    best = std::move(next);
            }
            if (best.positives == 0.0) return;
            pattern = std::move(best);
        }
    }

    Bits scratch_;
};

/// Enumerates terms depth first.
class PrimeSearch : public PatternSearch {
public:
    explicit PrimeSearch(const PatternTask& task)
        : PatternSearch(task), best_(task, is_better, false) {}

    std::vector<Pattern> run() {
        Terms(task_).walk(affordable_degree(task_), [&](Pattern& pattern, const Bits& rows) {
            if (!is_pure(pattern)) return true;
            if (is_prime(pattern)) best_.offer(pattern, rows, rows_.positive);
            return false;
        });
        for (std::size_t i = 0; i < literals_.n_rows(); ++i) {
            if (!task_.is_positive[i] || best_.has(i)) continue;
            task_.stop.check();
            Pattern pattern;
            if (grow(i, pattern)) best_.offer(pattern, cover(pattern.literals), rows_.positive);
        }
        return best_.collect();
    }

private:
    BestPatterns best_;
};

/// Grows one pattern from every row.
class WideSearch : public PatternSearch {
public:
    using PatternSearch::PatternSearch;

    std::vector<Pattern> run() {
        std::map<std::vector<Index>, Pattern> known;
        for (std::size_t i = 0; i < literals_.n_rows(); ++i) {
            if (!task_.is_positive[i]) continue;
            task_.stop.check();
            Pattern pattern;
            if (grow(i, pattern)) known.emplace(pattern.literals, pattern);
        }
        std::vector<Pattern> found;
        for (auto& [term, pattern] : known) found.push_back(std::move(pattern));
        std::sort(found.begin(), found.end(), is_better);
        return found;
    }
};

}  // namespace

Literals::Literals(std::span<const std::uint8_t> holds, std::span<const std::uint8_t> fails,
                   std::size_t n_rows, std::span<const double> weights)
    : n_literals_(n_rows == 0 ? 0 : 2 * (holds.size() / n_rows)),
      n_rows_(n_rows),
      n_words_((n_rows + 63) / 64),
      bits_(n_literals_ * n_words_, 0),
      weights_(weights.begin(), weights.end()) {
    if (holds.size() != fails.size() || holds.size() != n_literals_ / 2 * n_rows ||
        (!weights.empty() && weights.size() != n_rows))
        throw std::invalid_argument("holds, fails and weights do not fit");
    for (std::size_t k = 0; k < n_literals_ / 2; ++k)
        for (std::size_t i = 0; i < n_rows; ++i) {
            const std::uint64_t bit = std::uint64_t{1} << (i % 64);
            if (holds[k * n_rows + i]) bits_[2 * k * n_words_ + i / 64] |= bit;
            if (fails[k * n_rows + i]) bits_[(2 * k + 1) * n_words_ + i / 64] |= bit;
        }
}

double Literals::weigh(Words rows) const noexcept {
    if (weights_.empty()) {
        std::size_t n = 0;
        for (const std::uint64_t word : rows) n += static_cast<std::size_t>(std::popcount(word));
        return static_cast<double>(n);
    }
    double sum = 0.0;
    for (std::size_t w = 0; w < rows.size(); ++w)
        for (std::uint64_t left = rows[w]; left != 0; left &= left - 1)
            sum += weights_[64 * w + static_cast<std::size_t>(std::countr_zero(left))];
    return sum;
}

std::size_t affordable_degree(const PatternTask& task) {
    const std::size_t n = task.literals.size() / 2;
    double terms = 0.0;
    double of_degree = 1.0;
    std::size_t degree = 0;
    while (degree < task.max_degree && degree < n) {
        of_degree *= 2.0 * static_cast<double>(n - degree) / static_cast<double>(degree + 1);
        terms += of_degree;
        if (degree > 1 && task.budget > 0 &&
            terms * static_cast<double>(task.literals.n_words()) > static_cast<double>(task.budget))
            break;
        ++degree;
    }
    return degree;
}

std::vector<Pattern> find_prime_patterns(const PatternTask& task) {
    return PrimeSearch(task).run();
}

std::vector<Pattern> find_wide_patterns(const PatternTask& task) { return WideSearch(task).run(); }

}  // namespace partage
