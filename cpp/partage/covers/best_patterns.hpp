#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "partage/covers/patterns.hpp"

namespace partage {

using Bits = std::vector<std::uint64_t>;

/// The rows of a task as bits: all of them, and those of the class.
struct RowBits {
    explicit RowBits(const PatternTask& task);

    Bits all;
    Bits positive;
};

/// Whether enough of the rows that a pattern covers are of its class.
bool is_pure(const Pattern& pattern, const PatternTask& task) noexcept;

/// Each row of the class keeps the best patterns of those that cover it.
class BestPatterns {
public:
    using Before = bool (*)(const Pattern&, const Pattern&);

    /// `before` says which of two patterns is better. Where `joins_alike`, a row keeps one of
    /// patterns that cover as many rows of each kind.
    BestPatterns(const PatternTask& task, Before before, bool joins_alike)
        : n_best_(task.n_best),
          before_(before),
          joins_alike_(joins_alike),
          best_of_(task.literals.n_rows()) {}

    bool has(std::size_t row) const noexcept { return !best_of_[row].empty(); }
    /// Shows a pattern to the rows of the class that it covers.
    void offer(const Pattern& pattern, const Bits& covered, const Bits& positive);
    /// All that some row keeps, best first.
    std::vector<Pattern> collect();

private:
    bool make_room(const Pattern& pattern, std::vector<std::size_t>& best) const;

    std::size_t n_best_;
    Before before_;
    bool joins_alike_;
    std::vector<std::vector<std::size_t>> best_of_;  // places in `known_`, best first
    std::vector<Pattern> known_;
};

}  // namespace partage
