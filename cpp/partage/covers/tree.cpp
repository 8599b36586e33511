#include <algorithm>

#include "partage/covers/cover.hpp"

namespace partage {
namespace {

/// Grows a tree by Gini's impurity until no leaf can be split that holds two classes.
class Tree {
public:
    explicit Tree(const CoverTask& task)
        : task_(task), examples_(task.examples), kept_(examples_.n_discriminants(), 0) {
        for (std::size_t i = 0; i < examples_.size(); ++i)
            n_classes_ = std::max<std::size_t>(n_classes_, examples_.label(i) + std::size_t{1});
    }

    Kept run() {
        std::vector<std::vector<Index>> open(1);
        for (Index i = 0; i < examples_.size(); ++i) open[0].push_back(i);
        while (!open.empty()) {
            task_.stop.check();
            std::vector<Index> rows = std::move(open.back());
            open.pop_back();
            if (is_pure(rows)) continue;
            const Split best = best_split(rows);
            if (best.score < 0.0) continue;
            if (task_.max_discriminants > 0 && !kept_[tau(best)] &&
                n_kept_ == task_.max_discriminants)
                continue;
            n_kept_ += !kept_[tau(best)];
            kept_[tau(best)] = 1;
            const auto middle = std::partition(rows.begin(), rows.end(), [&](Index i) {
                return holds(best, examples_.row(i)[best.attribute]);
            });
            open.emplace_back(rows.begin(), middle);
            open.emplace_back(middle, rows.end());
        }
        return std::move(kept_);
    }

private:
    struct Split {
        double score = -1.0;
        std::size_t attribute = 0;
        Index at = 0;
    };
    /// Class weights of one side, and what Gini needs of them.
    struct Side {
        std::vector<double> weights;
        double total = 0.0;
        double squares = 0.0;
        void add(Code label, double weight) {
            squares += weight * (2.0 * weights[label] + weight);
            weights[label] += weight;
            total += weight;
        }
        double score() const { return total > 0.0 ? squares / total : 0.0; }
    };

    std::size_t tau(const Split& split) const {
        return examples_.first(split.attribute) + split.at;
    }

    bool holds(const Split& split, Index code) const {
        const Attribute& attribute = examples_.attribute(split.attribute);
        if (code == attribute.n_codes) return false;
        return attribute.is_ordered ? code > split.at : code == split.at;
    }

    bool is_pure(const std::vector<Index>& rows) const {
        return std::all_of(rows.begin(), rows.end(), [&](Index i) {
            return examples_.label(i) == examples_.label(rows.front());
        });
    }

    Split best_split(std::vector<Index>& rows) {
        Split best;
        for (std::size_t a = 0; a < examples_.n_attributes(); ++a) {
            if (examples_.attribute(a).n_discriminants() == 0) continue;
            std::sort(rows.begin(), rows.end(), [&](Index i, Index k) {
                const Index first = examples_.row(i)[a];
                const Index second = examples_.row(k)[a];
                return first != second ? first < second : i < k;
            });
            try_attribute(rows, a, best);
        }
        return best;
    }

    /// Tries the discriminants of an attribute on rows sorted by its codes.
    void try_attribute(const std::vector<Index>& rows, std::size_t a, Split& best) {
        const Attribute& attribute = examples_.attribute(a);
        const Side empty{std::vector<double>(n_classes_, 0.0)};
        Side outside = empty;  // rows where the discriminant does not hold
        Side inside = empty;
        std::size_t n_present = 0;
        for (const Index i : rows) {
            const bool is_present = examples_.row(i)[a] < attribute.n_codes;
            n_present += is_present;
            const bool starts_inside = attribute.is_ordered && is_present;
            (starts_inside ? inside : outside).add(examples_.label(i), examples_.weight(i));
        }
        for (std::size_t p = 0; p < n_present;) {
            const Index code = examples_.row(rows[p])[a];
            if (!attribute.is_ordered) inside = empty;
            const std::size_t first = p;
            for (; p < n_present && examples_.row(rows[p])[a] == code; ++p)
                move(rows[p], attribute.is_ordered ? inside : outside,
                     attribute.is_ordered ? outside : inside);
            const bool is_split = attribute.is_ordered ? p < n_present : p - first < rows.size();
            const double score = inside.score() + outside.score();
            if (is_split && score > best.score + 1e-12 * score) best = {score, a, code};
            if (!attribute.is_ordered)
                for (std::size_t q = first; q < p; ++q) move(rows[q], inside, outside);
        }
    }

    void move(Index i, Side& from, Side& to) const {
        from.add(examples_.label(i), -examples_.weight(i));
        to.add(examples_.label(i), examples_.weight(i));
    }

    const CoverTask& task_;
    const Examples& examples_;
    Kept kept_;
    std::size_t n_kept_ = 0;
    std::size_t n_classes_ = 0;
};

}  // namespace

Kept grow_tree(const CoverTask& task) { return Tree(task).run(); }

}  // namespace partage
