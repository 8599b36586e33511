#include "partage/graphs/adjacency_code.hpp"

#include <algorithm>

#include "partage/support/combinatorics.hpp"

namespace partage {
namespace {

/// Tells nodes one by one; `for_each_neighbour(node, act)` may name a neighbour several times.
template <class Neighbours>
class Teller {
public:
    Teller(std::size_t n_nodes, std::size_t n_groups, Neighbours for_each_neighbour)
        : for_each_neighbour_(for_each_neighbour),
          is_waiting_(n_nodes, 0),
          is_told_(n_nodes, 0),
          met_by_(n_groups, none),
          is_open_(n_groups, 0) {}

    template <class GroupOf>
    double length(GroupOf group_of) {
        double sum = 0.0;
        std::size_t n_asked = 0;
        std::size_t n_elsewhere = 0;
        const std::size_t n_nodes = is_told_.size();
        for (std::uint32_t seed = 0; seed < n_nodes; ++seed) {
            if (is_waiting_[seed] != 0) continue;
            is_waiting_[seed] = 1;
            queue_.assign(1, seed);
            for (std::size_t i = 0; i < queue_.size(); ++i) {
                const std::uint32_t node = queue_[i];
                const std::size_t n_adjacent = meet(node, group_of);
                const std::uint32_t group = group_of(node);
                const bool stays = met_by_[group] == node;
                n_asked += n_adjacent > 0;
                n_elsewhere += n_adjacent > 0 && !stays;
                sum += portable_log(
                    static_cast<double>(stays ? n_adjacent : n_open_ - n_adjacent + 1));
                n_open_ += is_open_[group] == 0;
                is_open_[group] = 1;
                is_told_[node] = 1;
            }
        }
        const auto asked = static_cast<double>(n_asked);
        return sum + portable_log(asked + 1.0) +
               log_binomial(asked, static_cast<double>(n_elsewhere));
    }

private:
    /// Number of groups among the encoded neighbours of a node; the others wait.
    template <class GroupOf>
    std::size_t meet(std::uint32_t node, GroupOf group_of) {
        std::size_t n_met = 0;
        const auto n_waiting = static_cast<std::ptrdiff_t>(queue_.size());
        for_each_neighbour_(node, [&](std::uint32_t other) {
            if (is_told_[other] != 0) {
                std::uint32_t& met_by = met_by_[group_of(other)];
                n_met += met_by != node;
                met_by = node;
            } else if (is_waiting_[other] == 0) {
                is_waiting_[other] = 1;
                queue_.push_back(other);
            }
        });
        // By number, so that the walk does not depend on how neighbours are listed.
        std::sort(queue_.begin() + n_waiting, queue_.end());
        return n_met;
    }

    Neighbours for_each_neighbour_;
    std::vector<std::uint8_t> is_waiting_;
    std::vector<std::uint8_t> is_told_;
    std::vector<std::uint32_t> met_by_;  // last node that met each group
    std::vector<std::uint8_t> is_open_;
    std::size_t n_open_ = 0;
    std::vector<std::uint32_t> queue_;
};

std::size_t n_numbers(std::span<const std::uint32_t> numbers) noexcept {
    return numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end()) + std::size_t{1};
}

/// The ball of each object, and the points or the object of each ball.
struct BallMap {
    BallMap(const Objects& objects, std::span<const Entry> description)
        : ball_of(objects.size(), none) {
        for (const Entry& entry : description) {
            for (const Point p : entry.points)
                for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
                    ball_of[o] = n_balls;
            ++n_balls;
        }
        for (Point p = 0; p < objects.n_points(); ++p)
            for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
                if (ball_of[o] == none) {
                    ball_of[o] = n_balls++;
                    singles.push_back(o);
                    points_of_singles.push_back(p);
                }
    }

    std::vector<std::uint32_t> ball_of;
    std::vector<std::uint32_t> singles;
    std::vector<Point> points_of_singles;
    std::uint32_t n_balls = 0;
};

}  // namespace

double adjacency_grouping_length(const Graph& graph, std::span<const std::uint32_t> group_of) {
    const auto neighbours = [&graph](std::uint32_t node, auto act) {
        for (const Point v : graph[node]) act(v);
    };
    Teller teller(graph.n_points(), n_numbers(group_of), neighbours);
    return teller.length([group_of](std::uint32_t node) { return group_of[node]; });
}

double adjacency_grouping_length(const Objects& objects, std::span<const Entry> description,
                                 std::span<const std::uint32_t> group_of) {
    const BallMap map(objects, description);
    const std::size_t n_described = description.size();
    const auto balls_at = [&](Point p, auto act) {
        std::uint32_t last = none;
        for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
            if (map.ball_of[o] != last) act(last = map.ball_of[o]);
    };
    const auto around = [&](Point p, auto act) {
        balls_at(p, act);
        for (const Point v : objects.graph[p]) balls_at(v, act);
    };
    const auto neighbours = [&](std::uint32_t ball, auto act) {
        const auto other = [ball, act](std::uint32_t found) {
            if (found != ball) act(found);
        };
        if (ball >= n_described) {
            around(map.points_of_singles[ball - n_described], other);
            return;
        }
        for (const Point p : description[ball].points) around(p, other);
    };
    Teller teller(map.n_balls, n_numbers(group_of), neighbours);
    return teller.length([&](std::uint32_t ball) {
        return ball < n_described ? group_of[objects.starts[description[ball].points.front()]]
                                  : group_of[map.singles[ball - n_described]];
    });
}

}  // namespace partage
