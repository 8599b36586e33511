#include "partage/graphs/gabriel_tests.hpp"

#include <algorithm>
#include <cmath>

#include "partage/support/dispatch.hpp"

namespace partage {
namespace {

constexpr std::size_t n_buckets = 512;
constexpr std::size_t block = 64;

/// products[t] = Σ_c from_centre[c] (killer[c] - x_c[t]), in the order of the coordinates.
struct StrikeAll {
    PARTAGE_INLINE static void run(const double* killer, const double* from_centre,
                                   const double* columns, std::size_t stride, std::size_t n_columns,
                                   std::size_t n, double* products) {
        for (std::size_t t = 0; t < n; ++t) products[t] = 0.0;
        for (std::size_t c = 0; c < n_columns; ++c) {
            const double k = killer[c];
            const double v = from_centre[c];
            const double* x = columns + c * stride;
            for (std::size_t t = 0; t < n; ++t) products[t] += v * (k - x[t]);
        }
    }
};

/// Least of Σ_c (x_c[t] - a[c]) (x_c[t] - b[c]) over a block of points.
struct LeastProduct {
    PARTAGE_INLINE static double run(const double* a, const double* b, const double* columns,
                                     std::size_t stride, std::size_t n_columns, std::size_t n) {
        double products[block] = {};
        for (std::size_t c = 0; c < n_columns; ++c) {
            const double* x = columns + c * stride;
            for (std::size_t t = 0; t < n; ++t) products[t] += (x[t] - a[c]) * (x[t] - b[c]);
        }
        double least = products[0];
        for (std::size_t t = 1; t < n; ++t) least = products[t] < least ? products[t] : least;
        return least;
    }
};

struct SquaresFrom {
    PARTAGE_INLINE static void run(const double* centre, const KdTree* tree, double* out) {
        const std::size_t n = tree->size();
        for (std::size_t t = 0; t < n; ++t) out[t] = 0.0;
        for (std::size_t c = 0; c < tree->n_columns(); ++c) {
            const double* x = tree->column(c);
            for (std::size_t t = 0; t < n; ++t) {
                const double gap = centre[c] - x[t];
                out[t] += gap * gap;
            }
        }
    }
};

}  // namespace

std::size_t SortedList::bucket(double square) const noexcept {
    return std::min(n_buckets - 1, static_cast<std::size_t>(square * scale_));
}

void SortedList::fill(const KdTree& tree, std::uint32_t place, const double* centre) {
    const std::size_t n = tree.size();
    centre_.assign(centre, centre + tree.n_columns());
    all_squares_.resize(n);
    dispatch<SquaresFrom>(centre, &tree, all_squares_.data());
    const double farthest = *std::max_element(all_squares_.begin(), all_squares_.end());
    scale_ = farthest > 0.0 ? static_cast<double>(n_buckets) / farthest : 0.0;
    ends_.assign(n_buckets + 1, 0);
    for (std::size_t t = 0; t < n; ++t)
        if (t != place) ++ends_[bucket(all_squares_[t]) + 1];
    for (std::size_t b = 0; b < n_buckets; ++b) ends_[b + 1] += ends_[b];
    stride_ = n - 1;
    places_.resize(stride_);
    squares_.resize(stride_);
    columns_.resize(stride_ * tree.n_columns());
    // ends_[b] runs from the start of bucket b to its end.
    for (std::size_t t = 0; t < n; ++t) {
        if (t == place) continue;
        const std::size_t at = ends_[bucket(all_squares_[t])]++;
        places_[at] = static_cast<std::uint32_t>(t);
        squares_[at] = all_squares_[t];
    }
    for (std::size_t c = 0; c < tree.n_columns(); ++c) {
        const double* x = tree.column(c);
        double* out = columns_.data() + c * stride_;
        for (std::size_t t = 0; t < stride_; ++t) out[t] = x[places_[t]];
    }
}

bool SortedList::has_killer(const double* other, double square, double slack) const noexcept {
    // Points strictly inside the ball are nearer to the centre than `other`.
    const std::size_t n = ends_[bucket(square)];
    for (std::size_t t = 0; t < n; t += block)
        if (dispatch<LeastProduct>(centre_.data(), other, columns_.data() + t, stride_, n_columns(),
                                   std::min(block, n - t)) < -slack * square)
            return true;
    return false;
}

void Chunk::add(const KdTree& tree, std::uint32_t place, const double* centre) noexcept {
    double square = 0.0;
    for (std::size_t c = 0; c < n_columns_; ++c) {
        const double x = tree.column(c)[place];
        columns_[c * capacity_ + size_] = x;
        square += (centre[c] - x) * (centre[c] - x);
    }
    squares_[size_] = square;
    places_[size_++] = place;
}

void Chunk::add(const SortedList& list, std::size_t t) noexcept {
    for (std::size_t c = 0; c < n_columns_; ++c)
        columns_[c * capacity_ + size_] = list.column(c)[t];
    squares_[size_] = list.square(t);
    places_[size_++] = list.place(t);
}

void Chunk::strike(const double* killer, const double* from_centre, double slack) noexcept {
    dispatch<StrikeAll>(killer, from_centre, columns_.data(), capacity_, n_columns_, size_,
                        products_.data());
    std::size_t kept = 0;
    for (std::size_t t = 0; t < size_; ++t) {
        if (products_[t] < -slack * squares_[t]) continue;
        if (kept != t) {
            squares_[kept] = squares_[t];
            places_[kept] = places_[t];
            for (std::size_t c = 0; c < n_columns_; ++c)
                columns_[c * capacity_ + kept] = columns_[c * capacity_ + t];
        }
        ++kept;
    }
    size_ = kept;
}

void Killers::add(const KdTree& tree, std::uint32_t place, const double* centre) {
    const std::size_t at = coordinates_.size();
    coordinates_.resize(at + 2 * n_columns_);
    for (std::size_t c = 0; c < n_columns_; ++c) {
        const double x = tree.column(c)[place];
        coordinates_[at + c] = x;
        coordinates_[at + n_columns_ + c] = x - centre[c];
    }
}

bool Killers::strike_box(const KdTree& tree, std::size_t node, const double* centre,
                         double slack) const noexcept {
    const double* low = tree.low(node);
    const double* high = tree.high(node);
    double farthest = 0.0;
    for (std::size_t c = 0; c < n_columns_; ++c) {
        const double gap = std::max(std::fabs(centre[c] - low[c]), std::fabs(centre[c] - high[c]));
        farthest += gap * gap;
    }
    // Rounding keeps order, so what holds at the worst corner holds inside.
    const double needed = -slack * farthest;
    for (std::size_t k = 0; k < size(); ++k) {
        const double* o = point(k);
        const double* v = from_centre(k);
        double product = 0.0;
        for (std::size_t c = 0; c < n_columns_; ++c)
            product += std::max(v[c] * (o[c] - low[c]), v[c] * (o[c] - high[c]));
        if (product < needed) return true;
    }
    return false;
}

bool has_killer(const KdTree& tree, std::size_t node, const double* centre, const double* other,
                double square, double slack) noexcept {
    const double* low = tree.low(node);
    const double* high = tree.high(node);
    const std::size_t n_columns = tree.n_columns();
    double least = 0.0;
    for (std::size_t c = 0; c < n_columns; ++c) {
        const double middle = std::clamp(0.5 * centre[c] + 0.5 * other[c], low[c], high[c]);
        least += (middle - centre[c]) * (middle - other[c]);
    }
    if (least >= -0.5 * slack * square) return false;
    const KdTree::Node& here = tree[node];
    if (!here.is_leaf())
        return has_killer(tree, node + 1, centre, other, square, slack) ||
               has_killer(tree, here.right, centre, other, square, slack);
    double products[KdTree::leaf_size] = {};
    const std::size_t n = here.last - here.first;
    for (std::size_t c = 0; c < n_columns; ++c) {
        const double* x = tree.column(c) + here.first;
        for (std::size_t t = 0; t < n; ++t) products[t] += (x[t] - centre[c]) * (x[t] - other[c]);
    }
    for (std::size_t t = 0; t < n; ++t)
        if (products[t] < -slack * square) return true;
    return false;
}

}  // namespace partage
