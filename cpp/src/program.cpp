#include "partage/program.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace partage {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// Ties inside a program: tighter than `tie`, since they add up over the parts.
constexpr double inner_tie = 1e-12;
/// Part costs kept for a second program: 16 MB at most.
constexpr std::size_t most_kept = std::size_t{1} << 21;

/// The costs of the parts that end at a border, computed once where they can be kept.
class PartCosts {
public:
    PartCosts(const PartitionCriterion& criterion, const Cumulative& sums, const Limits& limits)
        : criterion_(criterion), sums_(sums), limits_(limits),
          kept_(sums.n_blocks() * (sums.n_blocks() + 1) / 2 <= most_kept),
          ends_(sums.n_blocks() + 1, 0) {
        const std::size_t n = sums.n_blocks();
        std::size_t end = 0;
        for (std::size_t last = 1; last <= n; ++last) {
            while (end < last && limits.allows(sums.weight(end, last))) ++end;
            ends_[last] = end;
        }
        // One part is always allowed.
        if (n > 0 && limits.least() == 1) ends_[n] = std::max<std::size_t>(ends_[n], 1);
        if (kept_) {
            costs_.resize(n * (n + 1) / 2);
            for (std::size_t last = 1; last <= n; ++last)
                criterion.parts_ending_at(sums, 0, last, costs_.data() + last * (last - 1) / 2);
        } else {
            costs_.resize(n);
        }
    }

    std::size_t n_blocks() const noexcept { return sums_.n_blocks(); }
    bool are_kept() const noexcept { return kept_; }
    /// Parts [i, last) with i below this satisfy the limits.
    std::size_t end_of_starts(std::size_t last) const noexcept { return ends_[last]; }
    /// Cost of each part [i, last), indexed by i.
    const double* ending_at(std::size_t last) {
        if (kept_) return costs_.data() + last * (last - 1) / 2;
        criterion_.parts_ending_at(sums_, 0, last, costs_.data());
        return costs_.data();
    }
    const PartitionCriterion& criterion() const noexcept { return criterion_; }
    const Cumulative& sums() const noexcept { return sums_; }

private:
    const PartitionCriterion& criterion_;
    const Cumulative& sums_;
    const Limits& limits_;
    bool kept_;
    std::vector<std::size_t> ends_;
    std::vector<double> costs_;
};

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
class PricedProgram {
public:
    PricedProgram(double price, std::size_t n_blocks)
        : price_(price), lowest_(n_blocks + 1, infinite), n_parts_(n_blocks + 1, 0),
          from_(n_blocks + 1, 0) {
        lowest_[0] = 0.0;
    }

    void extend(std::size_t last, const double* costs, std::size_t n_starts) {
        const double best = lowest_sum(lowest_.data(), costs, n_starts);
        if (best == infinite) return;
        const double limit = best + inner_tie * std::abs(best);
        Index fewest = std::numeric_limits<Index>::max();
        for (std::size_t i = 0; i < n_starts; ++i) {
            if (lowest_[i] + costs[i] <= limit && n_parts_[i] < fewest) {
                fewest = n_parts_[i];
                from_[last] = static_cast<Index>(i);
            }
        }
        n_parts_[last] = fewest + 1;
        lowest_[last] = lowest_[from_[last]] + costs[from_[last]] + price_;
    }

    double price() const noexcept { return price_; }
    double value() const noexcept { return lowest_.back(); }
    std::size_t n_parts() const noexcept { return n_parts_.back(); }
    std::vector<std::size_t> starts() const {
        std::vector<std::size_t> path{lowest_.size() - 1};
        while (path.back() != 0) path.push_back(from_[path.back()]);
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    double price_;
    std::vector<double> lowest_;
    std::vector<Index> n_parts_;
    std::vector<Index> from_;
};

/// The free optimum where the structure cost is linear or concave in the number of parts.
/// A concave cost is the lowest of its tangents a + βK, so the optimum is the lowest of
/// a + P(β), P(β) the priced program. P is concave in β: a chord between two solved prices bounds
/// it from below, and tangents whose bound is no better than the best partition known are skipped.
class TangentSearch {
public:
    TangentSearch(PartCosts& costs, const Stop& stop) : costs_(costs), stop_(stop) {}

