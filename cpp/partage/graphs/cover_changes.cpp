#include "partage/graphs/cover_changes.hpp"

#include <algorithm>

#include "partage/graphs/bipartition.hpp"

namespace partage {
namespace {

std::vector<std::uint32_t> merged(std::span<const std::uint32_t> a,
                                  std::span<const std::uint32_t> b) {
    std::vector<std::uint32_t> all;
    all.reserve(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    return all;
}

}  // namespace

CoverChanges::CoverChanges(Cover& cover)
    : cover_(cover),
      objects_(cover.objects()),
      side_(objects_.n_points(), Side::as_before),
      is_added_(objects_.size(), 0),
      is_deeper_(objects_.n_points(), 0),
      depth_(objects_.n_points(), 0),
      is_collected_(objects_.n_points(), 0),
      seen_(objects_.n_points(), 0) {}

Group CoverChanges::join(const Description& description, std::uint32_t a, std::uint32_t b) {
    const auto& groups = description.groups();
    // Work is near the objects that are added, so these are the fewer.
    if (groups[a].members.size() < groups[b].members.size()) std::swap(a, b);
    Group group;
    group.members = merged(groups[a].members, groups[b].members);
    group.counts = groups[a].counts;
    for (std::size_t j = 0; j < group.counts.size(); ++j) group.counts[j] += groups[b].counts[j];
    group.labels = label_length(group.counts);
    take(description, a, b);
    collect_growth(groups[b].members);
    group.cover = replace_collected(group.members.size());
    return group;
}

Group CoverChanges::gain(const Description& description, std::uint32_t number,
                         std::span<const std::uint32_t> objects) {
    const Group& before = description.groups()[number];
    Group group;
    group.members = merged(before.members, objects);
    group.counts = before.counts;
    for (const std::uint32_t o : objects) ++group.counts[objects_.classes[o]];
    group.labels = label_length(group.counts);
    take(description, number, none);
    collect_growth(objects);
    group.cover = replace_collected(group.members.size());
    return group;
}

Group CoverChanges::lose(const Description& description, std::uint32_t number,
                         std::span<const std::uint32_t> objects) {
    const Group& before = description.groups()[number];
    Group group;
    std::set_difference(before.members.begin(), before.members.end(), objects.begin(),
                        objects.end(), std::back_inserter(group.members));
    group.counts = before.counts;
    for (const std::uint32_t o : objects) --group.counts[objects_.classes[o]];
    group.labels = label_length(group.counts);
    take(description, number, none);
    collect_loss(objects);
    group.cover = replace_collected(group.members.size());
    return group;
}

CoverChange CoverChanges::change_by_join(const Description& description, std::uint32_t a,
                                         std::uint32_t b) {
    const auto& groups = description.groups();
    if (groups[a].members.size() < groups[b].members.size()) std::swap(a, b);
    take(description, a, b);
    collect_growth(groups[b].members);
    return change_collected(0);
}

CoverChange CoverChanges::change_by_gain(const Description& description, std::uint32_t number,
                                         std::span<const std::uint32_t> objects) {
    take(description, number, none);
    collect_growth(objects);
    return change_collected(static_cast<std::ptrdiff_t>(objects.size()));
}

CoverChange CoverChanges::change_by_loss(const Description& description, std::uint32_t number,
                                         std::span<const std::uint32_t> objects) {
    take(description, number, none);
    collect_loss(objects);
    return change_collected(-static_cast<std::ptrdiff_t>(objects.size()));
}

void CoverChanges::take(const Description& description, std::uint32_t first, std::uint32_t second) {
    description_ = &description;
    standing_ = &description.standing();
    first_ = first;
    second_ = second;
}

/// Collects what balls change if objects, or those of the second group, are added to the first.
void CoverChanges::collect_growth(std::span<const std::uint32_t> added) {
    mark_added(added);
    find_deeper();
    find_depths();
    for (const Point p : deeper_) offer(p, depth_[p]);
    settle_first_offer();
    if (offers_.empty()) return;
    std::vector<Point> seeds;
    for (const Offer& offer : offers_) seeds.push_back(offer.centre);
    collect_around(seeds, offers_.front());
}

/// Collects what balls change if a group loses objects.
void CoverChanges::collect_loss(std::span<const std::uint32_t> lost) {
    std::vector<std::pair<Offer, Point>> met;  // balls that lose points, and one of those
    for (const std::uint32_t o : lost) {
        const Point p = standing_->point_of(o);
        if (standing_->group(p) != first_ || side_[p] == Side::outside) continue;
        mark(p, Side::outside);
        if (standing_->is_covered(p))
            met.push_back({{standing_->ball_size(p), standing_->ball_centre(p)}, p});
    }
    std::sort(met.begin(), met.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    // A ball that goes as a whole leaves the others as they are; one that is broken does not.
    Offer first;
    std::vector<Point> seeds;
    for (std::size_t i = 0; i < met.size(); ++i) {
        const auto& [ball, point] = met[i];
        if (i > 0 && ball.centre == met[i - 1].first.centre) continue;
        const std::size_t n_before = seeds.size();
        for (const Point p : ball_of(point))
            if (side_[p] != Side::outside) seeds.push_back(p);
        if (seeds.size() > n_before) first = ball;  // they increase
    }
    if (!seeds.empty()) collect_around(seeds, first);
}

void CoverChanges::mark(Point p, Side side) {
    side_[p] = side;
    marked_.push_back(p);
}

void CoverChanges::mark_added(std::span<const std::uint32_t> added) {
    for (const std::uint32_t o : added) is_added_[o] = 1;
    for (const std::uint32_t o : added) {
        const Point p = standing_->point_of(o);
        if (side_[p] != Side::as_before) continue;
        if (second_ != none && standing_->group(p) == second_) {
            mark(p, Side::second);
            continue;
        }
        bool is_whole = true;
        for (std::uint32_t other = objects_.starts[p]; other < objects_.starts[p + 1]; ++other)
            is_whole &= is_added_[other] != 0 || description_->group_of()[other] == first_;
        if (is_whole) mark(p, Side::fresh);
    }
    for (const std::uint32_t o : added) is_added_[o] = 0;
}

bool CoverChanges::is_inside(Point p) const noexcept {
    return side_[p] == Side::as_before ? standing_->group(p) == first_ : side_[p] != Side::outside;
}

std::uint32_t CoverChanges::depth_before(Point p) const noexcept {
    return side_[p] == Side::fresh ? 0 : standing_->depth(p);
}

void CoverChanges::add_deeper(Point p) {
    if (is_deeper_[p] != 0) return;
    is_deeper_[p] = 1;
    deeper_.push_back(p);
}

/// Finds the points that may lie deeper now: those as near to what is no longer outside as to
/// anything outside. They hang together with it.
void CoverChanges::find_deeper() {
    for (const Point p : marked_) {
        if (side_[p] == Side::fresh) add_deeper(p);
        for (const Point v : objects_.graph[p]) {
            if (!is_inside(v) || (side_[v] == side_[p] && side_[p] == Side::second)) continue;
            add_deeper(v);
            add_deeper(p);
        }
    }
    for (std::size_t i = 0; i < deeper_.size(); ++i) {
        const Point p = deeper_[i];
        if (side_[p] == Side::fresh) continue;
        const std::uint32_t next = standing_->depth(p) + 1;
        for (const Point v : objects_.graph[p])
            if (side_[v] == side_[p] && is_inside(v) && standing_->depth(v) == next) add_deeper(v);
    }
}

/// Works out how deep these lie, from the points around them.
void CoverChanges::find_depths() {
    std::vector<std::pair<std::uint32_t, Point>> firsts;
    for (const Point p : deeper_) {
        depth_[p] = Region::endless;
        for (const Point v : objects_.graph[p])
            if (!is_inside(v))
                depth_[p] = 1;
            else if (is_deeper_[v] == 0)
                depth_[p] = std::min(depth_[p], standing_->depth(v) + 1);
        if (depth_[p] != Region::endless) firsts.emplace_back(depth_[p], p);
    }
    std::sort(firsts.begin(), firsts.end());
    // Two lines that each increase: the points to start from, and those come to.
    queue_.clear();
    std::size_t next = 0;
    for (std::size_t i = 0; i < queue_.size() || next < firsts.size();) {
        Point p = 0;
        if (i < queue_.size() &&
            (next == firsts.size() || depth_[queue_[i]] <= firsts[next].first)) {
            p = queue_[i++];
        } else {
            const auto [depth, point] = firsts[next++];
            if (depth_[point] < depth) continue;
            p = point;
        }
        for (const Point v : objects_.graph[p])
            if (is_deeper_[v] != 0 && depth_[v] > depth_[p] + 1) {
                depth_[v] = depth_[p] + 1;
                queue_.push_back(v);
            }
    }
}

/// Offers the largest ball at a centre below a radius, if it was not possible before.
void CoverChanges::offer(Point centre, std::uint32_t radius_below) {
    const Balls& balls = cover_.balls();
    const std::uint64_t end = balls.end_below(centre, radius_below);
    if (end == balls.starts[centre] || balls.radii[end - 1] < depth_before(centre)) return;
    offers_.push_back({balls.sizes[end - 1], centre, end - 1});
    std::push_heap(offers_.begin(), offers_.end());
}

/// Steps from the centre of an offer to the nearest ball that is described before it; `endless` if
/// it meets none.
std::uint32_t CoverChanges::steps_to_described(const Offer& first) {
    const auto is_described = [&](Point p) {
        return side_[p] != Side::fresh && standing_->is_covered(p) &&
               standing_->is_described_before(p, first.size, first.centre);
    };
    if (is_described(first.centre)) return 0;
    const std::uint32_t radius = cover_.balls().radii[first.ball];
    queue_.assign(1, first.centre);
    seen_[first.centre] = 1;
    std::uint32_t found = Region::endless;
    std::size_t i = 0;
    for (std::uint32_t steps = 1; steps <= radius && found == Region::endless; ++steps)
        for (const std::size_t last = queue_.size(); i < last; ++i)
            for (const Point v : objects_.graph[queue_[i]]) {
                if (seen_[v] != 0) continue;
                if (is_described(v)) found = steps;
                seen_[v] = 1;
                queue_.push_back(v);
            }
    for (const Point p : queue_) seen_[p] = 0;
    return found;
}

/// Makes offers smaller until the first meets no ball that is described before it.
void CoverChanges::settle_first_offer() {
    while (!offers_.empty()) {
        const Offer first = offers_.front();
        const std::uint32_t steps = steps_to_described(first);
        if (steps == Region::endless) return;
        std::pop_heap(offers_.begin(), offers_.end());
        offers_.pop_back();
        offer(first.centre, steps);
    }
}

/// The points of the ball that covers a point.
std::span<const Point> CoverChanges::ball_of(Point p) const noexcept {
    const Decomposition& cover = description_->groups()[standing_->group(p)].cover;
    const Described wanted{standing_->ball_size(p), standing_->ball_centre(p), 0, 0, 0};
    return cover.points_of(*std::lower_bound(cover.balls.begin(), cover.balls.end(), wanted));
}

/// Collects the points that hang together with some once the balls before the first that changes
/// are described.
void CoverChanges::collect_around(std::span<const Point> seeds, const Offer& first) {
    const auto collect = [&](Point p) {
        if (is_collected_[p] != 0 || !is_inside(p)) return;
        if (side_[p] != Side::fresh && standing_->is_covered(p) &&
            standing_->is_described_before(p, first.size, first.centre))
            return;
        is_collected_[p] = 1;
        collected_.push_back(p);
    };
    for (const Point p : seeds) collect(p);
    for (std::size_t i = 0; i < collected_.size(); ++i)
        for (const Point v : objects_.graph[collected_[i]]) collect(v);
}

std::vector<const Decomposition*> CoverChanges::covers_before() const {
    std::vector<const Decomposition*> covers{&description_->groups()[first_].cover};
    if (second_ != none) covers.push_back(&description_->groups()[second_].cover);
    return covers;
}

/// Whether a ball there was stays as it is.
bool CoverChanges::is_kept(const Described& ball) const noexcept {
    return is_inside(ball.centre) && is_collected_[ball.centre] == 0;
}

/// The balls there were outside of what was collected, and new ones inside.
Decomposition CoverChanges::replace_collected(std::size_t n_members) {
    const Decomposition inside =
        collected_.empty() ? Decomposition() : cover_.decompose_points(collected_);
    std::vector<std::pair<Described, const Decomposition*>> balls;
    std::size_t n_points = 0;
    const auto keep = [&](const Described& ball, const Decomposition* from) {
        balls.emplace_back(ball, from);
        n_points += ball.last - ball.first;
    };
    for (const Decomposition* const cover : covers_before())
        for (const Described& ball : cover->balls)
            if (is_kept(ball)) keep(ball, cover);
    for (const Described& ball : inside.balls) keep(ball, &inside);
    std::sort(balls.begin(), balls.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    Decomposition found;
    found.points.reserve(n_points);
    found.balls.reserve(balls.size());
    found.n_singles = n_members;
    for (auto& [ball, from] : balls) {
        const auto points = from->points_of(ball);
        ball.first = static_cast<std::uint32_t>(found.points.size());
        found.points.insert(found.points.end(), points.begin(), points.end());
        ball.last = static_cast<std::uint32_t>(found.points.size());
        found.balls.push_back(ball);
        found.n_singles -= ball.size;
    }
    reset();
    return found;
}

CoverChange CoverChanges::change_collected(std::ptrdiff_t n_objects) {
    CoverChange change;
    change.n_objects = n_objects;
    if (!collected_.empty())
        for (const Described& ball : cover_.decompose_points(collected_).balls)
            change.come.push_back(ball.size);
    for (const Decomposition* const cover : covers_before())
        for (const Described& ball : cover->balls)
            if (!is_kept(ball)) change.gone.push_back(ball.size);
    reset();
    return change;
}

std::ptrdiff_t CoverChange::n_balls() const noexcept {
    std::ptrdiff_t n = n_objects;
    for (const std::uint32_t size : come) n += 1 - static_cast<std::ptrdiff_t>(size);
    for (const std::uint32_t size : gone) n += static_cast<std::ptrdiff_t>(size) - 1;
    return n;
}

void CoverChanges::reset() noexcept {
    for (const Point p : marked_) side_[p] = Side::as_before;
    for (const Point p : deeper_) is_deeper_[p] = 0;
    for (const Point p : collected_) is_collected_[p] = 0;
    marked_.clear();
    deeper_.clear();
    collected_.clear();
    offers_.clear();
}

}  // namespace partage
