#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "partage/criteria/walk.hpp"
#include "partage/rows/row.hpp"
#include "partage/space/line.hpp"
#include "partage/support/registry.hpp"
#include "partage/support/stop.hpp"
#include "partage/support/ties.hpp"

namespace partage {

/// What a criterion may know of the column before any part is judged.
struct Problem {
    std::vector<double> totals;  ///< numbers of the whole column: the weight of each class, say
    double n_samples;            ///< its weight
    std::size_t n_values;        ///< values to be grouped in any way; 0: the units are in a line
    double of_log_parts = 0.0;   ///< nats for each logarithm of the number of sets
    double n_beside = 0.0;       ///< sets of rows beside the parts

    explicit Problem(std::vector<double> class_totals, std::size_t n_unordered = 0,
                     Reads reads = Reads::counts)
        : totals(std::move(class_totals)),
          n_samples(Layout{reads, totals.size()}.weight(totals)),
          n_values(n_unordered) {}
    explicit Problem(const Line& line, std::size_t n_unordered = 0)
        : Problem(line.totals(), n_unordered, line.layout().reads) {}
    std::size_t n_classes() const noexcept { return totals.size(); }
};

/// How the structure cost grows with the number of parts, which decides the exact program.
enum class Growth { linear, concave, other };

/// Where the cuts inside some blocks may lie: the counts before each of them differ from `row` by
/// no less than `low` and no more than `high`.
struct Band {
    Numbers row;
    Numbers low;
    Numbers high;
    Numbers first;        ///< counts before the part that is cut
    Numbers last;         ///< counts before its end
    double left_weight;   ///< from `first` to `row`
    double right_weight;  ///< from `row` to `last`
};

/// Judges whole partitions: total(K, Σ part(row)), lower is better. A criterion needs `part`, and
/// `structure` or `total`; every search takes it as it is. What follows them are claims that make
/// searches faster, and bulk forms of `part` that `Separable` has in fewer steps.
class PartitionCriterion {
public:
    virtual ~PartitionCriterion() = default;
    /// Cost of one part that is not empty.
    virtual double part(Row row) const noexcept = 0;
    /// The same as results carry it: without the rounding of large sums, and in its own time.
    virtual double exact_part(Row row) const noexcept { return part(row); }
    /// Cost of the number of parts.
    virtual double structure(std::size_t) const noexcept { return 0.0; }
    /// Cost of a partition from the sum of its part costs; grows with that sum.
    virtual double total(std::size_t n_parts, double parts) const noexcept {
        return structure(n_parts) + parts;
    }
    /// How `structure` grows; `other` where `total` is not a sum.
    virtual Growth growth() const noexcept { return Growth::linear; }
    /// Parts a top-down search makes at any cost.
    virtual std::size_t least_parts() const noexcept { return 1; }

    /// Claims that the part cost is a concave function of the row, its weight included.
    virtual bool is_concave() const noexcept { return false; }
    /// Claims that the cost of a part is the length of a code of its classes: one more row of a
    /// class adds about -log of its share, smoothed. Lets searches for groups skip moves.
    virtual bool is_code_length() const noexcept { return false; }
    /// Least that any part's cost grows by when these rows join it, or minus infinity where nothing
    /// is known: part(a + b) >= part(a) + least_growth(b) >= part(a). Lets programs skip starts.
    virtual double least_growth(Row) const noexcept { return -infinite; }
    /// The same of the blocks [first, last); `row` is room for their numbers.
    virtual double growth_between(const Cumulative& sums, std::size_t first, std::size_t last,
                                  std::span<double> row) const noexcept {
        sums.subtract(first, last, row);
        return least_growth(sums.layout().row(row));
    }

    /// Least that any part costs, or minus infinity where nothing is known. Bounds the optimum
    /// where `least_growth` is not known.
    virtual double least_part() const noexcept { return -infinite; }

