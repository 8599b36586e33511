#include "partage/graphs/bipartition.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "partage/graphs/regions.hpp"
#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Members = std::vector<std::uint32_t>;

/// A subset that waits for its examination.
struct Waiting {
    Members members;
    std::vector<std::uint64_t> balls;  // those of the whole graph inside it, for global balls
    std::int64_t parent;
    bool is_ball;
};

/// The best ball of one subset.
struct Best {
    double cost = infinity;
    std::uint32_t n_balls = 0;
    std::uint32_t size = 0;
    std::int64_t ball = -1;    // among the balls given; -1: one object, or none
    std::int64_t object = -1;  // the one object
};

class Recursion {
public:
    Recursion(const Objects& objects, const Balls& balls, const BipartitionSettings& settings,
              const Workers& workers)
        : objects_(objects),
          settings_(settings),
          workers_(workers),
          quiet_{workers.stop, workers.n_threads, nullptr},
          balls_(&balls),
          region_(objects.n_points()),
          seen_(objects.n_points(), 0),
          is_member_(objects.size(), 0) {}

    Bipartition run() {
        Members all(objects_.size());
        std::iota(all.begin(), all.end(), 0U);
        result_.leaf_of.assign(objects_.size(), 0);
        std::vector<std::uint64_t> inside;
        if (settings_.kind == BallKind::global) {
            inside.resize(balls_->size());
            std::iota(inside.begin(), inside.end(), std::uint64_t{0});
        }
        workers_.start(objects_.size());
        std::vector<Waiting> waiting;
        waiting.push_back({std::move(all), std::move(inside), -1, false});
        while (!waiting.empty()) {
            workers_.stop.check();
            Waiting subset = std::move(waiting.back());
            waiting.pop_back();
            examine(std::move(subset), waiting);
        }
        return std::move(result_);
    }

private:
    void examine(Waiting subset, std::vector<Waiting>& waiting) {
        if (settings_.kind != BallKind::global) {
            own_ = find_balls(objects_, subset.members, settings_.kind, settings_.limits, quiet_);
            balls_ = &own_;
            subset.balls.resize(own_.size());
            std::iota(subset.balls.begin(), subset.balls.end(), std::uint64_t{0});
        }
        const auto here = static_cast<std::int64_t>(result_.nodes.size());
        SplitNode node;
        node.parent = subset.parent;
        node.is_ball = subset.is_ball;
        node.counts.assign(objects_.n_classes, 0);
        for (const std::uint32_t o : subset.members) ++node.counts[objects_.classes[o]];
        const std::size_t n = subset.members.size();
        node.null_cost = null_structure(n, settings_.prior) + label_length(node.counts);
        const Best best = best_ball(subset, node.counts);
        node.split_cost = best.cost;
        node.n_balls = best.n_balls;
        node.size = best.size;
        if (best.ball >= 0) {
            node.centre = objects_.starts[balls_->centre(static_cast<std::size_t>(best.ball))];
            node.radius = balls_->radii[static_cast<std::size_t>(best.ball)];
        } else if (best.object >= 0) {
            node.centre = best.object;
            node.radius = 0;
        }
        node.accepted = is_lower(node.split_cost, node.null_cost);
        result_.nodes.push_back(node);
        if (node.accepted) {
            divide(std::move(subset), best, here, waiting);
            return;
        }
        for (const std::uint32_t o : subset.members)
            result_.leaf_of[o] = static_cast<std::uint32_t>(here);
        workers_.add(n);
    }

