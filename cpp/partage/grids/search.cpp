#include "partage/grids/search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "partage/grids/likeness.hpp"

namespace partage {
namespace {

/// Values at which the parts of an ordered axis start.
std::vector<Index> starts_of(const ValueParts& parts) {
    std::vector<Index> starts;
    for (std::size_t v = 1; v < parts.part_of.size(); ++v)
        if (parts.part_of[v] != parts.part_of[v - 1]) starts.push_back(static_cast<Index>(v));
    return starts;
}

/// Units of an unordered axis from the most frequent value on, so that names do not matter.
AxisUnits units_by_frequency(const GridColumn& column, std::span<const double> weights) {
    std::vector<Index> order(column.n_values);
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::greater{}, [&](Index v) { return weights[v]; });
    std::vector<Index> rank(column.n_values);
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<Index>(i);
    return unordered_units(column, rank);
}

class GridSearch {
public:
    GridSearch(const GridTask& task, const Workers& workers) : task_(task), workers_(workers) {
        for (std::size_t a = 0; a < n_axes(); ++a) weights_.push_back(task.rows.value_weights(a));
    }

    FoundGrid run() {
        FoundGrid lowest;
        GridState lowest_state;
        for (const std::size_t resolution : task_.effort.resolutions) {
            // Each resolution has a best grid of its own, which is looked at closely.
            const FineTable table(task_.rows, units_at(resolution));
            best_ = {};
            from_starts(table);
            is_full_ = has_all_values(table);
            if (task_.effort.n_rounds > 0) look_closer(resolution);
            if (lowest.axes.empty() ||
                (!best_.axes.empty() && is_better(best_state_, lowest_state))) {
                lowest = best_;
                lowest_state = best_state_;
            }
            if (is_full_) break;
        }
        best_ = std::move(lowest);
        best_state_ = std::move(lowest_state);
        if (best_.axes.empty()) return best_;
        for (std::size_t round = 0; round < task_.effort.n_rounds; ++round) {
            const double before = best_.cost;
            perturb(round);
            look_closer(task_.effort.resolutions.back());
            if (round > 0 && !is_lower(best_.cost, before)) break;
        }
        return best_;
    }

private:
    std::size_t n_axes() const noexcept { return task_.rows.columns.size(); }
    const GridColumn& column(std::size_t a) const noexcept { return task_.rows.columns[a]; }
    std::span<const double> present(std::size_t a) const noexcept {
        return std::span(weights_[a]).first(column(a).n_values);
    }
    GridJudge judge() const {
        return {task_.prior, task_.factorials, task_.max_parts, task_.min_cell};
    }

    /// Where parts must be able to start: known cuts, those found, those that are fixed.
    std::vector<Index> borders(std::size_t a) const {
        std::vector<Index> also = task_.fixed[a];
        for (const std::vector<ValueParts>& grid : task_.known)
            for (const Index start : starts_of(grid[a])) also.push_back(start);
        if (!best_.axes.empty())
            for (const Index start : starts_of(best_.axes[a])) also.push_back(start);
        return also;
    }

    std::vector<AxisUnits> units_at(std::size_t resolution) {
        std::vector<AxisUnits> units;
        for (std::size_t a = 0; a < n_axes(); ++a) {
            if (!column(a).is_ordered) {
                units.push_back(units_by_frequency(column(a), weights_[a]));
                continue;
            }
            std::vector<Index> starts;
            if (column(a).n_values <= resolution) {
                starts.resize(column(a).n_values);
                std::iota(starts.begin(), starts.end(), Index{0});
            } else {
                starts = quantile_starts(present(a), resolution, borders(a));
            }
            units.push_back(ordered_units(column(a), starts, task_.fixed[a]));
        }
        return units;
    }

    bool has_all_values(const FineTable& table) const noexcept {
        for (std::size_t a = 0; a < n_axes(); ++a)
            if (table.axis(a).size() < column(a).n_values) return false;
        return true;
    }

