#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/ball_cover.hpp"
#include "partage/graphs/standing.hpp"

namespace partage {

/// How the grouping of the balls into K groups is described.
enum class GroupingCode {
    any,       ///< any grouping: log K_B + log B(K_B, K)
    connected  ///< as one that joins balls to their neighbours: the adjacency code
};

/// l(π) and its terms, in nats.
struct CoverCost {
    double balls = 0.0;
    double grouping = 0.0;
    double labels = 0.0;
    std::size_t n_balls = 0;  ///< K_B

    double total() const noexcept { return balls + grouping + labels; }
};

/// Some objects, their classes, and the balls that cover them.
struct Group {
    std::vector<std::uint32_t> members;  ///< increasing
    std::vector<std::uint32_t> counts;   ///< of the classes
    double labels = 0.0;                 ///< length of the classes
    Decomposition cover;
};

Group make_group(Cover& cover, std::vector<std::uint32_t> members);

/// A partition as it is described, and what changes of it would cost.
class Description {
public:
    Description(const Objects& objects, std::vector<Group> groups, GroupingCode code);

    GroupingCode code() const noexcept { return code_; }
    std::size_t n_groups() const noexcept { return n_groups_; }
    /// Groups by number; those that have gone have no members.
    const std::vector<Group>& groups() const noexcept { return groups_; }
    const std::vector<std::uint32_t>& group_of() const noexcept { return group_of_; }
    const Standing& standing() const noexcept { return standing_; }
    CoverCost cost(Cover& cover) const { return price(cover, {}, {}); }
    /// Balls of all groups, in the order they are described.
    const std::vector<Entry>& entries() const noexcept { return entries_; }
    std::size_t n_balls() const noexcept { return n_balls_; }
    /// Cost after some groups went and others came. O(n + balls) but for the strikes of the balls.
    CoverCost price(Cover& cover, std::span<const std::uint32_t> gone,
                    std::span<const Group* const> come) const;
    /// Lets groups go and others take the numbers given.
    void replace(std::span<const std::uint32_t> gone, std::vector<Group> come,
                 std::span<const std::uint32_t> numbers);

private:
    std::vector<Entry> merged(std::span<const std::uint32_t> gone,
                              std::span<const Group* const> come) const;
    double connected_length(Cover& cover, const std::vector<Entry>& description,
                            std::span<const std::uint32_t> gone,
                            std::span<const Group* const> come) const;
    void take(std::uint32_t number);

    const Objects& objects_;
    GroupingCode code_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> group_of_;
    Standing standing_;
    std::vector<Entry> entries_;
    std::size_t n_groups_ = 0;
    std::size_t n_balls_ = 0;
    std::size_t n_singles_ = 0;
};

/// Groups of a partition given by the group of each object.
std::vector<Group> groups_from_labels(Cover& cover, std::span<const std::uint32_t> group_of,
                                      std::size_t n_groups);

}  // namespace partage
