#include "partage/graphs/nearest_lists.hpp"

#include <algorithm>
#include <numeric>

#include "partage/support/dispatch.hpp"

namespace partage {
namespace {

struct AddSquares {
    PARTAGE_INLINE static void run(double x, const double* column, std::size_t n, double* out) {
        for (std::size_t t = 0; t < n; ++t) {
            const double gap = x - column[t];
            out[t] += gap * gap;
        }
    }
};

std::vector<std::uint32_t> all_of(std::size_t n) {
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

}  // namespace

NearestLists::NearestLists(const Distances& distances, std::span<const Point> candidates,
                           const Workers& workers)
    : NearestLists(distances, candidates, all_of(candidates.size()), workers) {}

NearestLists::NearestLists(const Distances& distances, std::span<const Point> candidates,
                           std::vector<std::uint32_t> chosen, const Workers& workers)
    : distances_(distances),
      candidates_(candidates),
      kept_(std::move(chosen)),
      is_gone_(candidates.size(), 0),
      n_left_(kept_.size()),
      near_(distances.n_points * length, none) {
    gather();
    std::vector<Space> spaces(std::max<std::size_t>(1, workers.n_threads));
    workers.start(distances.n_points);
    for_each_block(workers, distances.n_points, 64,
                   [&](std::size_t thread, std::size_t first, std::size_t last) {
                       for (std::size_t p = first; p < last; ++p) fill(p, spaces[thread]);
                   });
}

void NearestLists::gather() {
    std::erase_if(kept_, [this](std::uint32_t k) { return is_gone_[k] != 0; });
    if (distances_.rows.empty()) return;
    columns_.resize(kept_.size() * distances_.n_columns);
    for (std::size_t t = 0; t < kept_.size(); ++t)
        for (std::size_t c = 0; c < distances_.n_columns; ++c)
            columns_[c * kept_.size() + t] =
                distances_.rows[candidates_[kept_[t]] * distances_.n_columns + c];
}

void NearestLists::fill(std::size_t point, Space& space) {
    const std::size_t n = kept_.size();
    space.squares.assign(n, 0.0);
    if (distances_.rows.empty())
        for (std::size_t t = 0; t < n; ++t)
            space.squares[t] = distances_.table[point * candidates_.size() + kept_[t]];
    else
        for (std::size_t c = 0; c < distances_.n_columns; ++c)
            dispatch<AddSquares>(distances_.rows[point * distances_.n_columns + c],
                                 &columns_[c * n], n, space.squares.data());
    space.order.clear();
    for (std::uint32_t t = 0; t < n; ++t)
        if (is_gone_[kept_[t]] == 0) space.order.push_back(t);
    const std::size_t n_wanted = std::min(length, space.order.size());
    const auto nearer = [&space](std::uint32_t a, std::uint32_t b) {
        return space.squares[a] != space.squares[b] ? space.squares[a] < space.squares[b] : a < b;
    };
    if (n_wanted < space.order.size())
        std::nth_element(space.order.begin(),
                         space.order.begin() + static_cast<std::ptrdiff_t>(n_wanted),
                         space.order.end(), nearer);
    std::sort(space.order.begin(), space.order.begin() + static_cast<std::ptrdiff_t>(n_wanted),
              nearer);
    std::uint32_t* near = &near_[point * length];
    std::fill(near, near + length, none);
    for (std::size_t t = 0; t < n_wanted; ++t) near[t] = kept_[space.order[t]];
}

void NearestLists::remove(std::uint32_t prototype) {
    is_gone_[prototype] = 1;
    --n_left_;
    if (2 * n_left_ < kept_.size()) gather();
    for (std::size_t p = 0; p < distances_.n_points; ++p) {
        std::uint32_t* near = &near_[p * length];
        std::uint32_t* found = std::find(near, near + length, prototype);
        if (found == near + length) continue;
        std::copy(found + 1, near + length, found);
        near[length - 1] = none;
        if (near[1] == none && n_left_ > 1) fill(p, space_);
    }
}

}  // namespace partage
