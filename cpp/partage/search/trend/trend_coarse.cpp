#include "partage/search/trend/trend_coarse.hpp"

#include <algorithm>
#include <cmath>

#include "partage/search/coarsen.hpp"
#include "partage/search/program/program.hpp"
#include "partage/search/trend/trend.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Borders of one program; a trend in several segments takes longer.
constexpr std::size_t most_borders = 320;
constexpr std::size_t most_segment_borders = 200;
constexpr std::size_t most_corners = 96;
constexpr std::size_t most_rounds = 12;

/// Positions among the blocks, in order, none twice.
using Places = std::vector<std::size_t>;

void tidy(Places& places) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
}

/// Every so many, the ends included, at most `most`.
Places thinned(const Places& places, std::size_t most) {
    if (places.size() <= most) return places;
    Places kept;
    for (std::size_t i = 0; i < most; ++i)
        kept.push_back(places[i * (places.size() - 1) / (most - 1)]);
    return kept;
}

/// Running weights and scores at every border of the blocks.
class Curve {
public:
    Curve(const Line& line, const Blocks& blocks, const std::vector<double>& class_scores)
        : weights_(blocks.size()), scores_(blocks.size()) {
        double weight = weights_[0] = 0.0;
        double score = scores_[0] = 0.0;
        for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
            for (std::size_t k = line.starts[blocks[i]]; k < line.starts[blocks[i + 1]]; ++k) {
                weight += line.entry_weight(k);
                if (line.n_amounts == 0)
                    score += line.entry_weight(k) * class_scores[line.codes[k]];
                for (std::size_t j = 0; j < line.n_amounts; ++j)
                    score += class_scores[j] * line.amounts_of(k)[j];
            }
            weights_[i + 1] = weight;
            scores_[i + 1] = score;
        }
    }

    /// Corners of the lower hull over the borders from `first` to `last`; of the upper one where
    /// `sign` is -1.
    Places corners(std::size_t first, std::size_t last, double sign) const {
        Places hull;
        for (std::size_t i = first; i <= last; ++i) {
            // No corner where its own two neighbours show none.
            if (i > first && i < last && sign * turn(i - 1, i, i + 1) <= 0.0) continue;
            while (hull.size() > 1 &&
                   sign * turn(hull[hull.size() - 2], hull[hull.size() - 1], i) <= 0.0)
                hull.pop_back();
            hull.push_back(i);
        }
        return hull;
    }

    double rate(std::size_t first, std::size_t last) const noexcept {
        return (scores_[last] - scores_[first]) / (weights_[last] - weights_[first]);
    }

private:
    double turn(std::size_t a, std::size_t b, std::size_t c) const noexcept {
        return (weights_[b] - weights_[a]) * (scores_[c] - scores_[a]) -
               (weights_[c] - weights_[a]) * (scores_[b] - scores_[a]);
    }

    Buffer<double> weights_;
    Buffer<double> scores_;
};

/// A lower bound of MODL whose derivative by the count of a class depends on the rate alone.
class ShorterModl final : public PartitionCriterion {
public:
    explicit ShorterModl(double n_samples)
        : n_samples_(n_samples), log_n_(portable_log(n_samples)) {}
    double part(Row row) const noexcept override {
        return entropy_of(row.weight, row.sums) + 0.5 * portable_log(0.5 * (row.weight + 1.0));
    }
    double structure(std::size_t n_parts) const noexcept override {
        const auto n_cuts = static_cast<double>(n_parts) - 1.0;
        return log_n_ + log_binomial(n_samples_ + n_cuts, n_cuts);
    }
    Growth growth() const noexcept override { return Growth::concave; }
    double least_growth(Row row) const noexcept override {
        return entropy_of(row.weight, row.sums);
    }

private:
    double n_samples_;
    double log_n_;
};

