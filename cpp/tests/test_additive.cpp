#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "partage/additive/model.hpp"

namespace partage {
namespace {

constexpr std::array curve_walks{0.25, 1.0, 4.0};
constexpr std::array box_heights{0.5, 1.5};

FitSettings quick_settings() {
    FitSettings found;
    found.curves.walks = curve_walks;
    found.pairs.walks = curve_walks;
    found.pairs.heights = box_heights;
    found.max_cycles = 5;
    return found;
}

struct AddedRows {
    std::vector<double> y;
    std::vector<std::uint32_t> line, value, pair;
    std::vector<double> steps = std::vector<double>(5, 0.2);
    std::vector<double> ones;

    explicit AddedRows(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const auto k = static_cast<std::uint32_t>(i * 7 % 6);
            line.push_back(k);
            value.push_back(static_cast<std::uint32_t>(i % 4));
            pair.push_back(static_cast<std::uint32_t>(i * 5 % 13));
            y.push_back((k > 2) == (i % 11 > 1) ? 1.0 : 0.0);
        }
        ones.assign(n, 1.0);
    }

    void add_to(AdditiveModel& model) const {
        model.add({Term::Kind::line, line, 6, 6, steps, 0, {}});
        model.add({Term::Kind::values, value, 4, 0, {}, 0, {}});
        model.add({Term::Kind::pair, pair, 13, 0, {}, 0, {3, 4, true, false}});
    }
};

template <class Call>
bool is_refused(Call call) {
    try {
        call();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

TEST(additive_models_lose_less_than_none_whatever_the_threads) {
    const AddedRows rows(50000);
    const std::vector<std::uint32_t> all{0, 1, 2};
    const Stop stop;
    std::vector<double> first;
    for (const std::size_t n_threads : {1u, 2u}) {
        AdditiveModel model({Law::two_classes, 1, rows.y, {}});
        rows.add_to(model);
        model.start(rows.ones);
        const double none = model.loss(rows.ones);
        model.fit(all, quick_settings(), Workers{stop, n_threads});
        CHECK(model.loss(rows.ones) < none);
        CHECK(std::isfinite(model.evidence(2)));
        if (first.empty())
            first = model.levels(0).means;
        else
            CHECK(first == model.levels(0).means);
    }
}

TEST(additive_models_refuse_codes_without_a_cell) {
    const AddedRows rows(100);
    AdditiveModel model({Law::two_classes, 1, rows.y, {}});
    CHECK(is_refused([&] { model.add({Term::Kind::values, rows.value, 3, 0, {}, 0, {}}); }));
    CHECK(is_refused([&] { model.start(std::span(rows.ones).first(3)); }));
}

TEST(levels_without_rows_follow_their_neighbours) {
    const std::vector<double> pulls{4.0, 0.0, 4.0}, weights{8.0, 0.0, 8.0}, steps{0.5, 0.5};
    CurvePrior prior;
    prior.walks = curve_walks;
    const Levels found = average_curves({1, pulls, weights}, steps, prior);
    CHECK(std::abs(found.means[1] - found.means[0]) < 0.05);
    CHECK(found.variances[1] > found.variances[0]);
}

}  // namespace partage
