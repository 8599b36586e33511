#include "partage/graphs/pieces.hpp"

#include <algorithm>

namespace partage {

PointGroups::PointGroups(const Objects& objects, std::span<const std::uint32_t> group_of) {
    starts_.reserve(objects.n_points() + 1);
    starts_.push_back(0);
    for (Point p = 0; p < objects.n_points(); ++p) {
        const auto first = static_cast<std::ptrdiff_t>(groups_.size());
        groups_.insert(groups_.end(), group_of.begin() + objects.starts[p],
                       group_of.begin() + objects.starts[p + 1]);
        std::sort(groups_.begin() + first, groups_.end());
        groups_.erase(std::unique(groups_.begin() + first, groups_.end()), groups_.end());
        starts_.push_back(groups_.size());
    }
}

std::size_t PointGroups::find(Point p, std::uint32_t group) const noexcept {
    const auto here = (*this)[p];
    const auto place = std::lower_bound(here.begin(), here.end(), group);
    if (place == here.end() || *place != group) return size();
    return first(p) + static_cast<std::size_t>(place - here.begin());
}

std::vector<std::uint32_t> connected_pieces(const Objects& objects,
                                            std::span<const std::uint32_t> group_of) {
    const PointGroups meeting(objects, group_of);
    std::vector<std::uint32_t> piece_of(meeting.size(), none);
    std::vector<Point> queue;
    std::uint32_t n_pieces = 0;
    for (Point seed = 0; seed < objects.n_points(); ++seed)
        for (const std::uint32_t group : meeting[seed]) {
            if (piece_of[meeting.find(seed, group)] != none) continue;
            piece_of[meeting.find(seed, group)] = n_pieces;
            queue.assign(1, seed);
            for (std::size_t i = 0; i < queue.size(); ++i)
                for (const Point v : objects.graph[queue[i]]) {
                    const std::size_t place = meeting.find(v, group);
                    if (place == meeting.size() || piece_of[place] != none) continue;
                    piece_of[place] = n_pieces;
                    queue.push_back(v);
                }
            ++n_pieces;
        }
    std::vector<std::uint32_t> found(objects.size());
    for (Point p = 0; p < objects.n_points(); ++p)
        for (std::uint32_t o = objects.starts[p]; o < objects.starts[p + 1]; ++o)
            found[o] = piece_of[meeting.find(p, group_of[o])];
    number_by_first(found);
    return found;
}

std::size_t number_by_first(std::vector<std::uint32_t>& group_of) {
    std::vector<std::uint32_t> number_of;
    std::uint32_t n_groups = 0;
    for (std::uint32_t& group : group_of) {
        if (group >= number_of.size()) number_of.resize(group + std::size_t{1}, none);
        if (number_of[group] == none) number_of[group] = n_groups++;
        group = number_of[group];
    }
    return n_groups;
}

}  // namespace partage
