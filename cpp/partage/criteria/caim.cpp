#include <algorithm>

#include "partage/criteria/criterion.hpp"

namespace partage {
namespace {

/// CAIM: -(1/K) Σ max_j n_kj² / n_k.
class Caim final : public PartitionCriterion {
public:
    explicit Caim(const Problem& problem) : n_classes_(problem.n_classes()) {}

    double part(Row row) const noexcept override {
        const double most = *std::max_element(row.sums.begin(), row.sums.end());
        return row.weight > 0.0 ? -most * most / row.weight : 0.0;
    }
    double total(std::size_t n_parts, double parts) const noexcept override {
        return parts / static_cast<double>(n_parts);
    }
    Growth growth() const noexcept override { return Growth::other; }
    std::size_t least_parts() const noexcept override { return n_classes_; }

private:
    std::size_t n_classes_;
};

}  // namespace

extern const CriterionEntry caim{.name = "caim",
                                 .meaning = "class-attribute interdependence",
                                 .searches = {"top-down"},
                                 .border_cuts = true,
                                 .make = make<Caim>};

}  // namespace partage
