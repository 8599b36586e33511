#include "partage/covers/merits.hpp"

#include <algorithm>

namespace partage {
namespace {

/// Takes the weights of `part` out of `whole`, which holds its classes.
ClassWeights without(ClassWeights whole, const ClassWeights& part) {
    std::size_t i = 0;
    for (const ClassWeight& entry : part) {
        while (whole[i].code < entry.code) ++i;
        whole[i].weight -= entry.weight;
    }
    std::erase_if(whole, [](const ClassWeight& entry) { return entry.weight <= 0.0; });
    return whole;
}

}  // namespace

Merits::Merits(const Examples& examples, const Kept& kept, bool global_merit)
    : examples_(examples),
      is_global_(global_merit),
      fixed_(global_merit ? kept.size() : 0, 0.0),
      rows_(kept.size()),
      rest_(examples.n_attributes()),
      previous_(kept.size(), end),
      next_(kept.size(), end) {
    for (std::size_t a = 0; a < examples.n_attributes(); ++a) {
        examples.attribute(a).is_ordered ? set_ordered(a, kept) : set_unordered(a, kept);
        if (is_global_) set_global(a);
    }
}

double Merits::of(std::size_t a, Index at) const {
    const std::size_t tau = examples_.first(a) + at;
    if (is_global_) return fixed_[tau];
    const bool is_last = !examples_.attribute(a).is_ordered || next_[tau] == end;
    return count_pairs(rows_[tau], is_last ? rest_[a] : rows_[examples_.first(a) + next_[tau]],
                       examples_.attribute(a).direction);
}

void Merits::remove(std::size_t a, Index at) {
    const std::size_t first = examples_.first(a);
    const std::size_t tau = first + at;
    const Index next = next_[tau];
    if (!is_global_) {
        ClassWeights& right = next == end ? rest_[a] : rows_[first + next];
        right = join(rows_[tau], right);
        rows_[tau] = {};
    }
    if (next != end) previous_[first + next] = previous_[tau];
    if (previous_[tau] != end) next_[first + previous_[tau]] = next;
}

void Merits::set_ordered(std::size_t a, const Kept& kept) {
    const Attribute& attribute = examples_.attribute(a);
    const std::size_t first = examples_.first(a);
    ClassWeights open;
    Index before = end;
    for (Index code = 0; code < attribute.n_codes; ++code) {
        if (!is_global_) open = join(open, examples_.class_weights(a, code));
        if (code + 1 == attribute.n_codes || !kept[first + code]) continue;
        rows_[first + code] = std::move(open);
        open = {};
        previous_[first + code] = before;
        if (before != end) next_[first + before] = code;
        before = code;
    }
    rest_[a] = std::move(open);
}

void Merits::set_unordered(std::size_t a, const Kept& kept) {
    if (is_global_) return;
    const std::size_t first = examples_.first(a);
    for (Index v = 0; v < examples_.attribute(a).n_codes; ++v) {
        ClassWeights own = examples_.class_weights(a, v);
        if (kept[first + v])
            rows_[first + v] = std::move(own);
        else
            rest_[a] = join(rest_[a], own);
    }
}

void Merits::set_global(std::size_t a) {
    const Attribute& attribute = examples_.attribute(a);
    ClassWeights all;
    for (Index code = 0; code < attribute.n_codes; ++code)
        all = join(all, examples_.class_weights(a, code));
    ClassWeights low;
    for (Index at = 0; at < attribute.n_discriminants(); ++at) {
        const ClassWeights own = examples_.class_weights(a, at);
        low = attribute.is_ordered ? join(low, own) : own;
        fixed_[examples_.first(a) + at] = count_pairs(low, without(all, low), attribute.direction);
    }
}

std::vector<double> merits(const Examples& examples, const Kept& kept, bool global_merit) {
    const Merits found(examples, kept, global_merit);
    std::vector<double> out;
    for (std::size_t a = 0; a < examples.n_attributes(); ++a)
        for (Index at = 0; at < examples.attribute(a).n_discriminants(); ++at)
            if (kept[examples.first(a) + at]) out.push_back(found.of(a, at));
    return out;
}

}  // namespace partage
