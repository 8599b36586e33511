#include "partage/search/rank_classes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "partage/criteria/criterion.hpp"
#include "partage/search/program/program.hpp"
#include "partage/search/rank_layers.hpp"
#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"

namespace partage {
namespace {

/// Grids up to this are tried whatever the smaller ones gave, and so many idle ones beyond.
constexpr std::size_t least_last_grid = 32;
constexpr int most_idle = 3;
constexpr std::size_t most_grid = 256;
/// Grids that start with an interval for each of their own.
constexpr std::size_t most_whole = 16;
constexpr int most_turns = 20;
/// Borders of blocks that are tried wherever they lie; beyond them, those near known cuts.
constexpr std::size_t most_blocks = 128;
/// Intervals of ranks for which all borders of blocks are tried: few find what is narrow.
constexpr std::size_t few_classes = 4;

/// A partition of blocks and intervals of ranks that go with each other.
struct PartsAndClasses {
    CellStarts parts;
    RankClasses classes;
    double cost = infinite;
};

/// Divides blocks and ranks in turn.
class RankTurns {
public:
    RankTurns(const Rows& blocks, const Rows& beside, const Stop& stop, RankCode code)
        : blocks_(blocks),
          beside_(beside),
          n_beside_(beside.size()),
          stop_(stop),
          code_(code),
          grids_(weights_of(blocks_, beside_)),
          every_block_(singles(blocks.size())) {
        for (const double weight : blocks_.totals()) total_ += weight;
        whole_ = total_;
        for (const double weight : beside_.totals()) whole_ += weight;
        look_near({0, blocks_.n_rows()});
    }

    /// Weight of all rows.
    double whole() const noexcept { return whole_; }
    const CellStarts& grid(std::size_t n_grid) { return grids_.grid(n_grid); }

    /// Lets parts that tell many intervals of ranks end at borders of joined blocks, and at those
    /// of single ones near known cuts.
    void look_near(const CellStarts& parts) {
        const std::size_t n_blocks = blocks_.n_rows();
        const std::size_t step = (n_blocks + most_blocks - 1) / most_blocks;
        CellStarts tried{n_blocks};
        for (std::size_t i = 0; i < n_blocks; i += step) tried.push_back(i);
        for (std::size_t k = 1; k + 1 < parts.size(); ++k)
            for (std::size_t i = parts[k] - std::min(parts[k], step);
                 i <= std::min(parts[k] + step, n_blocks); ++i)
                tried.push_back(i);
        std::sort(tried.begin(), tried.end());
        tried.erase(std::unique(tried.begin(), tried.end()), tried.end());
        if (tried == tried_) return;
        tried_ = std::move(tried);
        parts_.clear();
    }

    /// The blocks that suit intervals of ranks, then both in turn until nothing is cheaper, or
    /// while what the first turn gave is within reach of what is known.
    PartsAndClasses from_classes(const CellStarts& cells, std::size_t n_grid, double known) {
        PartsAndClasses best;
        CellStarts starts = cells;
        for (int turn = 0; turn < most_turns; ++turn) {
            stop_.check();
            const CellStarts& parts = best_parts(starts);
            const PartsAndClasses& rough = from_parts(parts, RankGrids::coarse(n_grid));
            const bool is_hopeless = rough.cost > known + reach(known);
            PartsAndClasses next = is_hopeless ? rough : from_parts(parts, n_grid);
            if (!is_lower(next.cost, best.cost)) break;
            best = std::move(next);
            if (is_hopeless) break;
            starts = best.classes.starts;
        }
        return best;
    }

    /// The ranks that suit a partition.
    const PartsAndClasses& from_parts(const CellStarts& parts, std::size_t n_grid) {
        const auto [place, is_new] = classes_.try_emplace({n_grid, parts});
        if (is_new) place->second = found_classes(parts, n_grid);
        return place->second;
    }

private:
    static std::vector<double> weights_of(const SummedTable& blocks, const SummedTable& beside) {
        std::vector<double> weights = blocks.totals();
        add(beside.totals(), weights);
        return weights;
    }

