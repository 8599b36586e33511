#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "partage/rows/row.hpp"

namespace partage {

/// What a criterion may know of the column before any part is judged.
struct Problem {
    std::vector<double> totals;  ///< weight of each class
    double n_samples;            ///< their sum
    std::size_t n_values;        ///< values to be grouped in any way; 0: the units are in a line

    explicit Problem(std::vector<double> class_totals, std::size_t n_unordered = 0)
        : totals(std::move(class_totals)), n_samples(weight(totals)), n_values(n_unordered) {}
    std::size_t n_classes() const noexcept { return totals.size(); }
};

/// How the structure cost grows with the number of parts, which decides the exact program.
enum class Growth { linear, concave, other };

/// Judges whole partitions: total(K, Σ part(row)), lower is better.
class PartitionCriterion {
public:
    virtual ~PartitionCriterion() = default;
    /// Cost of one part that is not empty.
    virtual double part(Row counts) const noexcept = 0;
    /// Cost of the number of parts.
    virtual double structure(std::size_t) const noexcept { return 0.0; }
    /// Cost of a partition from the sum of its part costs; grows with that sum.
    virtual double total(std::size_t n_parts, double parts) const noexcept {
        return structure(n_parts) + parts;
    }
    /// How `structure` grows; `other` where `total` is not a sum.
    virtual Growth growth() const noexcept { return Growth::linear; }
    /// Parts a top-down search makes whatever they cost.
    virtual std::size_t least_parts() const noexcept { return 1; }
    /// Least that any part's cost grows by when these rows join it, or minus infinity where nothing
    /// is known: part(a + b) >= part(a) + least_growth(b) >= part(a). Lets programs skip starts.
    virtual double least_growth(Row) const noexcept { return -infinite; }
    /// Costs of the parts [i, last) for i in [first, end), into out[i - first].
    virtual void parts_ending_at(const Cumulative& sums, std::size_t first, std::size_t end,
                                 std::size_t last, double* out) const;
};

/// A cut of the blocks [first, last) that a split criterion proposes.
struct Split {
    std::size_t at = 0;     ///< first block of the right side; 0: there is no cut
    double gain = 0.0;      ///< what it gains, to order the splits of several parts
    bool accepted = false;  ///< whether the criterion's own rule makes it
};

class CutWalk;

/// Judges one bipartition of a part.
class SplitCriterion {
public:
    virtual ~SplitCriterion() = default;
    virtual Split best(CutWalk& cuts) const = 0;
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

/// A parameter of a criterion: a number in (low, high), or one of some words given by its index.
struct Parameter {
    std::string_view name;
    std::string_view meaning;
    double fallback;
    double low = -infinite;
    double high = infinite;
    bool low_included = true;
    bool high_included = true;
    std::vector<std::string_view> words = {};
};

/// One line of the list of criteria.
struct CriterionEntry {
    std::string_view name;
    std::string_view meaning;
    std::vector<std::string_view> searches;  ///< its own first; "auto" is always allowed
    bool own_cost;                           ///< results carry its own cost; else they carry MODL's
    bool border_cuts;                        ///< cuts at the ends of runs reach the overall optimum
    bool needs_size;                         ///< n_parts or max_parts must be given
    std::vector<Parameter> parameters;
    AnyCriterion (*make)(const Problem&, std::span<const double> parameters);
};

/// Every criterion, in the order shown to users.
std::span<const CriterionEntry* const> criteria() noexcept;

/// The criterion of that name; throws std::invalid_argument if there is none.
const CriterionEntry& criterion_named(std::string_view name);

template <class Kind>
AnyCriterion make(const Problem& problem, std::span<const double>) {
    return std::make_unique<Kind>(problem);
}

template <class Kind>
AnyCriterion make_with(const Problem& problem, std::span<const double> parameters) {
    return std::make_unique<Kind>(problem, parameters);
}

}  // namespace partage
