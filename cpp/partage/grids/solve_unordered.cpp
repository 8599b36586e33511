#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "partage/grids/axis_problem.hpp"
#include "partage/support/fixed_numbers.hpp"

namespace partage {
namespace {

constexpr std::size_t most_in_subsets = 9;  // units of the exact program
constexpr std::size_t n_first_groups = 48;  // a start where merging all units takes too long
constexpr std::size_t most_sweeps = 30;

/// A number for each unit that is near those of units whose rows are alike: their first direction
/// of correspondence with the blocks and classes.
std::vector<double> unit_scores(const AxisProblem& problem) {
    constexpr std::size_t n_turns = 8;
    const std::size_t n_keys = problem.n_keys();
    std::vector<double> sums(problem.n_units, 0.0), keys(n_keys, 0.0);
    double total = 0.0;
    for (std::size_t u = 0; u < problem.n_units; ++u)
        for (const AxisProblem::Cell& cell : problem.row(u)) {
            sums[u] += cell.weight;
            keys[cell.key] += cell.weight;
            total += cell.weight;
        }
    // Means over the classes of a block, or over all blocks where there are none.
    const auto center = [&](std::vector<double>& at_keys) {
        const std::size_t size = problem.is_joint ? n_keys : problem.n_classes;
        for (std::size_t first = 0; first < n_keys; first += size) {
            double mean = 0.0, weight = 0.0;
            for (std::size_t k = first; k < first + size; ++k) {
                mean += keys[k] * at_keys[k];
                weight += keys[k];
            }
            for (std::size_t k = first; k < first + size && weight > 0.0; ++k)
                at_keys[k] -= mean / weight;
        }
    };
    const double unit_mean = total / static_cast<double>(problem.n_units);
    const double key_mean = total / static_cast<double>(n_keys);
    FixedNumbers numbers(1);
    std::vector<double> at_keys(n_keys), scores(problem.n_units, 0.0);
    for (double& value : at_keys) value = numbers.around_zero();
    for (std::size_t turn = 0; turn < n_turns; ++turn) {
        center(at_keys);
        double most = 0.0;
        for (std::size_t u = 0; u < problem.n_units; ++u) {
            scores[u] = 0.0;
            for (const AxisProblem::Cell& cell : problem.row(u))
                scores[u] += cell.weight * at_keys[cell.key];
            scores[u] /= sums[u] + unit_mean;
            most = std::max(most, std::abs(scores[u]));
        }
        if (!(most > 0.0)) break;
        std::ranges::fill(at_keys, 0.0);
        for (std::size_t u = 0; u < problem.n_units; ++u)
            for (const AxisProblem::Cell& cell : problem.row(u))
                at_keys[cell.key] += cell.weight * scores[u] / most;
        for (std::size_t k = 0; k < n_keys; ++k) at_keys[k] /= keys[k] + key_mean;
    }
    return scores;
}

/// Groups of units with like rows, about as many units in each.
AxisParts groups_by_score(const AxisProblem& problem, std::size_t n_groups) {
    const std::vector<double> scores = unit_scores(problem);
    std::vector<Index> order(problem.n_units);
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index u) { return scores[u]; });
    AxisParts parts{std::vector<Index>(problem.n_units), n_groups, infinite};
    for (std::size_t i = 0; i < order.size(); ++i)
        parts.part_of[order[i]] = static_cast<Index>(i * n_groups / order.size());
    return parts;
}

/// Numbers groups by their first unit, without gaps.
void renumber(AxisParts& parts) {
    constexpr Index none = std::numeric_limits<Index>::max();
    std::vector<Index> place(parts.part_of.size() + parts.n_parts + 1, none);
    Index next = 0;
    for (Index& part : parts.part_of) {
        if (place[part] == none) place[part] = next++;
        part = place[part];
    }
    parts.n_parts = next;
}

