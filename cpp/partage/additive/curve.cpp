#include "partage/additive/curve.hpp"

#include <algorithm>
#include <limits>

#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

constexpr double least_probability = 2e-4;  // of a part whose levels are added up

/// Where a walk is known to be, while rows of one cell after another are seen.
struct Seen {
    double mean = 0.0;
    double variance;
    double log_evidence = 0.0;

    void see(double pull, double weight) noexcept {
        const double q = 1.0 + variance * weight;
        const double gained =
            (2.0 * mean * pull + variance * pull * pull - mean * mean * weight) / q;
        log_evidence += 0.5 * (gained - Sliced(q).log());
        mean = (mean + variance * pull) / q;
        variance /= q;
    }
};

/// Sums over all partitions of cells, in whose parts levels walk with one deviation.
class WalkSums {
public:
    WalkSums(const CellSums& sums, std::span<const double> steps, const CurvePrior& prior,
             double walk)
        : sums_(sums),
          n_cells_(sums.n_cells()),
          start_(prior.level * prior.level),
          steps_(n_cells_, 0.0),
          ends_(n_cells_ * (n_cells_ + 1) / 2, 0.0) {
        for (std::size_t c = 1; c < n_cells_; ++c) steps_[c] = walk * walk * steps[c - 1];
        find_parts();
        find_ends(portable_log(prior.jump), portable_log(1.0 - prior.jump));
    }

    double log_evidence() const noexcept { return log_evidence_; }

    /// Adds levels, and squares of them, times a probability; the means of parts that are probable
    /// stand for those of the others.
    void add(double probability, std::span<double> means, std::span<double> squares) {
        const std::size_t n = n_cells_ * sums_.n_outputs;
        std::vector<double> own(n, 0.0), own_squares(n, 0.0), held(n_cells_ + 1, 0.0);
        std::vector<double> borders(n_cells_ + 1, 0.0);
        borders[n_cells_] = 1.0;
        for (std::size_t last = n_cells_; last > 0; --last) {
            if (borders[last] < least_probability) continue;
            for (std::size_t first = 0; first < last; ++first) {
                const double p = ends_[at(first, last)] * borders[last];
                borders[first] += p;
                if (p < least_probability) continue;
                held[first] += p;
                held[last] -= p;
                add_part(first, last, p, own, own_squares);
            }
        }
        double share = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            if (i % sums_.n_outputs == 0) share += held[i / sums_.n_outputs];
            means[i] += probability * own[i] / share;
            squares[i] += probability * own_squares[i] / share;
        }
    }

private:
    static std::size_t at(std::size_t first, std::size_t last) noexcept {
        return last * (last - 1) / 2 + first;
    }

    void find_parts() {
        for (std::size_t j = 0; j < sums_.n_outputs; ++j)
            for (std::size_t first = 0; first < n_cells_; ++first) {
                Seen seen{.variance = start_};
                for (std::size_t c = first; c < n_cells_; ++c) {
                    if (c > first) seen.variance += steps_[c];
                    see(seen, c, j);
                    ends_[at(first, c + 1)] += seen.log_evidence;
                }
            }
    }

    /// Replaces the evidence of parts by the probability that the part which ends there is this.
    void find_ends(double log_jump, double log_stay) {
        std::vector<double> before(n_cells_ + 1, 0.0);
        for (std::size_t last = 1; last <= n_cells_; ++last) {
            double* ends = ends_.data() + at(0, last);
            double highest = -std::numeric_limits<double>::infinity();
            for (std::size_t first = 0; first < last; ++first) {
                ends[first] += before[first] + log_stay * static_cast<double>(last - first - 1) +
                               (first > 0 ? log_jump : 0.0);
                highest = std::max(highest, ends[first]);
            }
            double sum = 0.0;
            for (std::size_t first = 0; first < last; ++first) {
                ends[first] = quick_exp(ends[first] - highest);
                sum += ends[first];
            }
            for (std::size_t first = 0; first < last; ++first) ends[first] /= sum;
            before[last] = highest + portable_log(sum);
        }
        log_evidence_ = before[n_cells_];
    }

    void add_part(std::size_t first, std::size_t last, double probability, std::span<double> means,
                  std::span<double> squares) {
        struct Place {
            double mean, variance, expected;
        };
        std::vector<Place> places(last - first);
        for (std::size_t j = 0; j < sums_.n_outputs; ++j) {
            Seen seen{.variance = start_};
            for (std::size_t c = first; c < last; ++c) {
                if (c > first) seen.variance += steps_[c];
                places[c - first].expected = seen.variance;
                see(seen, c, j);
                places[c - first].mean = seen.mean;
                places[c - first].variance = seen.variance;
            }
            double mean = seen.mean, variance = seen.variance;
            for (std::size_t c = last; c-- > first;) {
                if (c + 1 < last) {  // what later cells say of this one
                    const Place& here = places[c - first];
                    const double expected = places[c + 1 - first].expected;
                    const double gain = expected > 0.0 ? here.variance / expected : 0.0;
                    mean = here.mean + gain * (mean - here.mean);
                    variance = here.variance + gain * gain * (variance - expected);
                }
                const std::size_t cell = c * sums_.n_outputs + j;
                means[cell] += probability * mean;
                squares[cell] += probability * (mean * mean + variance);
            }
        }
    }

    void see(Seen& seen, std::size_t cell, std::size_t output) const noexcept {
        const std::size_t place = cell * sums_.n_outputs + output;
        seen.see(sums_.pulls[place], sums_.weights[place]);
    }

    const CellSums& sums_;
    std::size_t n_cells_;
    double start_;
    std::vector<double> steps_;
    std::vector<double> ends_;  // by last cell, then by first
    double log_evidence_ = 0.0;
};

}  // namespace