    /// Nats by which turns may still make a start cheaper: a share of what is gained so far.
    double reach(double known) {
        constexpr double least = 10.0;
        constexpr double share = 0.05;
        const double alone = from_parts({0, blocks_.n_rows()}, 2).cost;
        return std::max(least, share * (alone - known));
    }

    PartsAndClasses found_classes(const CellStarts& parts, std::size_t n_grid) {
        const auto count = [&](const CellStarts& borders) {
            Rows sets(parts.size() - 1 + n_beside_, borders.size() - 1);
            for (std::size_t k = 0; k + 1 < parts.size(); ++k)
                blocks_.add(parts[k], parts[k + 1], borders, sets[k]);
            for (std::size_t a = 0; a < n_beside_; ++a)
                beside_.add(a, a + 1, borders, sets[parts.size() - 1 + a]);
            return sets;
        };
        const CellStarts* coarser = nullptr;
        if (!RankGrids::is_coarse(n_grid))
            coarser = &from_parts(parts, RankGrids::coarser(n_grid)).classes.starts;
        PartsAndClasses pair{parts, grids_.cheapest(n_grid, coarser, count, code_), 0.0};
        const Rows sizes = count({0, blocks_.n_columns()});
        double tables = 0.0;  // Σ_k log n_k!
        for (std::size_t k = 0; k < sizes.size(); ++k) tables += log_factorial(sizes.weight(k));
        pair.cost = pair.classes.cost + tables + log_choices(total_, parts.size() - 1);
        return pair;
    }

    const CellStarts& best_parts(const CellStarts& cells) {
        const auto [place, is_new] = parts_.try_emplace(cells);
        if (!is_new) return place->second;
        const CellStarts& borders = cells.size() <= few_classes + 1 ? every_block_ : tried_;
        const Rows rows = blocks_.joined(borders, cells);
        std::vector<double> totals(rows.width(), 0.0);
        for (std::size_t i = 0; i < rows.size(); ++i) add(rows[i], totals);
        Problem problem(totals);
        if (code_ == RankCode::quantiles)
            problem.of_log_parts = 0.5 * (static_cast<double>(rows.width()) - 1.0);
        problem.n_beside = static_cast<double>(n_beside_);
        const auto modl = make_partition_criterion(criterion_named("modl"), problem, {});
        for (const std::size_t start :
             best_partition(*modl, Cumulative(rows), Limits{}, stop_).starts)
            place->second.push_back(borders[start]);
        return place->second;
    }

    SummedTable blocks_;
    SummedTable beside_;
    std::size_t n_beside_;
    const Stop& stop_;
    RankCode code_;
    RankGrids grids_;  // of the cells, over all rows
    double total_ = 0.0;
    double whole_ = 0.0;
    CellStarts every_block_;
    CellStarts tried_;                        // borders of blocks, then their number
    std::map<CellStarts, CellStarts> parts_;  // found so far
    std::map<std::pair<std::size_t, CellStarts>, PartsAndClasses> classes_;
};

/// The cheapest intervals of ranks of some sets, grid by grid; a fine grid looks near those of a
/// coarser one.
class RanksOfSets {
public:
    RanksOfSets(const Rows& sets, RankCode code)
        : table_(sets), n_sets_(sets.size()), grids_(table_.totals()), code_(code) {}

