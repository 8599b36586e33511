#include <algorithm>
#include <numeric>

#include "partage/groups/atoms.hpp"
#include "partage/groups/grouping.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Some values against the rest, and the information that gains on the class.
class ChosenValues {
public:
    ChosenValues(const Rows& rows, const Limits& limits)
        : rows_(rows),
          limits_(limits),
          chosen_(rows.width(), 0.0),
          rest_(rows.width(), 0.0),
          joined_(rows.width()),
          left_(rows.width()) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = 0; j < rest_.size(); ++j) rest_[j] += rows[i][j];
        whole_ = entropy_of(rest_);
    }

    /// Information gained, in nats over all rows, if one more value is chosen.
    double gain_with(std::size_t value) noexcept {
        shift(value);
        return on_grid(whole_ - entropy_of(joined_) - entropy_of(left_));
    }
    /// Whether both sides are large enough if one more value is chosen.
    bool is_allowed_with(std::size_t value) noexcept {
        shift(value);
        return allows(joined_) && allows(left_);
    }
    void choose(std::size_t value) noexcept {
        shift(value);
        chosen_ = joined_;
        rest_ = left_;
    }
    bool is_allowed() const noexcept { return allows(chosen_) && allows(rest_); }
    bool leaves_enough(std::size_t value) noexcept {
        shift(value);
        return allows(left_);
    }

private:
    bool allows(Numbers numbers) const noexcept {
        return limits_.allows(rows_.layout().weight(numbers));
    }

    void shift(std::size_t value) noexcept {
        const Numbers row = rows_[value];
        for (std::size_t j = 0; j < row.size(); ++j) {
            joined_[j] = chosen_[j] + row[j];
            left_[j] = std::max(rest_[j] - row[j], 0.0);
        }
    }

    const Rows& rows_;
    const Limits& limits_;
    std::vector<double> chosen_;
    std::vector<double> rest_;
    std::vector<double> joined_;
    std::vector<double> left_;
    double whole_ = 0.0;
};

/// The value of largest information gain against all others.
Grouping group_one_against_rest(const GroupingTask& task) {
    const Rows rows = block_rows(task.values, unit_blocks(task.values));
    if (is_one_class(task) || rows.size() < 2) return one_group(task.values, task.limits);
    ChosenValues chosen(rows, task.limits);
    std::size_t best = rows.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i % 4096 == 0) task.stop.check();
        const double gain = chosen.gain_with(i);
        if (!chosen.is_allowed_with(i) || (best < rows.size() && !(gain > largest))) continue;
        best = i;
        largest = gain;
    }
    if (best == rows.size()) return one_group(task.values, task.limits);
    std::vector<Index> side(rows.size(), 0);
    side[best] = 1;
    return two_groups(std::move(side));
}

/// Starts with the value of largest gain and adds the one that makes the gain largest, while it
/// grows; on while the chosen values weigh too little. O(I²) at most.
Grouping group_forward(const GroupingTask& task) {
    const Rows rows = block_rows(task.values, unit_blocks(task.values));
    if (is_one_class(task) || rows.size() < 2) return one_group(task.values, task.limits);
    // Many values: those of equal shares join the choice together.
    constexpr std::size_t most_apart = 20000;
    Atoms atoms = rows.size() > most_apart ? join_equal_shares(rows) : keep_apart(rows);
    if (atoms.size() < 2) atoms = keep_apart(rows);
    ChosenValues chosen(atoms.rows, task.limits);
    std::vector<Index> side(atoms.size(), 0);
    std::vector<Index> waiting(atoms.size());
    std::iota(waiting.begin(), waiting.end(), Index{0});
    double reached = 0.0;
    while (waiting.size() > 1) {
        task.stop.check();
        std::size_t best = waiting.size();
        double largest = 0.0;
        for (std::size_t k = 0; k < waiting.size(); ++k) {
            const double gain = chosen.gain_with(waiting[k]);
            if ((best < waiting.size() && !(gain > largest)) || !chosen.leaves_enough(waiting[k]))
                continue;
            best = k;
            largest = gain;
        }
        const bool is_first = waiting.size() == atoms.size();
        if (best == waiting.size()) break;
        if (!is_first && chosen.is_allowed() && !is_lower(-largest, -reached)) break;
        chosen.choose(waiting[best]);
        side[waiting[best]] = 1;
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(best));
        reached = largest;
    }
    if (waiting.size() == atoms.size() || !chosen.is_allowed())
        return one_group(task.values, task.limits);
    std::vector<Index> group_of;
    for (const Index atom : atoms.atom_of) group_of.push_back(side[atom]);
    return two_groups(std::move(group_of));
}

}  // namespace

extern const GroupingEntry grouping_one_against_rest{
    .name = "one-against-rest",
    .meaning = "the value of largest information gain against all others",
    .n_groups = 2,
    .run = group_one_against_rest};
extern const GroupingEntry grouping_forward{
    .name = "forward",
    .meaning = "two groups, values added while the information gain grows",
    .n_groups = 2,
    .run = group_forward};

}  // namespace partage