class Zoom {
public:
    explicit Zoom(const Task& task)
        : task_(task),
          blocks_(starting_blocks(task)),
          most_(task.limits.segments.size() > 0 ? most_segment_borders : most_borders),
          limits_(task.limits) {
        for (const Index unit : task.limits.fixed) always_.push_back(place_of(unit));
        always_.push_back(0);
        always_.push_back(n_blocks());
    }

    Found run() {
        // What was found without the constraints may satisfy them.
        if (is_satisfied(limits_.hint))
            return {Blocks(limits_.hint.begin(), limits_.hint.end()), false};
        if (limits_.trend != Trend::free) curve_.emplace(task_.line, blocks_, limits_.class_scores);
        Places borders = first_borders();
        Places best;
        double cost = 0.0;
        for (std::size_t round = 0; round < most_rounds; ++round) {
            task_.stop.check();
            const Program found = solve(borders);
            const bool is_better = best.empty() || is_lower(found.cost, cost);
            if (is_better) {
                cost = found.cost;
                best.clear();
                for (const std::size_t start : found.starts) best.push_back(borders[start]);
                settle_trend(borders, found);
            }
            Places next = borders_around(best, borders, round);
            if (!is_better && is_close(best, borders)) break;
            borders = std::move(next);
        }
        Found out;
        for (const std::size_t place : best) out.starts.push_back(blocks_[place]);
        return out;
    }

private:
    std::size_t n_blocks() const noexcept { return blocks_.size() - 1; }

    /// The border nearest to a unit.
    std::size_t place_of(Index unit) const noexcept {
        const auto above = std::lower_bound(blocks_.begin(), blocks_.end(), unit);
        const auto at = static_cast<std::size_t>(above - blocks_.begin());
        if (at == 0 || blocks_[at] == unit) return at;
        return unit - blocks_[at - 1] < blocks_[at] - unit ? at - 1 : at;
    }

    /// Whether a partition, given by its first units and the end, satisfies all limits.
    bool is_satisfied(const std::vector<Index>& hint) const {
        const Limits& limits = limits_;
        const std::size_t n_parts = hint.size() - 1;
        if (hint.size() < 2 || limits.n_empty > 0 || n_parts < limits.least() ||
            n_parts > limits.most())
            return false;
        const auto includes = [](const auto& all, const auto& some) {
            return std::includes(all.begin(), all.end(), some.begin(), some.end());
        };
        if (!includes(hint, limits.fixed) || !includes(blocks_, hint)) return false;
        const Blocks starts(hint.begin(), hint.end());
        const Rows rows = block_rows(task_.line, starts);
        for (std::size_t k = 0; k < n_parts; ++k)
            if (!limits.allows(rows.row(k)) || !limits.allows_held(hint[k], hint[k + 1]))
                return false;
        std::vector<std::size_t> parts(n_parts + 1);
        for (std::size_t k = 0; k <= n_parts; ++k) parts[k] = k;
        return follows(limits.trend, Cumulative(rows), limits.on(starts), parts);
    }

    Places first_borders() const {
        Places borders = always_;
        const CountedBlocks tiles = coarsen(task_.line, run_blocks(task_.line),
                                            task_.partition_criterion(), most_ / 2, task_.stop);
        for (const Index unit : tiles.blocks) borders.push_back(place_of(unit));
        for (const Index unit : limits_.hint) borders.push_back(place_of(unit));
        add_corners(borders, 0, n_blocks(), 1.0);
        add_corners(borders, 0, n_blocks(), -1.0);
        tidy(borders);
        return borders;
    }

    void add_corners(Places& borders, std::size_t first, std::size_t last, double sign) const {
        if (!curve_) return;
        const Places corners = thinned(curve_->corners(first, last, sign), most_corners);
        borders.insert(borders.end(), corners.begin(), corners.end());
    }

    Program solve(const Places& borders) const {
        Blocks starts;
        for (const std::size_t place : borders) starts.push_back(blocks_[place]);
        const Cumulative sums(block_rows(task_.line, starts));
        return best_partition(task_.partition_criterion(), sums, limits_.on(starts), task_.stop);
    }

