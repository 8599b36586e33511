#include <algorithm>
#include <queue>

#include "partage/covers/close_pairs.hpp"
#include "partage/covers/merits.hpp"

namespace partage {
namespace {

class Elimination {
public:
    explicit Elimination(const CoverTask& task)
        : task_(task),
          examples_(task.examples),
          kept_(examples_.n_discriminants(), 1),
          locked_(kept_.size(), 0),
          version_(kept_.size(), 0),
          separation_(examples_, kept_, task.by_attribute),
          whole_(examples_, kept_, task.by_attribute),
          merits_(examples_, kept_, task.global_merit),
          pairs_(separation_, task.stop),
          allowed_(task.tolerance * examples_.n_pairs()) {}

    Kept run() {
        std::vector<std::uint8_t> is_decided(kept_.size(), 0);
        fill(is_decided);
        std::size_t in_a_row = 0;
        while (!queue_.empty() && (task_.patience == 0 || in_a_row < task_.patience)) {
            const Item item = take();
            if (!is_current(item) || is_decided[item.tau]) continue;
            is_decided[item.tau] = 1;
            if (!locked_[item.tau] && is_redundant(item)) {
                drop(item, is_decided);
                in_a_row = 0;
            } else {
                ++in_a_row;
            }
        }
        if (task_.max_discriminants > 0) cut();
        return std::move(kept_);
    }

private:
    struct Item {
        double merit;
        std::size_t tau;
        std::size_t attribute;
        Index at;
        std::uint32_t version;
        /// Least merit first; ties in the order of attributes and values.
        bool operator<(const Item& other) const noexcept {
            return merit != other.merit ? merit > other.merit : tau > other.tau;
        }
    };

    bool is_current(const Item& item) const { return item.version == version_[item.tau]; }

    Item take() {
        const Item item = queue_.top();
        queue_.pop();
        return item;
    }

    void push(std::size_t a, Index at) {
        const std::size_t tau = examples_.first(a) + at;
        queue_.push({merits_.of(a, at), tau, a, at, version_[tau]});
    }

    void fill(const std::vector<std::uint8_t>& is_decided) {
        queue_ = {};
        for (std::size_t a = 0; a < examples_.n_attributes(); ++a)
            for (Index at = 0; at < examples_.attribute(a).n_discriminants(); ++at) {
                const std::size_t tau = examples_.first(a) + at;
                if (kept_[tau] && !is_decided[tau]) push(a, at);
            }
    }

    void drop(const Item& item, const std::vector<std::uint8_t>& is_decided) {
        kept_[item.tau] = 0;
        separation_.drop(item.attribute, item.at);
        merits_.drop(item.attribute, item.at, [&](Index at) {
            const std::size_t tau = examples_.first(item.attribute) + at;
            if (!kept_[tau] || is_decided[tau]) return;
            ++version_[tau];
            push(item.attribute, at);
        });
    }

    /// Drops by least merit, consistent or not, until few enough are left.
    void cut() {
        const std::vector<std::uint8_t> none(kept_.size(), 0);
        auto n_kept = static_cast<std::size_t>(std::count(kept_.begin(), kept_.end(), 1));
        fill(none);
        while (n_kept > task_.max_discriminants) {
            const Item item = take();
            if (!kept_[item.tau] || !is_current(item)) continue;
            drop(item, none);
            --n_kept;
        }
    }

    /// Whether every pair that a discriminant separates has enough others, but for the pairs that
    /// the tolerance allows to be short.
    bool is_redundant(const Item& item) {
        newly_short_ = 0.0;
        const bool is_blocked = examples_.attribute(item.attribute).is_ordered
                                    ? is_threshold_needed(item)
                                    : is_value_needed(item);
        if (!is_blocked) allowed_ -= newly_short_;
        return !is_blocked;
    }

