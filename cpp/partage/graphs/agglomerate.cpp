#include "partage/graphs/agglomerate.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "partage/graphs/bipartition.hpp"
#include "partage/graphs/merge_groups.hpp"
#include "partage/graphs/pieces.hpp"

namespace partage {
namespace {

using Labels = std::vector<std::uint32_t>;

/// Objects from which on clean balls are no start: they are many, and seldom lead to the best.
constexpr std::size_t least_without_balls = 3'000;

Labels single_objects(const Objects& objects) {
    Labels group_of(objects.size());
    std::iota(group_of.begin(), group_of.end(), 0U);
    return group_of;
}

/// The largest balls of one class, and what they leave as single objects.
Labels clean_balls(Cover& cover) {
    const Objects& objects = cover.objects();
    Labels group_of = single_objects(objects);
    std::vector<std::vector<std::uint32_t>> classes(objects.n_classes);
    for (std::uint32_t o = 0; o < objects.size(); ++o) classes[objects.classes[o]].push_back(o);
    for (const auto& members : classes) {
        const Decomposition balls = cover.decompose(members);
        for (const Described& ball : balls.balls) {
            const auto points = balls.points_of(ball);
            const std::uint32_t first = objects.starts[points.front()];
            for (const Point p : points)
                for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
                    group_of[o] = first;
        }
    }
    number_by_first(group_of);
    return group_of;
}

/// Parts objects that another partition keeps apart.
void refine(Labels& group_of, const Labels& other) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
    for (std::size_t o = 0; o < group_of.size(); ++o) {
        const auto next = static_cast<std::uint32_t>(numbers.size());
        group_of[o] = numbers.try_emplace({group_of[o], other[o]}, next).first->second;
    }
}

class Agglomeration {
public:
    Agglomeration(const Objects& objects, const Balls& balls, const AgglomerationSettings& settings,
                  const Workers& workers)
        : objects_(objects), settings_(settings), workers_(workers) {
        for (std::size_t thread = 0; thread < std::max<std::size_t>(1, workers.n_threads); ++thread)
            covers_.push_back(std::make_unique<Cover>(objects, balls));
    }

    /// The cheapest of what the starts lead to and one group, which wins ties: pieces of a graph
    /// are merged nowhere else.
    Labels run() {
        best_.assign(objects_.size(), 0);
        common_ = best_;
        best_cost_ = describe(best_).cost(cover()).total();
        const InitialGroups initial = settings_.initial;
        const auto asks_for = [initial](InitialGroups start) {
            return initial == start || initial == InitialGroups::all;
        };
        const bool has_balls = objects_.size() < least_without_balls;
        if (initial == InitialGroups::balls || (initial == InitialGroups::all && has_balls))
            try_start(clean_balls(cover()));
        if (asks_for(InitialGroups::classes))
            try_start(connected_pieces(objects_, objects_.classes));
        if (asks_for(InitialGroups::bipartition)) try_start(parts_of_bipartition());
        if (initial == InitialGroups::singletons) try_start(single_objects(objects_));
        if (initial == InitialGroups::all) try_start(connected_pieces(objects_, common_));
        return best_;
    }

private:
    Cover& cover() noexcept { return *covers_.front(); }

    Description describe(const Labels& group_of) {
        const std::size_t n = *std::max_element(group_of.begin(), group_of.end()) + std::size_t{1};
        return Description(objects_, groups_from_labels(cover(), group_of, n), settings_.code);
    }

    Labels parts_of_bipartition() {
        const Bipartition found = split_recursively(
            objects_, cover().balls(), {.prunes = false, .limits = settings_.limits}, workers_);
        return connected_pieces(objects_, found.leaf_of);
    }

    void try_start(const Labels& start) {
        if (!starts_.insert(start).second) return;
        Labels found = GroupMerger(covers_, settings_.code, workers_).run(start);
        if (!known_.insert(found).second) return;
        Description description = describe(found);
        if (settings_.moves) {
            move_objects(description, cover(), workers_.stop);
            found = description.group_of();
            number_by_first(found);
            known_.insert(found);  // moves would leave it as it is
        }
        refine(common_, found);
        const double cost = description.cost(cover()).total();
        if (!is_lower(cost, best_cost_)) return;
        best_ = std::move(found);
        best_cost_ = cost;
    }

    const Objects& objects_;
    const AgglomerationSettings& settings_;
    const Workers& workers_;
    std::vector<std::unique_ptr<Cover>> covers_;  // one per thread
    std::set<Labels> starts_;                     // tried so far
    std::set<Labels> known_;                      // what they were merged and moved to
    Labels common_;                               // objects that every start has left together
    Labels best_;
    double best_cost_ = 0.0;
};

}  // namespace

std::vector<std::uint32_t> agglomerate(const Objects& objects, const Balls& balls,
                                       const AgglomerationSettings& settings,
                                       const Workers& workers) {
    return Agglomeration(objects, balls, settings, workers).run();
}

}  // namespace partage
