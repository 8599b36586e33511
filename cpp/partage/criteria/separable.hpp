#pragma once

#include <algorithm>
#include <vector>

#include "partage/criteria/criterion.hpp"
#include "partage/search/task.hpp"
#include "partage/space/line.hpp"

namespace partage {

/// A cut and the cost of both its sides.
struct Cut {
    std::size_t at = 0;  ///< block; 0: none
    double cost = infinite;

    /// Takes a cut that is cheaper, or as cheap and further left.
    void consider(std::size_t other, double other_cost) noexcept {
        if (is_lower(other_cost, cost) || (other < at && !is_lower(cost, other_cost))) {
            at = other;
            cost = std::min(cost, other_cost);
        }
    }
};

/// Blocks and their dense rows.
struct CountedBlocks {
    Blocks blocks;
    Rows rows;
};

/// A criterion whose part cost is offset(n) + scale(n) Σ_j term(n_j, j): one class changes, one
/// term changes, so that searches step along a line in O(1) whatever the number of classes.
class SeparableCriterion : public PartitionCriterion {
public:
    virtual double offset(double n) const noexcept = 0;
    virtual double scale(double n) const noexcept = 0;
    virtual double term(double count, std::size_t label) const noexcept = 0;
    /// True if the part cost is a concave function of the counts.
    virtual bool is_concave() const noexcept { return false; }

    /// Cost of the part between two cumulative rows.
    virtual double part_between(Row before, Row after) const noexcept = 0;

    /// Joins each block to the one before, unless joining loses more than `clear_loss` or makes a
    /// block heavier than `most`.
    virtual CountedBlocks sweep(const Line& line, const Blocks& blocks, double most,
                                double clear_loss, const Stop& stop) const = 0;
    /// Looks at the cuts strictly between the blocks `from` and `to`; `left` and `right` are the
    /// rows of both sides of a cut at `from`.
    virtual void look_inside(const Line& line, const Blocks& blocks, std::size_t from,
                             std::size_t to, Row left, Row right, const Limits& limits,
                             Cut& best) const = 0;
};

/// Writes the loops of a separable criterion once, with its three functions inlined.
template <class Derived>
class Separable : public SeparableCriterion {
public:
    double part(Row counts) const noexcept final {
        double n = 0.0;
        double sum = 0.0;
        for (std::size_t j = 0; j < counts.size(); ++j) {
            n += counts[j];
            sum += term_of(counts[j], j);
        }
        return cost(n, sum);
    }

    double part_between(Row before, Row after) const noexcept final {
        double n = 0.0;
        double sum = 0.0;
        for (std::size_t j = 0; j < before.size(); ++j) {
            n += after[j] - before[j];
            sum += term_of(after[j] - before[j], j);
        }
        return cost(n, sum);
    }

    void parts_ending_at(const Cumulative& sums, std::size_t first, std::size_t end,
                         std::size_t last, double* out) const final {
        const std::size_t n_classes = sums.n_classes();
        const double* stop = sums.before(last).data();
        const double stop_weight = sums.weight_before(last);
        for (std::size_t i = first; i < end; ++i) {
            const double* start = sums.before(i).data();
            double sum = 0.0;
            for (std::size_t j = 0; j < n_classes; ++j) sum += term_of(stop[j] - start[j], j);
            out[i - first] = cost(stop_weight - sums.weight_before(i), sum);
        }
    }

    CountedBlocks sweep(const Line& line, const Blocks& blocks, double most, double clear_loss,
                        const Stop& stop) const final;

    void look_inside(const Line& line, const Blocks& blocks, std::size_t from, std::size_t to,
                     Row left, Row right, const Limits& limits, Cut& best) const final;

private:
    const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
    double term_of(double count, std::size_t label) const noexcept {
        return self().Derived::term(count, label);
    }
    double cost(double n, double sum) const noexcept {
        return n > 0.0 ? self().Derived::offset(n) + self().Derived::scale(n) * sum : 0.0;
    }
};

template <class Derived>
CountedBlocks Separable<Derived>::sweep(const Line& line, const Blocks& blocks, double most,
                                        double clear_loss, const Stop& stop) const {
    const std::size_t n_classes = line.n_classes;
    double nothing = 0.0;  // sum of the terms of an empty block
    for (std::size_t j = 0; j < n_classes; ++j) nothing += term_of(0.0, j);
    CountedBlocks kept{{}, Rows(0, n_classes)};
    std::vector<double>& rows = kept.rows.values();
    double size = 0.0;
    double sum = nothing;
    double own = 0.0;
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
        if (i % 65536 == 0) stop.check();
        const std::size_t first = line.starts[blocks[i]];
        const std::size_t last = line.starts[blocks[i + 1]];
        const bool has_open = !kept.blocks.empty();
        double* counts = has_open ? rows.data() + (kept.blocks.size() - 1) * n_classes : nullptr;
        double added = 0.0;
        double alone = nothing;
        double joined = sum;
        for_each_class(line, first, last, [&](Code code, double amount) {
            added += amount;
            alone += term_of(amount, code) - term_of(0.0, code);
            if (has_open)
                joined += term_of(counts[code] + amount, code) - term_of(counts[code], code);
        });
        const double together = cost(size + added, joined);
        const double apart = cost(added, alone);
        if (has_open && size + added <= most && together - own - apart < clear_loss) {
            size += added;
            sum = joined;
            own = together;
        } else {
            kept.blocks.push_back(blocks[i]);
            rows.resize(rows.size() + n_classes, 0.0);
            counts = rows.data() + (kept.blocks.size() - 1) * n_classes;
            size = added;
            sum = alone;
            own = apart;
        }
        for_each_class(line, first, last,
                       [counts](Code code, double amount) { counts[code] += amount; });
    }
    kept.blocks.push_back(blocks.back());
    return kept;
}

template <class Derived>
void Separable<Derived>::look_inside(const Line& line, const Blocks& blocks, std::size_t from,
                                     std::size_t to, Row left, Row right, const Limits& limits,
                                     Cut& best) const {
    std::vector<double> a(left.begin(), left.end());
    std::vector<double> b(right.begin(), right.end());
    double a_size = weight(left);
    double b_size = weight(right);
    double a_sum = 0.0;
    double b_sum = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        a_sum += term_of(a[j], j);
        b_sum += term_of(b[j], j);
    }
    for (std::size_t at = from; at + 1 < to; ++at) {
        const std::size_t first = line.starts[blocks[at]];
        const std::size_t last = line.starts[blocks[at + 1]];
        for_each_class(line, first, last, [&](Code code, double amount) {
            const double more = a[code] + amount;
            const double rest = b[code] - amount;
            const double less = rest > 0.0 ? rest : 0.0;  // rounding of real weights
            a_sum += term_of(more, code) - term_of(a[code], code);
            b_sum += term_of(less, code) - term_of(b[code], code);
            a[code] = more;
            b[code] = less;
            a_size += amount;
            b_size -= amount;
        });
        if (limits.allows(a_size) && limits.allows(b_size))
            best.consider(at + 1, cost(a_size, a_sum) + cost(b_size, b_sum));
    }
}

}  // namespace partage
