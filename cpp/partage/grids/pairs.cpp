#include "partage/grids/pairs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "partage/grids/axis_problem.hpp"
#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"

namespace partage {
namespace {

constexpr std::size_t n_screened = 32;  // quantiles of an ordered column

/// The rows of a pair, equal ones together where that makes fewer.
struct CountedPair {
    GridRows rows;
    std::vector<Index> codes[2];
    std::vector<Code> labels;
    std::vector<double> weights;
};

CountedPair count_pair(const GridRows& rows, const GridColumn& one, const GridColumn& other) {
    CountedPair out;
    out.rows = rows;
    out.rows.columns = {one, other};
    const std::size_t n_labels = rows.n_classes;
    const std::size_t n_other = other.n_values + other.n_aside;
    const std::size_t n = (one.n_values + one.n_aside) * n_other * n_labels;
    if (n > rows.size()) return out;
    std::vector<double> cells(n, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t label = rows.has_target() ? rows.labels[i] : 0;
        cells[(one.codes[i] * n_other + other.codes[i]) * n_labels + label] += rows.weight(i);
    }
    for (std::size_t key = 0; key < n; ++key) {
        if (!(cells[key] > 0.0)) continue;
        out.labels.push_back(static_cast<Code>(key % n_labels));
        out.codes[1].push_back(static_cast<Index>(key / n_labels % n_other));
        out.codes[0].push_back(static_cast<Index>(key / n_labels / n_other));
        out.weights.push_back(cells[key]);
    }
    out.rows.columns[0].codes = out.codes[0];
    out.rows.columns[1].codes = out.codes[1];
    if (rows.has_target()) out.rows.labels = out.labels;
    out.rows.weights = out.weights;
    return out;
}

std::size_t cells_with_rows(const GridRows& rows, std::span<const ValueParts> axes) {
    std::vector<std::uint8_t> is_used(axes[0].n_parts * axes[1].n_parts, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Index a = rows.columns[0].codes[i];
        const Index b = rows.columns[1].codes[i];
        if (a < rows.columns[0].n_values && b < rows.columns[1].n_values)
            is_used[axes[0].part_of[a] * axes[1].n_parts + axes[1].part_of[b]] = 1;
    }
    return static_cast<std::size_t>(std::ranges::count(is_used, 1));
}

/// One column made coarse for the screen: its quantiles, or its values, the rare ones together.
struct ScreenColumn {
    std::vector<Index> codes;
    std::size_t n_values = 0;
    std::vector<double> prices;  ///< of K parts
    double null_cost = 0.0;      ///< of one part with all rows, without their classes
    double value_cost = 0.0;     ///< Σ log n_v! that both costs leave out, without a target
    double aside_price = 0.0;
    double gain = 0.0;  ///< of the column alone, with a target
};

class Screen {
public:
    Screen(const PairsQuestion& question, const Workers& workers)
        : rows_(question.rows),
          pricer_(question.rows, GridMethod::modl, 2.0, 1.0),
          factorials_(pricer_.total() + static_cast<double>(rows_.n_classes)),
          columns_(rows_.columns.size()) {
        if (rows_.has_target()) {
            std::vector<double> totals(rows_.n_classes, 0.0);
            for (std::size_t i = 0; i < rows_.size(); ++i)
                totals[rows_.labels[i]] += rows_.weight(i);
            class_cost_ = class_length(totals);
        }
        for_each_block(workers, columns_.size(), 1,
                       [&](std::size_t, std::size_t first, std::size_t last) {
                           for (std::size_t c = first; c < last; ++c) prepare(c);
                       });
    }

    /// Looks at one pair. Without a target the values' own factorials are left out of both costs.
    PairFound look(std::size_t first, std::size_t second, const Stop& stop) const {
        const CountedPair counted = count_pair(rows_, column(first), column(second));
        const GridRows& rows = counted.rows;
        GridPrior prior;
        prior.is_joint = pricer_.is_joint();
        prior.n_samples = pricer_.total();
        prior.constant = columns_[first].aside_price + columns_[second].aside_price;
        prior.axes = {columns_[first].prices, columns_[second].prices};
        constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
        const GridTask task{rows,     prior, factorials_, {any, any},
                            {{}, {}}, 0.0,   {},          GridEffort::screen()};
        const Workers alone{stop};
        const FoundGrid found = search_grid(task, alone);
        PairFound out;
        out.cost = found.cost;
        out.null_cost = class_cost_ + columns_[first].null_cost + columns_[second].null_cost;
        for (std::size_t a = 0; a < 2; ++a) {
            out.n_parts[a] = found.axes[a].n_parts;
            const std::size_t c = a == 0 ? first : second;
            out.cost -= columns_[c].value_cost;
            out.null_cost -= columns_[c].value_cost;
        }
        const bool is_half = (out.n_parts[0] + rows.columns[0].n_aside > 1) !=
                             (out.n_parts[1] + rows.columns[1].n_aside > 1);
        if (pricer_.is_joint() && is_half) {
            out.cost = out.null_cost;
            out.n_parts[0] = out.n_parts[1] = 1;
        }
        out.n_cells = out.n_parts[0] * out.n_parts[1] == 1 ? 1 : cells_with_rows(rows, found.axes);
        return out;
    }

    std::vector<double> gains() const {
        std::vector<double> out;
        for (const ScreenColumn& column : columns_) out.push_back(column.gain);
        return out;
    }

private:
    GridColumn column(std::size_t c) const noexcept {
        return {columns_[c].codes, columns_[c].n_values, rows_.columns[c].n_aside,
                rows_.columns[c].is_ordered};
    }

