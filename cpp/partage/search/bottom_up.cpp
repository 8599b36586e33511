#include <algorithm>
#include <bit>
#include <limits>

#include "partage/search/task.hpp"

namespace partage {
namespace {

/// Parts in a linked list with their rows. In a long column a part of few entries is counted anew
/// from the line when its row is asked; only larger ones keep a dense row, so that memory stays
/// below one column.
class PartList {
public:
    PartList(const Line& line, const Blocks& blocks)
        : line_(line),
          blocks_(blocks),
          width_(line.layout().n_numbers),
          next_(blocks.size()),
          previous_(blocks.size()),
          slot_(blocks.size(), no_slot) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            next_[i] = static_cast<Index>(i + 1);
            previous_[i] = static_cast<Index>(i) - 1;
        }
        if (end() * width_ <= most_dense) keep_all_rows();
    }

    std::size_t end() const noexcept { return blocks_.size() - 1; }
    std::size_t next(std::size_t part) const noexcept { return next_[part]; }
    std::size_t previous(std::size_t part) const noexcept { return previous_[part]; }
    bool is_first(std::size_t part) const noexcept { return part == 0; }

    void add_numbers(std::size_t part, std::span<double> to) const noexcept {
        if (slot_[part] == no_slot) {
            line_.add(entry(part), entry(next_[part]), to);
        } else {
            add({pool_.data() + slot_[part] * width_, width_}, to);
        }
    }

    /// Joins a part with the next one, given the numbers of both together.
    void join(std::size_t part, Numbers numbers) {
        const std::size_t right = next_[part];
        if (slot_[part] == no_slot) std::swap(slot_[part], slot_[right]);
        if (slot_[right] != no_slot) free_.push_back(slot_[right]);
        next_[part] = next_[right];
        if (next_[part] < end()) previous_[next_[part]] = static_cast<Index>(part);
        const std::size_t n_entries = entry(next_[part]) - entry(part);
        if (slot_[part] == no_slot && n_entries > 2 * width_) slot_[part] = new_slot();
        if (slot_[part] != no_slot)
            std::copy(numbers.begin(), numbers.end(),
                      pool_.begin() + static_cast<std::ptrdiff_t>(slot_[part] * width_));
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
    static constexpr std::size_t most_dense = std::size_t{1} << 20;  // 8 MB of counts

    void keep_all_rows() {
        pool_.resize(end() * width_, 0.0);
        for (std::size_t i = 0; i < end(); ++i) {
            slot_[i] = static_cast<Index>(i);
            line_.add(entry(i), entry(i + 1), {pool_.data() + i * width_, width_});
        }
    }

    std::size_t entry(std::size_t block) const noexcept { return line_.starts[blocks_[block]]; }
    Index new_slot() {
        if (!free_.empty()) {
            const Index slot = free_.back();
            free_.pop_back();
            return slot;
        }
        pool_.resize(pool_.size() + width_);
        return static_cast<Index>(pool_.size() / width_ - 1);
    }

    const Line& line_;
    const Blocks& blocks_;
    std::size_t width_;
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
        : task_(task), layout_(task.line.layout()), a_(layout_.n_numbers), b_(layout_.n_numbers) {
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
        parts.add_numbers(left, a_);
        parts.add_numbers(right, b_);
        const Row a = layout_.row(a_);
        const Row b = layout_.row(b_);
        const bool is_forced = !task_.limits.allows(a.weight) || !task_.limits.allows(b.weight);
        double value;
        if (test_ != nullptr) {
            value = test_->difference(a, b);
        } else {
            add(b_, a_);
            value = criterion_->part(layout_.row(a_)) - left_cost - right_cost;
        }
        return is_forced ? on_grid(value) - forced : on_grid(value);
    }

    /// Numbers of a part and the next one together, until the next call.
    Numbers joined_numbers(const PartList& parts, std::size_t part) {
        std::fill(a_.begin(), a_.end(), 0.0);
        parts.add_numbers(part, a_);
        parts.add_numbers(parts.next(part), a_);
        return a_;
    }

    Numbers numbers(const PartList& parts, std::size_t part) {
        std::fill(a_.begin(), a_.end(), 0.0);
        parts.add_numbers(part, a_);
        return a_;
    }

    double part_cost(Numbers numbers) const noexcept {
        return criterion_ == nullptr ? 0.0 : criterion_->part(layout_.row(numbers));
    }

    static bool is_forced(double order) noexcept { return order < -forced / 2.0; }

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
    static constexpr double forced = 1e9;  // beyond any order, yet leaves it its digits
    /// A cost that one part makes 0 by convention (Tschuprow's) is no reason to go there.
    std::size_t least_parts() const noexcept {
        return criterion_->growth() == Growth::other ? 2 : 1;
    }

    const Task& task_;
    Layout layout_;
    std::vector<double> a_;
    std::vector<double> b_;
    const PartitionCriterion* criterion_ = nullptr;
    const PairTest* test_ = nullptr;
};

/// Values of which the lowest is always known, the leftmost on a tie: a tournament that is played
/// again along one path when a value changes.
class Lowest {
public:
    explicit Lowest(std::size_t n) : n_(std::bit_ceil(n)), values_(n_, infinite), winners_(2 * n_) {
        for (std::size_t i = 0; i < n_; ++i) winners_[n_ + i] = static_cast<Index>(i);
    }
    void fill(std::size_t i, double value) noexcept { values_[i] = value; }
    void play_all() noexcept {
        for (std::size_t node = n_ - 1; node > 0; --node) play(node);
    }
    void set(std::size_t i, double value) noexcept {
        values_[i] = value;
        for (std::size_t node = (n_ + i) / 2; node > 0; node /= 2) {
            const Index before = winners_[node];
            play(node);
            if (winners_[node] == before && before != i) break;  // nothing changes above
        }
    }
    std::size_t winner() const noexcept { return winners_[1]; }
    double value() const noexcept { return values_[winner()]; }

private:
    void play(std::size_t node) noexcept {
        const Index a = winners_[2 * node];
        const Index b = winners_[2 * node + 1];
        winners_[node] = values_[b] < values_[a] ? b : a;
    }

