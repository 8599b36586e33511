#include "partage/graphs/prototypes.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "partage/graphs/bipartition.hpp"
#include "partage/graphs/nearest_lists.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

using Number = std::uint32_t;

/// Deletes prototypes one by one. Each keeps the points it is nearest to and, since these would go
/// to their second nearest, what its loss would add to the cost.
class Deletion {
public:
    Deletion(std::span<const std::uint32_t> object_starts, std::span<const std::uint32_t> classes,
             std::size_t n_classes, const Distances& distances, std::span<const Point> candidates,
             const Workers& workers)
        : starts_(object_starts),
          classes_(classes),
          n_classes_(n_classes),
          workers_(workers),
          lists_(distances, candidates, workers),
          members_(candidates.size()),
          followers_(candidates.size()),
          counts_(candidates.size() * n_classes, 0),
          growth_(candidates.size(), 0.0),
          moved_(n_classes) {}

    Prototypes run(std::span<const Point> candidates) {
        const std::size_t n_points = starts_.size() - 1;
        for (Number p = 0; p < n_points; ++p) settle(p);
        std::size_t n_alive = candidates.size();
        double labels = 0.0;
        for (Number k = 0; k < candidates.size(); ++k) labels += label_length(row(k));
        double best = total(n_alive, labels);
        std::vector<Number> gone;
        std::size_t n_best = 0;
        for (Number k = 0; k < candidates.size(); ++k) price(k);
        workers_.start(n_alive);
        while (n_alive > 1) {
            workers_.stop.check();
            const Number lost = queue_.begin()->second;
            labels += growth_[lost];
            remove(lost);
            gone.push_back(lost);
            --n_alive;
            workers_.add(1);
            if (!is_lower(best, total(n_alive, labels))) {
                best = total(n_alive, labels);
                n_best = gone.size();
            }
        }
        gone.resize(n_best);
        return collect(candidates, gone);
    }

private:
    std::span<std::uint32_t> row(Number k) noexcept {
        return {counts_.data() + k * n_classes_, n_classes_};
    }

    double total(std::size_t n_prototypes, double labels) const noexcept {
        return prototypes_structure(classes_.size(), n_prototypes) + labels;
    }

    void add(Number p, std::span<std::uint32_t> counts) const noexcept {
        for (std::uint32_t o = starts_[p]; o < starts_[p + 1]; ++o) ++counts[classes_[o]];
    }

    /// Puts a point into the cell of its nearest prototype.
    void settle(Number p) {
        const Number first = lists_.first(p);
        members_[first].push_back(p);
        add(p, row(first));
        follow(p);
    }

    void follow(Number p) {
        const Number second = lists_.second(p);
        if (second != none) followers_[second].push_back(p);
    }

    /// Prices the loss of a prototype anew.
    void price(Number k) {
        std::vector<Number>& cell = members_[k];
        std::sort(cell.begin(), cell.end(), [this](Number a, Number b) {
            const Number x = lists_.second(a);
            const Number y = lists_.second(b);
            return x != y ? x < y : a < b;
        });
        double growth = -label_length(row(k));
        for (std::size_t i = 0; i < cell.size();) {
            const Number heir = lists_.second(cell[i]);
            if (heir == none) break;  // the last prototype
            std::copy(row(heir).begin(), row(heir).end(), moved_.begin());
            for (; i < cell.size() && lists_.second(cell[i]) == heir; ++i) add(cell[i], moved_);
            growth += label_length(moved_) - label_length(row(heir));
        }
        // On a grid, so that losses that tie but for rounding go by their number.
        queue_.erase({on_grid(growth_[k]), k});
        growth_[k] = growth;
        queue_.insert({on_grid(growth), k});
    }

    void remove(Number lost) {
        queue_.erase({on_grid(growth_[lost]), lost});
        lists_.remove(lost);
        const std::vector<Number> orphans = std::move(members_[lost]);
        const std::vector<Number> waiting = std::move(followers_[lost]);
        std::set<Number> changed;  // cells that grew
        for (const Number p : orphans) {
            settle(p);
            changed.insert(lists_.first(p));
        }
        std::set<Number> stale(changed.begin(), changed.end());
        for (const Number p : waiting)
            if (lists_.first(p) != lost) {
                follow(p);
                stale.insert(lists_.first(p));
            }
        for (const Number k : changed) {
            std::vector<Number>& followers = followers_[k];
            std::erase_if(followers, [&](Number p) { return lists_.second(p) != k; });
            std::sort(followers.begin(), followers.end());
            followers.erase(std::unique(followers.begin(), followers.end()), followers.end());
            for (const Number p : followers) stale.insert(lists_.first(p));
        }
        for (const Number k : stale) price(k);
    }

    static Prototypes collect(std::span<const Point> candidates, const std::vector<Number>& gone) {
        std::vector<std::uint8_t> is_gone(candidates.size(), 0);
        for (const Number k : gone) is_gone[k] = 1;
        Prototypes found;
        for (Number k = 0; k < candidates.size(); ++k)
            if (is_gone[k] == 0) found.points.push_back(candidates[k]);
        return found;
    }

    std::span<const std::uint32_t> starts_;
    std::span<const std::uint32_t> classes_;
    std::size_t n_classes_;
    const Workers& workers_;
    NearestLists lists_;
    std::vector<std::vector<Number>> members_;
    std::vector<std::vector<Number>> followers_;  // points whose second nearest it is, and others
    std::vector<std::uint32_t> counts_;
    std::vector<double> growth_;
    std::set<std::pair<double, Number>> queue_;
    std::vector<std::uint32_t> moved_;
};

}  // namespace

double prototypes_structure(std::size_t n_objects, std::size_t n_prototypes) noexcept {
    const auto n = static_cast<double>(n_objects);
    const auto k = static_cast<double>(n_prototypes);
    return portable_log(n) + log_binomial(n + k - 1.0, k);
}

Prototypes choose_prototypes(std::span<const std::uint32_t> object_starts,
                             std::span<const std::uint32_t> classes, std::size_t n_classes,
                             const Distances& distances, std::span<const Point> candidates,
                             const Workers& workers) {
    Prototypes found =
        Deletion(object_starts, classes, n_classes, distances, candidates, workers).run(candidates);
    std::vector<std::uint32_t> all(n_classes, 0);
    for (const std::uint32_t label : classes) ++all[label];
    found.null_cost = prototypes_structure(classes.size(), 1) + label_length(all);
    // The nearest of the prototypes kept; the table's columns are those of the candidates.
    std::vector<Number> columns;
    for (Number k = 0; k < candidates.size(); ++k)
        if (std::binary_search(found.points.begin(), found.points.end(), candidates[k]))
            columns.push_back(k);
    const NearestLists lists(distances, candidates, columns, workers);
    found.cell_of.resize(distances.n_points);
    std::vector<std::vector<std::uint32_t>> counts(columns.size(),
                                                   std::vector<std::uint32_t>(n_classes, 0));
    for (Number p = 0; p < distances.n_points; ++p) {
        const auto column = std::lower_bound(columns.begin(), columns.end(), lists.first(p));
        found.cell_of[p] = static_cast<Number>(column - columns.begin());
        for (std::uint32_t o = object_starts[p]; o < object_starts[p + 1]; ++o)
            ++counts[found.cell_of[p]][classes[o]];
    }
    found.cost = prototypes_structure(classes.size(), columns.size());
    for (const auto& row : counts) found.cost += label_length(row);
    return found;
}

}  // namespace partage