    void prepare(std::size_t c) {
        const GridColumn& given = rows_.columns[c];
        const auto weights = pricer_.weights(c);
        std::vector<Index> unit_of(given.n_values);
        ScreenColumn& out = columns_[c];
        if (given.is_ordered && given.n_values > n_screened) {
            const std::vector<Index> starts = quantile_starts(weights, n_screened);
            out.n_values = starts.size();
            for (std::size_t u = 0; u < starts.size(); ++u) {
                const std::size_t end = u + 1 < starts.size() ? starts[u + 1] : given.n_values;
                std::fill(unit_of.begin() + starts[u],
                          unit_of.begin() + static_cast<std::ptrdiff_t>(end),
                          static_cast<Index>(u));
            }
        } else {
            std::iota(unit_of.begin(), unit_of.end(), Index{0});
            out.n_values = given.n_values;
        }
        out.codes.resize(given.codes.size());
        for (std::size_t i = 0; i < out.codes.size(); ++i) {
            const Index code = given.codes[i];
            out.codes[i] = code < given.n_values
                               ? unit_of[code]
                               : static_cast<Index>(out.n_values + (code - given.n_values));
        }
        price(c);
        if (!pricer_.is_joint()) out.gain = gain_alone(c);
    }

    void price(std::size_t c) {
        ScreenColumn& out = columns_[c];
        const GridColumn& given = rows_.columns[c];
        constexpr double log_2 = 0.69314718055994530942;
        constexpr std::size_t most_groups = 64;
        out.aside_price = log_2 * static_cast<double>(given.n_aside);
        double present = 0.0;
        for (const double weight : pricer_.weights(c)) present += weight;
        if (given.is_ordered) {
            out.prices = interval_prices(present, out.n_values, pricer_.is_joint());
            out.null_cost = portable_log(pricer_.total());
        } else if (pricer_.is_joint()) {
            out.prices = group_prices(out.n_values, std::min(out.n_values, most_groups));
        } else {
            out.prices = garbage_prices(pricer_.weights(c), 1.0, most_groups);
            out.null_cost = out.prices.front();
        }
        if (!pricer_.is_joint()) return;
        const std::vector<double> weights = rows_.value_weights(c);
        for (std::size_t v = given.is_ordered ? given.n_values : 0; v < weights.size(); ++v)
            out.value_cost += log_factorial(weights[v]);
        out.null_cost = pricer_.cost_alone(c) + out.value_cost;
    }

    /// What the column alone saves at this resolution: the exact parts of its own axis.
    double gain_alone(std::size_t c) const {
        GridRows rows = rows_;
        rows.columns = {column(c)};
        GridPrior prior;
        prior.n_samples = pricer_.total();
        prior.constant = columns_[c].aside_price;
        prior.axes = {columns_[c].prices};
        const GridJudge judge{prior, factorials_, {columns_[c].n_values}, 0.0};
        AxisUnits units;
        if (rows.columns[0].is_ordered) {
            std::vector<Index> starts(columns_[c].n_values);
            std::iota(starts.begin(), starts.end(), Index{0});
            units = ordered_units(rows.columns[0], starts, {});
        } else {
            units = unordered_units(rows.columns[0]);
        }
        const FineTable table(rows, {units});
        GridState state = one_cell(table);
        alternate(table, judge, GridEffort::screen(), 0, state);
        const double null = columns_[c].null_cost + class_cost_;
        return std::max(null - state.cost, 0.0);
    }

    const GridRows& rows_;
    GridPricer pricer_;
    Factorials factorials_;
    double class_cost_ = 0.0;  ///< of all rows in one cell
    std::vector<ScreenColumn> columns_;
};

/// Does something for each pair, in threads; only the first may poll.
template <class Look>
std::vector<PairFound> for_each_pair(const PairsQuestion& question, const Workers& workers,
                                     Look look) {
    std::vector<PairFound> found(question.pairs.size());
    const Stop quiet;
    workers.start(found.size());
    for_each_block(workers, found.size(), 1,
                   [&](std::size_t thread, std::size_t first, std::size_t last) {
                       for (std::size_t i = first; i < last; ++i)
                           found[i] = look(question.pairs[i].first, question.pairs[i].second,
                                           thread == 0 ? workers.stop : quiet);
                   });
    return found;
}

}  // namespace

PairsFound screen_pairs(const PairsQuestion& question, const Workers& workers) {
    const Screen screen(question, workers);
    const auto look = [&](std::size_t first, std::size_t second, const Stop& stop) {
        return screen.look(first, second, stop);
    };
    return {for_each_pair(question, workers, look), screen.gains()};
}

PairsFound solve_pairs(const PairsQuestion& question, const Workers& workers) {
    const auto solve = [&](std::size_t first, std::size_t second, const Stop& stop) {
        const CountedPair counted =
            count_pair(question.rows, question.rows.columns[first], question.rows.columns[second]);
        const GridRows& rows = counted.rows;
        GridQuestion pair{rows, question.method, question.n_columns};
        pair.effort = GridEffort::refine();
        if (!question.own.empty()) pair.own = {question.own[first], question.own[second]};
        if (!question.thresholds.empty())
            pair.thresholds = {question.thresholds[first], question.thresholds[second]};
        const GridAnswer answer = solve_grid(pair, Workers{stop});
        PairFound out;
        out.cost = answer.grid.cost;
        out.null_cost = answer.null_cost;
        for (std::size_t a = 0; a < 2; ++a) out.n_parts[a] = answer.grid.axes[a].n_parts;
        out.n_cells = cells_with_rows(rows, answer.grid.axes);
        return out;
    };
    return {for_each_pair(question, workers, solve), {}};
}

}  // namespace partage
