#include <array>

#include "partage/covers/cover.hpp"
#include "partage/support/registry.hpp"

namespace partage {
namespace {

constexpr CoverEntry ideal{.name = "ideal",
                           .meaning = "elimination, separators counted as discriminants",
                           .run = eliminate,
                           .is_eliminative = true};
constexpr CoverEntry ideal_by_attribute{.name = "ideal-by-attribute",
                                        .meaning = "elimination, separators counted as attributes",
                                        .run = eliminate,
                                        .by_attribute = true,
                                        .is_eliminative = true};
constexpr CoverEntry simple_greedy{.name = "simple-greedy",
                                   .meaning = "greedy cover of Almuallim and Dietterich",
                                   .run = cover_greedily,
                                   .max_consistency = 1};
constexpr CoverEntry greedy{
    .name = "greedy", .meaning = "greedy cover for any consistency", .run = cover_greedily};
constexpr CoverEntry tree{.name = "tree",
                          .meaning = "nodes of an unpruned decision tree",
                          .run = grow_tree,
                          .max_consistency = 1};

}  // namespace

std::span<const CoverEntry* const> covers() noexcept {
    static constexpr std::array list{&ideal, &ideal_by_attribute, &simple_greedy, &greedy, &tree};
    return list;
}

const CoverEntry& cover_named(std::string_view name) { return named(covers(), "cover", name); }

}  // namespace partage
