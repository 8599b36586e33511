#include <algorithm>
#include <array>
#include <numeric>

#include "partage/covers/cover.hpp"

namespace partage {
namespace {

/// Rows of one class that no chosen discriminant separates are one block. Only pairs of blocks
/// that still lack separators are kept, so that no list of all pairs of rows is ever made.
class GreedyCover {
public:
    explicit GreedyCover(const CoverTask& task)
        : task_(task),
          examples_(task.examples),
          kept_(examples_.n_discriminants(), 0),
          block_of_(examples_.size()) {
        std::vector<std::int32_t> known;
        for (std::size_t i = 0; i < examples_.size(); ++i) {
            const Code label = examples_.label(i);
            if (known.size() <= label) known.resize(std::size_t{label} + 1, -1);
            if (known[label] < 0) {
                known[label] = static_cast<std::int32_t>(labels_.size());
                labels_.push_back(label);
            }
            block_of_[i] = static_cast<Index>(known[label]);
        }
        for (Index i = 0; i < labels_.size(); ++i)
            for (Index k = i + 1; k < labels_.size(); ++k) pairs_.push_back({i, k, 0});
        open_.resize(examples_.size());
        std::iota(open_.begin(), open_.end(), Index{0});
        is_open_.assign(examples_.size(), 1);
        for (std::size_t a = 0; a < examples_.n_attributes(); ++a) {
            const auto rows = examples_.rows(a, 0, examples_.attribute(a).n_codes);
            by_code_.emplace_back(rows.begin(), rows.end());
        }
        link();
        best_.resize(examples_.n_attributes(), {infinite, 0});
        is_stale_.resize(best_.size(), true);
    }

    Kept run() {
        std::vector<std::size_t> chosen;
        while (task_.max_discriminants == 0 || chosen.size() < task_.max_discriminants) {
            const std::size_t a = next_attribute();
            if (a == best_.size()) break;
            const Index at = best_[a].at;
            kept_[examples_.first(a) + at] = 1;
            chosen.push_back(examples_.first(a) + at);
            split(a, at);
            std::fill(is_stale_.begin(), is_stale_.end(), true);
        }
        if (task_.tolerance > 0.0) shorten(chosen);
        return std::move(kept_);
    }

private:
    struct Pair {
        Index first;
        Index second;
        Index separators;
    };
    struct Best {
        double gain;
        Index at;
    };

    /// The attribute whose best discriminant gains most. A gain never grows from step to step, so
    /// the last one known bounds it, and few attributes are counted anew.
    std::size_t next_attribute() {
        while (true) {
            task_.stop.check();
            std::size_t best = best_.size();
            for (std::size_t a = 0; a < best_.size(); ++a)
                if (best_[a].gain > 0.0 &&
                    (best == best_.size() || best_[a].gain > best_[best].gain))
                    best = a;
            if (best == best_.size() || !is_stale_[best]) return best;
            best_[best] = examples_.attribute(best).is_ordered ? sweep(best) : compare(best);
            is_stale_[best] = false;
        }
    }

    /// Rows that have an attribute and belong to a block with partners, by code; and the weight of
    /// each block among them.
    const std::vector<Index>& weigh(std::size_t a) {
        std::vector<Index>& rows = by_code_[a];
        std::erase_if(rows, [this](Index i) { return is_open_[i] == 0; });
        above_.assign(labels_.size(), 0.0);
        below_.assign(labels_.size(), 0.0);
        for (const Index i : rows) above_[block_of_[i]] += examples_.weight(i);
        return rows;
    }

    /// Moves the rows below the threshold, code by code, and follows the pairs it separates.
    Best sweep(std::size_t a) {
        const std::vector<Index>& rows = weigh(a);
        Best best{0.0, 0};
        double gain = 0.0;
        for (std::size_t p = 0; p < rows.size();) {
            const Index code = examples_.row(rows[p])[a];
            for (; p < rows.size() && examples_.row(rows[p])[a] == code; ++p)
                gain += lower(rows[p], examples_.attribute(a).direction);
            // Up to the next code that such a row has, the thresholds separate the same.
            const Index end =
                p < rows.size() ? examples_.row(rows[p])[a] : examples_.attribute(a).n_codes - 1;
            const std::uint8_t* kept = &kept_[examples_.first(a)];
            Index t = code;
            while (t < end && kept[t]) ++t;
            if (t < end && gain > best.gain) best = {gain, t};
        }
        return best;
    }

    /// Moves a row below the threshold; the pairs that are separated then, less those before.
    double lower(Index i, int direction) {
        const Index own = block_of_[i];
        double moved = 0.0;
        for (Index p = starts_[own]; p < starts_[own + 1]; ++p) {
            const Index other = partners_[p];
            if (direction == 0)
                moved += above_[other] - below_[other];
            else if ((labels_[own] < labels_[other]) == (direction > 0))
                moved += above_[other];
            else
                moved -= below_[other];
        }
        const double weight = examples_.weight(i);
        below_[own] += weight;
        above_[own] -= weight;
        return weight * moved;
    }

