#include "partage/walk.hpp"

namespace partage {
namespace {

std::vector<double> part_row(const Line& line, const Blocks& blocks, std::size_t first,
                             std::size_t last) {
    std::vector<double> row(line.n_classes, 0.0);
    line.add(line.starts[blocks[first]], line.starts[blocks[last]], row);
    return row;
}

}  // namespace

CutWalk::CutWalk(const Line& line, const Blocks& blocks, std::size_t first, std::size_t last,
                 const Limits& limits)
    : line_(&line), blocks_(&blocks), first_(first), last_(last), limits_(&limits),
      parent_(part_row(line, blocks, first, last)), weight_(partage::weight(parent_)),
      walk_(start()), information_(right_information()), n_classes_(right_classes()) {}

Walk<InformationTracker> CutWalk::start() const {
    const std::vector<double> nothing(line_->n_classes, 0.0);
    return {*line_, *blocks_, first_, nothing, parent_, InformationTracker{}};
}

bool CutWalk::next() {
    if (walk_.at() + 1 >= last_) return false;
    walk_.step();
    return true;
}

void CutWalk::restart() { walk_ = start(); }

}  // namespace partage
