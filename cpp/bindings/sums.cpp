#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "arrays.hpp"
#include "constraints.hpp"
#include "module.hpp"
#include "partage/search/sums/summary.hpp"
#include "stop.hpp"

namespace partage::bindings {
namespace {

Rows rows_of_units(const Table<double>& counts, const CriterionEntry& entry) {
    const Reads reads = entry.reads;
    if (reads == Reads::moments && counts.shape(1) < entry.n_moments)
        throw std::invalid_argument("a unit holds a weight and two sums at least");
    Rows rows(counts.shape(0), Layout{reads, counts.shape(1)});
    std::copy_n(counts.data(), counts.size(), rows.values().begin());
    const double least = reads == Reads::moments ? -infinite : 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const double count : rows[i])
            if (!(count >= least) || !std::isfinite(count))
                throw std::invalid_argument("counts must be finite and at least 0");
        if (!(rows.weight(i) > 0.0)) throw std::invalid_argument("every unit must hold rows");
    }
    return rows;
}

/// Numbers that a caller may leave out; none is not a number, or more than the rest.
std::vector<double> numbers_of(const std::optional<Array<double>>& given) {
    if (!given) return {};
    const std::span<const double> numbers = view(*given);
    for (const double number : numbers)
        if (!(number < infinite)) throw std::invalid_argument("logarithms must be below infinity");
    return {numbers.begin(), numbers.end()};
}

std::vector<Index> flat(const std::vector<Stretch>& stretches) {
    std::vector<Index> found;
    for (const Stretch& stretch : stretches) {
        found.push_back(stretch.low);
        found.push_back(stretch.high);
    }
    return found;
}

nb::dict to_python(Summed&& summed, std::vector<double>&& cuts, AveragedShares&& averaged,
                   const std::vector<std::vector<Stretch>>& stretches) {
    nb::dict out;
    out["log_total"] = summed.log_total;
    out["n_parts"] = to_numpy(std::move(summed.n_parts));
    out["cuts"] = to_numpy(std::move(cuts));
    const std::size_t n_units = averaged.shares.size();
    const std::size_t n_classes = averaged.shares.width();
    out["shares"] = to_numpy(std::move(averaged.shares.values()), n_units, n_classes);
    out["squares"] = to_numpy(std::move(averaged.squares.values()), n_units, n_classes);
    out["first"] = to_numpy(std::move(summed.parts.first));
    out["last"] = to_numpy(std::move(summed.parts.last));
    out["probability"] = to_numpy(std::move(summed.parts.probability));
    nb::list by_level;
    for (const std::vector<Stretch>& one : stretches)
        by_level.append(to_numpy(flat(one), one.size(), 2));
    out["stretches"] = by_level;
    return out;
}

nb::dict run_sums(Table<double> counts, std::string_view criterion_name,
                  const std::vector<double>& parameters, std::optional<Array<double>> log_prior,
                  std::optional<Array<double>> log_places, const std::vector<Index>& cuts,
                  const std::vector<double>& levels, std::size_t n_parts, std::size_t max_parts,
                  double min_weight, const Cancel* cancel, const Constraints* constraints) {
    const CriterionEntry& entry = criterion_named(criterion_name);
    check_parameters(entry, parameters);
    const Rows rows = rows_of_units(counts, entry);
    const std::size_t n_units = rows.size();
    if (n_units == 0) throw NotPossible("the line is empty");
    constexpr std::size_t most_units = 20000;  // the sums take memory for every part
    if (n_units > most_units) throw std::invalid_argument("the line is too long; join units");
    const Limits limits =
        limits_of(n_units, rows.width(), n_parts, max_parts, min_weight, constraints);
    if (limits.borders) throw std::invalid_argument("join units to the borders beforehand");
    const std::vector<double> prior = numbers_of(log_prior);
    const std::vector<double> places = numbers_of(log_places);
    if (!places.empty() && places.size() + 1 != n_units)
        throw std::invalid_argument("there is one border less than units");
    for (const Index cut : cuts)
        if (cut == 0 || cut >= n_units) throw std::invalid_argument("a cut lies outside the line");
    Summed summed;
    std::vector<double> probable;
    AveragedShares averaged{Rows(0, rows.width()), Rows(0, rows.width())};
    std::vector<std::vector<Stretch>> stretches;
    run_stoppable(cancel, [&](const Stop& stop) {
        const Cumulative sums(rows);
        const Numbers totals = sums.before(n_units);
        const Problem problem(std::vector<double>(totals.begin(), totals.end()), 0, entry.reads);
        const auto criterion = make_partition_criterion(entry, problem, parameters);
        summed = sum_partitions({*criterion, sums, limits, prior, places, cuts.size() + 1, stop});
        probable = cut_probabilities(summed.parts, n_units);
        if (entry.reads == Reads::counts) averaged = averaged_shares(summed.parts, sums);
        for (const double level : levels)
            stretches.push_back(credible_stretches(summed.parts, sums, cuts, level));
    });
    return to_python(std::move(summed), std::move(probable), std::move(averaged), stretches);
}

/// The stretches around cuts, of parts in order whose probabilities are known.
auto stretches_of(Array<Index> first, Array<Index> last, Array<double> probability,
                  Array<double> weights, const std::vector<Index>& cuts, double level) {
    const std::size_t n_units = weights.size();
    const std::size_t n_parts = first.size();
    if (last.size() != n_parts || probability.size() != n_parts)
        throw std::invalid_argument("a part has a first unit, a last one, and a probability");
    Rows rows(n_units, std::size_t{1});
    std::copy_n(weights.data(), n_units, rows.values().begin());
    PartProbabilities parts;
    for (std::size_t i = 0; i < n_parts; ++i) {
        if (!(first(i) < last(i) && last(i) <= n_units) || (i > 0 && first(i) < first(i - 1)))
            throw std::invalid_argument("parts must lie on the line, in order");
        parts.add(first(i), last(i), probability(i));
    }
    for (const Index cut : cuts)
        if (cut == 0 || cut >= n_units) throw std::invalid_argument("a cut lies outside the line");
    const std::vector<Stretch> found = credible_stretches(parts, Cumulative(rows), cuts, level);
    return to_numpy(flat(found), found.size(), 2);
}

}  // namespace

void bind_sums(nb::module_& m) {
    m.def("sum_partitions", &run_sums, nb::arg("counts").noconvert(), nb::arg("criterion"),
          nb::arg("parameters"), nb::arg("log_prior").none() = nb::none(),
          nb::arg("log_places").none() = nb::none(), nb::arg("cuts") = std::vector<Index>{},
          nb::arg("levels") = std::vector<double>{}, nb::arg("n_parts") = 0,
          nb::arg("max_parts") = 0, nb::arg("min_weight") = 0.0,
          nb::arg("cancel").none() = nb::none(), nb::arg("constraints").none() = nb::none(),
          "Sum exp(-cost) over all partitions of units in a line: the logarithm of the total, "
          "probabilities of numbers of parts, of cuts and of parts, averaged class shares and "
          "their squares (of counts), and the borders around each cut that hold one at each "
          "level.");
    m.def("stretches", &stretches_of, nb::arg("first").noconvert(), nb::arg("last").noconvert(),
          nb::arg("probability").noconvert(), nb::arg("weights").noconvert(), nb::arg("cuts"),
          nb::arg("level"),
          "The borders around each cut that hold one with a probability, of parts in order.");
}

}  // namespace partage::bindings
