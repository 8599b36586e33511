#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "partage/grids/state.hpp"

namespace partage {

/// The parts of one axis when those of all others are given: the target crossed with the cells of
/// the others. A row of it has a block for each of these cells, and a part costs the sum over its
/// blocks. This is an ordinary problem of intervals or groups.
struct AxisProblem {
    struct Cell {
        Index block;
        Index key;  ///< block and class
        double weight;
    };

    std::size_t n_units = 0;
    std::size_t n_blocks = 0;
    std::size_t n_classes = 1;
    bool is_joint = false;
    bool is_ordered = true;
    double min_cell = 0.0;
    const Factorials* factorials = nullptr;
    std::vector<std::size_t> first;  ///< first cell of each unit, then their number
    std::vector<Cell> cells;
    std::vector<double> n_values;      ///< of each unit
    std::vector<std::uint8_t> starts;  ///< whether a part must start at a unit
    std::vector<double> structure;     ///< [K - 1]: of K parts, the others given

    std::span<const Cell> row(std::size_t unit) const noexcept {
        return {cells.data() + first[unit], first[unit + 1] - first[unit]};
    }
    std::size_t n_keys() const noexcept { return n_blocks * n_classes; }
};

/// Parts of the units of an axis.
struct AxisParts {
    std::vector<Index> part_of;
    std::size_t n_parts = 0;
    double cost = infinite;  ///< structure and parts that may join
};

AxisProblem axis_problem(const FineTable& table, const GridState& state, std::size_t axis,
                         const GridJudge& judge);

/// What the rows of one part hold, block by block, and what they cost: units come and go.
class OpenPart {
public:
    explicit OpenPart(const AxisProblem& problem);
    void clear() noexcept;
    void add(std::span<const AxisProblem::Cell> row, double n_values) noexcept;
    void remove(std::span<const AxisProblem::Cell> row, double n_values) noexcept;
    void add(const OpenPart& other) noexcept;
    /// Cost in nats; infinite where a block holds some rows, but too few.
    double cost() const noexcept;
    /// Cost after a unit came or went, without it doing so.
    double cost_with(std::span<const AxisProblem::Cell> row, double n_values) const noexcept;
    double cost_without(std::span<const AxisProblem::Cell> row, double n_values) const noexcept;
    /// Cost of both together.
    double cost_with(const OpenPart& other) const noexcept;

private:
    double own(double weight, double n_values) const noexcept;
    double block_cost(double weight) const noexcept;
    bool is_small(double weight) const noexcept {
        return weight > 0.0 && weight < problem_->min_cell;
    }

    const AxisProblem* problem_;
    std::vector<double> counts_;  // by key
    std::vector<double> blocks_;
    double weight_ = 0.0;
    double n_values_ = 0.0;
    double sum_ = 0.0;  // of the blocks
    std::size_t n_small_ = 0;
};

/// The exact least parts of an ordered axis, if they cost less than `known`; else without parts.
AxisParts solve_ordered(const AxisProblem& problem, double known, std::size_t max_parts);

/// Groups of an unordered axis that cost less than `known`, if any are found: exact for few units,
/// else by merges and moves, also from the present groups.
AxisParts solve_unordered(const AxisProblem& problem, const AxisParts& present,
                          std::size_t max_parts, std::size_t most_merged);

/// Cost of given parts.
double parts_cost(const AxisProblem& problem, std::span<const Index> part_of, std::size_t n_parts);

}  // namespace partage
