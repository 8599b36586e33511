#include "partage/criteria/class_code.hpp"
#include "partage/criteria/structure.hpp"

namespace partage {
namespace {

AnyCriterion make_modl(const Problem& problem, std::span<const double>) {
    return make_class_code(problem, Structure(problem));
}

}  // namespace

extern const CriterionEntry modl{
    .name = "modl",
    .meaning = "Bayes optimal description of the classes, no parameter",
    .spaces = {Space::line, Space::any},
    .searches = {"exact", "bottom-up", "top-down", "coarse"},
    .unit = Unit::nats,
    .own_cost = true,
    .border_cuts = true,
    .make = make_modl};

}  // namespace partage
