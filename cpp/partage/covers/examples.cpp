#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "partage/covers/cover.hpp"

namespace partage {

double count_pairs(const ClassWeights& low, const ClassWeights& high, int direction) {
    const auto total = [](const ClassWeights& row) {
        double sum = 0.0;
        for (const ClassWeight& entry : row) sum += entry.weight;
        return sum;
    };
    if (direction < 0) return count_pairs(high, low, 1);
    double found = 0.0;
    std::size_t i = 0;
    if (direction > 0) {
        double below = 0.0;
        for (const ClassWeight& entry : high) {
            for (; i < low.size() && low[i].code < entry.code; ++i) below += low[i].weight;
            found += below * entry.weight;
        }
        return found;
    }
    found = total(low) * total(high);
    for (const ClassWeight& entry : high) {
        while (i < low.size() && low[i].code < entry.code) ++i;
        if (i < low.size() && low[i].code == entry.code) found -= low[i].weight * entry.weight;
    }
    return found;
}

ClassWeights join(const ClassWeights& a, const ClassWeights& b) {
    ClassWeights out;
    out.reserve(a.size() + b.size());
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < a.size() || k < b.size()) {
        if (k == b.size() || (i < a.size() && a[i].code < b[k].code)) {
            out.push_back(a[i++]);
        } else if (i == a.size() || b[k].code < a[i].code) {
            out.push_back(b[k++]);
        } else {
            out.push_back({a[i].code, a[i].weight + b[k].weight});
            ++i;
            ++k;
        }
    }
    return out;
}

Examples::Examples(std::span<const Index> codes, std::span<const Code> classes,
                   std::span<const double> weights, std::vector<Attribute> attributes)
    : attributes_(std::move(attributes)), first_{0}, has_missing_(attributes_.size(), false) {
    const std::size_t width = attributes_.size();
    const std::size_t n = classes.size();
    if (codes.size() != n * width || (!weights.empty() && weights.size() != n))
        throw std::invalid_argument("codes, classes and weights do not fit");
    std::size_t n_codes = 0;
    for (const Attribute& attribute : attributes_) {
        first_.push_back(first_.back() + attribute.n_discriminants());
        n_codes += attribute.n_codes;
    }
    if (n_codes > most_codes)
        throw std::invalid_argument("the columns have more than 268435456 different values in all");
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t a = 0; a < width; ++a) {
            if (codes[i * width + a] > attributes_[a].n_codes)
                throw std::invalid_argument("a code is beyond those of its attribute");
            if (codes[i * width + a] == attributes_[a].n_codes) has_missing_[a] = true;
        }
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index{0});
    const auto compare = [&](Index i, Index k) {
        const Index* a = codes.data() + i * width;
        const Index* b = codes.data() + k * width;
        for (std::size_t column = 0; column < width; ++column)
            if (a[column] != b[column]) return a[column] < b[column] ? -1 : 1;
        return static_cast<int>(classes[i]) - static_cast<int>(classes[k]);
    };
    std::sort(order.begin(), order.end(), [&](Index i, Index k) { return compare(i, k) < 0; });
    ClassWeights totals;
    for (std::size_t p = 0; p < n; ++p) {
        const Index i = order[p];
        const double weight = weights.empty() ? 1.0 : weights[i];
        if (p > 0 && compare(order[p - 1], i) == 0) {
            weights_.back() += weight;
        } else {
            codes_.insert(codes_.end(), codes.begin() + i * width, codes.begin() + (i + 1) * width);
            classes_.push_back(classes[i]);
            weights_.push_back(weight);
        }
    }
    std::vector<double> by_class(
        n == 0 ? 0 : std::size_t{1} + *std::max_element(classes.begin(), classes.end()), 0.0);
    for (std::size_t i = 0; i < size(); ++i) by_class[classes_[i]] += weights_[i];
    double before = 0.0;
    for (const double weight : by_class) {
        n_pairs_ += before * weight;
        before += weight;
    }
    sort_by_code();
}

void Examples::sort_by_code() {
    const std::size_t width = attributes_.size();
    order_.resize(size() * width);
    for (std::size_t a = 0; a < width; ++a) {
        starts_of_.push_back(starts_.size());
        const std::size_t n_codes = attributes_[a].n_codes;
        std::vector<Index> next(n_codes + 2, 0);
        for (std::size_t i = 0; i < size(); ++i) ++next[row(i)[a] + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        starts_.insert(starts_.end(), next.begin(), next.end());
        for (std::size_t i = 0; i < size(); ++i)
            order_[a * size() + next[row(i)[a]]++] = static_cast<Index>(i);
    }
}

ClassWeights Examples::class_weights(std::size_t a, Index code) const {
    ClassWeights out;
    for (const Index i : rows(a, code, code + 1)) out.push_back({classes_[i], weights_[i]});
    std::stable_sort(out.begin(), out.end(),
                     [](const ClassWeight& x, const ClassWeight& y) { return x.code < y.code; });
    std::size_t end = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (end > 0 && out[end - 1].code == out[i].code)
            out[end - 1].weight += out[i].weight;
        else
            out[end++] = out[i];
    }
    out.resize(end);
    return out;
}

}  // namespace partage