    /// Cuts one axis into about m parts of equal frequency; of an unordered axis the most frequent
    /// values are alone, or values are dealt out where there are many.
    std::vector<Index> blind_parts(const FineTable& table, std::size_t a, std::size_t m) const {
        const AxisUnits& units = table.axis(a);
        std::vector<Index> part_of(units.size());
        if (!units.is_ordered) {
            for (std::size_t u = 0; u < units.size(); ++u)
                part_of[u] = static_cast<Index>(
                    units.size() > task_.effort.most_merged ? u % m : std::min(u, m - 1));
            return part_of;
        }
        std::vector<double> sums(units.size(), 0.0);
        double total = 0.0;
        for (std::size_t u = 0; u < units.size(); ++u)
            for (const Index e : table.entries(a, u)) sums[u] += table.weight(e);
        for (const double sum : sums) total += sum;
        Index part = 0;
        double before = 0.0;
        std::size_t next = 1;
        for (std::size_t u = 0; u < units.size(); ++u) {
            const double target = total * static_cast<double>(next) / static_cast<double>(m);
            const bool reached = next < m && before + 0.5 * sums[u] >= target;
            if (u > 0 && (units.starts[u] || reached)) ++part;
            while (next < m && before + 0.5 * sums[u] >=
                                   total * static_cast<double>(next) / static_cast<double>(m))
                ++next;
            part_of[u] = part;
            before += sums[u];
        }
        return part_of;
    }

    /// A grid of values on the units of a table.
    GridState on_units(const FineTable& table, const std::vector<ValueParts>& grid) const {
        GridState state = one_cell(table);
        for (std::size_t a = 0; a < n_axes(); ++a) {
            const AxisUnits& units = table.axis(a);
            std::vector<Index> part_of(units.size());
            for (std::size_t v = 0; v < column(a).n_values; ++v)
                part_of[units.unit_of[v]] = grid[a].part_of[v];
            set_parts(state, units, a, std::move(part_of), grid[a].n_parts);
        }
        return state;
    }

    void keep(const FineTable& table, const GridState& state) {
        if (state.cost == infinite || (!best_.axes.empty() && !is_better(state, best_state_)))
            return;
        best_state_ = state;
        best_.cost = state.cost;
        best_.axes.assign(n_axes(), {});
        for (std::size_t a = 0; a < n_axes(); ++a) {
            best_.axes[a].n_parts = state.n_parts[a];
            best_.axes[a].part_of.resize(column(a).n_values);
            for (std::size_t v = 0; v < column(a).n_values; ++v)
                best_.axes[a].part_of[v] = state.part_of[a][table.axis(a).unit_of[v]];
        }
    }

    /// Alternates from each state, and keeps the best; the first of those that tie.
    void alternate_all(const FineTable& table, std::vector<GridState>& states,
                       const std::vector<std::size_t>& firsts) {
        const GridJudge judges = judge();
        for_each_block(workers_, states.size(), 1,
                       [&](std::size_t, std::size_t first, std::size_t last) {
                           for (std::size_t i = first; i < last; ++i)
                               alternate(table, judges, task_.effort, firsts[i], states[i]);
                       });
        for (const GridState& state : states) keep(table, state);
    }

    bool is_large(const AxisUnits& units) const noexcept {
        return !units.is_ordered && units.size() > task_.effort.most_merged;
    }

    /// Grids whose large unordered axes have groups of values that go with the same others.
    void start_alike(const FineTable& table, std::vector<GridState>& states,
                     std::vector<std::size_t>& firsts) const {
        std::vector<std::vector<std::vector<Index>>> groups;
        for (std::size_t a = 0; a < n_axes(); ++a) {
            groups.emplace_back();
            const Likeness likeness(table, a, workers_.stop);
            for (const std::size_t wanted : {std::size_t{4}, std::size_t{12}, std::size_t{48}})
                groups.back().push_back(likeness.groups(std::min(wanted, judge().most(a))));
        }
        for (std::size_t i = 0; i < groups.front().size(); ++i) {
            GridState state = one_cell(table);
            for (std::size_t a = 0; a < n_axes(); ++a) {
                const std::size_t n = std::size_t{*std::ranges::max_element(groups[a][i])} + 1;
                set_parts(state, table.axis(a), a, std::move(groups[a][i]), n);
            }
            for (std::size_t a = 0; a < n_axes(); ++a) {
                states.push_back(state);
                firsts.push_back(a);
            }
        }
    }