    Best best_ball(const Waiting& subset, std::span<const std::uint32_t> counts) {
        const std::size_t n = subset.members.size();
        if (n < 2) return {};
        std::vector<std::uint32_t> n_of_size(n + 1, 0);
        n_of_size[1] = static_cast<std::uint32_t>(n);
        for (const std::uint64_t b : subset.balls) ++n_of_size[balls_->sizes[b]];
        std::vector<double> structure(n + 1, 0.0);
        for (std::size_t size = 1; size < n; ++size)
            if (n_of_size[size] > 0)
                structure[size] = split_structure(n, n_of_size[size], settings_.prior);
        Best best = best_object(subset, counts, structure[1], static_cast<std::uint32_t>(n));
        costs_.assign(subset.balls.size(), infinity);
        const std::size_t n_classes = objects_.n_classes;
        Workers quiet = quiet_;
        for_each_block(quiet, subset.balls.size(), 1 << 14,
                       [&](std::size_t, std::size_t first, std::size_t last) {
                           std::vector<std::uint32_t> rest(n_classes);
                           for (std::size_t i = first; i < last; ++i) {
                               const std::uint64_t b = subset.balls[i];
                               if (balls_->sizes[b] == n) continue;
                               const auto inside = balls_->row(b);
                               for (std::size_t j = 0; j < n_classes; ++j)
                                   rest[j] = counts[j] - inside[j];
                               costs_[i] = structure[balls_->sizes[b]] + label_length(inside) +
                                           label_length(rest);
                           }
                       });
        double least = best.cost;
        for (const double cost : costs_) least = std::min(least, cost);
        // Of balls that cost the same: the first by centre, then radius.
        const Point centre_of_object =
            best.object >= 0 ? point_of(static_cast<std::uint32_t>(best.object)) : 0;
        const bool object_is_best = !is_lower(least, best.cost);
        for (std::size_t i = 0; i < costs_.size(); ++i) {
            if (costs_[i] == infinity || is_lower(least, costs_[i])) continue;
            const std::uint64_t b = subset.balls[i];
            if (object_is_best && centre_of_object <= balls_->centre(b)) return best;
            return {costs_[i], n_of_size[balls_->sizes[b]], balls_->sizes[b],
                    static_cast<std::int64_t>(b), -1};
        }
        return best;
    }

    /// The best of the balls of one object: what it costs depends on its class only.
    Best best_object(const Waiting& subset, std::span<const std::uint32_t> counts, double structure,
                     std::uint32_t n_members) const {
        std::vector<double> costs(objects_.n_classes, infinity);
        std::vector<std::uint32_t> rest(counts.begin(), counts.end());
        std::vector<std::uint32_t> one(objects_.n_classes, 0);
        for (std::size_t j = 0; j < objects_.n_classes; ++j) {
            if (counts[j] == 0) continue;
            --rest[j];
            one[j] = 1;
            costs[j] = structure + label_length(one) + label_length(rest);
            ++rest[j];
            one[j] = 0;
        }
        const double least = *std::min_element(costs.begin(), costs.end());
        for (const std::uint32_t o : subset.members) {
            const double cost = costs[objects_.classes[o]];
            if (!is_lower(least, cost)) return {cost, n_members, 1, -1, o};
        }
        return {};
    }

    Point point_of(std::uint32_t object) const {
        const auto behind =
            std::upper_bound(objects_.starts.begin(), objects_.starts.end(), object);
        return static_cast<Point>(behind - objects_.starts.begin() - 1);
    }

    /// Objects of S inside its best ball.
    void mark_ball(const Waiting& subset, const Best& best) {
        if (best.ball < 0) {
            is_member_[static_cast<std::size_t>(best.object)] = 1;
            return;
        }
        const auto b = static_cast<std::size_t>(best.ball);
        open_.clear();
        if (settings_.kind == BallKind::local) {
            open_.assign(objects_.n_points(), 0);
            for (const std::uint32_t o : subset.members) open_[point_of(o)] = 1;
        }
        walk_ball(objects_.graph, balls_->centre(b), balls_->radii[b], open_, seen_, ball_);
        for (const Point p : ball_)
            for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o)
                is_member_[o] = 1;
    }

    void divide(Waiting subset, const Best& best, std::int64_t here,
                std::vector<Waiting>& waiting) {
        mark_ball(subset, best);
        Waiting inside{{}, {}, here, true};
        Waiting rest{{}, {}, here, false};
        for (const std::uint32_t o : subset.members)
            (is_member_[o] != 0 ? inside : rest).members.push_back(o);
        std::fill(is_member_.begin(), is_member_.end(), 0);
        if (settings_.kind == BallKind::global) {
            inside.balls = keep_inside(subset.balls, inside.members);
            rest.balls = keep_inside(subset.balls, rest.members);
        }
        waiting.push_back(std::move(rest));
        waiting.push_back(std::move(inside));
    }

    std::vector<std::uint64_t> keep_inside(const std::vector<std::uint64_t>& balls,
                                           const Members& members) {
        region_.set(objects_, members);
        std::vector<std::uint64_t> kept;
        Point centre = 0;
        for (const std::uint64_t b : balls) {
            while (balls_->starts[centre + 1] <= b) ++centre;
            if (balls_->radii[b] < region_.depth(centre)) kept.push_back(b);
        }
        return kept;
    }

    const Objects& objects_;
    const BipartitionSettings& settings_;
    const Workers& workers_;
    Workers quiet_;
    const Balls* balls_;
    Balls own_;  // of the subset, where they are not global
    Region region_;
    std::vector<std::uint8_t> seen_;
    std::vector<std::uint8_t> is_member_;
    std::vector<std::uint8_t> open_;
    std::vector<Point> ball_;
    std::vector<double> costs_;
    Bipartition result_;
};

}  // namespace