/// The exact least groups of few units: a program over their subsets for each number of groups.
AxisParts solve_subsets(const AxisProblem& problem, double known, std::size_t max_parts) {
    const std::size_t n = problem.n_units;
    const std::size_t n_sets = std::size_t{1} << n;
    std::vector<double> costs(n_sets, 0.0);
    OpenPart part(problem);
    for (std::size_t set = 1; set < n_sets; ++set) {
        part.clear();
        for (std::size_t u = 0; u < n; ++u)
            if (set >> u & 1) part.add(problem.row(u), problem.n_values[u]);
        costs[set] = part.cost();
    }
    const auto step = [&](const std::vector<double>& least, std::vector<std::uint16_t>* last) {
        std::vector<double> next(n_sets, infinite);
        for (std::size_t set = 1; set < n_sets; ++set) {
            const std::size_t lowest = set & (~set + 1);
            const std::size_t rest = set ^ lowest;
            for (std::size_t sub = rest;; sub = (sub - 1) & rest) {
                const std::size_t group = sub | lowest;
                const double cost = costs[group] + least[set ^ group];
                if (cost < next[set]) {
                    next[set] = cost;
                    if (last != nullptr) (*last)[set] = static_cast<std::uint16_t>(group);
                }
                if (sub == 0) break;
            }
        }
        return next;
    };
    std::vector<double> any(n_sets, infinite);  // least in any number of groups
    any[0] = 0.0;
    for (std::size_t set = 1; set < n_sets; ++set) {
        const std::size_t lowest = set & (~set + 1);
        const std::size_t rest = set ^ lowest;
        for (std::size_t sub = rest;; sub = (sub - 1) & rest) {
            any[set] = std::min(any[set], costs[sub | lowest] + any[set ^ (sub | lowest)]);
            if (sub == 0) break;
        }
    }
    std::vector<double> least(n_sets, infinite);
    least[0] = 0.0;
    std::vector<std::vector<std::uint16_t>> lasts;
    std::size_t best = 0;
    const std::size_t most = std::min({max_parts, problem.structure.size(), n});
    for (std::size_t k = 1; k <= most; ++k) {
        if (!is_lower(problem.structure[k - 1] + any[n_sets - 1], known)) break;
        least = step(least, &lasts.emplace_back(n_sets, std::uint16_t{0}));
        if (is_lower(problem.structure[k - 1] + least[n_sets - 1], known)) {
            known = problem.structure[k - 1] + least[n_sets - 1];
            best = k;
        }
    }
    AxisParts found;
    if (best == 0) return found;
    found = {std::vector<Index>(n), best, known};
    std::size_t set = n_sets - 1;
    for (std::size_t k = best; k-- > 0;) {
        const std::size_t group = lasts[k][set];
        for (std::size_t u = 0; u < n; ++u)
            if (group >> u & 1) found.part_of[u] = static_cast<Index>(k);
        set ^= group;
    }
    renumber(found);
    return found;
}

/// Groups that are merged and whose units move as long as that lowers the cost.
class Groups {
public:
    Groups(const AxisProblem& problem, AxisParts start, std::size_t max_parts)
        : problem_(problem),
          most_(std::min(max_parts, problem.structure.size())),
          group_of_(std::move(start.part_of)),
          groups_(start.n_parts, OpenPart(problem)),
          costs_(start.n_parts, 0.0),
          sizes_(start.n_parts, 0) {
        for (std::size_t u = 0; u < problem_.n_units; ++u) {
            groups_[group_of_[u]].add(problem_.row(u), problem_.n_values[u]);
            ++sizes_[group_of_[u]];
        }
        for (std::size_t g = 0; g < groups_.size(); ++g) costs_[g] = groups_[g].cost();
    }

    /// Merges the two groups that raise the cost least, down to one; keeps the best number.
    void merge_all() {
        std::vector<std::pair<Index, Index>> merges;
        const std::vector<Index> start = group_of_;
        std::vector<Index> alive(groups_.size());
        std::iota(alive.begin(), alive.end(), Index{0});
        std::vector<std::vector<double>> rises(groups_.size());
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            rises[g].resize(g);
            for (std::size_t h = 0; h < g; ++h) rises[g][h] = rise(g, h);
        }
        double sum = std::accumulate(costs_.begin(), costs_.end(), 0.0);
        double lowest = infinite;
        std::size_t n_best = 0;
        for (std::size_t n = alive.size(); n > 0; --n) {
            if (n <= most_ && problem_.structure[n - 1] + sum < lowest) {
                lowest = problem_.structure[n - 1] + sum;
                n_best = merges.size();
            }
            if (n == 1) break;
            Index into = 0, from = 0;
            double least = infinite;
            for (std::size_t i = 0; i < alive.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (rises[alive[i]][alive[j]] < least) {
                        least = rises[alive[i]][alive[j]];
                        from = alive[i];
                        into = alive[j];
                    }
            if (least == infinite) break;
            join(into, from);
            sum += least;
            merges.emplace_back(into, from);
            std::erase(alive, from);
            for (const Index g : alive) {
                if (g == into) continue;
                rises[std::max(g, into)][std::min(g, into)] = rise(g, into);
            }
        }
        AxisParts best{start, groups_.size(), infinite};
        std::vector<Index> place(groups_.size());
        std::iota(place.begin(), place.end(), Index{0});
        for (std::size_t i = 0; i < n_best; ++i)
            for (Index& at : place)
                if (at == merges[i].second) at = merges[i].first;
        for (Index& group : best.part_of) group = place[group];
        renumber(best);
        *this = Groups(problem_, std::move(best), most_);
    }

    /// Moves single units, also into groups of their own, and merges groups, while that helps.
    void improve() {
        for (std::size_t sweep = 0; sweep < most_sweeps; ++sweep) {
            const bool moved = sweep_moves();
            const bool merged = sweep_merges();
            if (!moved && !merged) return;
        }
    }

    AxisParts result() const {
        AxisParts parts{group_of_, groups_.size(), 0.0};
        parts.cost = problem_.structure[std::min(n_groups(), problem_.structure.size()) - 1];
        for (const double cost : costs_) parts.cost += cost;
        if (n_groups() > most_) parts.cost = infinite;
        renumber(parts);
        return parts;
    }

