#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "partage/support/arrays.hpp"
#include "partage/support/stop.hpp"
#include "partage/support/ties.hpp"

namespace partage {

/// A column as a cover sees it: codes, and what may stand between them. The discriminants of an
/// ordered attribute are the thresholds code > t, t = 0 .. n_codes - 2; those of an unordered one
/// are its values, code = v.
struct Attribute {
    Index n_codes = 0;  ///< the code n_codes itself stands for a missing value
    bool is_ordered = true;
    int direction = 0;  ///< +1, -1: only pairs whose classes rise, fall with the codes count

    std::size_t n_discriminants() const noexcept {
        if (is_ordered) return n_codes > 0 ? n_codes - 1 : 0;
        return n_codes;
    }
};

/// The entries of an interval or a value: weight by class, in the order of the classes.
struct ClassWeight {
    Code code;
    double weight;
};
using ClassWeights = std::vector<ClassWeight>;

/// Weight of the pairs of different classes with one row in each; with a direction, only those
/// whose class is lower in `low` (+1) or higher (-1).
double count_pairs(const ClassWeights& low, const ClassWeights& high, int direction);

ClassWeights join(const ClassWeights& a, const ClassWeights& b);

/// Rows to be separated. Rows of equal codes and class are kept as one, with their weight.
class Examples {
public:
    /// Codes of all attributes together: each takes memory, whether or not a row has it.
    static constexpr std::size_t most_codes = std::size_t{1} << 28;

    /// `codes` is row-major; a code beyond those of its attribute, or more codes than `most_codes`,
    /// throws std::invalid_argument.
    Examples(std::span<const Index> codes, std::span<const Code> classes,
             std::span<const double> weights, std::vector<Attribute> attributes);

    std::size_t size() const noexcept { return classes_.size(); }
    std::size_t n_attributes() const noexcept { return attributes_.size(); }
    const std::vector<Attribute>& attributes() const noexcept { return attributes_; }
    const Attribute& attribute(std::size_t a) const noexcept { return attributes_[a]; }
    std::size_t n_discriminants() const noexcept { return first_.back(); }
    /// Index of the first discriminant of an attribute.
    std::size_t first(std::size_t a) const noexcept { return first_[a]; }
    const Index* row(std::size_t i) const noexcept { return &codes_[i * attributes_.size()]; }
    Code label(std::size_t i) const noexcept { return classes_[i]; }
    double weight(std::size_t i) const noexcept { return weights_[i]; }
    bool has_missing(std::size_t a) const noexcept { return has_missing_[a]; }
    /// Rows whose code of an attribute lies in [low, high), by code.
    std::span<const Index> rows(std::size_t a, Index low, Index high) const noexcept {
        const Index* starts = &starts_[starts_of_[a]];
        return {&order_[a * size()] + starts[low], starts[high] - starts[low]};
    }
    /// Class weights of a code.
    ClassWeights class_weights(std::size_t a, Index code) const;
    /// Weight of all pairs of different classes.
    double n_pairs() const noexcept { return n_pairs_; }

private:
    void sort_by_code();

    std::vector<Attribute> attributes_;
    std::vector<std::size_t> first_;
    std::vector<Index> codes_;
    std::vector<Code> classes_;
    std::vector<double> weights_;
    std::vector<bool> has_missing_;
    std::vector<Index> order_;            ///< rows by code, one attribute after the other
    std::vector<Index> starts_;           ///< where each code starts in `order_`
    std::vector<std::size_t> starts_of_;  ///< where the starts of an attribute begin
    double n_pairs_ = 0.0;
};

/// How far apart a set of discriminants puts rows.
class Separation {
public:
    /// With `by_attribute` an attribute counts once, however many of its discriminants separate.
    Separation(const Examples& examples, std::span<const std::uint8_t> kept, bool by_attribute);