    void from_starts(const FineTable& table) {
        std::vector<GridState> states{one_cell(table)};
        std::vector<std::size_t> firsts{0};
        states.front().cost = grid_cost(table, states.front(), judge());
        keep(table, states.front());
        const auto start = [&](const std::vector<ValueParts>& grid) {
            for (std::size_t a = 0; a < n_axes(); ++a) {
                states.push_back(on_units(table, grid));
                firsts.push_back(a);
            }
        };
        for (const std::vector<ValueParts>& grid : task_.known) start(grid);
        bool all_large = true;
        for (std::size_t a = 0; a < n_axes(); ++a) all_large &= is_large(table.axis(a));
        if (all_large) start_alike(table, states, firsts);
        for (std::size_t a = 0; a < n_axes() && !all_large; ++a) {
            std::size_t last = 0;
            for (const std::size_t wanted : task_.effort.starts) {
                const std::size_t m = std::min(
                    {wanted, table.axis(a).size(), task_.max_parts[a], task_.prior.most(a)});
                if (m == last) continue;
                last = m;
                GridState state = one_cell(table);
                std::vector<Index> part_of = blind_parts(table, a, m);
                const std::size_t n_parts = std::size_t{*std::ranges::max_element(part_of)} + 1;
                set_parts(state, table.axis(a), a, std::move(part_of), n_parts);
                states.push_back(std::move(state));
                firsts.push_back((a + 1) % n_axes());
            }
        }
        alternate_all(table, states, firsts);
    }

    /// Throws some of the parts of the best grid about, and solves the axes again.
    void perturb(std::size_t round) {
        const std::size_t resolution = task_.effort.resolutions.back();
        constexpr std::size_t batch = 8;  // perturbed from the same grid
        const FineTable table(task_.rows, units_at(resolution));
        for (std::size_t done = 0; done < task_.effort.n_perturbed; done += batch) {
            const std::size_t n = std::min(batch, task_.effort.n_perturbed - done);
            std::vector<GridState> states;
            std::vector<std::size_t> firsts;
            for (std::size_t i = 0; i < n; ++i) {
                FixedNumbers numbers(1000 * round + done + i + 1);
                GridState state = on_units(table, best_.axes);
                for (std::size_t a = 0; a < n_axes(); ++a) shake(table, a, numbers, state);
                states.push_back(std::move(state));
                firsts.push_back(i % n_axes());
            }
            alternate_all(table, states, firsts);
        }
    }

    void shake(const FineTable& table, std::size_t a, FixedNumbers& numbers,
               GridState& state) const {
        const AxisUnits& units = table.axis(a);
        const std::size_t n = units.size();
        const std::size_t most = std::min(task_.max_parts[a], task_.prior.most(a));
        if (n < 2 || most < 2) return;
        std::vector<Index> part_of(state.part_of[a].begin(),
                                   state.part_of[a].begin() + static_cast<std::ptrdiff_t>(n));
        std::size_t n_parts = state.n_parts[a];
        if (!units.is_ordered) {
            n_parts = std::min(most, n_parts + 1);
            for (Index& part : part_of)
                if (numbers.below(5) == 0) part = static_cast<Index>(numbers.below(n_parts));
            std::vector<Index> place(n_parts, static_cast<Index>(n_parts));
            Index next = 0;
            for (Index& part : part_of) {
                if (place[part] == n_parts) place[part] = next++;
                part = place[part];
            }
            set_parts(state, units, a, std::move(part_of), next);
            return;
        }
        std::vector<std::uint8_t> is_start(n, 0);
        for (std::size_t u = 1; u < n; ++u)
            is_start[u] = part_of[u] != part_of[u - 1] && (units.starts[u] || numbers.below(5) > 0);
        const std::size_t n_more = 1 + numbers.below(n_parts + 1);
        for (std::size_t i = 0; i < n_more; ++i) is_start[1 + numbers.below(n - 1)] = 1;
        Index part = 0;
        for (std::size_t u = 0; u < n; ++u) {
            if (u > 0 && is_start[u] && part + 1 < most) ++part;
            part_of[u] = part;
        }
        set_parts(state, units, a, std::move(part_of), std::size_t{part} + 1);
    }

