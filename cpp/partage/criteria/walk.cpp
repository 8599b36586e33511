#include "partage/criteria/walk.hpp"

namespace partage {

CutWalk::CutWalk(const Line& line, const Blocks& blocks, std::size_t first, std::size_t last,
                 const Limits& limits)
    : line_(&line), blocks_(&blocks), first_(first), last_(last), limits_(&limits), at_(first) {
    std::vector<double> row(line.n_classes, 0.0);
    line.add(line.starts[blocks[first]], line.starts[blocks[last]], row);
    parent_.counts.assign(line.n_classes, 0.0);
    for (std::size_t j = 0; j < row.size(); ++j) parent_.set(j, row[j]);
    restart();
}

bool CutWalk::next() {
    if (at_ + 1 >= last_) return false;
    const std::size_t first = line_->starts[(*blocks_)[at_]];
    const std::size_t last = line_->starts[(*blocks_)[at_ + 1]];
    for_each_class(*line_, first, last, [this](Code code, double amount) {
        left_.set(code, left_.counts[code] + amount);
        // Real weights leave rounding behind where nothing is left.
        const double rest = right_.counts[code] - amount;
        right_.set(code, rest > 1e-12 * parent_.counts[code] ? rest : 0.0);
    });
    ++at_;
    return true;
}

void CutWalk::restart() {
    at_ = first_;
    right_ = parent_;
    left_ = Side{};
    left_.counts.assign(line_->n_classes, 0.0);
}

}  // namespace partage
