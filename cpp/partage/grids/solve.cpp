#include "partage/grids/solve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace partage {
namespace {

/// The rows with values of some axes put together.
struct PooledRows {
    GridRows rows;
    std::vector<std::vector<Index>> codes;
    std::vector<std::vector<Index>> anchors;
    std::vector<std::vector<Index>> pool_of;  ///< of each axis; empty where values stay
};

PooledRows pool_rows(const GridRows& rows, std::vector<std::vector<Index>> pool_of) {
    const std::vector<std::vector<Index>> none(rows.columns.size());
    PooledRows pooled{rows, none, none, std::move(pool_of)};
    for (std::size_t a = 0; a < rows.columns.size(); ++a) {
        const std::vector<Index>& unit_of = pooled.pool_of[a];
        if (unit_of.empty()) continue;
        const GridColumn& column = rows.columns[a];
        const std::size_t n_units =
            column.n_values == 0 ? 0 : std::size_t{*std::ranges::max_element(unit_of)} + 1;
        std::vector<Index>& codes = pooled.codes[a];
        codes.resize(column.codes.size());
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const Index code = column.codes[i];
            codes[i] = code < column.n_values
                           ? unit_of[code]
                           : static_cast<Index>(n_units + (code - column.n_values));
        }
        pooled.rows.columns[a].codes = codes;
        pooled.rows.columns[a].n_values = n_units;
        std::vector<Index>& anchors = pooled.anchors[a];
        for (const Index value : column.anchors)
            anchors.push_back(value == GridColumn::apart ? value : unit_of[value]);
        pooled.rows.columns[a].anchors = anchors;
    }
    return pooled;
}

/// Parts of the units of a pool; those of the last value of a unit where values disagree.
ValueParts on_pool(const ValueParts& parts, std::span<const Index> pool_of) {
    if (pool_of.empty()) return parts;
    ValueParts out;
    out.n_parts = parts.n_parts;
    out.part_of.assign(pool_of.empty() ? 0 : std::size_t{*std::ranges::max_element(pool_of)} + 1,
                       0);
    for (std::size_t v = 0; v < pool_of.size(); ++v) out.part_of[pool_of[v]] = parts.part_of[v];
    std::vector<Index> place(parts.n_parts, static_cast<Index>(parts.n_parts));
    Index next = 0;
    for (Index& part : out.part_of) {
        if (place[part] == parts.n_parts) place[part] = next++;
        part = place[part];
    }
    out.n_parts = next;
    return out;
}

ValueParts off_pool(const ValueParts& parts, std::span<const Index> pool_of) {
    if (pool_of.empty()) return parts;
    ValueParts out;
    out.n_parts = parts.n_parts;
    for (const Index unit : pool_of) out.part_of.push_back(parts.part_of[unit]);
    return out;
}

ValueParts one_part(std::size_t n_values) { return {std::vector<Index>(n_values, 0), 1}; }

class GridSolver {
public:
    GridSolver(const GridQuestion& question, const Workers& workers)
        : question_(question),
          workers_(workers),
          pricer_(question.rows, question.method, question.n_columns, question.n_families),
          factorials_(pricer_.total() + static_cast<double>(question.rows.n_classes)) {}

    GridAnswer run() {
        answer_.null_cost = pricer_.null_cost();
        if (question_.method == GridMethod::modl || pricer_.is_joint())
            search_thresholds();
        else
            search_granularities();
        if (pricer_.is_joint()) drop_one_cut();
        return answer_;
    }

private:
    std::size_t n_axes() const noexcept { return question_.rows.columns.size(); }
    const GridColumn& column(std::size_t a) const noexcept { return question_.rows.columns[a]; }

