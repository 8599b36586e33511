#pragma once

#include "partage/criteria/separable.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {

/// A concave and homogeneous impurity of each part, plus log N for every part.
template <class Own>
class Impurity : public Separable<Own> {
public:
    explicit Impurity(const Problem& problem) : price_(portable_log(problem.n_samples)) {}

    double structure(std::size_t n_parts) const noexcept override {
        return price_ * static_cast<double>(n_parts);
    }
    bool is_concave() const noexcept override { return true; }
    // Concave and homogeneous, hence superadditive.
    double least_growth(Row row) const noexcept override { return this->part(row); }

private:
    double price_;
};

}  // namespace partage