    /// Looks at the intervals below a threshold, nearest first, against those above near enough.
    bool is_threshold_needed(const Item& item) {
        const std::size_t a = item.attribute;
        const std::size_t c = task_.consistency;
        const std::size_t reach = task_.by_attribute ? 1 : c;
        std::vector<Index> ends{item.at + 1};  // right ends of the intervals above
        for (Index t = item.at; ends.size() <= reach && t != Merits::end;) {
            t = merits_.next(a, t);
            ends.push_back(t == Merits::end ? examples_.attribute(a).n_codes : t + 1);
        }
        Index high = item.at + 1;
        Index t = item.at;
        for (std::size_t i = 1; i <= reach && high > 0; ++i) {
            t = merits_.previous(a, t);
            const Index low = t == Merits::end ? 0 : t + 1;
            const std::size_t furthest = std::min(ends.size() - 1, reach - i + 1);
            const std::size_t budget = task_.by_attribute ? c - 1 : c - i;
            if (is_needed(examples_.rows(a, low, high),
                          examples_.rows(a, item.at + 1, ends[furthest]), a, budget))
                return true;
            high = low;
        }
        return false;
    }

    bool is_value_needed(const Item& item) {
        const std::size_t a = item.attribute;
        pooled_.clear();
        named_.clear();
        for (Index v = 0; v < examples_.attribute(a).n_codes; ++v) {
            if (v == item.at) continue;
            auto& side = kept_[examples_.first(a) + v] ? named_ : pooled_;
            const auto rows = examples_.rows(a, v, v + 1);
            side.insert(side.end(), rows.begin(), rows.end());
        }
        const auto own = examples_.rows(a, item.at, item.at + 1);
        const std::size_t c = task_.consistency;
        if (is_needed(own, pooled_, a, c - 1)) return true;
        return !task_.by_attribute && c > 1 && is_needed(own, named_, a, c - 2);
    }

    bool is_needed(std::span<const Index> left, std::span<const Index> right, std::size_t a,
                   std::size_t budget) {
        if (left.empty() || right.empty()) return false;
        const bool is_strict = task_.tolerance == 0.0;
        return pairs_.search(left, right, a, budget, task_.consistency, is_strict,
                             [&](std::size_t x, std::size_t y) {
                                 if (separation_.apart(a, x, y) == 0) return false;
                                 if (!is_strict) return exceeds(x, y);
                                 lock(x, y);
                                 return true;
                             });
    }

    /// Counts a pair that would fall short, unless it is short already.
    bool exceeds(std::size_t x, std::size_t y) {
        std::size_t now = 0;
        std::size_t first = 0;
        for (std::size_t a = 0; a < examples_.n_attributes(); ++a) {
            now += separation_.apart(a, x, y);
            first += whole_.apart(a, x, y);
        }
        if (now == std::min(task_.consistency, first))
            newly_short_ += examples_.weight(x) * examples_.weight(y);
        return newly_short_ > allowed_;
    }

    /// Each separator of a pair that can spare none is needed.
    void lock(std::size_t x, std::size_t y) {
        for (std::size_t a = 0; a < examples_.n_attributes(); ++a) {
            if (separation_.apart(a, x, y) == 0) continue;
            const Index low = std::min(examples_.row(x)[a], examples_.row(y)[a]);
            const Index high = std::max(examples_.row(x)[a], examples_.row(y)[a]);
            std::uint8_t* locked = &locked_[examples_.first(a)];
            const std::uint8_t* kept = &kept_[examples_.first(a)];
            if (!examples_.attribute(a).is_ordered) {
                if (task_.by_attribute && kept[low] && kept[high]) continue;
                locked[low] = 1;
                locked[high] = 1;
                continue;
            }
            // Counted by attribute, one of several thresholds can be spared.
            const auto n = std::count(kept + low, kept + high, 1);
            if (task_.by_attribute && n > 1) continue;
            std::fill(locked + low, locked + high, 1);
        }
    }

    const CoverTask& task_;
    const Examples& examples_;
    Kept kept_;
    std::vector<std::uint8_t> locked_;
    std::vector<std::uint32_t> version_;
    Separation separation_;
    Separation whole_;
    Merits merits_;
    ClosePairs pairs_;
    std::priority_queue<Item> queue_;
    std::vector<Index> pooled_;
    std::vector<Index> named_;
    double allowed_;
    double newly_short_ = 0.0;
};

}  // namespace

Kept eliminate(const CoverTask& task) { return Elimination(task).run(); }

}  // namespace partage
