#include "partage/search/program/program.hpp"

#include <algorithm>
#include <optional>

#include "partage/search/program/part_costs.hpp"
#include "partage/search/program/tangents.hpp"
#include "partage/search/trend/trend.hpp"

namespace partage {
namespace {

/// Starts whose part costs are computed, or skipped, together; and groups that are asked together.
constexpr std::size_t in_group = 16;
constexpr std::size_t in_bundle = 16;

/// Lowest a[i] + b[i] over i < n; four sums at a time keep the adder busy.
double lowest_sum(const double* a, const double* b, std::size_t n) noexcept {
    double m0 = infinite, m1 = infinite, m2 = infinite, m3 = infinite;
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        m0 = std::min(m0, a[i] + b[i]);
        m1 = std::min(m1, a[i + 1] + b[i + 1]);
        m2 = std::min(m2, a[i + 2] + b[i + 2]);
        m3 = std::min(m3, a[i + 3] + b[i + 3]);
    }
    for (; i < n; ++i) m0 = std::min(m0, a[i] + b[i]);
    return std::min(std::min(m0, m1), std::min(m2, m3));
}

/// A program in which every part costs the same price: F(b) = min F(a) + part(a, b) + price.
/// Starts go in groups. The lowest F(a) + part(a, b) of a group, known for some b, plus the least
/// growth of the rows since then bounds it from below: a group that cannot beat the best start
/// known is skipped, and most are.
class PricedProgram {
public:
    PricedProgram(double price, const PartCosts& costs, const Stop& stop,
                  std::span<const Bridge> bridges = {})
        : price_(price),
          costs_(costs),
          bridges_(bridges),
          closed_(price),
          n_blocks_(costs.n_blocks()),
          lowest_(n_blocks_ + 1, infinite),
          n_parts_(n_blocks_ + 1, 0),
          from_(n_blocks_ + 1, 0),
          groups_(n_blocks_ / in_group + 1),
          bundles_(groups_.size() / in_bundle + 1),
          row_(costs.sums().layout().n_numbers),
          knows_growth_(costs.criterion().growth() != Growth::other &&
                        costs.criterion().least_growth(costs.sums().layout().row(row_)) >
                            -infinite) {
        lowest_[0] = 0.0;
        for (std::size_t last = 1; last <= n_blocks_; ++last) {
            if (last % 64 == 0) stop.check();
            extend(last);
            if (next_ < bridges_.size() && bridges_[next_].last == last) bridge(last);
        }
    }

    const std::vector<double>& values() const noexcept { return lowest_; }
    /// The lowest value of all blocks where some may be cut inside.
    double closed() const noexcept { return closed_; }
    std::vector<std::size_t> starts() const {
        std::vector<std::size_t> path{n_blocks_};
        while (path.back() != 0) path.push_back(from_[path.back()]);
        std::reverse(path.begin(), path.end());
        return path;
    }

    /// The bridges of the best partition, from the last one on.
    std::vector<std::size_t> used() const {
        std::vector<std::size_t> found;
        std::size_t at = n_blocks_;
        std::size_t next = bridges_.size();
        bool is_inside = next > 0 && crossings_[next - 1].goes_on;
        while (at > 0) {
            if (!is_inside) at = from_[at];
            while (next > 0 && bridges_[next - 1].last > at) --next;
            const bool is_end = next > 0 && bridges_[next - 1].last == at;
            is_inside = is_inside || (is_end && crossings_[next - 1].is_used);
            if (!is_inside) continue;
            found.push_back(--next);
            at = bridges_[next].first;
            is_inside = next > 0 && crossings_[next - 1].goes_on;
        }
        return found;
    }

private:
    /// Lower bound of F(a) + part(a, seen) over the starts below `end`.
    struct Bound {
        double lowest = -infinite;
        std::size_t seen = 0;
        std::size_t end = 0;
        double mark = -infinite;  // the bound when it was last brought up to date
    };
    /// Whether the lowest value at the end of a bridge is of a part that starts inside it, and that
    /// of a part which ends in the next bridge too.
    struct Crossing {
        bool is_used;
        bool goes_on;
    };

