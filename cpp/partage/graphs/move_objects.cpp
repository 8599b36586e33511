#include <algorithm>
#include <map>
#include <utility>

#include "partage/graphs/agglomerate.hpp"
#include "partage/graphs/ball_prices.hpp"
#include "partage/graphs/bipartition.hpp"
#include "partage/graphs/cover_changes.hpp"
#include "partage/graphs/cut_off.hpp"

namespace partage {
namespace {

/// Balls of a group that are tried as cuts.
constexpr std::size_t most_cuts = 8;

/// Estimated growth of the cost, in nats, from which on a move is not priced.
constexpr double least_hopeless = 3.0;

/// Moves that are made before the prices of balls are worked out again.
constexpr std::size_t most_between_looks = 8;

using Number = std::uint32_t;
using Members = std::vector<std::uint32_t>;

/// Objects of a group that go to a group next to them, or become one.
struct Move {
    Members objects;
    bool may_be_alone = false;
};

class Mover {
public:
    Mover(Description& description, Cover& cover, const Stop& stop)
        : objects_(cover.objects()),
          description_(description),
          cover_(cover),
          changes_(cover),
          stop_(stop),
          cost_(description.cost(cover).total()),
          estimates_(description.code() == GroupingCode::any && objects_.size() >= least_estimated),
          changed_at_(objects_.n_points(), 0),
          point_of_(objects_.size()),
          seen_(objects_.n_points(), 0),
          cut_off_(objects_) {
        for (Point p = 0; p < objects_.n_points(); ++p)
            for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o)
                point_of_[o] = p;
    }

    void run() {
        std::size_t n_still = 0;  // groups in a row that nothing has left
        for (Number g = 0; n_still < description_.groups().size(); ++g) {
            if (g == description_.groups().size()) g = 0;
            const bool has_moved = make_moves(g, moves_of(g));
            n_still = make_moves(g, cuts_of(g)) || has_moved ? 0 : n_still + 1;
        }
    }

private:
    /// Makes the moves out of a group that lower the cost, one after the other.
    bool make_moves(Number from, std::vector<Move> moves) {
        bool has_moved = false;
        for (Move& move : moves) {
            stop_.check();
            const auto has_left = [&](std::uint32_t o) {
                return description_.group_of()[o] != from;
            };
            if (std::any_of(move.objects.begin(), move.objects.end(), has_left)) continue;
            has_moved |= make_move(from, move);
        }
        return has_moved;
    }

    bool make_move(Number from, Move& move) {
        if (estimates_ && !is_worth_another_try(move)) return false;
        std::vector<Number> targets = groups_next_to(move.objects, from);
        if (move.may_be_alone && move.objects.size() < description_.groups()[from].members.size())
            targets.push_back(fresh());
        if (targets.empty()) return false;
        cut_off_.take_along(description_.group_of(), from, move.objects);
        const bool goes_whole = move.objects.size() == description_.groups()[from].members.size();
        // One group has few moves, and prices of balls that are not described say little of them.
        if (estimates_ && description_.n_groups() > 1) keep_hopeful(from, move.objects, targets);
        if (targets.empty()) return false;
        const Group left = goes_whole ? Group() : changes_.lose(description_, from, move.objects);
        return std::any_of(targets.begin(), targets.end(),
                           [&](Number to) { return try_move(from, to, move.objects, left); });
    }

    /// Whether a move was not tried yet, or something next to it has changed since.
    bool is_worth_another_try(const Move& move) {
        const auto key = std::pair(move.objects.front(), move.objects.size());
        const auto [place, is_new] = tried_at_.try_emplace(key, 0);
        const std::size_t before = std::exchange(place->second, n_made_);
        return is_new ||
               std::any_of(move.objects.begin(), move.objects.end(),
                           [&](std::uint32_t o) { return changed_at_[point_of_[o]] > before; });
    }

    void note_change(const Members& moved) {
        ++n_made_;
        for (const std::uint32_t o : moved) {
            const Point p = point_of_[o];
            changed_at_[p] = n_made_;
            for (const Point v : objects_.graph[p]) changed_at_[v] = n_made_;
        }
    }

    /// The balls of a group, the objects at each of its points, and the group itself.
    std::vector<Move> moves_of(Number from) const {
        const Group& group = description_.groups()[from];
        std::vector<Move> moves;
        for (const Described& ball : group.cover.balls)
            moves.push_back({objects_at(group.cover.points_of(ball)), true});
        add_points(group, moves);
        if (!group.members.empty()) moves.push_back({group.members});
        return moves;
    }

    Members objects_at(std::span<const Point> points) const {
        Members objects;
        for (const Point p : points)
            for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o)
                objects.push_back(o);
        std::sort(objects.begin(), objects.end());
        return objects;
    }

    /// Members at one point, and of each class one of them: equal objects do the same.
    void add_points(const Group& group, std::vector<Move>& moves) const {
        const Members& members = group.members;
        for (std::size_t first = 0; first < members.size();) {
            std::size_t last = first + 1;
            while (last < members.size() && point_of_[members[last]] == point_of_[members[first]])
                ++last;
            const auto at = [&](std::size_t i) { return objects_.classes[members[i]]; };
            moves.push_back({{members.begin() + static_cast<std::ptrdiff_t>(first),
                              members.begin() + static_cast<std::ptrdiff_t>(last)}});
            if (last - first > 1)
                for (std::size_t i = first; i < last; ++i)
                    if (i == first || at(i) != at(i - 1)) moves.push_back({{members[i]}});
            first = last;
        }
    }

