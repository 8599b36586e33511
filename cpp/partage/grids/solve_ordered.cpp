#include <algorithm>
#include <limits>

#include "partage/grids/axis_problem.hpp"

namespace partage {
namespace {

/// Units joined where neighbours hold one and the same block and class: with a target no cut
/// between them helps, since moving such rows changes one cell only, and its cost is concave.
std::vector<std::size_t> pure_runs(const AxisProblem& problem) {
    std::vector<std::size_t> runs;
    for (std::size_t u = 0; u < problem.n_units; ++u) {
        const auto row = problem.row(u);
        const bool may_join = u > 0 && !problem.is_joint && !problem.starts[u] &&
                              problem.min_cell == 0.0 && row.size() == 1 &&
                              problem.row(u - 1).size() == 1 &&
                              problem.row(u - 1).front().key == row.front().key;
        if (!may_join) runs.push_back(u);
    }
    runs.push_back(problem.n_units);
    return runs;
}

/// Costs of all parts of consecutive runs: [first run][last run, inclusive].
class CostMatrix {
public:
    CostMatrix(const AxisProblem& problem, std::span<const std::size_t> runs)
        : n_(runs.size() - 1), costs_(n_ * n_) {
        const Factorials& factorial = *problem.factorials;
        const double others = static_cast<double>(problem.n_classes - 1);
        const double nothing = factorial(others);
        std::vector<double> counts(problem.n_keys());
        std::vector<double> terms(problem.n_keys());
        std::vector<double> blocks(problem.n_blocks);
        std::vector<double> lengths(problem.n_blocks);
        for (std::size_t i = 0; i < n_; ++i) {
            std::ranges::fill(counts, 0.0);
            std::ranges::fill(terms, 0.0);
            std::ranges::fill(blocks, 0.0);
            std::ranges::fill(lengths, nothing);
            double sum = 0.0;
            double weight = 0.0;
            std::size_t n_small = 0;
            bool is_closed = false;
            double* out = costs_.data() + i * n_;
            for (std::size_t j = i; j < n_; ++j) {
                is_closed = is_closed || (j > i && problem.starts[runs[j]]);
                if (is_closed) {
                    out[j] = infinite;
                    continue;
                }
                const std::size_t last = problem.first[runs[j + 1]];
                for (std::size_t c = problem.first[runs[j]]; c < last; ++c) {
                    const AxisProblem::Cell& cell = problem.cells[c];
                    const double count = counts[cell.key] += cell.weight;
                    const double term = factorial(count);
                    sum -= term - terms[cell.key];
                    terms[cell.key] = term;
                    weight += cell.weight;
                    const double before = blocks[cell.block];
                    const double block = blocks[cell.block] = before + cell.weight;
                    if (!problem.is_joint) {
                        const double length = factorial(block + others);
                        sum += length - lengths[cell.block];
                        lengths[cell.block] = length;
                    }
                    if (problem.min_cell > 0.0) {
                        n_small -= before > 0.0 && before < problem.min_cell;
                        n_small += block < problem.min_cell;
                    }
                }
                out[j] =
                    n_small > 0 ? infinite : sum + (problem.is_joint ? factorial(weight) : 0.0);
            }
        }
    }
    std::size_t size() const noexcept { return n_; }
    double operator()(std::size_t first, std::size_t last) const noexcept {
        return costs_[first * n_ + last];
    }

private:
    std::size_t n_;
    std::vector<double> costs_;
};

/// Least cost of the runs before each place in any number of parts.
std::vector<double> least_in_any(const CostMatrix& costs) {
    std::vector<double> least(costs.size() + 1, infinite);
    least[0] = 0.0;
    for (std::size_t i = 0; i < costs.size(); ++i)
        for (std::size_t j = i; j < costs.size(); ++j)
            least[j + 1] = std::min(least[j + 1], least[i] + costs(i, j));
    return least;
}

}  // namespace

AxisParts solve_ordered(const AxisProblem& problem, double known, std::size_t max_parts) {
    const std::vector<std::size_t> runs = pure_runs(problem);
    const CostMatrix costs(problem, runs);
    const std::size_t n = costs.size();
    const std::size_t most = std::min({max_parts, problem.structure.size(), n});
    const double floor = least_in_any(costs)[n];
    std::vector<double> least(n + 1, infinite);
    std::vector<std::vector<Index>> firsts;  // [K - 1][end]: first run of the last part
    least[0] = 0.0;
    std::size_t best = 0;
    for (std::size_t k = 1; k <= most; ++k) {
        if (!is_lower(problem.structure[k - 1] + floor, known)) break;
        std::vector<double> next(n + 1, infinite);
        std::vector<Index>& first = firsts.emplace_back(n + 1, 0);
        for (std::size_t i = k - 1; i < n; ++i) {
            if (least[i] == infinite) continue;
            for (std::size_t j = i; j < n; ++j) {
                const double cost = least[i] + costs(i, j);
                if (cost < next[j + 1]) {
                    next[j + 1] = cost;
                    first[j + 1] = static_cast<Index>(i);
                }
            }
        }
        least = std::move(next);
        if (is_lower(problem.structure[k - 1] + least[n], known)) {
            known = problem.structure[k - 1] + least[n];
            best = k;
        }
    }
    AxisParts found;
    if (best == 0) return found;
    found.n_parts = best;
    found.cost = known;
    found.part_of.resize(problem.n_units);
    std::size_t end = n;
    for (std::size_t k = best; k-- > 0;) {
        const std::size_t start = firsts[k][end];
        for (std::size_t u = runs[start]; u < runs[end]; ++u)
            found.part_of[u] = static_cast<Index>(k);
        end = start;
    }
    return found;
}

}  // namespace partage