double label_length(std::span<const std::uint32_t> counts) noexcept {
    const auto n_others = static_cast<double>(counts.size()) - 1.0;
    double n = 0.0;
    double factorials = 0.0;
    for (const std::uint32_t count : counts) {
        n += count;
        factorials += log_factorial(count);
    }
    return log_factorial(n + n_others) - log_factorial(n_others) - factorials;
}

double null_structure(std::size_t n_members, NullPrior prior) noexcept {
    return portable_log(prior == NullPrior::half ? 2.0 : static_cast<double>(n_members));
}

double split_structure(std::size_t n_members, std::size_t n_balls, NullPrior prior) noexcept {
    const auto n = static_cast<double>(n_members);
    const double size =
        prior == NullPrior::half ? portable_log(2.0) + portable_log(n - 1.0) : portable_log(n);
    return size + portable_log(static_cast<double>(n_balls));
}

Bipartition split_recursively(const Objects& objects, const Balls& balls,
                              const BipartitionSettings& settings, const Workers& workers) {
    Bipartition found = Recursion(objects, balls, settings, workers).run();
    if (settings.prunes) found.prune(settings.prior);
    return found;
}

double Bipartition::cost(NullPrior prior) const {
    double length = 0.0;
    for (const SplitNode& node : nodes)
        length +=
            node.accepted ? split_structure(node.n_members(), node.n_balls, prior) : node.null_cost;
    return length;
}

void Bipartition::prune(NullPrior prior) {
    // Nodes come behind their parents.
    std::vector<double> below(nodes.size(), 0.0);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        SplitNode& node = nodes[i];
        double length = node.null_cost;
        if (node.accepted) {
            const double split = split_structure(node.n_members(), node.n_balls, prior) + below[i];
            node.accepted = is_lower(split, node.null_cost);
            if (node.accepted) length = split;
        }
        if (node.parent >= 0) below[static_cast<std::size_t>(node.parent)] += length;
    }
    std::vector<SplitNode> kept;
    std::vector<std::uint32_t> place(nodes.size());  // of the node, or of what it was undone into
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        SplitNode& node = nodes[i];
        if (node.parent >= 0) {
            const std::uint32_t above = place[static_cast<std::size_t>(node.parent)];
            place[i] = above;
            if (!kept[above].accepted) continue;
            node.parent = above;
        }
        place[i] = static_cast<std::uint32_t>(kept.size());
        kept.push_back(std::move(node));
    }
    nodes = std::move(kept);
    for (std::uint32_t& leaf : leaf_of) leaf = place[leaf];
}

std::vector<std::uint64_t> balls_inside(const Objects& objects, const Balls& balls,
                                        std::span<const std::uint32_t> members) {
    Region region(objects.n_points());
    region.set(objects, members);
    std::vector<std::uint64_t> inside;
    for (Point p = 0; p < objects.n_points(); ++p)
        for (std::uint64_t b = balls.starts[p]; b < balls.starts[p + 1]; ++b)
            if (balls.radii[b] < region.depth(p)) inside.push_back(b);
    return inside;
}

}  // namespace partage
