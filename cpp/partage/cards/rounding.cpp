#include "partage/cards/rounding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "partage/support/draws.hpp"

namespace partage {
namespace {

constexpr std::size_t n_cycles = 20;  // each from the best rounding so far
constexpr std::size_t most_steps = 4;
constexpr std::size_t checked_every = 64;  // proposals between two looks at Ctrl-C

/// How sharply a stage looks at the largest errors, and how much it lets their sum grow.
struct Stage {
    int n_squares;  ///< the power is 2^n_squares
    double growth;
};
constexpr std::array<Stage, 8> stages{
    {{3, 0.1}, {3, 0.072}, {3, 0.052}, {3, 0.037}, {4, 0.027}, {4, 0.019}, {4, 0.014}, {4, 0.01}}};

// Every other cycle starts a little way off, which leads out of the neighbourhood of the best.
constexpr Stage shake{3, 0.5};
constexpr std::size_t n_shaken = 200;

double power(double error, int n_squares) noexcept {
    for (int i = 0; i < n_squares; ++i) error *= error;
    return error;
}

/// The rounding at which a search stands, with the errors of the rows.
class Rounding {
public:
    explicit Rounding(const CardRows& card)
        : card_(card), ups_(card.n_columns(), 0), errors_(card.n_rows(), 0.0) {
        list_rows();
        for (std::size_t k = 0; k < card.n_columns(); ++k) start(k);
        centre();
    }

    std::size_t n_columns() const noexcept { return ups_.size(); }
    const std::vector<std::int64_t>& ups() const noexcept { return ups_; }
    double bias() const noexcept { return bias_; }

    double largest() const noexcept {
        double found = 0.0;
        for (const double error : errors_) found = std::max(found, std::abs(error));
        return found;
    }

    double sum(int n_squares) const noexcept {
        double found = 0.0;
        for (const double error : errors_) found += power(error, n_squares);
        return found;
    }

    /// Moves the edge of a column by a unit, without the errors; gives the unit and its direction.
    std::pair<std::size_t, double> step(std::size_t column, bool is_up) noexcept {
        const std::size_t first = first_of(column);
        const auto n = static_cast<std::int64_t>(n_units(column));
        std::int64_t& ups = ups_[column];
        const std::int64_t moved = is_up ? ups++ : --ups;
        const auto unit = first + static_cast<std::size_t>(((moved % n) + n) % n);
        const double by = is_up ? 1.0 : -1.0;
        bias_ += by * shares_[unit];
        return {unit, by};
    }

    /// Adds to the errors of the rows of a unit; gives by how much the sum of powers grows.
    double add(std::size_t unit, double by, int n_squares) noexcept {
        double grown = 0.0;
        for (const std::int32_t row : rows_of(unit)) {
            double& error = errors_[static_cast<std::size_t>(row)];
            const double before = error;
            error += by;
            grown += power(error, n_squares) - power(before, n_squares);
        }
        return grown;
    }

    void add(std::size_t unit, double by) noexcept {
        for (const std::int32_t row : rows_of(unit)) errors_[static_cast<std::size_t>(row)] += by;
    }

    void go_to(const std::vector<std::int64_t>& ups) noexcept {
        for (std::size_t k = 0; k < n_columns(); ++k) {
            while (ups_[k] != ups[k]) {
                const auto [unit, by] = step(k, ups_[k] < ups[k]);
                add(unit, by);
            }
        }
    }

private:
    std::size_t first_of(std::size_t column) const noexcept {
        return column == 0 ? 0 : static_cast<std::size_t>(card_.ends[column - 1]);
    }
    std::size_t n_units(std::size_t column) const noexcept {
        return static_cast<std::size_t>(card_.ends[column]) - first_of(column);
    }
    std::span<const std::int32_t> rows_of(std::size_t unit) const noexcept {
        return {rows_.data() + starts_[unit], starts_[unit + 1] - starts_[unit]};
    }

    /// Lists the rows of every unit, and all points rounded down.
    void list_rows() {
        const std::size_t n_rows = card_.n_rows();
        const std::size_t n_all = card_.fractions.size();
        shares_.assign(n_all, 0.0);
        starts_.assign(n_all + 1, 0);
        rows_.resize(card_.units.size());
        const auto unit_at = [&](std::size_t column, std::size_t row) {
            return first_of(column) + static_cast<std::size_t>(card_.units[column * n_rows + row]);
        };
        for (std::size_t k = 0; k < n_columns(); ++k)
            for (std::size_t i = 0; i < n_rows; ++i) ++starts_[unit_at(k, i) + 1];
        for (std::size_t u = 0; u < n_all; ++u) starts_[u + 1] += starts_[u];
        std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
        for (std::size_t k = 0; k < n_columns(); ++k) {
            for (std::size_t i = 0; i < n_rows; ++i) {
                const std::size_t unit = unit_at(k, i);
                rows_[next[unit]++] = static_cast<std::int32_t>(i);
                shares_[unit] += card_.shares[i];
                errors_[i] -= card_.fractions[unit];
            }
        }
        for (std::size_t u = 0; u < n_all; ++u) bias_ -= shares_[u] * card_.fractions[u];
    }