    /// With and without the garbage groups of the columns alone.
    void search_thresholds() {
        const bool has_garbage = question_.method == GridMethod::modl && !pricer_.is_joint();
        std::vector<std::vector<double>> choices{{}};
        for (std::size_t a = 0; a < n_axes(); ++a) {
            std::vector<std::vector<double>> longer;
            for (const std::vector<double>& choice : choices) {
                longer.push_back(choice);
                longer.back().push_back(1.0);
                const bool pools = has_garbage && !column(a).is_ordered &&
                                   a < question_.thresholds.size() && question_.thresholds[a] > 1.0;
                if (!pools) continue;
                longer.push_back(choice);
                longer.back().push_back(question_.thresholds[a]);
            }
            choices = std::move(longer);
        }
        bool is_proven = false;
        for (const std::vector<double>& thresholds : choices) {
            std::vector<std::vector<Index>> pools(n_axes());
            for (std::size_t a = 0; a < n_axes(); ++a)
                if (thresholds[a] > 1.0) pools[a] = pool_below(a, thresholds[a]);
            is_proven = search(pools, 0, thresholds, question_.effort);
        }
        const bool is_one_prior = std::ranges::all_of(
            question_.rows.columns, [](const GridColumn& c) { return c.is_ordered; });
        answer_.grid.is_optimal = is_proven && choices.size() == 1 &&
                                  question_.method == GridMethod::modl &&
                                  (is_one_prior || pricer_.is_joint());
    }

    std::vector<Index> pool_below(std::size_t a, double threshold) const {
        const auto weights = pricer_.weights(a);
        std::vector<Index> unit_of(weights.size());
        Index next = 0;
        for (std::size_t v = 0; v < weights.size(); ++v)
            if (weights[v] >= threshold) unit_of[v] = next++;
        for (std::size_t v = 0; v < weights.size(); ++v)
            if (weights[v] < threshold) unit_of[v] = next;
        return unit_of;
    }

    void search_granularities() {
        constexpr int most_direct = 9;
        const int most = std::max(1, pricer_.explored_granularity());
        std::vector<std::vector<Index>> last;
        for (int g = 1; g <= most; ++g) {
            std::vector<std::vector<Index>> pools;
            for (std::size_t a = 0; a < n_axes(); ++a) pools.push_back(pricer_.pool(a, g));
            if (pools == last) continue;  // the same grids cost more at a finer granularity
            last = pools;
            GridEffort effort = question_.effort;
            if (g <= most_direct) effort.resolutions = {std::size_t{1} << g};
            if (g < 4) effort.n_rounds = 0;
            search(pools, g, {}, effort);
        }
    }

    /// Searches at one coding of the values; whether the optimum there is proven.
    bool search(const std::vector<std::vector<Index>>& pools, int granularity,
                std::span<const double> thresholds, const GridEffort& effort) {
        const PooledRows pooled = pool_rows(question_.rows, pools);
        std::vector<std::size_t> n_units;
        for (const GridColumn& axis : pooled.rows.columns) n_units.push_back(axis.n_values);
        const GridPrior prior = pricer_.prior(granularity, n_units, thresholds);
        GridTask task{pooled.rows,        prior, factorials_, question_.max_parts, {},
                      question_.min_cell, {},    effort};
        task.max_parts.resize(n_axes(), std::numeric_limits<std::size_t>::max());
        for (std::size_t a = 0; a < n_axes(); ++a) {
            std::vector<Index> fixed;
            if (a < question_.fixed.size()) fixed = question_.fixed[a];
            if (!pools[a].empty())
                for (Index& value : fixed) value = pools[a][value];
            task.fixed.push_back(std::move(fixed));
        }
        add_known(pooled, task);
        FoundGrid found = search_grid(task, workers_);
        const bool is_proven = enumerate_grid(task, workers_, found);
        if (found.axes.empty()) return false;
        for (std::size_t a = 0; a < n_axes(); ++a)
            found.axes[a] = off_pool(found.axes[a], pools[a]);
        keep(std::move(found.axes));
        return is_proven;
    }