    /// Once the first round has chosen among the trends, the others are not tried again.
    void settle_trend(const Places& borders, const Program& found) {
        if (limits_.trend != Trend::any) return;
        Blocks starts;
        for (const std::size_t place : borders) starts.push_back(blocks_[place]);
        const Cumulative sums(block_rows(task_.line, starts));
        const Limits limits = limits_.on(starts);
        limits_.trend =
            follows(Trend::peak, sums, limits, found.starts) ? Trend::peak : Trend::valley;
    }

    /// Borders near the cuts of a partition: their neighbours, and some on the way to those before.
    Places borders_around(const Places& cuts, const Places& before, std::size_t round) const {
        Places borders = always_;
        borders.insert(borders.end(), cuts.begin(), cuts.end());
        const std::size_t n_cuts = std::max<std::size_t>(cuts.size() - 2, 1);
        const std::size_t share = std::max<std::size_t>(most_ / (2 * n_cuts), 2);
        for (std::size_t k = 1; k + 1 < cuts.size(); ++k) {
            const auto at = std::lower_bound(before.begin(), before.end(), cuts[k]);
            add_between(borders, *std::prev(at), cuts[k], share / 2);
            add_between(borders, cuts[k], *std::next(at), share / 2);
        }
        if (round == 0 && curve_) add_corners_around(borders, cuts);
        const Places others = thinned(before, most_ / 4);
        borders.insert(borders.end(), others.begin(), others.end());
        tidy(borders);
        return borders;
    }

    /// Some borders between two, the neighbours of both among them.
    static void add_between(Places& borders, std::size_t low, std::size_t high, std::size_t share) {
        borders.push_back(low);
        borders.push_back(high);
        const std::size_t width = high - low;
        if (width < 2) return;
        borders.push_back(low + 1);
        borders.push_back(high - 1);
        const std::size_t n = std::min(share, width - 1);
        for (std::size_t i = 1; i <= n; ++i) borders.push_back(low + i * width / (n + 1));
    }

    /// Corners of the hulls on both sides of each part, at which the rates may turn.
    void add_corners_around(Places& borders, const Places& cuts) const {
        const bool rises_first = limits_.trend == Trend::ascending || limits_.trend == Trend::peak;
        const double sign = rises_first ? 1.0 : -1.0;
        if (limits_.trend == Trend::ascending || limits_.trend == Trend::descending) return;
        std::size_t turn = 0;
        double extreme = -1e300;
        for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
            const double rate = sign * curve_->rate(cuts[k], cuts[k + 1]);
            if (rate <= extreme) continue;
            extreme = rate;
            turn = k;
        }
        add_corners(borders, 0, cuts[turn + 1], sign);
        add_corners(borders, cuts[turn], n_blocks(), -sign);
    }

    /// Whether the neighbours of every cut were among the borders.
    bool is_close(const Places& cuts, const Places& borders) const {
        for (std::size_t k = 1; k + 1 < cuts.size(); ++k)
            for (const std::size_t place : {cuts[k] - 1, cuts[k] + 1})
                if (!std::binary_search(borders.begin(), borders.end(), place)) return false;
        return true;
    }

    const Task& task_;
    Blocks blocks_;
    std::size_t most_;
    Limits limits_;
    std::optional<Curve> curve_;
    Places always_;
};

}  // namespace

Found zoom(const Task& task) { return Zoom(task).run(); }

double trend_bound(const Line& line, double sign, const Stop& stop) {
    const Blocks units = unit_blocks(line);
    const Places corners = Curve(line, units, {0.0, 1.0}).corners(0, line.n_units(), sign);
    Blocks starts;
    for (const std::size_t place : corners) starts.push_back(units[place]);
    const Cumulative sums(block_rows(line, starts));
    const ShorterModl criterion(sums.weight_before(sums.n_blocks()));
    return best_partition(criterion, sums, {}, stop).cost;
}

}  // namespace partage
