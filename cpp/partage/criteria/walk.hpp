#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "partage/space/line.hpp"

namespace partage {

/// The cuts at the borders strictly inside the blocks [first, last) of a line.
struct Cuts {
    const Line& line;
    const Blocks& blocks;
    std::size_t first;
    std::size_t last;
    std::vector<double> left;   ///< numbers of the rows on the left of a cut at `first`
    std::vector<double> right;  ///< and on its right
};

/// The cuts of a part: it begins at `first` and ends at `last`.
Cuts cuts_of(const Line& line, const Blocks& blocks, std::size_t first, std::size_t last);

/// Costs of the two sides of a cut.
struct SideCosts {
    double left;
    double right;
};

/// Goes through cuts in order, with the rows and the costs of both sides of each.
class Walk {
public:
    virtual ~Walk() = default;
    /// Goes to the next cut; false after the last.
    virtual bool next() = 0;
    virtual SideCosts costs() const noexcept = 0;
    std::size_t at() const noexcept { return at_; }
    const Row& left() const noexcept { return left_; }
    const Row& right() const noexcept { return right_; }

protected:
    Walk(std::size_t at, Row left, Row right) noexcept : at_(at), left_(left), right_(right) {}

    std::size_t at_;  // first block on the right
    Row left_;
    Row right_;
};

class PartitionCriterion;

/// The walk of a criterion that reads whole rows: O(J) a step.
std::unique_ptr<Walk> walk_rows(const PartitionCriterion& criterion, Cuts cuts);

}  // namespace partage
