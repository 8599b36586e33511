#include <algorithm>
#include <queue>

#include "partage/search.hpp"

namespace partage {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Parts in a linked list with their rows. A part of few entries is counted anew from the line when
/// its row is asked; only larger ones keep a dense row, so that memory stays below one column.
class PartList {
public:
    PartList(const Line& line, const Blocks& blocks)
        : line_(line), blocks_(blocks), next_(blocks.size()), previous_(blocks.size()),
          slot_(blocks.size(), no_slot) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            next_[i] = static_cast<Index>(i + 1);
            previous_[i] = static_cast<Index>(i) - 1;
        }
    }

    std::size_t end() const noexcept { return blocks_.size() - 1; }
    std::size_t next(std::size_t part) const noexcept { return next_[part]; }
    std::size_t previous(std::size_t part) const noexcept { return previous_[part]; }
    bool is_first(std::size_t part) const noexcept { return part == 0; }

    void add_row(std::size_t part, std::span<double> row) const noexcept {
        if (slot_[part] == no_slot) {
            line_.add(entry(part), entry(next_[part]), row);
        } else {
            const double* kept = pool_.data() + slot_[part] * line_.n_classes;
            for (std::size_t j = 0; j < row.size(); ++j) row[j] += kept[j];
        }
    }

    /// Joins a part with the next one.
    void join(std::size_t part) {
        const std::size_t right = next_[part];
        std::vector<double> row(line_.n_classes, 0.0);
        add_row(part, row);
        add_row(right, row);
        if (slot_[part] == no_slot) std::swap(slot_[part], slot_[right]);
        if (slot_[right] != no_slot) free_.push_back(slot_[right]);
        next_[part] = next_[right];
        if (next_[part] < end()) previous_[next_[part]] = static_cast<Index>(part);
        const std::size_t n_entries = entry(next_[part]) - entry(part);
        if (slot_[part] == no_slot && n_entries > 2 * line_.n_classes) slot_[part] = new_slot();
        if (slot_[part] != no_slot)
            std::copy(row.begin(), row.end(),
                      pool_.begin() + static_cast<std::ptrdiff_t>(slot_[part] * line_.n_classes));
    }

    Blocks starts() const {
        Blocks starts;
        for (std::size_t part = 0; part < end(); part = next_[part])
            starts.push_back(blocks_[part]);
        starts.push_back(blocks_.back());
        return starts;
    }

private:
    static constexpr Index no_slot = std::numeric_limits<Index>::max();

    std::size_t entry(std::size_t block) const noexcept { return line_.starts[blocks_[block]]; }
    Index new_slot() {
        if (!free_.empty()) {
            const Index slot = free_.back();
            free_.pop_back();
            return slot;
        }
        pool_.resize(pool_.size() + line_.n_classes);
        return static_cast<Index>(pool_.size() / line_.n_classes - 1);
    }

    const Line& line_;
    const Blocks& blocks_;
    std::vector<Index> next_;
    std::vector<Index> previous_;
    std::vector<Index> slot_;
    std::vector<double> pool_;
    std::vector<Index> free_;
};

/// How a merge is judged: by the change of a partition cost, or by a test of the pair.
class MergeRule {
public:
    explicit MergeRule(const Task& task)
        : task_(task), a_(task.line.n_classes), b_(task.line.n_classes) {
        if (const auto* test = std::get_if<std::unique_ptr<PairTest>>(&task.criterion))
            test_ = test->get();
        else
            criterion_ = &task.partition_criterion();
    }

    /// Order of the merge of two parts: the lowest goes first; too small parts before all others.
    double order(const PartList& parts, std::size_t left, double left_cost, double right_cost) {
        const std::size_t right = parts.next(left);
        std::fill(a_.begin(), a_.end(), 0.0);
        std::fill(b_.begin(), b_.end(), 0.0);
        parts.add_row(left, a_);
        parts.add_row(right, b_);
        const bool is_forced =
            !task_.limits.allows(weight(a_)) || !task_.limits.allows(weight(b_));
        double value;
        if (test_ != nullptr) {
            value = test_->difference(a_, b_);
        } else {
            for (std::size_t j = 0; j < a_.size(); ++j) a_[j] += b_[j];
            value = criterion_->part(a_) - left_cost - right_cost;
        }
        return is_forced ? value - forced : value;
    }