    /// The balls inside a group that separate its classes best, regardless of the balls that
    /// describe it.
    std::vector<Move> cuts_of(Number from) {
        const Group& group = description_.groups()[from];
        const Balls& balls = cover_.balls();
        std::vector<std::pair<double, std::uint64_t>> found;
        std::vector<std::uint32_t> rest(group.counts.size());
        for (const std::uint64_t b : balls_inside(objects_, balls, group.members)) {
            if (balls.sizes[b] == group.members.size()) continue;
            const auto inside = balls.row(b);
            for (std::size_t j = 0; j < rest.size(); ++j) rest[j] = group.counts[j] - inside[j];
            found.emplace_back(label_length(inside) + label_length(rest), b);
        }
        const auto n_kept = static_cast<std::ptrdiff_t>(std::min(found.size(), most_cuts));
        std::partial_sort(found.begin(), found.begin() + n_kept, found.end());
        std::vector<Move> moves;
        for (const auto& [length, b] : std::span(found).first(static_cast<std::size_t>(n_kept))) {
            if (!is_lower(length, group.labels)) break;
            walk_ball(objects_.graph, balls.centre(b), balls.radii[b], {}, seen_, queue_);
            moves.push_back({objects_at(queue_), true});
        }
        return moves;
    }

    Number fresh() const noexcept { return static_cast<Number>(description_.groups().size()); }

    std::vector<Number> groups_next_to(const Members& some, Number from) const {
        std::vector<Number> found;
        const auto look = [&](Point p) {
            for (std::uint32_t o = objects_.starts[p]; o < objects_.starts[p + 1]; ++o)
                if (description_.group_of()[o] != from) found.push_back(description_.group_of()[o]);
        };
        for (std::size_t i = 0; i < some.size(); ++i) {
            const Point p = point_of_[some[i]];
            if (i > 0 && p == point_of_[some[i - 1]]) continue;
            look(p);
            for (const Point v : objects_.graph[p]) look(v);
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    bool try_move(Number from, Number to, const Members& moved, const Group& left) {
        std::vector<Number> gone{from};
        if (to != fresh()) gone.push_back(to);
        std::vector<Group> come;
        come.push_back(to == fresh() ? make_group(cover_, moved)
                                     : changes_.gain(description_, to, moved));
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
        ++n_since_look_;
        if (estimates_) note_change(moved);
        return true;
    }

    /// Leaves out targets to which, by its estimate, a move is far from lowering the cost.
    void keep_hopeful(Number from, const Members& moved, std::vector<Number>& targets) {
        if (n_since_look_ >= most_between_looks) {
            prices_.look(description_, cover_);
            n_since_look_ = 0;
        }
        const Group& before = description_.groups()[from];
        const bool goes_whole = moved.size() == before.members.size();
        const CoverChange lost = goes_whole ? change_to_nothing(before)
                                            : changes_.change_by_loss(description_, from, moved);
        std::vector<std::uint32_t> counts(before.counts.size(), 0);
        for (const std::uint32_t o : moved) ++counts[objects_.classes[o]];
        std::vector<std::uint32_t> rest = before.counts;
        for (std::size_t j = 0; j < rest.size(); ++j) rest[j] -= counts[j];
        const double growth_left =
            prices_.growth(lost) + (goes_whole ? 0.0 : label_length(rest)) - before.labels;
        std::erase_if(targets, [&](Number to) {
            const Group& target = to == fresh() ? nothing_ : description_.groups()[to];
            const CoverChange won = to == fresh()
                                        ? change_from_nothing(moved)
                                        : changes_.change_by_gain(description_, to, moved);
            std::vector<std::uint32_t> sum = counts;
            for (std::size_t j = 0; j < target.counts.size(); ++j) sum[j] += target.counts[j];
            const double growth = growth_left + prices_.growth(won) + label_length(sum) -
                                  target.labels +
                                  grouping_growth(lost.n_balls() + won.n_balls(),
                                                  (to == fresh() ? 1 : 0) - (goes_whole ? 1 : 0));
            return growth > least_hopeless;
        });
    }

    /// How the grouping is lengthened by more balls and groups.
    double grouping_growth(std::ptrdiff_t n_balls_more, std::ptrdiff_t n_groups_more) {
        const std::size_t n_balls = description_.n_balls();
        const std::size_t n_groups = description_.n_groups();
        return cover_.grouping_length(n_balls + static_cast<std::size_t>(n_balls_more),
                                      n_groups + static_cast<std::size_t>(n_groups_more)) -
               cover_.grouping_length(n_balls, n_groups);
    }

    static CoverChange change_to_nothing(const Group& group) {
        CoverChange change;
        for (const Described& ball : group.cover.balls) change.gone.push_back(ball.size);
        change.n_objects = -static_cast<std::ptrdiff_t>(group.members.size());
        return change;
    }

    CoverChange change_from_nothing(const Members& members) {
        CoverChange change;
        for (const Described& ball : cover_.decompose(members).balls)
            change.come.push_back(ball.size);
        change.n_objects = static_cast<std::ptrdiff_t>(members.size());
        return change;
    }

    const Objects& objects_;
    Description& description_;
    Cover& cover_;
    CoverChanges changes_;
    const Stop& stop_;
    double cost_;
    bool estimates_;
    BallPrices prices_;
    const Group nothing_;
    std::size_t n_since_look_ = most_between_looks;  // moves made since prices were worked out
    std::size_t n_made_ = 1;                         // moves, one more
    std::vector<std::size_t> changed_at_;            // which move last changed what is near a point
    std::map<std::pair<std::uint32_t, std::size_t>, std::size_t>
        tried_at_;  // by first object, size
    std::vector<Point> point_of_;
    std::vector<std::uint8_t> seen_;
    CutOff cut_off_;
    std::vector<Point> queue_;
};

}  // namespace

void move_objects(Description& description, Cover& cover, const Stop& stop) {
    Mover(description, cover, stop).run();
}

}  // namespace partage
