#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "partage/graphs/kd_tree.hpp"

namespace partage {

/// Points in some order, one coordinate after the other, with their squared distances from a
/// centre.
class SortedList {
public:
    /// All points but the centre's own, sorted into buckets of growing distance.
    void fill(const KdTree& tree, std::uint32_t place, const double* centre);
    std::size_t size() const noexcept { return places_.size(); }
    std::uint32_t place(std::size_t t) const noexcept { return places_[t]; }
    double square(std::size_t t) const noexcept { return squares_[t]; }
    const double* column(std::size_t c) const noexcept { return &columns_[c * stride_]; }
    std::size_t n_columns() const noexcept { return centre_.size(); }
    /// Whether a listed point lies inside the ball whose diameter joins the centre to `other`.
    bool has_killer(const double* other, double square, double slack) const noexcept;

private:
    std::size_t bucket(double square) const noexcept;

    std::vector<double> centre_;
    std::vector<std::uint32_t> places_;
    std::vector<double> squares_;
    std::vector<double> columns_;
    std::size_t stride_ = 0;
    double scale_ = 0.0;
    std::vector<std::size_t> ends_;  // behind the last point of each bucket
    std::vector<double> all_squares_;
};

/// A few hundred points that killers strike one after the other.
class Chunk {
public:
    Chunk(std::size_t n_columns, std::size_t capacity)
        : n_columns_(n_columns),
          capacity_(capacity),
          places_(capacity),
          squares_(capacity),
          columns_(n_columns * capacity),
          products_(capacity) {}

    std::size_t size() const noexcept { return size_; }
    void clear() noexcept { size_ = 0; }
    std::uint32_t place(std::size_t t) const noexcept { return places_[t]; }
    double square(std::size_t t) const noexcept { return squares_[t]; }
    void add(const KdTree& tree, std::uint32_t place, const double* centre) noexcept;
    void add(const SortedList& list, std::size_t t) noexcept;
    /// Drops the points x with (o - centre).(o - x) < -slack |centre - x|².
    void strike(const double* killer, const double* from_centre, double slack) noexcept;

private:
    std::size_t n_columns_;
    std::size_t capacity_;
    std::size_t size_ = 0;
    std::vector<std::uint32_t> places_;
    std::vector<double> squares_;
    std::vector<double> columns_;
    std::vector<double> products_;
};

/// Points that keep a centre apart from others, each with where it lies seen from the centre.
class Killers {
public:
    explicit Killers(std::size_t n_columns) : n_columns_(n_columns) {}

    void clear() noexcept { coordinates_.clear(); }
    std::size_t size() const noexcept { return coordinates_.size() / (2 * n_columns_); }
    void add(const KdTree& tree, std::uint32_t place, const double* centre);
    const double* point(std::size_t k) const noexcept { return &coordinates_[2 * k * n_columns_]; }
    const double* from_centre(std::size_t k) const noexcept { return point(k) + n_columns_; }
    /// Whether one of them strikes every point of the box of a node.
    bool strike_box(const KdTree& tree, std::size_t node, const double* centre,
                    double slack) const noexcept;

private:
    std::size_t n_columns_;
    std::vector<double> coordinates_;
};

/// Whether some point below a node lies inside the ball of diameter centre-other.
bool has_killer(const KdTree& tree, std::size_t node, const double* centre, const double* other,
                double square, double slack) noexcept;

}  // namespace partage