    void extend(std::size_t last) {
        const std::size_t n_starts = costs_.end_of_starts(last);
        if (n_starts == 0) return;
        best_ = infinite;
        const std::size_t n_groups = (n_starts - 1) / in_group + 1;
        // The group that held the best start last time sets a good mark for the others.
        const std::size_t favourite =
            std::min<std::size_t>(from_[last - 1] / in_group, n_groups - 1);
        look(favourite, last, n_starts);
        for (std::size_t b = (n_groups - 1) / in_bundle + 1; b-- > 0;)
            if (may_win(bundles_[b], b * in_bundle * in_group, in_bundle * in_group, last,
                        n_starts))
                look_at_bundle(b, last, n_starts, n_groups, favourite);
        if (best_ == infinite) return;
        lowest_[last] = best_ + price_;
        from_[last] = static_cast<Index>(from_best_);
        n_parts_[last] = n_parts_[from_best_] + 1;
    }

    /// A part may start after a cut inside the blocks of a bridge; one without a whole block costs
    /// its price only.
    void bridge(std::size_t last) {
        const double whole = lowest_[last];
        const double inside = closed_ + bridges_[next_].cost;
        const bool is_used = inside < whole;
        lowest_[last] = std::min(whole, inside);
        closed_ = std::min(whole, lowest_[last] + price_);
        crossings_.push_back({is_used, is_used && closed_ < whole});
        ++next_;
    }

    /// Whether one of `size` starts from `first` on may be the best.
    bool may_win(Bound& bound, std::size_t first, std::size_t size, std::size_t last,
                 std::size_t n_starts) {
        if (!knows_growth_ || bound.end < std::min(first + size, n_starts)) return true;
        const double limit = best_ + 2.0 * inner_tie * std::abs(best_);
        // Costs only grow, so an old mark that is too high already decides.
        return !(bound.mark > limit) && !(lowest_at(bound, last) > limit);
    }

    void look_at_bundle(std::size_t b, std::size_t last, std::size_t n_starts, std::size_t n_groups,
                        std::size_t favourite) {
        double lowest = infinite;
        const std::size_t end = std::min((b + 1) * in_bundle, n_groups);
        for (std::size_t g = end; g-- > b * in_bundle;) {
            if (g != favourite && may_win(groups_[g], g * in_group, in_group, last, n_starts))
                look(g, last, n_starts);
            lowest = std::min(lowest, std::max(groups_[g].lowest, groups_[g].mark));
        }
        bundles_[b] = {lowest, last, std::min(end * in_group, n_starts), lowest};
    }

    double lowest_at(Bound& bound, std::size_t last) {
        if (bound.seen == last) return bound.lowest;
        bound.mark =
            bound.lowest + costs_.criterion().growth_between(costs_.sums(), bound.seen, last, row_);
        return bound.mark;
    }

    void look(std::size_t g, std::size_t last, std::size_t n_starts) {
        const std::size_t first = g * in_group;
        const std::size_t end = std::min(first + in_group, n_starts);
        double values[in_group];
        costs_.ending_at(last, first, end, values);
        const double* before = lowest_.data() + first;
        double lowest = infinite;
        for (std::size_t i = 0; i < end - first; ++i) {
            values[i] += before[i];
            lowest = std::min(lowest, values[i]);
        }
        groups_[g] = {lowest, last, end, lowest};
        if (lowest > best_ + inner_tie * std::abs(best_)) return;
        const double highest = lowest + 2.0 * inner_tie * std::abs(lowest);
        for (std::size_t i = 0; i < end - first; ++i)
            if (values[i] <= highest) consider(first + i, values[i]);
    }

    /// Lowest cost, then fewest parts, then leftmost.
    void consider(std::size_t start, double value) noexcept {
        if (value == infinite) return;
        const double slack = inner_tie * std::abs(value);
        const bool is_tied = best_ != infinite && std::abs(value - best_) <= slack;
        const bool is_simpler = n_parts_[start] < n_parts_[from_best_] ||
                                (n_parts_[start] == n_parts_[from_best_] && start < from_best_);
        if (is_tied ? !is_simpler : !(value < best_)) return;
        best_ = value;
        from_best_ = start;
    }

