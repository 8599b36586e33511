#include "partage/graphs/description.hpp"

#include <algorithm>

#include "partage/graphs/adjacency_code.hpp"
#include "partage/graphs/bipartition.hpp"

namespace partage {
namespace {

bool holds(std::span<const std::uint32_t> numbers, std::uint32_t number) noexcept {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

Group make_group(Cover& cover, std::vector<std::uint32_t> members) {
    Group group;
    group.members = std::move(members);
    group.counts.assign(cover.objects().n_classes, 0);
    for (const std::uint32_t o : group.members) ++group.counts[cover.objects().classes[o]];
    group.labels = label_length(group.counts);
    group.cover = cover.decompose(group.members);
    return group;
}

std::vector<Group> groups_from_labels(Cover& cover, std::span<const std::uint32_t> group_of,
                                      std::size_t n_groups) {
    std::vector<std::vector<std::uint32_t>> members(n_groups);
    for (std::size_t o = 0; o < group_of.size(); ++o)
        members[group_of[o]].push_back(static_cast<std::uint32_t>(o));
    std::vector<Group> groups;
    for (auto& some : members) groups.push_back(make_group(cover, std::move(some)));
    return groups;
}

Description::Description(const Objects& objects, std::vector<Group> groups, GroupingCode code)
    : objects_(objects),
      code_(code),
      groups_(std::move(groups)),
      group_of_(objects.size(), 0),
      standing_(objects) {
    for (std::uint32_t number = 0; number < groups_.size(); ++number) take(number);
    std::sort(entries_.begin(), entries_.end());
}

void Description::take(std::uint32_t number) {
    const Group& group = groups_[number];
    for (const std::uint32_t o : group.members) group_of_[o] = number;
    standing_.add(number, group.members, group.cover);
    for (const Described& ball : group.cover.balls)
        entries_.push_back({ball, group.cover.points_of(ball), number});
    ++n_groups_;
    n_balls_ += group.cover.n_balls();
    n_singles_ += group.cover.n_singles;
}

std::vector<Entry> Description::merged(std::span<const std::uint32_t> gone,
                                       std::span<const Group* const> come) const {
    std::vector<Entry> added;
    for (std::size_t i = 0; i < come.size(); ++i)
        for (const Described& ball : come[i]->cover.balls)
            added.push_back({ball, come[i]->cover.points_of(ball),
                             static_cast<std::uint32_t>(groups_.size() + i)});
    std::sort(added.begin(), added.end());
    std::vector<Entry> all;
    all.reserve(entries_.size() + added.size());
    auto next = added.begin();
    for (const Entry& entry : entries_) {
        if (holds(gone, entry.group)) continue;
        while (next != added.end() && *next < entry) all.push_back(*next++);
        all.push_back(entry);
    }
    all.insert(all.end(), next, added.end());
    return all;
}

CoverCost Description::price(Cover& cover, std::span<const std::uint32_t> gone,
                             std::span<const Group* const> come) const {
    CoverCost cost;
    cost.n_balls = n_balls_;
    std::size_t n_singles = n_singles_;
    for (std::uint32_t number = 0; number < groups_.size(); ++number)
        if (!groups_[number].members.empty() && !holds(gone, number))
            cost.labels += groups_[number].labels;
    for (const std::uint32_t number : gone) {
        cost.n_balls -= groups_[number].cover.n_balls();
        n_singles -= groups_[number].cover.n_singles;
    }
    for (const Group* group : come) {
        cost.labels += group->labels;
        cost.n_balls += group->cover.n_balls();
        n_singles += group->cover.n_singles;
    }
    const std::vector<Entry> description = merged(gone, come);
    cost.balls = cover.ball_set_length(description, n_singles > 0);
    cost.grouping = code_ == GroupingCode::any
                        ? cover.grouping_length(cost.n_balls, n_groups_ + come.size() - gone.size())
                        : connected_length(cover, description, gone, come);
    return cost;
}

double Description::connected_length(Cover& cover, const std::vector<Entry>& description,
                                     std::span<const std::uint32_t> gone,
                                     std::span<const Group* const> come) const {
    if (gone.empty() && come.empty())
        return adjacency_grouping_length(cover.objects(), description, group_of_);
    std::vector<std::uint32_t> group_of = group_of_;
    for (std::size_t i = 0; i < come.size(); ++i)
        for (const std::uint32_t o : come[i]->members)
            group_of[o] = static_cast<std::uint32_t>(groups_.size() + i);
    return adjacency_grouping_length(cover.objects(), description, group_of);
}

void Description::replace(std::span<const std::uint32_t> gone, std::vector<Group> come,
                          std::span<const std::uint32_t> numbers) {
    std::erase_if(entries_, [&](const Entry& entry) { return holds(gone, entry.group); });
    for (const std::uint32_t number : gone) {
        --n_groups_;
        n_balls_ -= groups_[number].cover.n_balls();
        n_singles_ -= groups_[number].cover.n_singles;
        standing_.forget(groups_[number].members);
        groups_[number] = Group();
    }
    const auto n_kept = static_cast<std::ptrdiff_t>(entries_.size());
    for (std::size_t i = 0; i < come.size(); ++i) {
        if (numbers[i] >= groups_.size()) groups_.resize(numbers[i] + 1);
        groups_[numbers[i]] = std::move(come[i]);
        take(numbers[i]);
    }
    std::sort(entries_.begin() + n_kept, entries_.end());
    std::inplace_merge(entries_.begin(), entries_.begin() + n_kept, entries_.end());
}

}  // namespace partage
