#include "partage/grids/axis_problem.hpp"

#include <algorithm>

namespace partage {

AxisProblem axis_problem(const FineTable& table, const GridState& state, std::size_t axis,
                         const GridJudge& judge) {
    const AxisUnits& units = table.axis(axis);
    AxisProblem problem;
    problem.n_units = units.size();
    problem.n_classes = table.n_classes();
    problem.is_joint = judge.prior.is_joint;
    problem.is_ordered = units.is_ordered;
    problem.min_cell = judge.min_cell;
    problem.factorials = &judge.factorials;
    problem.n_values = units.n_values;
    problem.starts = units.starts;
    problem.n_blocks = 1;
    std::vector<std::size_t> strides(table.n_axes(), 0);
    std::vector<std::size_t> n_aside;
    for (std::size_t a = 0; a < table.n_axes(); ++a) {
        n_aside.push_back(table.axis(a).n_aside);
        if (a == axis) continue;
        strides[a] = problem.n_blocks;
        problem.n_blocks *= state.n_parts[a] + table.axis(a).n_aside;
    }
    std::vector<Index> touched;
    std::vector<double> sums(problem.n_keys(), 0.0);
    problem.first.reserve(problem.n_units + 1);
    problem.first.push_back(0);
    for (std::size_t u = 0; u < problem.n_units; ++u) {
        touched.clear();
        for (const Index e : table.entries(axis, u)) {
            std::size_t block = 0;
            for (std::size_t a = 0; a < table.n_axes(); ++a)
                if (a != axis) block += strides[a] * state.part_of[a][table.unit(a, e)];
            const auto key = static_cast<Index>(block * problem.n_classes + table.label(e));
            if (sums[key] == 0.0) touched.push_back(key);
            sums[key] += table.weight(e);
        }
        std::ranges::sort(touched);
        for (const Index key : touched) {
            problem.cells.push_back({key / static_cast<Index>(problem.n_classes), key, sums[key]});
            sums[key] = 0.0;
        }
        problem.first.push_back(problem.cells.size());
    }
    std::vector<std::size_t> n_parts = state.n_parts;
    problem.structure.resize(std::min(judge.most(axis), problem.n_units));
    for (std::size_t k = 1; k <= problem.structure.size(); ++k) {
        n_parts[axis] = k;
        problem.structure[k - 1] = judge.prior.structure(n_parts, n_aside);
    }
    return problem;
}

OpenPart::OpenPart(const AxisProblem& problem)
    : problem_(&problem), counts_(problem.n_keys(), 0.0), blocks_(problem.n_blocks, 0.0) {}

void OpenPart::clear() noexcept {
    std::ranges::fill(counts_, 0.0);
    std::ranges::fill(blocks_, 0.0);
    weight_ = n_values_ = sum_ = 0.0;
    n_small_ = 0;
}

double OpenPart::own(double weight, double n_values) const noexcept {
    if (!problem_->is_joint) return 0.0;
    const Factorials& factorial = *problem_->factorials;
    if (problem_->is_ordered) return factorial(weight);
    return n_values > 0.0 ? factorial(weight + n_values - 1.0) - factorial(n_values - 1.0) : 0.0;
}

// log (n+J-1)! of a block with a target; its constant is that of an empty block.
double OpenPart::block_cost(double weight) const noexcept {
    return (*problem_->factorials)(weight + static_cast<double>(problem_->n_classes - 1));
}

void OpenPart::add(std::span<const AxisProblem::Cell> row, double n_values) noexcept {
    const Factorials& factorial = *problem_->factorials;
    for (const AxisProblem::Cell& cell : row) {
        double& block = blocks_[cell.block];
        double& count = counts_[cell.key];
        if (!problem_->is_joint) sum_ += block_cost(block + cell.weight) - block_cost(block);
        sum_ += factorial(count) - factorial(count + cell.weight);
        n_small_ -= is_small(block);
        block += cell.weight;
        n_small_ += is_small(block);
        count += cell.weight;
        weight_ += cell.weight;
    }
    n_values_ += n_values;
}

void OpenPart::remove(std::span<const AxisProblem::Cell> row, double n_values) noexcept {
    const Factorials& factorial = *problem_->factorials;
    for (const AxisProblem::Cell& cell : row) {
        double& block = blocks_[cell.block];
        double& count = counts_[cell.key];
        const double less = std::max(block - cell.weight, 0.0);
        const double fewer = std::max(count - cell.weight, 0.0);
        if (!problem_->is_joint) sum_ += block_cost(less) - block_cost(block);
        sum_ += factorial(count) - factorial(fewer);
        n_small_ -= is_small(block);
        block = less;
        n_small_ += is_small(block);
        count = fewer;
        weight_ -= cell.weight;
    }
    n_values_ -= n_values;
}

void OpenPart::add(const OpenPart& other) noexcept {
    const Factorials& factorial = *problem_->factorials;
    for (std::size_t key = 0; key < counts_.size(); ++key) {
        if (!(other.counts_[key] > 0.0)) continue;
        sum_ += factorial(counts_[key]) - factorial(counts_[key] + other.counts_[key]);
        counts_[key] += other.counts_[key];
    }
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        if (!(other.blocks_[b] > 0.0)) continue;
        if (!problem_->is_joint)
            sum_ += block_cost(blocks_[b] + other.blocks_[b]) - block_cost(blocks_[b]);
        n_small_ -= is_small(blocks_[b]);
        blocks_[b] += other.blocks_[b];
        n_small_ += is_small(blocks_[b]);
    }
    weight_ += other.weight_;
    n_values_ += other.n_values_;
}

