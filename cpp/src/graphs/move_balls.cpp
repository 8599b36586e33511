#include <algorithm>

#include "partage/graphs/agglomerate.hpp"

namespace partage {
namespace {

using Number = std::uint32_t;

/// Objects of a ball, and where it could go.
struct Move {
    std::vector<std::uint32_t> objects;
    std::vector<Number> targets;
};

class Mover {
public:
    Mover(const Objects& objects, Description& description, Cover& cover, const Stop& stop)
        : objects_(objects),
          description_(description),
          cover_(cover),
          stop_(stop),
          cost_(description.cost(cover).total()),
          point_of_(objects.size()),
          mark_(objects.size(), 0) {
        for (Point p = 0; p < objects.n_points(); ++p)
            for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
                point_of_[o] = p;
    }

    void run() {
        bool has_moved = true;
        while (has_moved) {
            has_moved = false;
            for (Number g = 0; g < description_.groups().size(); ++g)
                while (!description_.groups()[g].members.empty() && move_out_of(g))
                    has_moved = true;
        }
    }

private:
    /// Makes the first move of a ball of a group that lowers the cost.
    bool move_out_of(Number from) {
        for (const Move& move : moves_of(from)) {
            stop_.check();
            std::vector<std::uint32_t> rest = without(from, move.objects);
            if (!rest.empty() && !is_connected(rest)) continue;
            const Group left = rest.empty() ? Group() : make_group(cover_, std::move(rest));
            for (const Number to : move.targets)
                if (try_move(from, to, move, left)) return true;
        }
        return false;
    }

    /// Balls at the border of a group, with the groups next to them; a ball may also go alone.
    std::vector<Move> moves_of(Number from) const {
        const Group& group = description_.groups()[from];
        std::vector<Move> moves;
        std::vector<std::uint8_t> is_covered(objects_.n_points(), 0);
        for (const Described& ball : group.cover.balls) {
            Move move;
            for (const Point p : group.cover.points_of(ball)) {
                is_covered[p] = 1;
                for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o)
                    move.objects.push_back(o);
            }
            std::sort(move.objects.begin(), move.objects.end());
            moves.push_back(std::move(move));
        }
        for (const std::uint32_t o : group.members)
            if (is_covered[point_of_[o]] == 0) moves.push_back({{o}, {}});
        for (Move& move : moves) {
            move.targets = groups_next_to(move.objects, from);
            if (move.objects.size() < group.members.size()) move.targets.push_back(fresh());
        }
        return moves;
    }

    Number fresh() const noexcept { return static_cast<Number>(description_.groups().size()); }

    std::vector<Number> groups_next_to(const std::vector<std::uint32_t>& some, Number from) const {
        std::vector<Number> found;
        const auto look = [&](Point p) {
            for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o)
                if (description_.group_of()[o] != from) found.push_back(description_.group_of()[o]);
        };
        for (const std::uint32_t o : some) {
            look(point_of_[o]);
            for (const Point v : objects_.graph[point_of_[o]]) look(v);
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    std::vector<std::uint32_t> without(Number from, const std::vector<std::uint32_t>& some) const {
        const auto& members = description_.groups()[from].members;
        std::vector<std::uint32_t> rest;
        std::set_difference(members.begin(), members.end(), some.begin(), some.end(),
                            std::back_inserter(rest));
        return rest;
    }

    /// Whether walks between members lead from each of them to each other.
    bool is_connected(const std::vector<std::uint32_t>& members) {
        for (const std::uint32_t o : members) mark_[o] = 1;
        std::vector<std::uint32_t> queue{members.front()};
        mark_[members.front()] = 0;
        const auto reach = [&](Point p) {
            for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o)
                if (mark_[o] != 0) {
                    mark_[o] = 0;
                    queue.push_back(o);
                }
        };
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const Point p = point_of_[queue[i]];
            reach(p);
            for (const Point v : objects_.graph[p]) reach(v);
        }
        for (const std::uint32_t o : members) mark_[o] = 0;
        return queue.size() == members.size();
    }

    bool try_move(Number from, Number to, const Move& move, const Group& left) {
        std::vector<std::uint32_t> joined;
        std::vector<Number> gone{from};
        if (to == fresh()) {
            joined = move.objects;
        } else {
            const auto& members = description_.groups()[to].members;
            std::merge(members.begin(), members.end(), move.objects.begin(), move.objects.end(),
                       std::back_inserter(joined));
            gone.push_back(to);
        }
        std::vector<Group> come;
        come.push_back(make_group(cover_, std::move(joined)));
        std::vector<Number> numbers{to};
        if (!left.members.empty()) {
            come.push_back(left);
            numbers.push_back(from);
        }
        std::vector<const Group*> seen;
        for (const Group& group : come) seen.push_back(&group);
        const double cost = description_.price(cover_, gone, seen).total();
        if (!is_lower(cost, cost_)) return false;
        description_.replace(gone, std::move(come), numbers);
        cost_ = cost;
        return true;
    }

    const Objects& objects_;
    Description& description_;
    Cover& cover_;
    const Stop& stop_;
    double cost_;
    std::vector<Point> point_of_;
    std::vector<std::uint8_t> mark_;
};

}  // namespace

void move_balls(const Objects& objects, Description& description, Cover& cover, const Stop& stop) {
    Mover(objects, description, cover, stop).run();
}

}  // namespace partage