    Groups& operator=(Groups&& other) noexcept {
        group_of_ = std::move(other.group_of_);
        groups_ = std::move(other.groups_);
        costs_ = std::move(other.costs_);
        sizes_ = std::move(other.sizes_);
        return *this;
    }

private:
    std::size_t n_groups() const noexcept {
        return groups_.size() -
               static_cast<std::size_t>(std::ranges::count(sizes_, std::size_t{0}));
    }
    double rise(std::size_t g, std::size_t h) const noexcept {
        return groups_[g].cost_with(groups_[h]) - costs_[g] - costs_[h];
    }
    double structure(std::size_t n) const noexcept {
        return n == 0 || n > most_ ? infinite : problem_.structure[n - 1];
    }

    void join(std::size_t into, std::size_t from) {
        groups_[into].add(groups_[from]);
        groups_[from].clear();
        costs_[into] = groups_[into].cost();
        costs_[from] = 0.0;
        sizes_[into] += sizes_[from];
        sizes_[from] = 0;
        for (Index& group : group_of_)
            if (group == from) group = static_cast<Index>(into);
    }

    bool sweep_moves() {
        bool any = false;
        for (std::size_t u = 0; u < problem_.n_units; ++u) {
            const auto row = problem_.row(u);
            const double values = problem_.n_values[u];
            const std::size_t from = group_of_[u];
            const std::size_t n = n_groups();
            const bool empties = sizes_[from] == 1;
            const double left = empties ? 0.0 : groups_[from].cost_without(row, values);
            double best = -1e-9;
            std::size_t to = from;
            bool has_empty = false;
            for (std::size_t g = 0; g < groups_.size(); ++g) {
                if (g == from) continue;
                const bool is_new = sizes_[g] == 0;
                if (is_new && (has_empty || empties)) continue;
                has_empty = has_empty || is_new;
                const std::size_t after = n + is_new - empties;
                const double change = groups_[g].cost_with(row, values) - costs_[g] + left -
                                      costs_[from] + structure(after) - structure(n);
                if (change < best) {
                    best = change;
                    to = g;
                }
            }
            if (!has_empty && !empties && n < most_) {
                groups_.emplace_back(problem_);
                costs_.push_back(0.0);
                sizes_.push_back(0);
                const double change = groups_.back().cost_with(row, values) + left - costs_[from] +
                                      structure(n + 1) - structure(n);
                if (change < best) to = groups_.size() - 1;
            }
            if (to == from) continue;
            groups_[from].remove(row, values);
            --sizes_[from];
            if (sizes_[from] == 0) groups_[from].clear();
            groups_[to].add(row, values);
            ++sizes_[to];
            costs_[from] = sizes_[from] == 0 ? 0.0 : groups_[from].cost();
            costs_[to] = groups_[to].cost();
            group_of_[u] = static_cast<Index>(to);
            any = true;
        }
        return any;
    }

    bool sweep_merges() {
        bool any = false;
        for (;;) {
            const std::size_t n = n_groups();
            if (n < 2) return any;
            double best = -1e-9;
            std::size_t into = 0, from = 0;
            for (std::size_t g = 1; g < groups_.size(); ++g)
                for (std::size_t h = 0; h < g; ++h) {
                    if (sizes_[g] == 0 || sizes_[h] == 0) continue;
                    const double change = rise(g, h) + structure(n - 1) - structure(n);
                    if (change < best) {
                        best = change;
                        into = h;
                        from = g;
                    }
                }
            if (into == from) return any;
            join(into, from);
            any = true;
        }
    }

    const AxisProblem& problem_;
    std::size_t most_;
    std::vector<Index> group_of_;
    std::vector<OpenPart> groups_;
    std::vector<double> costs_;
    std::vector<std::size_t> sizes_;
};

}  // namespace

AxisParts solve_unordered(const AxisProblem& problem, const AxisParts& present,
                          std::size_t max_parts, std::size_t most_merged) {
    const std::size_t n = problem.n_units;
    if (n <= most_in_subsets) return solve_subsets(problem, present.cost, max_parts);
    AxisParts best;
    best.cost = present.cost;
    const auto keep = [&best](AxisParts found) {
        if (is_lower(found.cost, best.cost)) best = std::move(found);
    };
    const bool is_large = n > most_merged;
    if (!is_large || present.n_parts == 1) {
        AxisParts start;
        if (is_large) {
            start = groups_by_score(problem, std::min(n, n_first_groups));
        } else {
            start = {std::vector<Index>(n), n, infinite};
            std::iota(start.part_of.begin(), start.part_of.end(), Index{0});
        }
        Groups fresh(problem, std::move(start), max_parts);
        fresh.merge_all();
        fresh.improve();
        keep(fresh.result());
    }
    if (present.n_parts > 1 && present.n_parts <= problem.structure.size()) {
        Groups again(problem, present, max_parts);
        again.improve();
        keep(again.result());
    }
    return best;
}

}  // namespace partage