    std::size_t n_;
    std::vector<double> values_;
    std::vector<Index> winners_;
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
    double sum = 0.0;
    for (std::size_t i = 0; i < n_blocks; ++i)
        sum += costs[i] = rule.part_cost(rule.numbers(parts, i));
    Lowest orders(n_blocks);  // of the merge of each part with the next
    for (std::size_t i = 0; i + 1 < n_blocks; ++i)
        orders.fill(i, rule.order(parts, i, costs[i], costs[i + 1]));
    orders.play_all();
    const auto ask = [&](std::size_t left) {
        const std::size_t right = parts.next(left);
        orders.set(left, right < parts.end() ? rule.order(parts, left, costs[left], costs[right])
                                             : infinite);
    };
    std::size_t n_parts = n_blocks;
    while (n_parts > 1 && rule.accepts(orders.value(), n_parts, sum)) {
        if (n_parts % 4096 == 0) task.stop.check();
        const std::size_t part = orders.winner();
        const std::size_t right = parts.next(part);
        orders.set(right, infinite);
        const Numbers numbers = rule.joined_numbers(parts, part);
        const double joined = rule.part_cost(numbers);
        sum += joined - costs[part] - costs[right];
        costs[part] = joined;
        parts.join(part, numbers);
        --n_parts;
        ask(part);
        if (!parts.is_first(part)) ask(parts.previous(part));
    }
    return {parts.starts(), n_blocks == 1};
}

}  // namespace

extern const SearchEntry bottom_up{
    "bottom-up", "merges the cheapest pair of neighbours while it pays", run_bottom_up};

}  // namespace partage
