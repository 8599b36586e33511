#pragma once

#include <numeric>
#include <vector>

#include "partage/groups/grouping.hpp"

namespace partage {

/// Joins the two nearest groups, again and again. Each group knows the nearest of those behind it,
/// so that memory is linear and a merge rarely asks for more than one distance per group.
///
/// A rule has `Distance between(a, b)`, `bool is_closer(x, y)`, `void join(a, b, distance)`, which
/// puts group b into group a, and `is_reducible`: no merge brings a group nearer to a third one.
/// Pairs with a group that is too small come before all others. O(I²) in practice.
template <class Rule>
class Merging {
public:
    using Distance = typename Rule::Distance;

    Merging(Rule& rule, const Rows& rows, const Limits& limits, const Stop& stop)
        : rule_(rule), limits_(limits), stop_(stop), parent_(rows.size()), links_(rows.size()) {
        std::iota(parent_.begin(), parent_.end(), Index{0});
        active_ = parent_;
        for (std::size_t i = 0; i < rows.size(); ++i) sizes_.push_back(rows.weight(i));
        if (active_.size() < limits.least())
            throw NotPossible("more groups are asked for than there are values");
        for (std::size_t i = 0; i < active_.size(); ++i) look(i);
    }

    /// Merges while the limits or `accepts(distance, n_groups)` ask for it.
    template <class Accepts>
    void run(Accepts accepts) {
        while (active_.size() > limits_.least()) {
            const std::size_t place = nearest();
            const Link& link = links_[active_[place]];
            const bool is_asked =
                link.is_forced || active_.size() > limits_.most() || limits_.n_parts > 0;
            if (!is_asked && !accepts(link.distance, active_.size())) break;
            merge(place);
        }
    }

    std::size_t n_groups() const noexcept { return active_.size(); }

    /// Whether every group is large enough; a single group always is.
    bool is_allowed() const noexcept {
        if (active_.size() == 1) return true;
        for (const Index group : active_)
            if (!limits_.allows(sizes_[group])) return false;
        return true;
    }

    /// The group of each value, numbered in the order of their first values.
    std::vector<Index> group_of() const {
        std::vector<Index> number(parent_.size());
        for (std::size_t k = 0; k < active_.size(); ++k) number[active_[k]] = static_cast<Index>(k);
        std::vector<Index> out(parent_.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            // A group lives in the place of its first value, which comes before all others.
            out[i] = parent_[i] == i ? number[i] : out[parent_[i]];
        return out;
    }

private:
    struct Link {
        Index partner = 0;
        bool is_forced = false;
        bool is_stale = false;  // the distance is a lower bound only
        Distance distance{};
    };

    Link link_between(Index a, Index b) const {
        const bool is_forced = !limits_.allows(sizes_[a]) || !limits_.allows(sizes_[b]);
        return {b, is_forced, false, rule_.between(a, b)};
    }

    bool is_closer(const Link& x, const Link& y) const {
        if (x.is_forced != y.is_forced) return x.is_forced;
        return rule_.is_closer(x.distance, y.distance);
    }

    /// Finds the nearest of the groups behind the one at a place.
    void look(std::size_t place) {
        stop_.check();
        const Index group = active_[place];
        if (place + 1 == active_.size()) return;
        Link best = link_between(group, active_[place + 1]);
        for (std::size_t q = place + 2; q < active_.size(); ++q) {
            const Link link = link_between(group, active_[q]);
            if (is_closer(link, best)) best = link;
        }
        links_[group] = best;
    }

    /// Place of the first group of the nearest pair, the leftmost on a tie.
    std::size_t nearest() {
        while (true) {
            std::size_t best = 0;
            for (std::size_t p = 1; p + 1 < active_.size(); ++p)
                if (is_closer(links_[active_[p]], links_[active_[best]])) best = p;
            if (!links_[active_[best]].is_stale) return best;
            look(best);
        }
    }

    void merge(std::size_t place) {
        const Index a = active_[place];
        const Index b = links_[a].partner;
        rule_.join(a, b, links_[a].distance);
        sizes_[a] += sizes_[b];
        parent_[b] = a;
        active_.erase(std::lower_bound(active_.begin(), active_.end(), b));
        for (std::size_t p = 0; p < active_.size() && active_[p] < b; ++p) {
            Link& link = links_[active_[p]];
            if (link.partner == a || link.partner == b) link.is_stale = true;
            if (Rule::is_reducible || p >= place) continue;
            const Link grown = link_between(active_[p], a);
            if (is_closer(grown, link) || (link.is_stale && !is_closer(link, grown))) link = grown;
        }
        look(place);
    }

    Rule& rule_;
    const Limits& limits_;
    const Stop& stop_;
    std::vector<Index> parent_;  // the group a value's group was put into
    std::vector<Index> active_;  // first values of the groups
    std::vector<double> sizes_;
    std::vector<Link> links_;
};

/// What a merging of atoms gives for the values they stand for; throws NotPossible if some group is
/// too small.
template <class Rule>
Grouping grouping_of(const Merging<Rule>& merging, const std::vector<Index>& atom_of) {
    if (!merging.is_allowed()) throw NotPossible("a group is too small");
    const std::vector<Index> groups = merging.group_of();
    Grouping grouping;
    grouping.n_groups = merging.n_groups();
    grouping.group_of.reserve(atom_of.size());
    for (const Index atom : atom_of) grouping.group_of.push_back(groups[atom]);
    return grouping;
}

}  // namespace partage
