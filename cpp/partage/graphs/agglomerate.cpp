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

/// Objects from which on merging starts from smoothed classes and a pruned bipartition: what it
/// starts from otherwise is many pieces, and seldom leads to less.
constexpr std::size_t least_smoothed = 3'000;

/// How often classes are smoothed at most, and how many of the results are starts.
constexpr std::size_t most_smoothed = 64;
constexpr std::size_t n_smooth_starts = 2;

/// From so many objects on the balls of one class are too many to merge.
constexpr std::size_t least_without_balls = 6'000;

/// How many of the cheapest results are moved again at the end.
constexpr std::size_t n_moved_again = 3;

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

/// The class with the largest share where each object takes the mean of the shares around it some
/// number of times; of equals the first. `shares` are those of each point, taken further here.
Labels smooth_classes(const Objects& objects, std::size_t n_times, std::vector<double>& shares) {
    const std::size_t n_classes = objects.n_classes;
    std::vector<double> means(shares.size());
    for (std::size_t time = 0; time < n_times; ++time) {
        means = shares;
        for (Point p = 0; p < objects.n_points(); ++p) {
            const auto neighbours = objects.graph[p];
            for (const Point v : neighbours)
                for (std::size_t j = 0; j < n_classes; ++j)
                    means[p * n_classes + j] += shares[v * n_classes + j];
            for (std::size_t j = 0; j < n_classes; ++j)
                means[p * n_classes + j] /= static_cast<double>(neighbours.size() + 1);
        }
        shares.swap(means);
    }
    Labels class_of(objects.size());
    for (Point p = 0; p < objects.n_points(); ++p) {
        const auto first = shares.begin() + static_cast<std::ptrdiff_t>(p * n_classes);
        const auto most = std::max_element(first, first + static_cast<std::ptrdiff_t>(n_classes));
        std::fill(class_of.begin() + objects.starts[p], class_of.begin() + objects.starts[p + 1],
                  static_cast<std::uint32_t>(most - first));
    }
    return class_of;
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
        const auto is_all_below = [&](std::size_t n) {
            return initial == InitialGroups::all && objects_.size() < n;
        };
        const bool is_small = is_all_below(least_smoothed);
        if (initial == InitialGroups::balls || is_all_below(least_without_balls))
            try_start(clean_balls(cover()));
        if (initial == InitialGroups::classes || is_small)
            try_start(connected_pieces(objects_, objects_.classes));
        if (initial == InitialGroups::bipartition || initial == InitialGroups::all)
            for (const Labels& start : parts_of_bipartition()) try_start(start);
        if (initial == InitialGroups::all && !is_small)
            for (const Labels& start : smooth_starts()) try_start(start);
        if (initial == InitialGroups::singletons) try_start(single_objects(objects_));
        if (initial == InitialGroups::all) try_start(connected_pieces(objects_, common_));
        if (settings_.moves && objects_.size() >= least_smoothed) move_best();
        return best_;
    }

private:
    Cover& cover() noexcept { return *covers_.front(); }

    Description describe(const Labels& group_of) {
        const std::size_t n = *std::max_element(group_of.begin(), group_of.end()) + std::size_t{1};
        return Description(objects_, groups_from_labels(cover(), group_of, n), settings_.code);
    }

    /// Of the classes smoothed more and more, the connected objects that are described shortest.
    std::vector<Labels> smooth_starts() {
        std::vector<double> shares(objects_.n_points() * objects_.n_classes, 0.0);
        for (Point p = 0; p < objects_.n_points(); ++p)
            for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o)
                ++shares[p * objects_.n_classes + objects_.classes[o]];
        std::set<std::pair<double, Labels>> found;
        for (std::size_t n_times = 1; n_times <= most_smoothed; n_times *= 2) {
            workers_.stop.check();
            Labels pieces =
                connected_pieces(objects_, smooth_classes(objects_, (n_times + 1) / 2, shares));
            const double cost = describe(pieces).cost(cover()).total();
            found.emplace(cost, std::move(pieces));
        }
        std::vector<Labels> starts;
        for (const auto& [cost, pieces] : found)
            if (starts.size() < n_smooth_starts) starts.push_back(pieces);
        return starts;
    }

    /// Parts of recursive bipartition that hang together; of many objects also with the cuts alone
    /// that pay, which often leads elsewhere.
    std::vector<Labels> parts_of_bipartition() {
        Bipartition found = split_recursively(
            objects_, cover().balls(), {.prunes = false, .limits = settings_.limits}, workers_);
        std::vector<Labels> starts{connected_pieces(objects_, found.leaf_of)};
        if (settings_.initial == InitialGroups::all && objects_.size() >= least_smoothed) {
            found.prune(NullPrior::paper);
            starts.push_back(connected_pieces(objects_, found.leaf_of));
        }
        return starts;
    }

    /// Tries all moves of the cheapest results again: of many objects some were left out.
    void move_best() {
        std::size_t n_left = n_moved_again;
        for (const auto& [cost, group_of] : results_) {
            if (n_left-- == 0) return;
            move_again(group_of, cost);
        }
    }

    void move_again(Labels group_of, double cost) {
        for (;;) {
            Description description = describe(group_of);
            move_objects(description, cover(), workers_.stop);
            const double moved = description.cost(cover()).total();
            if (!is_lower(moved, cost)) break;
            cost = moved;
            group_of = description.group_of();
            number_by_first(group_of);
        }
        keep_if_lower(std::move(group_of), cost);
    }

    void keep_if_lower(Labels found, double cost) {
        if (!is_lower(cost, best_cost_)) return;
        best_ = std::move(found);
        best_cost_ = cost;
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
        results_.emplace(cost, found);
        keep_if_lower(std::move(found), cost);
    }

    const Objects& objects_;
    const AgglomerationSettings& settings_;
    const Workers& workers_;
    std::vector<std::unique_ptr<Cover>> covers_;   // one per thread
    std::set<Labels> starts_;                      // tried so far
    std::set<Labels> known_;                       // what they were merged and moved to
    std::set<std::pair<double, Labels>> results_;  // the cheapest first
    Labels common_;                                // objects that every start has left together
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
