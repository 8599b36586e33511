#include "partage/graphs/merge_groups.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "partage/graphs/bipartition.hpp"
#include "partage/graphs/pieces.hpp"

namespace partage {
namespace {

/// Points times pairs up to which every pair is priced at every step.
constexpr std::size_t most_priced_at_once = 100'000;

/// Pairs from which on merges are no longer estimated.
constexpr std::size_t most_priced_pairs = 150;

/// Share of the groups that are merged between two looks at the whole description.
constexpr double share_between_looks = 0.02;

}  // namespace

GroupMerger::GroupMerger(const std::vector<std::unique_ptr<Cover>>& covers, GroupingCode code,
                         const Workers& workers)
    : covers_(covers),
      objects_(covers.front()->objects()),
      code_(code),
      workers_(workers),
      quiet_{workers.stop, workers.n_threads, nullptr} {
    for (const auto& cover : covers) changes_.emplace_back(*cover);
}

std::vector<std::uint32_t> GroupMerger::run(std::vector<std::uint32_t> group_of) {
    const std::size_t n = *std::max_element(group_of.begin(), group_of.end()) + std::size_t{1};
    Description description(objects_, groups_from_labels(cover(), group_of, n), code_);
    const std::vector<Pair> merges = merge_all(description);
    std::vector<Number> into(n);
    std::iota(into.begin(), into.end(), 0U);
    // Later merges may take what earlier ones gave.
    for (auto merge = merges.rbegin(); merge != merges.rend(); ++merge)
        into[merge->second] = into[merge->first];
    for (Number& group : group_of) group = into[group];
    number_by_first(group_of);
    return group_of;
}

/// The merges that lead to the cheapest partition.
std::vector<GroupMerger::Pair> GroupMerger::merge_all(Description& description) {
    cost_ = description.cost(cover()).total();
    double best_cost = cost_;
    const std::size_t n_groups = description.n_groups();
    workers_.start(n_groups);
    link_groups(description);
    start_estimating(description);
    price_all(description);
    std::vector<Pair> merges;
    std::size_t n_best = 0;
    while (!estimates_.empty()) {
        workers_.stop.check();
        const Pair pair = next_pair(description);
        merge(description, pair);
        merges.push_back(pair);
        workers_.add(1);
        if (look_again(description) && !is_lower(best_cost, cost_)) {
            best_cost = cost_;
            n_best = merges.size();
        }
    }
    workers_.add(n_groups - merges.size());  // pieces of the graph are never merged
    merges.resize(n_best);
    return merges;
}

void GroupMerger::link_groups(const Description& description) {
    const PointGroups meeting(objects_, description.group_of());
    estimates_.clear();
    const auto link = [&](Number a, Number b) {
        if (a != b) estimates_.try_emplace(std::minmax(a, b), Estimate{0.0, 0});
    };
    for (Point p = 0; p < objects_.n_points(); ++p)
        for (const Number a : meeting[p]) {
            for (const Number b : meeting[p]) link(a, b);
            for (const Point v : objects_.graph[p])
                if (v > p)
                    for (const Number b : meeting[v]) link(a, b);
        }
    neighbours_.assign(description.groups().size(), {});
    for (const auto& [pair, estimate] : estimates_) {
        neighbours_[pair.first].insert(pair.second);
        neighbours_[pair.second].insert(pair.first);
    }
}

double GroupMerger::growth(const Description& description, Pair pair, const Group& group,
                           Cover& cover) const {
    const Group* come[] = {&group};
    const Number gone[] = {pair.first, pair.second};
    return description.price(cover, gone, come).total() - cost_;
}

/// Looks at the whole description where objects are many.
void GroupMerger::start_estimating(const Description& description) {
    is_estimating_ = code_ == GroupingCode::any && objects_.size() >= least_estimated &&
                     estimates_.size() > most_priced_pairs;
    n_until_next_look_ = 1;
    if (is_estimating_) look_again(description);
}

/// Works out anew what estimates rest on, where it is time for it; whether the cost is exact.
bool GroupMerger::look_again(const Description& description) {
    if (!is_estimating_) return true;
    const bool is_last = estimates_.size() <= most_priced_pairs;
    if (!is_last && --n_until_next_look_ > 0) return false;
    cost_ = description.cost(cover()).total();
    const std::size_t n = description.n_groups();
    if (is_last) {
        is_estimating_ = false;
        price_all(description);
        return true;
    }
    n_until_next_look_ = std::max<std::size_t>(
        1, static_cast<std::size_t>(share_between_looks * static_cast<double>(n)));
    ++version_;
    prices_.look(description, cover());
    const std::size_t n_balls = description.n_balls();
    const double merged = cover().grouping_length(n_balls, n - 1);
    length_of_merge_ = merged - cover().grouping_length(n_balls, n);
    length_of_ball_ = merged - cover().grouping_length(n_balls - 1, n - 1);
    return true;
}

/// What a merge adds if the balls of all other groups cost what they did.
double GroupMerger::estimated_growth(const Description& description, Pair pair,
                                     std::size_t thread) {
    const Group& a = description.groups()[pair.first];
    const Group& b = description.groups()[pair.second];
    std::vector<std::uint32_t> counts = a.counts;
    for (std::size_t j = 0; j < counts.size(); ++j) counts[j] += b.counts[j];
    const CoverChange change =
        changes_[thread].change_by_join(description, pair.first, pair.second);
    return length_of_merge_ + length_of_ball_ * static_cast<double>(change.n_balls()) +
           prices_.growth(change) + label_length(counts) - a.labels - b.labels;
}

/// Whether all pairs are priced at every step, and their groups kept.
bool GroupMerger::are_few() const noexcept {
    return !is_estimating_ && estimates_.size() * objects_.n_points() <= most_priced_at_once;
}

void GroupMerger::price(const Description& description, Pair pair, Estimate& estimate,
                        std::size_t thread) {
    estimate.step = now();
    if (is_estimating_) {
        estimate.growth = estimated_growth(description, pair, thread);
        return;
    }
    if (!estimate.group)
        estimate.group = std::make_unique<const Group>(
            changes_[thread].join(description, pair.first, pair.second));
    estimate.growth = growth(description, pair, *estimate.group, *covers_[thread]);
    if (!are_few()) estimate.group.reset();
}

/// Prices all pairs at this step.
void GroupMerger::price_all(const Description& description) {
    std::vector<std::pair<Pair, Estimate*>> pairs;
    for (auto& [pair, estimate] : estimates_) pairs.emplace_back(pair, &estimate);
    for_each_block(quiet_, pairs.size(), 8,
                   [&](std::size_t thread, std::size_t first, std::size_t last) {
                       for (std::size_t i = first; i < last; ++i)
                           price(description, pairs[i].first, *pairs[i].second, thread);
                   });
    waiting_ = {};
    for (const auto& [pair, estimate] : estimates_)
        waiting_.push({estimate.growth, pair, estimate.step});
}

/// The pair to merge: the best of all, or the first that stays first when priced anew.
GroupMerger::Pair GroupMerger::next_pair(const Description& description) {
    if (are_few()) {
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
        if (first.step == now()) return first.pair;
        workers_.stop.check();
        price(description, first.pair, place->second, 0);
        waiting_.push({place->second.growth, first.pair, now()});
    }
}

/// The cheapest pair; of equals the first.
GroupMerger::Pair GroupMerger::best_pair() const {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [pair, estimate] : estimates_)
        least = std::min(least, cost_ + estimate.growth);
    for (const auto& [pair, estimate] : estimates_)
        if (!is_lower(least, cost_ + estimate.growth)) return pair;
    return estimates_.begin()->first;
}

