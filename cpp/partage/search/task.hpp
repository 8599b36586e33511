#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/space/line.hpp"

namespace partage {

/// Costs nearer than this share of themselves are equal: then fewest parts, then leftmost.
constexpr double tie = 1e-9;

/// How the rates of the parts must go from left to right; equal neighbours are always allowed.
enum class Trend { free, ascending, descending, peak, valley, any };

/// Rows of separate segments (months, say) at each unit: their weight and their sum of scores.
struct Segments {
    Rows weights{0, 0};
    Rows scores{0, 0};
    std::size_t size() const noexcept { return weights.n_classes(); }
};

/// What a partition must satisfy; the one home of constraints.
struct Limits {
    std::size_t n_parts = 0;  ///< exactly so many; 0: as many as the criterion likes
    std::size_t max_parts = std::numeric_limits<std::size_t>::max();
    double min_weight = 0.0;             ///< of every part, unless there is one part only
    std::vector<double> min_counts{};    ///< of each class in every part; empty: none
    std::vector<Index> fixed{};          ///< units at which a part must start
    std::optional<Blocks> borders{};     ///< units at which parts may start; none: any
    std::size_t n_empty = 0;             ///< parts without rows, counted beside those found
    Trend trend = Trend::free;           ///< of the mean score of the parts
    std::vector<double> class_scores{};  ///< of each class: 0 and 1 for an event rate
    Segments segments{};                 ///< in each of which the trend must hold too
    std::vector<Index> hint{};           ///< starts of a partition found without these constraints

    std::size_t most() const noexcept { return n_parts > 0 ? n_parts : max_parts; }
    std::size_t least() const noexcept { return n_parts > 0 ? n_parts : 1; }
    bool allows(double part_weight) const noexcept { return part_weight >= min_weight; }
    bool allows(Row counts) const noexcept;
    /// Whether a cut inside a run may be needed.
    bool needs_units() const noexcept { return n_parts > 0 || min_weight > 0.0 || !is_plain(); }
    /// Whether sizes are all that is asked; else only programs know how to obey.
    bool is_plain() const noexcept {
        return min_counts.empty() && fixed.empty() && !borders && n_empty == 0 &&
               trend == Trend::free;
    }
    /// The same limits on blocks of units: borders, fixed starts and segments by block.
    Limits on(const Blocks& blocks) const;
};

/// No partition satisfies the limits.
class NotPossible : public std::domain_error {
public:
    using std::domain_error::domain_error;
};

/// The user asked to stop.
class Interrupted : public std::runtime_error {
public:
    Interrupted() : std::runtime_error("interrupted") {}
};

/// Lets a long search be stopped: `check` throws once `asked` is set or the poll says so. The poll,
/// which may be dear, is asked twenty times a second.
class Stop {
public:
    using Poll = bool (*)();
    explicit Stop(const std::atomic<bool>* asked = nullptr, Poll poll = nullptr)
        : asked_(asked), poll_(poll), polled_(Clock::now()) {}
    void check() const {
        if (asked_ != nullptr && asked_->load(std::memory_order_relaxed)) throw Interrupted();
        if (poll_ == nullptr) return;
        const auto now = Clock::now();
        if (now - polled_ < std::chrono::milliseconds(50)) return;
        polled_ = now;
        if (poll_()) throw Interrupted();
    }

private:
    using Clock = std::chrono::steady_clock;
    const std::atomic<bool>* asked_;
    Poll poll_;
    mutable Clock::time_point polled_;
};

/// Everything a search is given.
struct Task {
    const Line& line;
    const Problem& problem;
    const CriterionEntry& entry;
    const AnyCriterion& criterion;
    const Limits& limits;
    const Stop& stop;

    const PartitionCriterion& partition_criterion() const {
        return *std::get<std::unique_ptr<PartitionCriterion>>(criterion);
    }
};

/// What a search found.
struct Found {
    Blocks starts;            ///< first unit of each part, then the number of units
    bool is_optimal = false;  ///< proven by the search
};

/// One line of the list of searches.
struct SearchEntry {
    std::string_view name;
    std::string_view meaning;
    Found (*run)(const Task&);
};

/// Every search, in the order shown to users.
std::span<const SearchEntry* const> searches() noexcept;

/// The search of that name; throws std::invalid_argument if there is none.
const SearchEntry& search_named(std::string_view name);

/// The blocks a search starts from: runs where cuts inside them cannot help, else units, or those
/// that the limits name.
Blocks starting_blocks(const Task& task);

/// Throws NotPossible if no partition of the line satisfies the limits.
void check_limits(const Task& task);

/// Cost of a partition of the line.
double partition_cost(const Line& line, const PartitionCriterion& criterion, const Blocks& starts);

/// Whether cost `a` is lower than cost `b` beyond a tie.
inline bool is_lower(double a, double b) noexcept {
    constexpr double floor = 1e-13;  // rounding of costs that are zero
    return a < b - tie * (a < 0.0 ? -a : a) - floor;
}

/// A value on a grid of 1e-10 of itself, so that steps that tie but for rounding compare equal.
inline double on_grid(double value) noexcept {
    if (value > -1e-12 && value < 1e-12) return 0.0;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return std::bit_cast<double>((bits + (std::uint64_t{1} << 18)) &
                                 ~((std::uint64_t{1} << 19) - 1));
}

}  // namespace partage