    void add_known(const PooledRows& pooled, GridTask& task) const {
        const auto fits = [&](const std::vector<ValueParts>& grid) {
            for (std::size_t a = 0; a < n_axes(); ++a)
                if (grid[a].n_parts > std::min(task.max_parts[a], task.prior.most(a))) return false;
            return true;
        };
        const auto add = [&](std::vector<ValueParts> grid) {
            for (std::size_t a = 0; a < n_axes(); ++a)
                grid[a] = on_pool(grid[a], pooled.pool_of[a]);
            if (fits(grid)) task.known.push_back(std::move(grid));
        };
        if (!question_.own.empty() &&
            std::ranges::all_of(question_.fixed, &std::vector<Index>::empty)) {
            add(question_.own);
            for (std::size_t a = 0; a < n_axes() && n_axes() == 2; ++a) {
                std::vector<ValueParts> grid = question_.own;
                grid[1 - a] = one_part(column(1 - a).n_values);
                add(std::move(grid));
            }
        }
        if (!answer_.grid.axes.empty()) add(answer_.grid.axes);
    }

    void keep(std::vector<ValueParts> axes) {
        const GridPricer::Price price = pricer_.price(axes);
        if (!answer_.grid.axes.empty() && !is_lower(price.cost, answer_.grid.cost)) return;
        answer_.grid.axes = std::move(axes);
        answer_.grid.cost = price.cost;
        answer_.granularity = price.granularity;
    }

    /// One axis divided alone says nothing between columns: then there is one cell.
    void drop_one_cut() {
        if (answer_.grid.axes.empty()) return;
        std::size_t n_cut = 0;
        for (std::size_t a = 0; a < n_axes(); ++a)
            n_cut += answer_.grid.axes[a].n_parts + column(a).n_aside > 1;
        const bool is_bound = !std::ranges::all_of(question_.fixed, &std::vector<Index>::empty);
        if (n_cut != 1 || is_bound) return;
        for (std::size_t a = 0; a < n_axes(); ++a)
            answer_.grid.axes[a] = one_part(column(a).n_values);
        const GridPricer::Price price = pricer_.price(answer_.grid.axes);
        answer_.grid.cost = price.cost;
        answer_.granularity = price.granularity;
    }

    const GridQuestion& question_;
    const Workers& workers_;
    GridPricer pricer_;
    Factorials factorials_;
    GridAnswer answer_;
};

/// Axes in an order that does not depend on which came first.
std::vector<std::size_t> axis_order(const GridRows& rows) {
    std::vector<std::vector<double>> weights;
    for (std::size_t a = 0; a < rows.columns.size(); ++a) weights.push_back(rows.value_weights(a));
    for (std::size_t a = 0; a < rows.columns.size(); ++a)
        if (!rows.columns[a].is_ordered) std::ranges::sort(weights[a], std::greater{});
    std::vector<std::size_t> order(rows.columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const GridColumn& x = rows.columns[a];
        const GridColumn& y = rows.columns[b];
        if (x.is_ordered != y.is_ordered) return x.is_ordered;
        if (x.n_values != y.n_values) return x.n_values > y.n_values;
        return weights[a] < weights[b];
    });
    return order;
}

}  // namespace

GridAnswer solve_grid(const GridQuestion& question, const Workers& workers) {
    const std::vector<std::size_t> order = axis_order(question.rows);
    GridRows rows = question.rows;
    GridQuestion turned{rows,
                        question.method,
                        question.n_columns,
                        question.n_families,
                        {},
                        {},
                        question.min_cell,
                        {},
                        {},
                        question.effort};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t a = order[i];
        rows.columns[i] = question.rows.columns[a];
        if (!question.max_parts.empty()) turned.max_parts.push_back(question.max_parts[a]);
        if (!question.fixed.empty()) turned.fixed.push_back(question.fixed[a]);
        if (!question.own.empty()) turned.own.push_back(question.own[a]);
        if (!question.thresholds.empty()) turned.thresholds.push_back(question.thresholds[a]);
    }
    GridAnswer answer = GridSolver(turned, workers).run();
    if (answer.grid.axes.empty()) return answer;
    std::vector<ValueParts> axes(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) axes[order[i]] = std::move(answer.grid.axes[i]);
    answer.grid.axes = std::move(axes);
    return answer;
}

}  // namespace partage