    double price_;
    const PartCosts& costs_;
    std::span<const Bridge> bridges_;
    std::size_t next_ = 0;  // bridge
    std::vector<Crossing> crossings_;
    double closed_;  // lowest value where a part ends at the last bridge's end, or in the next one
    std::size_t n_blocks_;
    std::vector<double> lowest_;
    std::vector<Index> n_parts_;
    std::vector<Index> from_;
    std::vector<Bound> groups_;
    std::vector<Bound> bundles_;
    std::vector<double> row_;
    bool knows_growth_;  // else costs may fall as rows join (-χ² does), and no start is skipped
    double best_ = infinite;
    std::size_t from_best_ = 0;
};

/// One program for each number of parts up to `most`: the table of Fischer and Lechevallier.
class LayeredProgram {
public:
    LayeredProgram(const PartCosts& costs, std::size_t most, const Stop& stop)
        : n_blocks_(costs.n_blocks()), lowest_(most + 1), from_(most + 1) {
        for (std::size_t k = 0; k <= most; ++k) {
            lowest_[k].assign(n_blocks_ + 1, infinite);
            from_[k].assign(n_blocks_ + 1, 0);
        }
        lowest_[0][0] = 0.0;
        std::vector<double> column(n_blocks_);
        for (std::size_t last = 1; last <= n_blocks_; ++last) {
            if (last % 64 == 0) stop.check();
            const std::size_t n_starts = costs.end_of_starts(last);
            costs.ending_at(last, 0, n_starts, column.data());
            for (std::size_t k = 1; k <= std::min(most, last); ++k)
                extend(k, last, column.data(), n_starts);
        }
    }

    const std::vector<std::vector<double>>& values() const noexcept { return lowest_; }
    /// Sum of the part costs of the best partition into k parts.
    double parts(std::size_t k) const noexcept { return lowest_[k][n_blocks_]; }
    std::vector<std::size_t> starts(std::size_t k) const {
        std::vector<std::size_t> path{n_blocks_};
        for (; k > 0; --k) path.push_back(from_[k][path.back()]);
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    void extend(std::size_t k, std::size_t last, const double* costs, std::size_t n_starts) {
        const std::vector<double>& before = lowest_[k - 1];
        const double best = lowest_sum(before.data(), costs, n_starts);
        if (best == infinite) return;
        const double limit = best + inner_tie * std::abs(best);
        std::size_t i = k - 1;
        while (!(before[i] + costs[i] <= limit)) ++i;
        from_[k][last] = static_cast<Index>(i);
        lowest_[k][last] = before[i] + costs[i];
    }

    std::size_t n_blocks_;
    std::vector<std::vector<double>> lowest_;
    std::vector<std::vector<Index>> from_;
};

std::optional<Program> best_of_layers(const PartitionCriterion& criterion,
                                      const LayeredProgram& layers, std::size_t least,
                                      std::size_t most) {
    std::optional<Program> best;
    for (std::size_t k = least; k <= most; ++k) {
        const double parts = layers.parts(k);
        if (parts == infinite) continue;
        const double cost = criterion.total(k, parts);
        if (!best || is_lower(cost, best->cost)) best = Program{layers.starts(k), cost};
    }
    return best;
}

/// The finest partition, less the borders between neighbours that cost nothing to join.
std::vector<std::size_t> distinct_blocks(const PartCosts& costs) {
    const auto part = [&costs](std::size_t first, std::size_t last) {
        double cost;
        costs.ending_at(last, first, first + 1, &cost);
        return cost;
    };
    std::vector<std::size_t> starts{0};
    double open = part(0, 1);
    for (std::size_t last = 2; last <= costs.n_blocks(); ++last) {
        const double own = part(last - 1, last);
        const double joined = part(starts.back(), last);
        const bool is_free = joined <= open + own + inner_tie * std::abs(open + own);
        if (!is_free) starts.push_back(last - 1);
        open = is_free ? joined : own;
    }
    starts.push_back(costs.n_blocks());
    return starts;
}

/// The overall optimum where the cost is not a sum: one program for each K, until no finer
/// partition can be better (the part costs are lowest where nothing is merged).
std::optional<Program> best_of_all_sizes(const PartCosts& costs, std::size_t most,
                                         const Stop& stop) {
    const std::size_t n = costs.n_blocks();
    double finest = 0.0;
    for (std::size_t last = 1; last <= n; ++last) {
        double own;
        costs.ending_at(last, last - 1, last, &own);
        finest += own;
    }
    std::optional<Program> best;
    for (std::size_t size = std::min<std::size_t>(most, 8);; size = std::min(2 * size, most)) {
        best = best_of_layers(costs.criterion(), LayeredProgram(costs, size, stop), 1, size);
        const double bound = costs.criterion().total(size + 1, finest);
        if (size >= most || (best && !is_lower(bound, best->cost))) return best;
        // A bound that no longer moves is reached by the finest partition alone (Cramér's).
        const double last_bound = costs.criterion().total(n, finest);
        if (most >= n && costs.end_of_starts(1) == 1 && !costs.has_fixed() &&
            !is_lower(bound, last_bound))
            return Program{distinct_blocks(costs), last_bound};
    }
}

/// Priced programs without further constraints.
struct FreeSolver {
    const PartCosts& costs;
    const Stop& stop;

