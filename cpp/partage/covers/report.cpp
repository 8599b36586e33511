#include <algorithm>
#include <numeric>

#include "partage/covers/close_pairs.hpp"

namespace partage {
namespace {

std::vector<Index> all_rows(const Examples& examples) {
    std::vector<Index> rows(examples.size());
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

std::size_t separators(const Separation& separation, std::size_t x, std::size_t y) {
    std::size_t found = 0;
    for (std::size_t a = 0; a < separation.examples().n_attributes(); ++a)
        found += separation.apart(a, x, y);
    return found;
}

}  // namespace

double count_short_pairs(const CoverTask& task, const Kept& kept) {
    const Examples& examples = task.examples;
    const Separation separation(examples, kept, task.by_attribute);
    const Separation whole(examples, Kept(kept.size(), 1), task.by_attribute);
    ClosePairs pairs(separation, task.stop);
    const std::vector<Index> rows = all_rows(examples);
    const std::size_t most = task.consistency - 1;
    double found = 0.0;
    pairs.search(
        rows, rows, ClosePairs::none, most, most, false, [&](std::size_t x, std::size_t y) {
            if (separators(separation, x, y) < std::min(task.consistency, separators(whole, x, y)))
                found += examples.weight(x) * examples.weight(y);
            return false;
        });
    return found / 2.0;  // each pair is met from both sides
}

std::vector<double> count_close_pairs(const Examples& examples, const Kept& kept, std::size_t limit,
                                      const Stop& stop) {
    std::vector<double> found(limit, 0.0);
    if (limit == 0) return found;
    const Separation separation(examples, kept, false);
    ClosePairs pairs(separation, stop);
    const std::vector<Index> rows = all_rows(examples);
    pairs.search(rows, rows, ClosePairs::none, limit - 1, limit - 1, false,
                 [&](std::size_t x, std::size_t y) {
                     found[separators(separation, x, y)] +=
                         examples.weight(x) * examples.weight(y) / 2.0;
                     return false;
                 });
    return found;
}

std::size_t smallest_separation(const Examples& examples, const Kept& kept, const Stop& stop) {
    const Separation separation(examples, kept, false);
    ClosePairs pairs(separation, stop);
    const std::vector<Index> rows = all_rows(examples);
    for (std::size_t most = 0; most <= kept.size(); ++most)
        if (pairs.search(rows, rows, ClosePairs::none, most, most, true,
                         [](std::size_t, std::size_t) { return true; }))
            return most;
    return kept.size() + 1;
}

}  // namespace partage
