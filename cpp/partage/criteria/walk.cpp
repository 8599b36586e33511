#include "partage/criteria/walk.hpp"

#include <algorithm>
#include <utility>

#include "partage/criteria/criterion.hpp"

namespace partage {
namespace {

class RowWalk final : public Walk {
public:
    RowWalk(const PartitionCriterion& criterion, Cuts cuts)
        : Walk(cuts.first, {}, {}),
          criterion_(criterion),
          cuts_(std::move(cuts)),
          block_(cuts_.left.size()) {}

    bool next() override {
        if (at_ + 1 >= cuts_.last) return false;
        const Line& line = cuts_.line;
        std::fill(block_.begin(), block_.end(), 0.0);
        line.add(line.starts[cuts_.blocks[at_]], line.starts[cuts_.blocks[at_ + 1]], block_);
        add(block_, cuts_.left);
        line.layout().subtract(block_, cuts_.right);
        left_ = line.layout().row(cuts_.left);
        right_ = line.layout().row(cuts_.right);
        ++at_;
        return true;
    }

    SideCosts costs() const noexcept override {
        return {criterion_.part(left_), criterion_.part(right_)};
    }

private:
    const PartitionCriterion& criterion_;
    Cuts cuts_;
    std::vector<double> block_;
};

}  // namespace

Cuts cuts_of(const Line& line, const Blocks& blocks, std::size_t first, std::size_t last) {
    const std::size_t n_numbers = line.layout().n_numbers;
    Cuts cuts{line,
              blocks,
              first,
              last,
              std::vector<double>(n_numbers, 0.0),
              std::vector<double>(n_numbers, 0.0)};
    line.add(line.starts[blocks[first]], line.starts[blocks[last]], cuts.right);
    return cuts;
}

std::unique_ptr<Walk> walk_rows(const PartitionCriterion& criterion, Cuts cuts) {
    return std::make_unique<RowWalk>(criterion, std::move(cuts));
}

}  // namespace partage