    /// Counts the pairs of one row with a value and one without it.
    Best compare(std::size_t a) {
        const std::vector<Index>& rows = weigh(a);
        Best best{0.0, 0};
        for (std::size_t first = 0; first < rows.size();) {
            const Index v = examples_.row(rows[first])[a];
            std::size_t last = first;
            for (; last < rows.size() && examples_.row(rows[last])[a] == v; ++last)
                above_[block_of_[rows[last]]] -= examples_.weight(rows[last]);
            double gain = 0.0;
            for (std::size_t p = first; p < last; ++p) {
                const Index own = block_of_[rows[p]];
                double met = 0.0;
                for (Index k = starts_[own]; k < starts_[own + 1]; ++k) met += above_[partners_[k]];
                gain += examples_.weight(rows[p]) * met;
            }
            for (; first < last; ++first)
                above_[block_of_[rows[first]]] += examples_.weight(rows[first]);
            if (gain > best.gain && !kept_[examples_.first(a) + v]) best = {gain, v};
        }
        return best;
    }

    /// Splits the blocks by a discriminant: rows where it does not hold, where it does, and those
    /// that lack the attribute, which it separates from nothing.
    void split(std::size_t a, Index at) {
        const Attribute& attribute = examples_.attribute(a);
        constexpr Index none = static_cast<Index>(-1);
        std::vector<std::array<Index, 3>> children(labels_.size(), {none, none, none});
        std::vector<Code> labels;
        for (const Index i : open_) {
            const Index code = examples_.row(i)[a];
            const bool holds = attribute.is_ordered ? code > at : code == at;
            Index& child = children[block_of_[i]][code == attribute.n_codes ? 2 : holds];
            if (child == none) {
                child = static_cast<Index>(labels.size());
                labels.push_back(labels_[block_of_[i]]);
            }
            block_of_[i] = child;
        }
        std::vector<Pair> pairs;
        for (const Pair& pair : pairs_) {
            const bool rises = labels_[pair.first] < labels_[pair.second];
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t k = 0; k < 3; ++k) {
                    if (children[pair.first][i] == none || children[pair.second][k] == none)
                        continue;
                    const bool counts =
                        attribute.direction == 0 || ((i < k) == rises) == (attribute.direction > 0);
                    const bool is_apart = i != k && i < 2 && k < 2 && counts;
                    const Index separators = pair.separators + is_apart;
                    if (separators < task_.consistency)
                        pairs.push_back(
                            {children[pair.first][i], children[pair.second][k], separators});
                }
            if (pairs.size() > task_.max_pairs) throw TooManyPairs();
        }
        labels_ = std::move(labels);
        pairs_ = std::move(pairs);
        link();
        std::erase_if(open_, [this](Index i) {
            const Index own = block_of_[i];
            is_open_[i] = starts_[own] < starts_[own + 1];
            return is_open_[i] == 0;
        });
    }

    /// Lists the partners of each block.
    void link() {
        starts_.assign(labels_.size() + 1, 0);
        for (const Pair& pair : pairs_) {
            ++starts_[pair.first];
            ++starts_[pair.second];
        }
        Index sum = 0;
        for (Index& start : starts_) {
            sum += start;
            start = sum;
        }
        partners_.resize(2 * pairs_.size());
        for (const Pair& pair : pairs_) {
            partners_[--starts_[pair.first]] = pair.second;
            partners_[--starts_[pair.second]] = pair.first;
        }
    }

    /// Keeps as many of the first choices as the tolerance asks for.
    void shorten(const std::vector<std::size_t>& chosen) {
        const double allowed = task_.tolerance * examples_.n_pairs();
        std::size_t low = 0;
        std::size_t high = chosen.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            Kept kept(kept_.size(), 0);
            for (std::size_t i = 0; i < middle; ++i) kept[chosen[i]] = 1;
            if (count_short_pairs(task_, kept) <= allowed)
                high = middle;
            else
                low = middle + 1;
        }
        for (std::size_t i = low; i < chosen.size(); ++i) kept_[chosen[i]] = 0;
    }

    const CoverTask& task_;
    const Examples& examples_;
    Kept kept_;
    std::vector<Index> block_of_;
    std::vector<Index> open_;  ///< rows whose block has partners
    std::vector<std::uint8_t> is_open_;
    std::vector<std::vector<Index>> by_code_;  ///< of each attribute: rows by code
    std::vector<Code> labels_;                 ///< class of each block
    std::vector<Pair> pairs_;  ///< of blocks of different classes that lack separators
    std::vector<Index> starts_;
    std::vector<Index> partners_;
    std::vector<Best> best_;  ///< of each attribute
    std::vector<bool> is_stale_;
    std::vector<double> above_;
    std::vector<double> below_;
};

}  // namespace

Kept cover_greedily(const CoverTask& task) { return GreedyCover(task).run(); }

}  // namespace partage