Levels average_curves(const CellSums& sums, std::span<const double> steps,
                      const CurvePrior& prior) {
    std::vector<WalkSums> walks;
    walks.reserve(prior.walks.size());
    double highest = -std::numeric_limits<double>::infinity();
    for (const double walk : prior.walks) {
        walks.emplace_back(sums, steps, prior, walk);
        highest = std::max(highest, walks.back().log_evidence());
    }
    double total = 0.0;
    for (const WalkSums& one : walks) total += quick_exp(one.log_evidence() - highest);
    const std::size_t n = sums.pulls.size();
    Levels found{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0),
                 highest + portable_log(total / static_cast<double>(walks.size()))};
    double kept = 0.0;
    for (WalkSums& one : walks) {
        const double p = quick_exp(one.log_evidence() - highest) / total;
        if (p < 1e-3) continue;
        kept += p;
        one.add(p, found.means, found.variances);
    }
    for (std::size_t i = 0; i < n; ++i) {
        found.means[i] /= kept;
        found.variances[i] =
            std::max(found.variances[i] / kept - found.means[i] * found.means[i], 0.0);
    }
    return found;
}

Levels shrink_levels(const CellSums& sums, double deviation) {
    const double variance = deviation * deviation;
    Levels found;
    for (std::size_t i = 0; i < sums.pulls.size(); ++i) {
        Seen seen{.variance = variance};
        seen.see(sums.pulls[i], sums.weights[i]);
        found.means.push_back(seen.mean);
        found.variances.push_back(seen.variance);
        found.log_evidence += seen.log_evidence;
    }
    return found;
}

double constant_evidence(const CellSums& sums, double deviation) {
    double found = 0.0;
    for (std::size_t j = 0; j < sums.n_outputs; ++j) {
        double pull = 0.0, weight = 0.0;
        for (std::size_t i = j; i < sums.pulls.size(); i += sums.n_outputs) {
            pull += sums.pulls[i];
            weight += sums.weights[i];
        }
        Seen seen{.variance = deviation * deviation};
        seen.see(pull, weight);
        found += seen.log_evidence;
    }
    return found;
}

void make_monotone(const CellSums& sums, int sign, Levels& levels) {
    struct Pool {
        double weight, mean;
        std::size_t n_cells;
    };
    const std::size_t n_outputs = sums.n_outputs;
    std::vector<Pool> pools;
    for (std::size_t j = 0; j < n_outputs; ++j) {
        pools.clear();
        for (std::size_t c = 0; c < sums.n_cells(); ++c) {
            const std::size_t i = c * n_outputs + j;
            pools.push_back({std::max(sums.weights[i], 1e-12), sign * levels.means[i], 1});
            while (pools.size() > 1 && pools[pools.size() - 2].mean > pools.back().mean) {
                const Pool top = pools.back();
                pools.pop_back();
                Pool& into = pools.back();
                const double weight = into.weight + top.weight;
                into.mean = (into.weight * into.mean + top.weight * top.mean) / weight;
                into.weight = weight;
                into.n_cells += top.n_cells;
            }
        }
        std::size_t c = 0;
        for (const Pool& pool : pools)
            for (std::size_t k = 0; k < pool.n_cells; ++k, ++c)
                levels.means[c * n_outputs + j] = sign * pool.mean;
    }
}

}  // namespace partage
