#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/covers/cover.hpp"
#include "partage/covers/patterns.hpp"
#include "stop.hpp"

namespace partage::bindings {
namespace {

nb::list list_covers() {
    nb::list out;
    for (const CoverEntry* entry : covers()) {
        nb::dict row;
        row["name"] = entry->name;
        row["meaning"] = entry->meaning;
        row["is_eliminative"] = entry->is_eliminative;
        row["max_consistency"] = entry->max_consistency;
        out.append(row);
    }
    return out;
}

Examples make_examples(Table<Index> codes, Array<Code> classes,
                       std::optional<Array<double>> weights, Array<Index> n_codes,
                       Array<std::uint8_t> is_ordered, Array<std::int8_t> direction) {
    const std::size_t width = codes.shape(1);
    if (n_codes.size() != width || is_ordered.size() != width || direction.size() != width ||
        codes.shape(0) != classes.size())
        throw std::invalid_argument("codes, classes and attributes do not fit");
    std::vector<Attribute> attributes;
    for (std::size_t a = 0; a < width; ++a)
        attributes.push_back({n_codes(a), is_ordered(a) != 0, direction(a)});
    nb::gil_scoped_release free;
    return Examples({codes.data(), codes.size()}, view(classes),
                    weights ? view(*weights) : std::span<const double>{}, std::move(attributes));
}

Kept as_kept(const Examples& examples, const Array<std::uint8_t>& kept) {
    if (kept.size() != examples.n_discriminants())
        throw std::invalid_argument("kept must have one entry for each discriminant");
    return Kept(kept.data(), kept.data() + kept.size());
}

auto find_cover(const Examples& examples, std::string_view method, std::size_t consistency,
                bool global_merit, double tolerance, std::size_t max_discriminants,
                std::size_t patience, std::size_t max_pairs, const Cancel* cancel) {
    const CoverEntry& entry = cover_named(method);
    if (consistency == 0 || (entry.max_consistency > 0 && consistency > entry.max_consistency))
        throw std::invalid_argument("the method does not reach that consistency");
    Kept kept;
    run_stoppable(cancel, [&](const Stop& stop) {
        kept = entry.run({examples, consistency, entry.by_attribute, global_merit, tolerance,
                          max_discriminants, patience, max_pairs, stop});
    });
    return to_numpy(std::move(kept));
}

std::vector<Pattern> patterns_of(std::string_view kind, const PatternTask& task,
                                 const PatternPrices& prices) {
    if (kind == "priced") return find_priced_patterns(task);
    std::vector<Pattern> found =
        kind == "maximal" ? find_wide_patterns(task) : find_prime_patterns(task);
    for (Pattern& pattern : found) pattern.gain = prices.gain(pattern);
    return found;
}

nb::list find_patterns(const Literals& literals, Array<std::uint8_t> is_positive,
                       std::string_view kind, std::size_t max_degree, double min_precision,
                       double min_support, std::size_t n_best, double price, std::size_t budget,
                       const Cancel* cancel) {
    if (n_best == 0) throw std::invalid_argument("n_best must be at least 1");
    std::vector<Pattern> found;
    std::vector<double> lengths;
    run_stoppable(cancel, [&](const Stop& stop) {
        const PatternTask task{.literals = literals,
                               .is_positive = view(is_positive),
                               .max_degree = max_degree,
                               .min_precision = min_precision,
                               .min_support = min_support,
                               .n_best = n_best,
                               .budget = budget,
                               .price = price,
                               .stop = stop};
        const PatternPrices prices(task);
        found = patterns_of(kind, task, prices);
        for (const Pattern& pattern : found)
            lengths.push_back(price * prices.length(pattern.literals.size()));
    });
    nb::list out;
    for (std::size_t k = 0; k < found.size(); ++k) {
        nb::list terms;
        for (const Index literal : found[k].literals) terms.append(literal);
        out.append(nb::make_tuple(nb::tuple(terms), found[k].positives, found[k].negatives,
                                  found[k].gain, lengths[k]));
    }
    return out;
}

}  // namespace

void bind_covers(nb::module_& m) {
    nb::exception<TooManyPairs>(m, "TooManyPairs", PyExc_MemoryError);
    nb::class_<Examples>(m, "Examples", "Rows to be separated, as codes of their attributes.")
        .def("__len__", &Examples::size)
        .def_prop_ro("n_discriminants", &Examples::n_discriminants)
        .def_prop_ro("n_pairs", &Examples::n_pairs)
        .def(
            "merits",
            [](const Examples& examples, Array<std::uint8_t> kept, bool global_merit) {
                return to_numpy(merits(examples, as_kept(examples, kept), global_merit));
            },
            nb::arg("kept").noconvert(), nb::arg("global_merit"),
            "Merit of each kept discriminant.")
        .def(
            "count_close_pairs",
            [](const Examples& examples, Array<std::uint8_t> kept, std::size_t limit,
               const Cancel* cancel) {
                const Kept chosen = as_kept(examples, kept);
                std::vector<double> found;
                run_stoppable(cancel, [&](const Stop& stop) {
                    found = count_close_pairs(examples, chosen, limit, stop);
                });
                return to_numpy(std::move(found));
            },
            nb::arg("kept").noconvert(), nb::arg("limit"), nb::arg("cancel").none(),
            "Weight of the pairs of different classes by their number of separators.")
        .def(
            "smallest_separation",
            [](const Examples& examples, Array<std::uint8_t> kept, const Cancel* cancel) {
                const Kept chosen = as_kept(examples, kept);
                std::size_t found = 0;
                run_stoppable(cancel, [&](const Stop& stop) {
                    found = smallest_separation(examples, chosen, stop);
                });
                return found;
            },
            nb::arg("kept").noconvert(), nb::arg("cancel").none(),
            "Fewest separators of a pair of different classes.");
    m.def("make_examples", &make_examples, nb::arg("codes").noconvert(),
          nb::arg("classes").noconvert(), nb::arg("weights").noconvert().none(),
          nb::arg("n_codes").noconvert(), nb::arg("is_ordered").noconvert(),
          nb::arg("direction").noconvert(),
          "Examples from row-major codes; the number of codes itself stands for missing.");
    m.def("covers", &list_covers, "The methods of binarization, in the order shown to users.");
    m.def("find_cover", &find_cover, nb::arg("examples"), nb::arg("method"), nb::arg("consistency"),
          nb::arg("global_merit"), nb::arg("tolerance"), nb::arg("max_discriminants"),
          nb::arg("patience"), nb::arg("max_pairs"), nb::arg("cancel").none(),
          "Choose discriminants: 1 for each that is kept.");
    nb::class_<Literals>(m, "Literals", "Rows as bits of discriminants and their opposites.")
        .def(
            "__init__",
            [](Literals* self, Array<std::uint8_t> holds, Array<std::uint8_t> fails,
               std::size_t n_rows, std::optional<Array<double>> weights) {
                const auto given = weights ? view(*weights) : std::span<const double>{};
                for (const double weight : given)
                    if (!std::isfinite(weight) || weight < 0.0)
                        throw std::invalid_argument("weights must be finite and at least 0");
                new (self) Literals(view(holds), view(fails), n_rows, given);
            },
            nb::arg("holds").noconvert(), nb::arg("fails").noconvert(), nb::arg("n_rows"),
            nb::arg("weights").noconvert().none());
    m.def("find_patterns", &find_patterns, nb::arg("literals"), nb::arg("is_positive").noconvert(),
          nb::arg("kind"), nb::arg("max_degree"), nb::arg("min_precision"), nb::arg("min_support"),
          nb::arg("n_best"), nb::arg("price"), nb::arg("budget"), nb::arg("cancel").none(),
          "Patterns of a class: literals, weight covered in the class and outside, nats saved and "
          "paid.");
}

}  // namespace partage::bindings
