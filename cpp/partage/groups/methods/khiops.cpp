#include <algorithm>

#include "partage/groups/atoms.hpp"
#include "partage/groups/methods/khiops_noise.hpp"
#include "partage/support/chi_square_law.hpp"

namespace partage {
namespace {

/// One row for each value, but one for all values that expect too few rows of some class.
struct PooledValues {
    Rows rows;
    std::vector<Index> row_of;  ///< of each value

    PooledValues(const Values& values, double least) : rows(0, values.n_classes) {
        const std::vector<double> totals = values.totals();
        double rarest = infinite;
        for (const double total : totals)
            if (total > 0.0) rarest = std::min(rarest, total);
        const double share = rarest / values.layout().weight(totals);
        constexpr Index no_row = std::numeric_limits<Index>::max();
        Index pool = no_row;
        for (std::size_t i = 0; i < values.n_units(); ++i) {
            const std::size_t first = values.starts[i];
            const std::size_t last = values.starts[i + 1];
            const bool is_rare = values.weight(first, last) * share < least;
            auto row = static_cast<Index>(rows.size());
            if (is_rare && pool != no_row)
                row = pool;
            else
                rows.values().resize(rows.values().size() + values.n_classes, 0.0);
            if (is_rare) pool = row;
            values.add(first, last, rows[row]);
            row_of.push_back(row);
        }
    }
};

/// log of the p-value of the chi-square of a table of groups and classes.
double log_p(double chi_square, std::size_t n_groups, std::size_t n_classes) noexcept {
    if (n_groups < 2) return 0.0;
    return log_chi_square_tail(chi_square, static_cast<double>((n_groups - 1) * (n_classes - 1)));
}

/// Khiops 2004 (Boullé): pools rare values, then merges the pair that loses least chi-square while
/// the p-value of the table decreases. A loss that noise reaches too is no reason to stop.
Grouping group_khiops(const GroupingTask& task) {
    if (is_one_class(task)) return one_group(task.values);
    const double least = task.parameters[0];
    const double confidence = task.parameters[1];
    const bool permutes = task.parameters[2] > 0.0;
    const std::vector<double> totals = task.values.totals();
    const auto n_classes = static_cast<std::size_t>(
        std::count_if(totals.begin(), totals.end(), [](double total) { return total > 0.0; }));
    PooledValues pooled(task.values, least);
    // Groups that are asked for come before the pooling.
    if (pooled.rows.size() < task.limits.least()) pooled = PooledValues(task.values, 0.0);
    const double noise = permutes ? permuted_noise(pooled.rows, confidence, task.stop)
                                  : tabled_noise(pooled.rows.size(), n_classes, confidence);
    // Equal shares lose nothing, and nothing is below any noise.
    Atoms atoms = join_equal_shares(pooled.rows);
    if (atoms.size() < task.limits.least()) atoms = keep_apart(pooled.rows);
    Ward ward(atoms.rows);
    Merging merging(ward, atoms.rows, task.limits, task.stop);
    merging.run([&](double loss, std::size_t n_groups) {
        if (loss < noise) return true;
        const double now = log_p(ward.chi_square(), n_groups, n_classes);
        const double then = log_p(std::max(ward.chi_square() - loss, 0.0), n_groups - 1, n_classes);
        return is_lower(then, now);
    });
    std::vector<Index> atom_of;
    for (const Index row : pooled.row_of) atom_of.push_back(atoms.atom_of[row]);
    return grouping_of(merging, atom_of);
}

}  // namespace

extern const GroupingEntry grouping_khiops{
    .name = "khiops",
    .meaning =
        "merges while the p-value of the chi-square falls, guarded against noise (Khiops 2004)",
    .parameters = {{"min_expected",
                    "rows of each class a value must expect, or it joins the rare ones", 5.0, 0.0},
                   {"confidence", "how surely a column without information becomes one group", 0.95,
                    0.5, 0.99},
                   {"noise",
                    "where the loss that noise reaches comes from",
                    0.0,
                    0.0,
                    1.0,
                    true,
                    true,
                    {"table", "permute"}}},
    .run = group_khiops};

}  // namespace partage
