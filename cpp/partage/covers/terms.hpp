#pragma once

#include <cstddef>
#include <vector>

#include "partage/covers/best_patterns.hpp"

namespace partage {

/// Walks the terms of a task depth first: conjunctions, each literal of which leaves out rows, that
/// cover enough of the class.
class Terms {
public:
    explicit Terms(const PatternTask& task)
        : task_(task),
          rows_(task),
          scratch_(task.literals.n_words(), 0),
          least_(task.min_support * task.literals.weigh(rows_.positive)) {}

    const RowBits& rows() const noexcept { return rows_; }
    /// Calls `visit(pattern, rows covered)` for each term of at most `degree` literals; it says
    /// whether longer ones that begin with the term are walked too.
    template <class Visit>
    void walk(std::size_t degree, Visit visit) {
        levels_.assign(degree + 1, rows_.all);
        if (degree > 0) extend(0, degree, task_.literals.weigh(rows_.all), visit);
    }

private:
    template <class Visit>
    void extend(std::size_t from, std::size_t degree, double parent, Visit& visit) {
        const std::size_t level = term_.size();
        for (std::size_t literal = from; literal < task_.literals.size(); ++literal) {
            if (!term_.empty() && term_.back() / 2 == literal / 2) continue;
            if ((++n_terms_ & 0xfff) == 0) task_.stop.check();
            Bits& rows = levels_[level + 1];
            const Literals::Words words = task_.literals[literal];
            for (std::size_t w = 0; w < rows.size(); ++w) rows[w] = levels_[level][w] & words[w];
            const double covered = task_.literals.weigh(rows);
            // A literal that narrows nothing lengthens the term for nothing.
            if (covered <= 0.0 || covered >= parent) continue;
            for (std::size_t w = 0; w < rows.size(); ++w) scratch_[w] = rows[w] & rows_.positive[w];
            const double positives = task_.literals.weigh(scratch_);
            if (positives <= 0.0 || positives < least_) continue;
            term_.push_back(static_cast<Index>(literal));
            Pattern pattern{term_, positives, covered - positives};
            if (visit(pattern, rows) && term_.size() < degree)
                extend(literal + 1, degree, covered, visit);
            term_.pop_back();
        }
    }

    const PatternTask& task_;
    RowBits rows_;
    Bits scratch_;
    double least_;  // weight of the class that a term must cover
    std::vector<Bits> levels_;
    std::vector<Index> term_;
    std::size_t n_terms_ = 0;
};

}  // namespace partage
