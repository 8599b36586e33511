#include <cmath>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/cards/rounding.hpp"
#include "stop.hpp"

namespace partage::bindings {
namespace {

void check_card(const CardRows& card, std::size_t n_columns, std::size_t n_rows) {
    std::int64_t first = 0;
    bool fits = n_columns == card.n_columns() && n_rows == card.n_rows() && n_columns > 0 &&
                n_rows > 0 && n_rows < (std::size_t{1} << 31);
    for (std::size_t k = 0; fits && k < n_columns; ++k) {
        const std::int64_t n_units = card.ends[k] - first;
        fits = n_units > 0;
        for (const std::int32_t unit : card.units.subspan(k * n_rows, n_rows))
            fits = fits && unit >= 0 && unit < n_units;
        first = card.ends[k];
    }
    if (!fits || first != static_cast<std::int64_t>(card.fractions.size()))
        throw std::invalid_argument("fractions, units and shares do not fit");
    for (const double fraction : card.fractions)
        if (!(fraction >= 0.0 && fraction < 1.0))
            throw std::invalid_argument("fractions must lie in [0, 1)");
    double sum = 0.0;
    for (const double share : card.shares) {
        if (!(share >= 0.0)) throw std::invalid_argument("shares must be at least 0");
        sum += share;
    }
    if (!(std::abs(sum - 1.0) < 1e-6)) throw std::invalid_argument("shares must sum to 1");
}

auto round_points(Array<double> fractions, Array<std::int64_t> ends, Table<std::int32_t> units,
                  Array<double> shares, double most_bias, std::size_t n_proposals) {
    const CardRows card{view(fractions), view(ends), {units.data(), units.size()}, view(shares)};
    check_card(card, units.shape(0), units.shape(1));
    std::vector<std::int64_t> ups;
    run_stoppable(nullptr,
                  [&](const Stop& stop) { ups = round_card(card, most_bias, n_proposals, stop); });
    return to_numpy(std::move(ups));
}

}  // namespace

void bind_cards(nb::module_& m) {
    m.def("round_points", &round_points, nb::arg("fractions").noconvert(),
          nb::arg("ends").noconvert(), nb::arg("units").noconvert(), nb::arg("shares").noconvert(),
          nb::arg("most_bias"), nb::arg("n_proposals"),
          "How many units of each column are rounded up, so that the largest error of the sums of "
          "rows is small; units are numbered by descending fractions.");
}

}  // namespace partage::bindings