double OpenPart::cost() const noexcept {
    return n_small_ > 0 ? infinite : own(weight_, n_values_) + sum_;
}

double OpenPart::cost_with(std::span<const AxisProblem::Cell> row, double n_values) const noexcept {
    const Factorials& factorial = *problem_->factorials;
    double sum = sum_;
    double weight = weight_;
    std::size_t n_small = n_small_;
    for (std::size_t i = 0; i < row.size();) {
        const Index block = row[i].block;
        double more = blocks_[block];
        for (; i < row.size() && row[i].block == block; ++i) {
            const double count = counts_[row[i].key];
            sum += factorial(count) - factorial(count + row[i].weight);
            more += row[i].weight;
            weight += row[i].weight;
        }
        if (!problem_->is_joint) sum += block_cost(more) - block_cost(blocks_[block]);
        n_small += is_small(more);
        n_small -= is_small(blocks_[block]);
    }
    return n_small > 0 ? infinite : own(weight, n_values_ + n_values) + sum;
}

double OpenPart::cost_without(std::span<const AxisProblem::Cell> row,
                              double n_values) const noexcept {
    const Factorials& factorial = *problem_->factorials;
    double sum = sum_;
    double weight = weight_;
    std::size_t n_small = n_small_;
    for (std::size_t i = 0; i < row.size();) {
        const Index block = row[i].block;
        double less = blocks_[block];
        for (; i < row.size() && row[i].block == block; ++i) {
            const double count = counts_[row[i].key];
            sum += factorial(count) - factorial(std::max(count - row[i].weight, 0.0));
            less -= row[i].weight;
            weight -= row[i].weight;
        }
        less = std::max(less, 0.0);
        if (!problem_->is_joint) sum += block_cost(less) - block_cost(blocks_[block]);
        n_small += is_small(less);
        n_small -= is_small(blocks_[block]);
    }
    const double left = n_values_ - n_values;
    if (!(left > 0.0)) return 0.0;  // the part is gone
    return n_small > 0 ? infinite : own(std::max(weight, 0.0), left) + sum;
}

double OpenPart::cost_with(const OpenPart& other) const noexcept {
    const Factorials& factorial = *problem_->factorials;
    double sum = sum_ + other.sum_;
    std::size_t n_small = 0;
    const double empty = problem_->is_joint ? 0.0 : block_cost(0.0);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const double weight = blocks_[b] + other.blocks_[b];
        n_small += is_small(weight);
        if (!(blocks_[b] > 0.0) || !(other.blocks_[b] > 0.0)) continue;
        if (!problem_->is_joint)
            sum +=
                block_cost(weight) - block_cost(blocks_[b]) - block_cost(other.blocks_[b]) + empty;
        for (std::size_t j = 0; j < problem_->n_classes; ++j) {
            const std::size_t key = b * problem_->n_classes + j;
            if (counts_[key] > 0.0 && other.counts_[key] > 0.0)
                sum += factorial(counts_[key]) + factorial(other.counts_[key]) -
                       factorial(counts_[key] + other.counts_[key]);
        }
    }
    if (n_small > 0) return infinite;
    return own(weight_ + other.weight_, n_values_ + other.n_values_) + sum;
}

double parts_cost(const AxisProblem& problem, std::span<const Index> part_of, std::size_t n_parts) {
    if (n_parts > problem.structure.size()) return infinite;
    std::vector<OpenPart> parts(n_parts, OpenPart(problem));
    for (std::size_t u = 0; u < problem.n_units; ++u)
        parts[part_of[u]].add(problem.row(u), problem.n_values[u]);
    double cost = problem.structure[n_parts - 1];
    for (const OpenPart& part : parts) cost += part.cost();
    return cost;
}

}  // namespace partage