    std::optional<Program> run() {
        const std::size_t n = costs_.n_blocks();
        if (criterion().growth() == Growth::linear || n == 1) {
            solve({price(1)});
        } else {
            solve({price(1), price(n)});
            for (auto open = open_tangents(); !open.empty(); open = open_tangents()) solve(open);
        }
        if (best_cost_ == infinite) return std::nullopt;
        return Program{best_starts_, best_cost_};
    }

private:
    struct Solved {
        double price;
        double value;
    };

    const PartitionCriterion& criterion() const noexcept { return costs_.criterion(); }
    /// Slope of the tangent at K.
    double price(std::size_t n_parts) const noexcept {
        return criterion().structure(n_parts + 1) - criterion().structure(n_parts);
    }

    void solve(const std::vector<double>& prices) {
        const std::size_t n = costs_.n_blocks();
        std::vector<PricedProgram> programs;
        for (const double price : prices) programs.emplace_back(price, n);
        for (std::size_t last = 1; last <= n; ++last) {
            if (last % 64 == 0) stop_.check();
            const double* column = costs_.ending_at(last);
            for (PricedProgram& program : programs)
                program.extend(last, column, costs_.end_of_starts(last));
        }
        for (const PricedProgram& program : programs) keep(program);
        std::sort(solved_.begin(), solved_.end(),
                  [](const Solved& a, const Solved& b) { return a.price < b.price; });
    }

    void keep(const PricedProgram& program) {
        if (program.value() == infinite) return;
        solved_.push_back({program.price(), program.value()});
        const auto n_parts = program.n_parts();
        const double parts = program.value() - program.price() * static_cast<double>(n_parts);
        const double cost = criterion().total(n_parts, parts);
        const bool is_better = is_lower(cost, best_cost_);
        const bool is_simpler =
            !is_lower(best_cost_, cost) && n_parts + 1 < best_starts_.size();
        if (is_better || is_simpler) {
            best_cost_ = std::min(cost, best_cost_);
            best_starts_ = program.starts();
        }
    }

    /// Lower bound of P at a price between two solved ones.
    double bound(double price) const noexcept {
        const auto above = std::find_if(solved_.begin(), solved_.end(),
                                        [price](const Solved& s) { return s.price >= price; });
        if (above == solved_.end()) return solved_.back().value;  // P grows with the price
        if (above == solved_.begin() || above->price == price) return above->value;
        const auto below = above - 1;
        const double share = (price - below->price) / (above->price - below->price);
        return below->value + share * (above->value - below->value);
    }

    /// The prices of tangents that could still lead to a lower cost, the most promising ones.
    std::vector<double> open_tangents() const {
        const std::size_t most = costs_.are_kept() ? 1 : 6;
        std::vector<std::pair<double, double>> open;
        for (std::size_t k = 2; k < costs_.n_blocks(); ++k) {
            const double slope = price(k);
            const auto same = [slope](const Solved& s) { return s.price == slope; };
            const double level = criterion().structure(k) - slope * static_cast<double>(k);
            const double lowest = level + bound(slope);
            if (!(lowest < best_cost_ - inner_tie * std::abs(best_cost_))) continue;
            if (std::none_of(solved_.begin(), solved_.end(), same)) open.emplace_back(lowest, slope);
        }
        std::vector<double> prices;
        if (open.empty()) return prices;
        // The lowest bound first, then prices spread over the rest.
        prices.push_back(std::min_element(open.begin(), open.end())->second);
        for (std::size_t i = 1; i < most && open.size() > 1; ++i) {
            const double slope = open[(open.size() - 1) * i / most].second;
            if (std::find(prices.begin(), prices.end(), slope) == prices.end())
                prices.push_back(slope);
        }
        return prices;
    }