    static double relaxed(double) noexcept { return -infinite; }
    Priced solve(double price, double) const {
        PricedValues found = priced_values(price, costs, stop);
        return {found.lowest.back(), std::move(found.starts), {}};
    }
};

/// A criterion of partitions that hold some parts without rows besides.
class WithEmptyParts final : public PartitionCriterion {
public:
    WithEmptyParts(const PartitionCriterion& inner, std::size_t n_empty)
        : inner_(inner), n_empty_(n_empty) {}
    double part(Row row) const noexcept override { return inner_.part(row); }
    double structure(std::size_t n_parts) const noexcept override {
        return inner_.structure(n_parts + n_empty_);
    }
    double total(std::size_t n_parts, double parts) const noexcept override {
        return inner_.total(n_parts + n_empty_, parts);
    }
    Growth growth() const noexcept override { return inner_.growth(); }
    double least_growth(Row row) const noexcept override { return inner_.least_growth(row); }
    void parts_ending_at(const Cumulative& sums, std::size_t first, std::size_t end,
                         std::size_t last, double* out) const override {
        inner_.parts_ending_at(sums, first, end, last, out);
    }

private:
    const PartitionCriterion& inner_;
    std::size_t n_empty_;
};

}  // namespace

PricedValues priced_values(double price, const PartCosts& costs, const Stop& stop) {
    const PricedProgram program(price, costs, stop);
    PricedValues found{program.values(), {}};
    if (found.lowest.back() < infinite) found.starts = program.starts();
    return found;
}

BridgedValue bridged_value(double price, const PartCosts& costs, const Stop& stop,
                           std::span<const Bridge> bridges) {
    const PricedProgram program(price, costs, stop, bridges);
    BridgedValue found{program.closed(), {}, program.used()};
    if (found.used.empty()) found.starts = program.starts();
    return found;
}

std::vector<std::vector<double>> layered_values(const PartCosts& costs, std::size_t most,
                                                const Stop& stop) {
    return LayeredProgram(costs, most, stop).values();
}

Program best_partition(const PartitionCriterion& criterion, const Cumulative& sums,
                       const Limits& limits, const Stop& stop) {
    if (limits.n_empty > 0) {
        const WithEmptyParts shifted(criterion, limits.n_empty);
        Limits rest = limits;
        rest.n_empty = 0;
        return best_partition(shifted, sums, rest, stop);
    }
    if (limits.trend != Trend::free) return best_with_trend(criterion, sums, limits, stop);
    const PartCosts costs(criterion, sums, limits);
    const std::size_t most = std::min(limits.most(), sums.n_blocks());
    std::optional<Program> best;
    if (limits.n_parts > 0) {
        if (limits.n_parts <= most)
            best =
                best_of_layers(criterion, LayeredProgram(costs, most, stop), limits.n_parts, most);
    } else if (criterion.growth() == Growth::other) {
        best = best_of_all_sizes(costs, most, stop);
    } else {
        FreeSolver solver{costs, stop};
        best = TangentSearch(criterion, costs.n_blocks(), solver).run();
        if (best && best->starts.size() - 1 > most)
            best = best_of_layers(criterion, LayeredProgram(costs, most, stop), 1, most);
    }
    if (!best) throw NotPossible("no partition satisfies the limits");
    return *best;
}

}  // namespace partage
