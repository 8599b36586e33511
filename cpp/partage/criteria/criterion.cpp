#include "partage/criteria/criterion.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace partage {

void PartitionCriterion::parts_ending_at(const Cumulative& sums, std::size_t first, std::size_t end,
                                         std::size_t last, double* out) const {
    std::vector<double> numbers(sums.layout().n_numbers);
    for (std::size_t i = first; i < end; ++i) {
        sums.subtract(i, last, numbers);
        out[i - first] = part(sums.layout().row(numbers));
    }
}

double PartitionCriterion::part_between(const Layout& layout, Numbers before, Numbers after) const {
    std::vector<double> numbers(after.begin(), after.end());
    layout.subtract(before, numbers);
    const Row row = layout.row(numbers);
    return row.weight > 0.0 ? part(row) : 0.0;
}

std::unique_ptr<Walk> PartitionCriterion::walk(Cuts cuts) const {
    return walk_rows(*this, std::move(cuts));
}

void PartitionCriterion::joined_parts(const Rows& rows, std::span<const Index> at,
                                      double* out) const {
    std::vector<double> joined(rows.width());
    for (const Index i : at) {
        for (std::size_t j = 0; j < joined.size(); ++j) joined[j] = rows[i][j] + rows[i + 1][j];
        *out++ = part(rows.layout().row(joined));
    }
}

CountedBlocks PartitionCriterion::sweep(const Line& line, const Blocks& blocks, double most,
                                        double clear_loss, const Stop& stop) const {
    const Layout layout = line.layout();
    CountedBlocks kept{{}, Rows(0, layout)};
    std::vector<double>& stored = kept.rows.values();
    std::vector<double> block(layout.n_numbers);
    std::vector<double> joined(layout.n_numbers);
    double own = 0.0;
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
        if (i % 65536 == 0) stop.check();
        std::fill(block.begin(), block.end(), 0.0);
        line.add(line.starts[blocks[i]], line.starts[blocks[i + 1]], block);
        const double apart = part(layout.row(block));
        if (!kept.blocks.empty()) {
            const std::span<double> open = kept.rows[kept.blocks.size() - 1];
            std::copy(open.begin(), open.end(), joined.begin());
            add(block, joined);
            const Row row = layout.row(joined);
            const double together = part(row);
            if (row.weight <= most && together - own - apart < clear_loss) {
                std::copy(joined.begin(), joined.end(), open.begin());
                own = together;
                continue;
            }
        }
        kept.blocks.push_back(blocks[i]);
        stored.insert(stored.end(), block.begin(), block.end());
        own = apart;
    }
    kept.blocks.push_back(blocks.back());
    return kept;
}

std::unique_ptr<PartitionCriterion> make_partition_criterion(const CriterionEntry& entry,
                                                             const Problem& problem,
                                                             std::span<const double> parameters) {
    AnyCriterion made = entry.make(problem, parameters);
    auto* held = std::get_if<std::unique_ptr<PartitionCriterion>>(&made);
    if (held == nullptr) throw std::invalid_argument("this criterion judges no whole partition");
    return std::move(*held);
}

}  // namespace partage