    /// Costs of the parts [i, last) for i in [first, end), into out[i - first].
    virtual void parts_ending_at(const Cumulative& sums, std::size_t first, std::size_t end,
                                 std::size_t last, double* out) const;
    /// Cost of the part between two running sums.
    virtual double part_between(const Layout& layout, Numbers before, Numbers after) const;
    /// The cuts inside some blocks, in order, with the costs of both sides.
    virtual std::unique_ptr<Walk> walk(Cuts cuts) const;
    /// Joins each block to the one before, unless joining loses more than `clear_loss` or makes a
    /// block heavier than `most`.
    virtual CountedBlocks sweep(const Line& line, const Blocks& blocks, double most,
                                double clear_loss, const Stop& stop) const;
    /// Costs of some rows of a table, each joined to the row behind it.
    virtual void joined_parts(const Rows& rows, std::span<const Index> at, double* out) const;
    /// Whether `bound` knows anything.
    virtual bool has_bounds() const noexcept { return false; }
    /// Lower bound of the cost of both sides of every cut in a band; `corners` has room for two
    /// numbers a class.
    virtual double bound(const Band&, std::span<double>) const noexcept { return -infinite; }
};

/// A cut of the blocks [first, last) that a split criterion proposes.
struct Split {
    std::size_t at = 0;     ///< first block of the right side; 0: there is no cut
    double gain = 0.0;      ///< what it gains, to order the splits of several parts
    bool accepted = false;  ///< whether the criterion's own rule makes it
};

/// Judges one bipartition of a part.
class SplitCriterion {
public:
    virtual ~SplitCriterion() = default;
    /// The best of the cuts that leave at least `least_weight` on either side.
    virtual Split best(const Cuts& cuts, double least_weight) const = 0;
};

/// Judges whether two neighbours are alike.
class PairTest {
public:
    virtual ~PairTest() = default;
    /// How different two parts are; the least different pair merges first.
    virtual double difference(Row a, Row b) const noexcept = 0;
    /// Pairs below this are merged.
    virtual double threshold() const noexcept = 0;
};

using AnyCriterion = std::variant<std::unique_ptr<PartitionCriterion>,
                                  std::unique_ptr<SplitCriterion>, std::unique_ptr<PairTest>>;

/// Which units may join: neighbours on a line, or any.
enum class Space { line, any };

/// What the numbers of costs are: nats, so that they compare with code lengths, or the criterion's
/// own.
enum class Unit { nats, own };

/// One line of the list of criteria.
struct CriterionEntry {
    std::string_view name;
    std::string_view meaning;
    Reads reads = Reads::counts;
    std::vector<Space> spaces = {Space::line};
    std::vector<std::string_view> searches;  ///< its own first; "auto" is always allowed
    Unit unit = Unit::own;
    bool own_cost = false;      ///< results carry its own cost; else they carry MODL's
    bool border_cuts = false;   ///< cuts at the ends of runs reach the overall optimum
    bool needs_size = false;    ///< n_parts or max_parts must be given
    std::size_t n_moments = 3;  ///< numbers that a row has at least, where it reads moments
    std::vector<Parameter> parameters = {};
    AnyCriterion (*make)(const Problem&, std::span<const double> parameters);
};

/// Every criterion, in the order shown to users.
std::span<const CriterionEntry* const> criteria() noexcept;

/// The criterion of that name; throws std::invalid_argument if there is none.
const CriterionEntry& criterion_named(std::string_view name);

/// The criterion of whole partitions that an entry makes; throws std::invalid_argument if it makes
/// none.
std::unique_ptr<PartitionCriterion> make_partition_criterion(const CriterionEntry& entry,
                                                             const Problem& problem,
                                                             std::span<const double> parameters);

template <class Kind>
AnyCriterion make(const Problem& problem, std::span<const double>) {
    return std::make_unique<Kind>(problem);
}

template <class Kind>
AnyCriterion make_with(const Problem& problem, std::span<const double> parameters) {
    return std::make_unique<Kind>(problem, parameters);
}

}  // namespace partage
