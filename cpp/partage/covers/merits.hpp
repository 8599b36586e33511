#pragma once

#include "partage/covers/cover.hpp"

namespace partage {

/// Merits of the discriminants that are left: the pairs of different classes that a discriminant
/// separates and no other of its attribute does, or, with `global_merit`, all it separates.
class Merits {
public:
    Merits(const Examples& examples, const Kept& kept, bool global_merit);

    double of(std::size_t a, Index at) const;

    /// Forgets a discriminant; calls changed(at) for each whose merit may be another now.
    template <class Changed>
    void drop(std::size_t a, Index at, Changed changed) {
        remove(a, at);
        if (is_global_) return;
        if (examples_.attribute(a).is_ordered) {
            if (previous(a, at) != end) changed(previous(a, at));
            if (next(a, at) != end) changed(next(a, at));
            return;
        }
        for (Index v = 0; v < examples_.attribute(a).n_codes; ++v)
            if (v != at) changed(v);
    }

    static constexpr Index end = static_cast<Index>(-1);
    /// The kept threshold below a threshold, and the one above; `end`: there is none.
    Index previous(std::size_t a, Index at) const { return previous_[examples_.first(a) + at]; }
    Index next(std::size_t a, Index at) const { return next_[examples_.first(a) + at]; }

private:
    void remove(std::size_t a, Index at);
    void set_ordered(std::size_t a, const Kept& kept);
    void set_unordered(std::size_t a, const Kept& kept);
    void set_global(std::size_t a);

    const Examples& examples_;
    bool is_global_;
    std::vector<double> fixed_;       ///< global merits, which never change
    std::vector<ClassWeights> rows_;  ///< between a threshold and the one below; of a value
    std::vector<ClassWeights> rest_;  ///< above the last threshold; of the values not named
    std::vector<Index> previous_;
    std::vector<Index> next_;
};

}  // namespace partage
