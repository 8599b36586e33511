#include "partage/groups/grouping.hpp"

#include <algorithm>

namespace partage {

bool is_one_class(const GroupingTask& task) {
    const std::vector<double> totals = task.values.totals();
    const auto n_present =
        std::count_if(totals.begin(), totals.end(), [](double total) { return total > 0.0; });
    return n_present < 2 && task.limits.least() == 1;
}

Grouping one_group(const Values& values, const Limits& limits) {
    if (limits.least() > 1) throw NotPossible("no two groups satisfy the limits");
    Grouping grouping;
    grouping.group_of.assign(values.n_units(), 0);
    grouping.n_groups = 1;
    return grouping;
}

Grouping two_groups(std::vector<Index> side) {
    Grouping grouping;
    grouping.group_of = std::move(side);
    grouping.n_groups = 2;
    return grouping;
}

}  // namespace partage