    /// Forgets a discriminant. O(codes of its attribute + rows that change their place).
    void drop(std::size_t a, Index at);
    bool is_active(std::size_t a) const noexcept { return n_kept_[a] > 0; }
    /// Place of a code among the kept discriminants of its attribute; below 0: missing.
    std::int32_t place(std::size_t a, Index code) const noexcept {
        return places_[base_[a] + code];
    }
    /// Random word of a code's place.
    std::uint64_t word(std::size_t a, Index code) const noexcept { return words_[base_[a] + code]; }
    /// Sum of the words of a row over the active attributes, kept up to date.
    std::uint64_t sum(std::size_t row) const noexcept { return sums_[row]; }
    /// The same over the active attributes that no row lacks.
    std::uint64_t sum_without_gaps(std::size_t row) const noexcept {
        return sums_without_gaps_[row];
    }
    /// Separators of two rows that attribute `a` has.
    unsigned apart(std::size_t a, std::size_t x, std::size_t y) const noexcept;
    /// Whether at most `most` separators of two rows exist among these attributes.
    bool is_within(std::span<const Index> attributes, std::size_t x, std::size_t y,
                   std::size_t most) const noexcept;
    /// Chance that two rows share the place in an attribute.
    double tie_chance(std::size_t a) const noexcept;
    const Examples& examples() const noexcept { return *examples_; }
    bool by_attribute() const noexcept { return by_attribute_; }

private:
    void count_ties(std::size_t a);
    void add_to_sums(std::size_t a, Index low, Index high, std::uint64_t change) noexcept;
    void leave_sums(std::size_t a) noexcept;

    const Examples* examples_;
    bool by_attribute_;
    std::vector<std::size_t> base_;
    std::vector<std::int32_t> places_;
    std::vector<std::uint64_t> words_;
    std::vector<std::size_t> n_kept_;
    std::vector<std::uint64_t> sums_;
    std::vector<std::uint64_t> sums_without_gaps_;
    std::vector<double> ties_;    ///< ordered pairs of rows that share a place, or lack one
    std::vector<double> pooled_;  ///< rows of the values that no discriminant names
};

/// What a cover must be.
struct CoverTask {
    const Examples& examples;
    std::size_t consistency = 1;
    bool by_attribute = false;
    bool global_merit = false;
    double tolerance = 0.0;             ///< share of the pairs that may lack separators
    std::size_t max_discriminants = 0;  ///< 0: as many as it takes
    std::size_t patience = 0;   ///< kept in a row before the rest is kept untested; 0: no end
    std::size_t max_pairs = 0;  ///< pairs of blocks that a greedy cover may hold
    const Stop& stop;
};

/// A greedy cover would need more memory than it may take.
class TooManyPairs : public std::length_error {
public:
    TooManyPairs() : std::length_error("more pairs of blocks than allowed") {}
};

/// Which discriminants are kept.
using Kept = std::vector<std::uint8_t>;

/// Iterative elimination of the discriminant of least merit (IDEAL).
Kept eliminate(const CoverTask& task);

/// Greedy cover: the discriminant that separates most pairs still short of separators, each step.
Kept cover_greedily(const CoverTask& task);

/// Nodes of an unpruned tree; a missing value goes where its discriminant does not hold.
Kept grow_tree(const CoverTask& task);

/// Weight of the pairs that `kept` separates less than min(c, what all discriminants give).
double count_short_pairs(const CoverTask& task, const Kept& kept);

/// Weight of the pairs of different classes by number of separators: 0 .. limit - 1.
std::vector<double> count_close_pairs(const Examples& examples, const Kept& kept, std::size_t limit,
                                      const Stop& stop);

/// Fewest separators of a pair of different classes; n_discriminants + 1 without such a pair.
std::size_t smallest_separation(const Examples& examples, const Kept& kept, const Stop& stop);

/// Merit of each kept discriminant: pairs that it alone of its attribute separates, or all.
std::vector<double> merits(const Examples& examples, const Kept& kept, bool global_merit);

/// One line of the list of covers.
struct CoverEntry {
    std::string_view name;
    std::string_view meaning;
    Kept (*run)(const CoverTask&);
    bool by_attribute = false;
    bool is_eliminative = false;
    std::size_t max_consistency = 0;  ///< 0: any
};

/// Every cover, in the order shown to users.
std::span<const CoverEntry* const> covers() noexcept;

/// The cover of that name; throws std::invalid_argument if there is none.
const CoverEntry& cover_named(std::string_view name);

}  // namespace partage