    const RankClasses& on(std::size_t n_grid) {
        const auto known = found_.find(n_grid);
        if (known != found_.end()) return known->second;
        const CellStarts* coarser = nullptr;
        if (!RankGrids::is_coarse(n_grid)) coarser = &on(RankGrids::coarser(n_grid)).starts;
        const auto count = [&](const CellStarts& borders) {
            return table_.joined(singles(n_sets_), borders);
        };
        return found_.emplace(n_grid, grids_.cheapest(n_grid, coarser, count, code_)).first->second;
    }

private:
    SummedTable table_;
    std::size_t n_sets_;
    RankGrids grids_;
    RankCode code_;
    std::map<std::size_t, RankClasses> found_;
};

}  // namespace

double price_of_rank_classes(std::size_t n_grid, std::size_t n_classes, std::size_t n_sets) {
    const auto classes = static_cast<double>(n_classes);
    const auto grid = static_cast<double>(n_grid);
    double price = portable_log(grid) + log_binomial(grid - 1.0, classes - 1.0);
    if (n_classes < 2 || n_sets < 2) return price;
    // Laws of parts scatter around the known one of all rows: the density of their mean there, for
    // parts of one size.
    constexpr double two_pi = 6.283185307179586476925;
    const double logs = portable_log(static_cast<double>(n_sets)) +
                        portable_log(classes * (classes + 1.0) / two_pi);
    price += 0.5 * (classes - 1.0) * logs + 0.5 * portable_log(classes);
    return price - log_factorial(classes - 1.0);
}

double price_of_intervals(RankCode code, double total, std::size_t n_grid, std::size_t n_classes,
                          std::size_t n_sets) {
    if (code == RankCode::published) return portable_log(total);
    return price_of_rank_classes(n_grid, n_classes, n_sets) - log_choices(total, n_classes);
}

RankClasses best_rank_classes(const Rows& sets, const std::vector<std::size_t>& grids,
                              RankCode code) {
    RanksOfSets ranks(sets, code);
    RankClasses best{{}, 1, {}, infinite};
    for (const std::size_t n_grid : grids)
        if (ranks.on(n_grid).cost < best.cost) best = ranks.on(n_grid);
    return best;
}

RankClasses climb_rank_classes(const Rows& sets, std::size_t n_grid, std::size_t finest,
                               RankCode code) {
    RanksOfSets ranks(sets, code);
    RankClasses best = ranks.on(n_grid);
    for (std::size_t from = 0; from != best.n_grid;) {
        from = best.n_grid;
        for (const std::size_t next : {from / 2, from * 2})
            if (next > 1 && next <= finest && ranks.on(next).cost < best.cost)
                best = ranks.on(next);
    }
    return best;
}

RankClasses find_rank_classes(const Rows& blocks, const Rows& beside, const Stop& stop,
                              RankCode code) {
    RankTurns turns(blocks, beside, stop, code);
    const double total = turns.whole();
    PartsAndClasses best;
    int n_idle = 0;
    for (std::size_t n_grid = 2;
         n_grid == 2 || (n_grid <= most_grid && 4.0 * static_cast<double>(n_grid) <= total);
         n_grid = RankGrids::finer(n_grid)) {
        const CellStarts& cells = turns.grid(n_grid);
        if (best.cost < infinite) turns.look_near(best.parts);
        std::vector<PartsAndClasses> tried;
        if (n_grid <= most_whole) tried.push_back(turns.from_classes(cells, n_grid, best.cost));
        if (cells.size() > 4)
            tried.push_back(turns.from_classes({0, cells[1], cells[cells.size() - 2], cells.back()},
                                               n_grid, best.cost));
        if (best.cost < infinite) {
            const PartsAndClasses& known = turns.from_parts(best.parts, n_grid);
            tried.push_back(turns.from_classes(known.classes.starts, n_grid, best.cost));
        }
        bool has_improved = false;
        for (PartsAndClasses& pair : tried)
            if (is_lower(pair.cost, best.cost)) {
                best = std::move(pair);
                has_improved = true;
            }
        n_idle = has_improved ? 0 : n_idle + 1;
        const bool is_finest = cells.size() == blocks.width() + 1;
        if (is_finest || (n_grid >= least_last_grid && n_idle >= most_idle)) break;
    }
    best.classes.parts = best.parts;
    return best.classes;
}

}  // namespace partage