    PartCosts& costs_;
    const Stop& stop_;
    std::vector<Solved> solved_;
    double best_cost_ = infinite;
    std::vector<std::size_t> best_starts_;
};

/// One program for each number of parts up to `most`: the table of Fischer and Lechevallier.
class LayeredProgram {
public:
    LayeredProgram(PartCosts& costs, std::size_t most, const Stop& stop)
        : n_blocks_(costs.n_blocks()), lowest_(most + 1), from_(most + 1) {
        for (std::size_t k = 0; k <= most; ++k) {
            lowest_[k].assign(n_blocks_ + 1, infinite);
            from_[k].assign(n_blocks_ + 1, 0);
        }
        lowest_[0][0] = 0.0;
        for (std::size_t last = 1; last <= n_blocks_; ++last) {
            if (last % 64 == 0) stop.check();
            const double* column = costs.ending_at(last);
            const std::size_t n_starts = costs.end_of_starts(last);
            for (std::size_t k = 1; k <= std::min(most, last); ++k)
                extend(k, last, column, n_starts);
        }
    }

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
std::vector<std::size_t> distinct_blocks(PartCosts& costs) {
    std::vector<std::size_t> starts{0};
    double open = costs.ending_at(1)[0];
    for (std::size_t last = 2; last <= costs.n_blocks(); ++last) {
        const double* column = costs.ending_at(last);
        const double joined = column[starts.back()];
        const double apart = open + column[last - 1];
        const bool is_free = joined <= apart + inner_tie * std::abs(apart);
        if (!is_free) starts.push_back(last - 1);
        open = is_free ? joined : column[last - 1];
    }
    starts.push_back(costs.n_blocks());
    return starts;
}

/// The overall optimum where the cost is not a sum: one program for each K, until no finer
/// partition can be better (the part costs are lowest where nothing is merged).
std::optional<Program> best_of_all_sizes(PartCosts& costs, std::size_t most, const Stop& stop) {
    const std::size_t n = costs.n_blocks();
    double finest = 0.0;
    for (std::size_t last = 1; last <= n; ++last) finest += costs.ending_at(last)[last - 1];
    std::optional<Program> best;
    for (std::size_t size = std::min<std::size_t>(most, 8);; size = std::min(2 * size, most)) {
        best = best_of_layers(costs.criterion(), LayeredProgram(costs, size, stop), 1, size);
        const double bound = costs.criterion().total(size + 1, finest);
        if (size >= most || (best && !is_lower(bound, best->cost))) return best;
        // A bound that no longer moves is reached by the finest partition alone (Cramér's).
        const double last_bound = costs.criterion().total(n, finest);
        if (most >= n && costs.end_of_starts(1) == 1 && !is_lower(bound, last_bound))
            return Program{distinct_blocks(costs), last_bound};
    }
}

}  // namespace

void PartitionCriterion::parts_ending_at(const Cumulative& sums, std::size_t first,
                                         std::size_t last, double* out) const {
    std::vector<double> row(sums.n_classes());
    for (std::size_t i = first; i < last; ++i) {
        sums.row(i, last, row);
        out[i] = part(row);
    }
}

Program best_partition(const PartitionCriterion& criterion, const Cumulative& sums,
                       const Limits& limits, const Stop& stop) {
    PartCosts costs(criterion, sums, limits);
    const std::size_t most = std::min(limits.most(), sums.n_blocks());
    std::optional<Program> best;
    if (limits.n_parts > 0) {
        best = best_of_layers(criterion, LayeredProgram(costs, most, stop), limits.n_parts, most);
    } else if (criterion.growth() == Growth::other) {
        best = best_of_all_sizes(costs, most, stop);
    } else {
        best = TangentSearch(costs, stop).run();
        if (best && best->starts.size() - 1 > most)
            best = best_of_layers(criterion, LayeredProgram(costs, most, stop), 1, most);
    }
    if (!best) throw NotPossible("no partition satisfies the limits");
    return *best;
}

}  // namespace partage