    /// Finer units around each cut, up to the second unit beside it; `is_fine` turns false where
    /// some values stay together.
    std::vector<Index> zoomed(std::size_t a, const std::vector<Index>& old, bool& is_fine) const {
        constexpr std::size_t most_units = 1000;
        const std::vector<Index> cuts = starts_of(best_.axes[a]);
        const std::size_t n_values = column(a).n_values;
        const std::size_t n_fine =
            std::clamp<std::size_t>(most_units / std::max<std::size_t>(1, cuts.size()), 8, 24);
        std::vector<Index> starts = quantile_starts(present(a), 16, borders(a));
        for (const Index cut : cuts) {
            const auto below = std::ranges::lower_bound(old, cut) - old.begin();
            const auto above = std::ranges::upper_bound(old, cut) - old.begin();
            const std::size_t low = below < 2 ? 0 : old[static_cast<std::size_t>(below) - 2];
            const bool is_last = static_cast<std::size_t>(above) + 1 >= old.size();
            const std::size_t high = is_last ? n_values : old[static_cast<std::size_t>(above) + 1];
            starts.push_back(static_cast<Index>(low));
            if (high < n_values) starts.push_back(static_cast<Index>(high));
            is_fine = is_fine && high - low <= n_fine;
            const auto inside = present(a).subspan(low, high - low);
            for (const Index v : quantile_starts(inside, std::min(n_fine, high - low)))
                starts.push_back(static_cast<Index>(low + v));
            if (high - low > n_fine) continue;
            for (std::size_t v = low + 1; v < high; ++v) starts.push_back(static_cast<Index>(v));
        }
        std::ranges::sort(starts);
        starts.erase(std::ranges::unique(starts).begin(), starts.end());
        return starts;
    }

    /// Resumes with finer and finer units around the cuts, down to single values.
    void look_closer(std::size_t resolution) {
        constexpr std::size_t most_zooms = 8;
        if (is_full_ || best_.axes.empty() || best_state_.n_cells() == 1) return;
        std::vector<std::vector<Index>> starts(n_axes());
        for (std::size_t a = 0; a < n_axes(); ++a)
            if (column(a).is_ordered) starts[a] = quantile_starts(present(a), resolution);
        for (std::size_t i = 0; i < most_zooms; ++i) {
            const double before = best_.cost;
            bool is_fine = true;
            std::vector<AxisUnits> units;
            for (std::size_t a = 0; a < n_axes(); ++a) {
                if (!column(a).is_ordered) {
                    units.push_back(units_by_frequency(column(a), weights_[a]));
                    continue;
                }
                starts[a] = zoomed(a, starts[a], is_fine);
                units.push_back(ordered_units(column(a), starts[a], task_.fixed[a]));
            }
            resume(FineTable(task_.rows, std::move(units)));
            if (is_fine && !is_lower(best_.cost, before)) return;
        }
    }

    void resume(const FineTable& table) {
        std::vector<GridState> states;
        std::vector<std::size_t> firsts;
        for (std::size_t a = 0; a < n_axes(); ++a) {
            states.push_back(on_units(table, best_.axes));
            firsts.push_back(a);
        }
        alternate_all(table, states, firsts);
    }

    const GridTask& task_;
    const Workers& workers_;
    std::vector<std::vector<double>> weights_;
    FoundGrid best_;
    GridState best_state_;
    bool is_full_ = false;
};

}  // namespace

GridEffort GridEffort::thorough() {
    GridEffort effort;
    effort.resolutions = {16, 32, 64, 128, 256};
    effort.n_perturbed = 32;
    effort.n_rounds = 8;
    effort.most_steps = 20;
    return effort;
}

GridEffort GridEffort::screen() {
    GridEffort effort;
    effort.resolutions = {32};
    effort.starts = {1, 2, 4, 8, 16};
    effort.most_steps = 6;
    effort.n_rounds = 0;
    effort.most_merged = 40;
    return effort;
}

GridEffort GridEffort::refine() {
    GridEffort effort;
    effort.resolutions = {64};
    effort.starts = {1, 2, 4, 8, 16, 32};
    effort.most_steps = 8;
    effort.n_rounds = 1;
    effort.n_perturbed = 2;
    effort.lists = false;
    effort.most_merged = 60;
    return effort;
}

FoundGrid search_grid(const GridTask& task, const Workers& workers) {
    return GridSearch(task, workers).run();
}

}  // namespace partage
