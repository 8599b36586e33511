#include "partage/graphs/agglomerate.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <set>

namespace partage {
namespace {

/// Points times pairs up to which every pair is priced at every step.
constexpr std::size_t most_priced_at_once = 100'000;

using Number = std::uint32_t;
using Pair = std::pair<Number, Number>;

/// What a merge was found to add to the cost, and at which step.
struct Estimate {
    double growth;
    std::size_t step;
};

struct Waiting {
    double growth;
    Pair pair;
    std::size_t step;  // of the estimate it stands for
    bool operator<(const Waiting& other) const noexcept {
        return growth != other.growth ? growth > other.growth : pair > other.pair;
    }
};

std::vector<std::uint32_t> all_objects(const Objects& objects) {
    std::vector<std::uint32_t> all(objects.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

/// The group of each object where merging starts; groups are numbered by their first object.
std::vector<Number> initial_groups(Cover& cover, InitialGroups initial) {
    const Objects& objects = cover.objects();
    std::vector<Number> group_of = all_objects(objects);
    if (initial == InitialGroups::singletons) return group_of;
    std::vector<std::vector<std::uint32_t>> classes(objects.n_classes);
    for (std::uint32_t o = 0; o < objects.size(); ++o) classes[objects.classes[o]].push_back(o);
    for (const auto& members : classes) {
        const Decomposition balls = cover.decompose(members);
        for (const Described& ball : balls.balls) {
            const auto points = balls.points_of(ball);
            const Number number = objects.starts[*std::min_element(points.begin(), points.end())];
            for (const Point p : points)
                for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
                    group_of[o] = number;
        }
    }
    std::vector<Number> number_of(objects.size(), 0);
    Number n_groups = 0;
    for (std::uint32_t o = 0; o < objects.size(); ++o)
        if (group_of[o] == o) number_of[o] = n_groups++;
    for (Number& group : group_of) group = number_of[group];
    return group_of;
}

class Agglomeration {
public:
    Agglomeration(const Objects& objects, const Balls& balls, const AgglomerationSettings& settings,
                  const Workers& workers)
        : objects_(objects),
          settings_(settings),
          workers_(workers),
          quiet_{workers.stop, workers.n_threads, nullptr} {
        for (std::size_t thread = 0; thread < std::max<std::size_t>(1, workers.n_threads); ++thread)
            covers_.push_back(std::make_unique<Cover>(objects, balls));
    }

    std::vector<Number> run() {
        std::vector<Number> group_of = initial_groups(cover(), settings_.initial);
        const std::size_t n_initial =
            *std::max_element(group_of.begin(), group_of.end()) + std::size_t{1};
        const auto merges = merge_all(group_of, n_initial);
        replay(group_of, merges);
        if (settings_.moves) group_of = improve(group_of);
        return or_one_group(group_of);
    }

private:
    Cover& cover() noexcept { return *covers_.front(); }

    Description describe(const std::vector<Number>& group_of) {
        const std::size_t n = *std::max_element(group_of.begin(), group_of.end()) + std::size_t{1};
        return Description(objects_, groups_from_labels(cover(), group_of, n), settings_.code);
    }

    /// The merges that lead to the cheapest partition.
    std::vector<Pair> merge_all(const std::vector<Number>& group_of, std::size_t n_initial) {
        Description description = describe(group_of);
        cost_ = description.cost(cover()).total();
        best_cost_ = cost_;
        link_groups(description);
        workers_.start(n_initial);
        price_all(description);
        std::vector<Pair> merges;
        std::size_t n_best = 0;
        while (!estimates_.empty()) {
            workers_.stop.check();
            const Pair pair = next_pair(description);
            merge(description, pair);
            merges.push_back(pair);
            workers_.add(1);
            if (!is_lower(best_cost_, cost_)) {
                best_cost_ = cost_;
                n_best = merges.size();
            }
        }
        workers_.add(n_initial - merges.size());  // pieces of the graph are never merged
        merges.resize(n_best);
        return merges;
    }

    void link_groups(const Description& description) {
        const auto& group_of = description.group_of();
        const auto link = [&](std::uint32_t a, std::uint32_t b) {
            if (group_of[a] != group_of[b])
                estimates_.try_emplace(std::minmax(group_of[a], group_of[b]), Estimate{0.0, 0});
        };
        for (Point p = 0; p < objects_.n_points(); ++p)
            for (std::uint32_t a = objects_.starts[p]; a < objects_.starts[p + 1]; ++a) {
                for (std::uint32_t b = a + 1; b < objects_.starts[p + 1]; ++b) link(a, b);
                for (const Point v : objects_.graph[p])
                    if (v > p)
                        for (std::uint32_t b = objects_.starts[v]; b < objects_.starts[v + 1]; ++b)
                            link(a, b);
            }
        neighbours_.assign(description.groups().size(), {});
        for (const auto& [pair, estimate] : estimates_) {
            neighbours_[pair.first].insert(pair.second);
            neighbours_[pair.second].insert(pair.first);
        }
    }

    Group merged(const Description& description, Pair pair, Cover& cover) const {
        const auto& a = description.groups()[pair.first].members;
        const auto& b = description.groups()[pair.second].members;
        std::vector<std::uint32_t> members;
        members.reserve(a.size() + b.size());
        std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(members));
        return make_group(cover, std::move(members));
    }

    double growth(const Description& description, Pair pair, Cover& cover) const {
        const Group group = merged(description, pair, cover);
        const Group* come[] = {&group};
        const Number gone[] = {pair.first, pair.second};
        return description.price(cover, gone, come).total() - cost_;
    }

    /// Prices all pairs at this step.
    void price_all(const Description& description) {
        std::vector<std::pair<const Pair*, Estimate*>> pairs;
        for (auto& [pair, estimate] : estimates_) pairs.emplace_back(&pair, &estimate);
        for_each_block(quiet_, pairs.size(), 8,
                       [&](std::size_t thread, std::size_t first, std::size_t last) {
                           for (std::size_t i = first; i < last; ++i)
                               *pairs[i].second = {
                                   growth(description, *pairs[i].first, *covers_[thread]), step_};
                       });
        waiting_ = {};
        for (const auto& [pair, estimate] : estimates_)
            waiting_.push({estimate.growth, pair, estimate.step});
    }

    /// The pair to merge: the best of all, or the first that stays first when priced anew.
    Pair next_pair(const Description& description) {
        if (estimates_.size() * objects_.n_points() <= most_priced_at_once) {
            price_all(description);
            return best_pair();
        }
        for (;;) {
            const Waiting first = waiting_.top();
            waiting_.pop();
            const auto place = estimates_.find(first.pair);
            if (place == estimates_.end() || place->second.step != first.step ||
                place->second.growth != first.growth)
                continue;
            if (first.step == step_) return first.pair;
            workers_.stop.check();
            place->second = {growth(description, first.pair, cover()), step_};
            waiting_.push({place->second.growth, first.pair, step_});
        }
    }

    /// The cheapest pair; of equals the first.
    Pair best_pair() const {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [pair, estimate] : estimates_)
            least = std::min(least, cost_ + estimate.growth);
        for (const auto& [pair, estimate] : estimates_)
            if (!is_lower(least, cost_ + estimate.growth)) return pair;
        return estimates_.begin()->first;
    }

    void merge(Description& description, Pair pair) {
        ++step_;
        const auto [kept, gone] = pair;
        std::vector<Group> come;
        come.push_back(merged(description, pair, cover()));
        const Number numbers[] = {kept, gone};
        cost_ += estimates_.at(pair).growth;
        description.replace(numbers, std::move(come), {numbers, 1});
        for (const Number other : neighbours_[gone]) {
            const auto old = estimates_.extract(std::minmax(gone, other));
            neighbours_[other].erase(gone);
            if (other == kept) continue;
            neighbours_[other].insert(kept);
            neighbours_[kept].insert(other);
            const auto [place, is_new] =
                estimates_.try_emplace(std::minmax(kept, other), old.mapped());
            if (!is_new && old.mapped().growth < place->second.growth)
                place->second.growth = old.mapped().growth;
            waiting_.push({place->second.growth, place->first, place->second.step});
        }
        neighbours_[gone].clear();
    }

    void replay(std::vector<Number>& group_of, const std::vector<Pair>& merges) const {
        const std::size_t n = *std::max_element(group_of.begin(), group_of.end()) + std::size_t{1};
        std::vector<Number> into(n);
        std::iota(into.begin(), into.end(), 0U);
        // Later merges may take what earlier ones gave.
        for (auto merge = merges.rbegin(); merge != merges.rend(); ++merge)
            into[merge->second] = into[merge->first];
        number_anew(group_of, into);
    }

    static void number_anew(std::vector<Number>& group_of, const std::vector<Number>& into) {
        constexpr Number none = std::numeric_limits<Number>::max();
        std::vector<Number> number_of(into.size(), none);
        Number n_groups = 0;
        for (Number& group : group_of) {
            Number& number = number_of[into[group]];
            if (number == none) number = n_groups++;
            group = number;
        }
    }

    std::vector<Number> improve(const std::vector<Number>& group_of) {
        Description description = describe(group_of);
        move_balls(objects_, description, cover(), workers_.stop);
        std::vector<Number> found = description.group_of();
        std::vector<Number> same(description.groups().size());
        std::iota(same.begin(), same.end(), 0U);
        number_anew(found, same);
        return found;
    }

    /// One group, where that costs no more; pieces of a graph are never merged otherwise.
    std::vector<Number> or_one_group(const std::vector<Number>& group_of) {
        const std::vector<Number> one(group_of.size(), 0);
        const double cost = describe(group_of).cost(cover()).total();
        return is_lower(cost, describe(one).cost(cover()).total()) ? group_of : one;
    }

    const Objects& objects_;
    const AgglomerationSettings& settings_;
    const Workers& workers_;
    Workers quiet_;
    std::vector<std::unique_ptr<Cover>> covers_;  // one per thread
    std::map<Pair, Estimate> estimates_;
    std::vector<std::set<Number>> neighbours_;
    std::priority_queue<Waiting> waiting_;
    std::size_t step_ = 0;
    double cost_ = 0.0;
    double best_cost_ = 0.0;
};

}  // namespace

std::vector<std::uint32_t> agglomerate(const Objects& objects,
                                       const AgglomerationSettings& settings,
                                       const Workers& workers) {
    workers.start(objects.n_points());
    const Balls balls =
        find_balls(objects, all_objects(objects), BallKind::global, settings.limits, workers);
    return Agglomeration(objects, balls, settings, workers).run();
}

}  // namespace partage