void GroupMerger::merge(Description& description, Pair pair) {
    ++step_;
    const auto [kept, gone] = pair;
    std::vector<Group> come;
    come.push_back(changes_.front().join(description, kept, gone));
    const Number numbers[] = {kept, gone};
    cost_ += estimates_.at(pair).growth;
    description.replace(numbers, std::move(come), {numbers, 1});
    for (const Number other : neighbours_[gone]) {
        const auto old = estimates_.extract(std::minmax(gone, other));
        neighbours_[other].erase(gone);
        if (other == kept) continue;
        neighbours_[other].insert(kept);
        neighbours_[kept].insert(other);
        const Estimate& before = old.mapped();
        const auto [place, is_new] =
            estimates_.try_emplace(std::minmax(kept, other), Estimate{before.growth, before.step});
        if (!is_new && before.growth < place->second.growth) place->second.growth = before.growth;
        waiting_.push({place->second.growth, place->first, place->second.step});
    }
    neighbours_[gone].clear();
    for (const Number other : neighbours_[kept]) {
        const auto place = estimates_.find(std::minmax(kept, other));
        place->second.group.reset();
        if (!is_estimating_) continue;
        place->second.step = 0;  // estimates hold while both groups stay as they are
        waiting_.push({place->second.growth, place->first, 0});
    }
}

}  // namespace partage
