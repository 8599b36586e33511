#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "partage/graphs/prototypes.hpp"

namespace partage {

/// The few nearest prototypes of every point, while prototypes are taken away. A list that runs out
/// is filled again from those left.
class NearestLists {
public:
    static constexpr std::size_t length = 8;

    NearestLists(const Distances& distances, std::span<const Point> candidates,
                 const Workers& workers);
    /// Only some of the candidates, by number, increasing.
    NearestLists(const Distances& distances, std::span<const Point> candidates,
                 std::vector<std::uint32_t> chosen, const Workers& workers);

    /// Nearest and second nearest prototype of a point, of equals the first; none: all ones.
    std::uint32_t first(std::size_t point) const noexcept { return near_[point * length]; }
    std::uint32_t second(std::size_t point) const noexcept { return near_[point * length + 1]; }
    /// Takes a prototype away. O(points) and the lists that run out.
    void remove(std::uint32_t prototype);

private:
    struct Space {
        std::vector<double> squares;
        std::vector<std::uint32_t> order;
    };
    void gather();
    void fill(std::size_t point, Space& space);

    const Distances& distances_;
    std::span<const Point> candidates_;
    std::vector<std::uint32_t> kept_;  // prototypes, some of them gone since
    std::vector<std::uint8_t> is_gone_;
    std::size_t n_left_;
    std::vector<double> columns_;      // coordinates of the kept prototypes, one after the other
    std::vector<std::uint32_t> near_;  // `length` for each point, nearest first
    Space space_;
};

}  // namespace partage