    double part_cost(const PartList& parts, std::size_t part) {
        if (criterion_ == nullptr) return 0.0;
        std::fill(a_.begin(), a_.end(), 0.0);
        parts.add_row(part, a_);
        return criterion_->part(a_);
    }

    static bool is_forced(double order) noexcept { return order < -forced / 2.0; }
    static double loss(double order) noexcept { return is_forced(order) ? order + forced : order; }

    /// Whether the cheapest merge is made, `parts` the sum of the part costs.
    bool accepts(double order, std::size_t n_parts, double parts) const noexcept {
        if (n_parts <= task_.limits.least()) return false;
        if (is_forced(order) || n_parts > task_.limits.most() || task_.limits.n_parts > 0)
            return true;
        if (test_ != nullptr) return order < test_->threshold();
        return !is_lower(criterion_->total(n_parts, parts),
                         criterion_->total(n_parts - 1, parts + order)) &&
               n_parts > least_parts();
    }

private:
    static constexpr double forced = 1e15;
    /// A cost that one part makes 0 by convention (Tschuprow's) is no reason to go there.
    std::size_t least_parts() const noexcept {
        return criterion_->growth() == Growth::other ? 2 : 1;
    }

    const Task& task_;
    std::vector<double> a_;
    std::vector<double> b_;
    const PartitionCriterion* criterion_ = nullptr;
    const PairTest* test_ = nullptr;
};

struct Merge {
    double order;
    Index part;
    std::uint32_t stamp;  // outdated unless both parts are as they were
    bool operator<(const Merge& other) const noexcept {
        return order > other.order || (order == other.order && part > other.part);
    }
};

/// Merges the cheapest pair of neighbours while it pays. O(r log r).
Found run_bottom_up(const Task& task) {
    // Merging starts from runs (FUSINTER, ChiMerge) even where the optimum may cut inside one.
    const Blocks blocks =
        task.limits.needs_units() ? unit_blocks(task.line) : run_blocks(task.line);
    PartList parts(task.line, blocks);
    MergeRule rule(task);
    const std::size_t n_blocks = blocks.size() - 1;
    std::vector<double> costs(n_blocks);
    std::vector<std::uint32_t> stamps(n_blocks, 0);
    double sum = 0.0;
    for (std::size_t i = 0; i < n_blocks; ++i) sum += costs[i] = rule.part_cost(parts, i);
    std::vector<Merge> first;
    first.reserve(n_blocks);
    for (std::size_t i = 0; i + 1 < n_blocks; ++i)
        first.push_back({rule.order(parts, i, costs[i], costs[i + 1]), static_cast<Index>(i), 0});
    std::priority_queue<Merge> queue(std::less<Merge>{}, std::move(first));
    std::size_t n_parts = n_blocks;
    const auto ask = [&](std::size_t left) {
        const std::size_t right = parts.next(left);
        if (right >= parts.end()) return;
        const double order = rule.order(parts, left, costs[left], costs[right]);
        queue.push({order, static_cast<Index>(left), ++stamps[left]});
    };
    for (std::size_t n_popped = 0; !queue.empty(); ++n_popped) {
        if (n_popped % 4096 == 0) task.stop.check();
        const Merge merge = queue.top();
        if (merge.stamp != stamps[merge.part]) {
            queue.pop();
            continue;
        }
        if (!rule.accepts(merge.order, n_parts, sum)) break;
        queue.pop();
        const std::size_t part = merge.part;
        ++stamps[parts.next(part)];
        ++stamps[part];
        parts.join(part);
        costs[part] = rule.part_cost(parts, part);
        sum += MergeRule::loss(merge.order);
        --n_parts;
        ask(part);
        if (!parts.is_first(part)) ask(parts.previous(part));
    }
    return {parts.starts(), n_parts == 1 && n_blocks == 1};
}

}  // namespace

extern const SearchEntry bottom_up{
    "bottom-up", "merges the cheapest pair of neighbours while it pays", run_bottom_up};

}  // namespace partage
