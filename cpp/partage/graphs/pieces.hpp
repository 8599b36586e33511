#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/balls.hpp"

namespace partage {

/// The groups that meet at each point, increasing.
class PointGroups {
public:
    PointGroups(const Objects& objects, std::span<const std::uint32_t> group_of);

    std::span<const std::uint32_t> operator[](Point p) const noexcept {
        return {groups_.data() + starts_[p], groups_.data() + starts_[p + 1]};
    }
    std::size_t first(Point p) const noexcept { return starts_[p]; }
    std::size_t size() const noexcept { return groups_.size(); }
    /// Place of a group at a point among all; size() if it does not lie there.
    std::size_t find(Point p, std::uint32_t group) const noexcept;

private:
    std::vector<std::size_t> starts_;
    std::vector<std::uint32_t> groups_;
};

/// Divides groups into the pieces of them that hang together, numbered by their first object.
/// O(objects + edges · log groups at a point).
std::vector<std::uint32_t> connected_pieces(const Objects& objects,
                                            std::span<const std::uint32_t> group_of);

/// Numbers groups anew by their first object; their number.
std::size_t number_by_first(std::vector<std::uint32_t>& group_of);

}  // namespace partage