    /// Rounds a column so that its errors vary least.
    void start(std::size_t column) noexcept {
        const std::size_t first = first_of(column);
        const std::size_t n = n_units(column);
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t ups = 0; ups < n; ++ups) {
            double mean = 0.0;
            double squares = 0.0;
            for (std::size_t u = 0; u < n; ++u) {
                const double error = (u < ups ? 1.0 : 0.0) - card_.fractions[first + u];
                mean += shares_[first + u] * error;
                squares += shares_[first + u] * error * error;
            }
            const double spread = squares - mean * mean;
            if (spread < least) {
                least = spread;
                best = ups;
            }
        }
        for (std::size_t u = 0; u < best; ++u) apply(column, true);
    }

    /// Adds or takes 1 from all points of a column, one after the other, until the mean is near 0.
    void centre() noexcept {
        for (std::size_t k = 0; std::abs(bias_) > 0.5; k = (k + 1) % n_columns()) {
            const bool is_up = bias_ < 0.0;
            for (std::size_t u = 0; u < n_units(k); ++u) apply(k, is_up);
        }
    }

    void apply(std::size_t column, bool is_up) noexcept {
        const auto [unit, by] = step(column, is_up);
        add(unit, by);
    }

    CardRows card_;
    std::vector<std::int64_t> ups_;
    std::vector<double> errors_;
    std::vector<double> shares_;       // of the units
    std::vector<std::size_t> starts_;  // where the rows of each unit start
    std::vector<std::int32_t> rows_;
    double bias_ = 0.0;
};

/// Threshold accepting, and the best rounding that it saw.
class Search {
public:
    Search(const CardRows& card, double most_bias) : at_(card), most_bias_(most_bias) { keep(); }

    void run(const Stage& stage, std::size_t n_proposals, const Stop& stop) {
        double sum = at_.sum(stage.n_squares);
        for (std::size_t i = 0; i < n_proposals; ++i) {
            if (i % checked_every == 0) stop.check();
            if (propose(stage, sum)) keep();
        }
    }

    void go_back() noexcept { at_.go_to(best_); }
    std::vector<std::int64_t> best() && { return std::move(best_); }

private:
    bool propose(const Stage& stage, double& sum) noexcept {
        const double bias = std::abs(at_.bias());
        std::array<std::pair<std::size_t, bool>, most_steps> moves;
        std::array<std::pair<std::size_t, double>, most_steps> changed;
        const std::size_t n = 1 + draws_.below(most_steps);
        for (std::size_t i = 0; i < n; ++i) {
            moves[i] = {draws_.below(at_.n_columns()), draws_.below(2) == 1};
            changed[i] = at_.step(moves[i].first, moves[i].second);
        }
        const double new_bias = std::abs(at_.bias());
        const bool mends = new_bias < bias && bias > most_bias_;
        double grown = 0.0;
        std::size_t n_added = 0;
        if (mends || new_bias <= most_bias_) {
            for (; n_added < n; ++n_added)
                grown += at_.add(changed[n_added].first, changed[n_added].second, stage.n_squares);
            if (mends || grown <= stage.growth * sum) {
                sum += grown;
                return true;
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            at_.step(moves[i].first, !moves[i].second);
            if (i < n_added) at_.add(changed[i].first, -changed[i].second);
        }
        return false;
    }

    void keep() {
        const std::pair<double, double> badness{std::max(std::abs(at_.bias()), most_bias_),
                                                at_.largest()};
        if (badness >= badness_) return;
        badness_ = badness;
        best_ = at_.ups();
    }

    Rounding at_;
    Draws draws_;
    double most_bias_;
    std::vector<std::int64_t> best_;
    std::pair<double, double> badness_{std::numeric_limits<double>::infinity(), 0.0};
};

}  // namespace

std::vector<std::int64_t> round_card(const CardRows& card, double most_bias,
                                     std::size_t n_proposals, const Stop& stop) {
    Search search(card, most_bias);
    const std::size_t n_each = n_proposals / (n_cycles * stages.size());
    for (std::size_t cycle = 0; cycle < n_cycles; ++cycle) {
        search.go_back();
        if (cycle % 2 == 1) search.run(shake, std::min(n_shaken, n_each), stop);
        for (const Stage& stage : stages) search.run(stage, n_each, stop);
    }
    return std::move(search).best();
}

}  // namespace partage
