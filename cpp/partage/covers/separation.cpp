#include <algorithm>
#include <cstdlib>

#include "partage/covers/cover.hpp"

namespace partage {
namespace {

/// A word that looks random, always the same for the same place (splitmix64).
std::uint64_t scramble(std::uint64_t seed) noexcept {
    seed += 0x9e3779b97f4a7c15ULL;
    seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebULL;
    return seed ^ (seed >> 31);
}

}  // namespace

Separation::Separation(const Examples& examples, std::span<const std::uint8_t> kept,
                       bool by_attribute)
    : examples_(&examples), by_attribute_(by_attribute), n_kept_(examples.n_attributes(), 0) {
    for (std::size_t a = 0; a < examples.n_attributes(); ++a) {
        const Attribute& attribute = examples.attribute(a);
        base_.push_back(places_.size());
        const std::uint8_t* is_kept = kept.data() + examples.first(a);
        std::int32_t place = 0;
        for (Index code = 0; code < attribute.n_codes; ++code) {
            if (attribute.is_ordered) {
                places_.push_back(place);
                if (code + 1 < attribute.n_codes) place += is_kept[code] != 0;
            } else {
                // Values that no discriminant names share the place 0.
                places_.push_back(is_kept[code] ? static_cast<std::int32_t>(code) + 1 : 0);
            }
        }
        places_.push_back(-1);
        for (std::size_t t = 0; t < attribute.n_discriminants(); ++t) n_kept_[a] += is_kept[t] != 0;
    }
    words_.resize(places_.size());
    sums_.assign(examples.size(), 0);
    sums_without_gaps_.assign(examples.size(), 0);
    for (std::size_t a = 0; a < examples.n_attributes(); ++a) {
        for (Index code = 0; code <= examples.attribute(a).n_codes; ++code) {
            const auto place = static_cast<std::uint32_t>(places_[base_[a] + code]);
            words_[base_[a] + code] = scramble((std::uint64_t{a} << 32) | place);
            if (is_active(a)) add_to_sums(a, code, code + 1, words_[base_[a] + code]);
        }
        count_ties(a);
    }
}

void Separation::count_ties(std::size_t a) {
    const Attribute& attribute = examples_->attribute(a);
    const auto size = [&](Index low, Index high) {
        return static_cast<double>(examples_->rows(a, low, high).size());
    };
    const auto n = static_cast<double>(examples_->size());
    const double gone = size(attribute.n_codes, attribute.n_codes + 1);
    double ties = gone * (2.0 * n - gone);
    double pooled = 0.0;
    for (Index low = 0; low < attribute.n_codes;) {
        Index high = low + 1;
        if (attribute.is_ordered)
            while (high < attribute.n_codes && place(a, high) == place(a, low)) ++high;
        const double rows = size(low, high);
        if (attribute.is_ordered || place(a, low) > 0)
            ties += rows * rows;
        else
            pooled += rows;
        low = high;
    }
    ties_.push_back(ties + pooled * pooled);
    pooled_.push_back(pooled);
}

/// Adds to the sums of the rows of some codes; numbers wrap around.
void Separation::add_to_sums(std::size_t a, Index low, Index high, std::uint64_t change) noexcept {
    for (const Index row : examples_->rows(a, low, high)) sums_[row] += change;
    if (examples_->has_missing(a)) return;
    for (const Index row : examples_->rows(a, low, high)) sums_without_gaps_[row] += change;
}

/// Takes an attribute without discriminants out of the sums.
void Separation::leave_sums(std::size_t a) noexcept {
    for (Index code = 0; code <= examples_->attribute(a).n_codes; ++code)
        add_to_sums(a, code, code + 1, std::uint64_t{0} - word(a, code));
}

double Separation::tie_chance(std::size_t a) const noexcept {
    const auto n = static_cast<double>(examples_->size());
    return n > 0.0 ? ties_[a] / (n * n) : 1.0;
}

void Separation::drop(std::size_t a, Index at) {
    const Attribute& attribute = examples_->attribute(a);
    std::int32_t* places = &places_[base_[a]];
    std::uint64_t* words = &words_[base_[a]];
    --n_kept_[a];
    if (!attribute.is_ordered) {
        const auto rows = static_cast<double>(examples_->rows(a, at, at + 1).size());
        ties_[a] += 2.0 * rows * pooled_[a];
        pooled_[a] += rows;
        places[at] = 0;
        const std::uint64_t before = words[at];
        words[at] = scramble(std::uint64_t{a} << 32);
        add_to_sums(a, at, at + 1, words[at] - before);
        if (!is_active(a)) leave_sums(a);
        return;
    }
    const std::int32_t left = places[at];
    Index low = at;
    while (low > 0 && places[low - 1] == left) --low;
    Index high = at + 1;
    while (high < attribute.n_codes && places[high] == left + 1) ++high;
    ties_[a] += 2.0 * static_cast<double>(examples_->rows(a, low, at + 1).size()) *
                static_cast<double>(examples_->rows(a, at + 1, high).size());
    // Codes of one place share a word: the fewer rows take that of the others.
    if (examples_->rows(a, low, at + 1).size() < examples_->rows(a, at + 1, high).size()) {
        add_to_sums(a, low, at + 1, words[at + 1] - words[at]);
        std::fill(words + low, words + at + 1, words[at + 1]);
    } else {
        add_to_sums(a, at + 1, high, words[at] - words[at + 1]);
        std::fill(words + at + 1, words + high, words[at]);
    }
    for (Index code = at + 1; code < attribute.n_codes; ++code) --places[code];
    if (!is_active(a)) leave_sums(a);
}

unsigned Separation::apart(std::size_t a, std::size_t x, std::size_t y) const noexcept {
    const std::int32_t p = place(a, examples_->row(x)[a]);
    const std::int32_t q = place(a, examples_->row(y)[a]);
    if (p == q || p < 0 || q < 0) return 0;
    const Attribute& attribute = examples_->attribute(a);
    if (attribute.direction != 0) {
        const bool rises = (p < q) == (examples_->label(x) < examples_->label(y));
        if (rises != (attribute.direction > 0)) return 0;
    }
    if (by_attribute_) return 1;
    if (attribute.is_ordered) return static_cast<unsigned>(std::abs(p - q));
    return static_cast<unsigned>((p > 0) + (q > 0));
}

bool Separation::is_within(std::span<const Index> attributes, std::size_t x, std::size_t y,
                           std::size_t most) const noexcept {
    std::size_t found = 0;
    for (const Index a : attributes) {
        found += apart(a, x, y);
        if (found > most) return false;
    }
    return true;
}

}  // namespace partage
