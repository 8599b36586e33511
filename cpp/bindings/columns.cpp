#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "arrays.hpp"
#include "lines.hpp"
#include "module.hpp"
#include "partage/space/assign.hpp"
#include "partage/space/encode.hpp"
#include "partage/space/line.hpp"
#include "partage/space/read.hpp"
#include "partage/space/sort.hpp"
#include "partage/support/ties.hpp"

namespace partage::bindings {
namespace {

/// Whether every class code is one of so many classes; a vectorised pass.
bool are_classes(std::span<const Code> codes, std::size_t n_classes) noexcept {
    Code highest = 0;
    for (const Code code : codes) highest = std::max(highest, code);
    return n_classes <= std::size_t{1} << 16 && (codes.empty() || highest < n_classes);
}

/// Whether offsets cut so many values into consecutive stretches.
bool are_offsets(std::span<const std::int64_t> offsets, std::size_t n_values) noexcept {
    return !offsets.empty() && offsets.size() <= (std::size_t{1} << 16) + 1 &&
           offsets.front() == 0 && offsets.back() == static_cast<std::int64_t>(n_values) &&
           std::is_sorted(offsets.begin(), offsets.end());
}

/// Rows of a column at most: their places are 32-bit numbers.
constexpr std::size_t most_rows = std::numeric_limits<Index>::max();

template <class Value>
void bind_values(nb::module_& m) {
    m.def(
        "split_by_class",
        [](Array<Value> values, Array<Code> codes, std::optional<Array<std::uint8_t>> is_missing,
           std::size_t n_classes) {
            if (codes.size() != values.size() ||
                (is_missing && is_missing->size() != values.size()))
                throw std::invalid_argument("there must be one class for each value");
            if (!are_classes(view(codes), n_classes))
                throw std::invalid_argument("a code stands for no class");
            ByClass<Value> out;
            {
                nb::gil_scoped_release free;
                out = split_by_class<Value>(
                    view(values), view(codes),
                    is_missing ? view(*is_missing) : std::span<const std::uint8_t>{}, n_classes);
            }
            return nb::make_tuple(to_numpy(std::move(out.values)), to_numpy(std::move(out.offsets)),
                                  to_numpy(std::move(out.missing)));
        },
        nb::arg("values").noconvert(), nb::arg("codes").noconvert(),
        nb::arg("is_missing").noconvert().none(), nb::arg("n_classes"),
        "Lay a column out class by class, missing rows left out: values, offsets, missing counts.");
    m.def(
        "pack_rows",
        [](Array<Value> values, std::optional<Array<std::uint8_t>> is_missing) {
            if (values.size() >= most_rows || (is_missing && is_missing->size() != values.size()))
                throw std::invalid_argument("there must be one mark for each value");
            Buffer<std::uint64_t> packed;
            {
                nb::gil_scoped_release free;
                packed = pack_rows<Value>(
                    view(values), is_missing ? view(*is_missing) : std::span<const std::uint8_t>{});
            }
            return to_numpy(std::move(packed));
        },
        nb::arg("values").noconvert(), nb::arg("is_missing").noconvert().none(),
        "Leading bits of the values of a column, missing rows left out, each with its row.");
    m.def(
        "sort_rows",
        [](Array<Value> values, Array<Code> codes, std::optional<Array<double>> amounts,
           Array<std::uint64_t> packed, std::size_t n_classes) {
            if (codes.size() != values.size() || (amounts && amounts->size() != values.size()) ||
                values.size() >= most_rows || packed.size() > values.size())
                throw std::invalid_argument("there must be one class for each value");
            if (!are_classes(view(codes), n_classes))
                throw std::invalid_argument("a code stands for no class");
            SortedRows<Value> out;
            {
                nb::gil_scoped_release free;
                out = sort_rows<Value>(view(values), view(codes),
                                       amounts ? view(*amounts) : std::span<const double>{},
                                       view(packed), n_classes);
            }
            return nb::make_tuple(
                nb::cast(std::move(out.column.line)), to_numpy(std::move(out.column.values)),
                to_numpy(std::move(out.amounts)), to_numpy(std::move(out.starts)));
        },
        nb::arg("values").noconvert(), nb::arg("codes").noconvert(),
        nb::arg("amounts").noconvert().none(), nb::arg("packed").noconvert(), nb::arg("n_classes"),
        "Sort a column by value, then class, given its packed rows sorted: line, distinct values, "
        "amounts in their order, and the first of these of each unit.");
    m.def(
        "assign_parts",
        [](Array<Value> values, Array<Value> cuts, std::int64_t missing_code) {
            const std::size_t n = values.size();
            std::unique_ptr<std::int64_t[]> out(new std::int64_t[n]);
            {
                nb::gil_scoped_release free;
                assign_parts<Value>(view(values), view(cuts), missing_code, out.get());
            }
            std::int64_t* data = out.get();
            nb::capsule owner(out.release(),
                              [](void* p) noexcept { delete[] static_cast<std::int64_t*>(p); });
            return nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(data, {n}, owner);
        },
        nb::arg("values").noconvert(), nb::arg("cuts").noconvert(), nb::arg("missing_code"),
        "Codes of the parts (cuts[k-1], cuts[k]] that values fall in.");
    m.def(
        "merge_classes",
        [](Array<Value> values, Array<std::int64_t> offsets) {
            if (offsets.size() < 2 || !are_offsets(view(offsets), values.size()))
                throw std::invalid_argument("offsets must increase up to the number of values");
            SortedColumn<Value> column;
            {
                nb::gil_scoped_release free;
                column = merge_classes<Value>(view(values), view(offsets));
            }
            return nb::make_tuple(nb::cast(std::move(column.line)),
                                  to_numpy(std::move(column.values)));
        },
        nb::arg("values").noconvert(), nb::arg("offsets").noconvert(),
        "Merge values sorted class by class into a line and its distinct values.");
}

template <class Whole>
void bind_whole_numbers(nb::module_& m) {
    m.def(
        "number_whole",
        [](Array<Whole> values) -> std::optional<nb::tuple> {
            std::optional<Numbered<Whole>> out;
            {
                nb::gil_scoped_release free;
                out = number_whole<Whole>(view(values));
            }
            if (!out) return std::nullopt;
            return nb::make_tuple(to_numpy(std::move(out->distinct)),
                                  to_numpy(std::move(out->codes)));
        },
        nb::arg("values").noconvert(),
        "Distinct whole numbers in order and the code of each; None where their range is wide.");
    m.def(
        "read_codes",
        [](Array<Whole> codes, std::size_t n_values) {
            ReadCodes out;
            {
                nb::gil_scoped_release free;
                out = read_codes<Whole>(view(codes), n_values);
            }
            return nb::make_tuple(to_numpy(std::move(out.codes)), to_numpy(std::move(out.is_used)));
        },
        nb::arg("codes").noconvert(), nb::arg("n_values"),
        "Codes of n_values values, -1 where missing, and which values are met.");
}

/// A line from entries: class codes and weights of one unit after the other.
Line line_from_entries(Array<Code> codes, std::optional<Array<double>> weights, Array<Index> starts,
                       std::size_t n_classes) {
    Line line;
    line.codes.assign(codes.data(), codes.data() + codes.size());
    if (weights) line.weights.assign(weights->data(), weights->data() + weights->size());
    line.starts.assign(starts.data(), starts.data() + starts.size());
    line.n_classes = n_classes;
    const bool fits = !line.starts.empty() && line.starts.front() == 0 &&
                      line.starts.back() == line.codes.size() &&
                      std::is_sorted(line.starts.begin(), line.starts.end()) &&
                      (!weights || weights->size() == codes.size());
    const bool is_positive =
        std::all_of(line.weights.begin(), line.weights.end(),
                    [](double weight) { return weight > 0.0 && weight < infinite; });
    if (!fits || !is_positive || !are_classes(view(codes), n_classes))
        throw std::invalid_argument("codes, weights and starts do not fit");
    return line;
}

/// Finer ones take long and tell nothing.
constexpr std::size_t most_quantiles = std::size_t{1} << 24;

}  // namespace

void bind_columns(nb::module_& m) {
    nb::class_<Line>(m, "Line", "A sorted column: class codes of its entries, unit by unit.")
        .def_prop_ro("n_units", &Line::n_units)
        .def_prop_ro("n_entries", &Line::n_entries)
        .def_prop_ro("n_classes", [](const Line& line) { return line.n_classes; })
        .def_prop_ro("total_weight",
                     [](const Line& line) { return line.weight(0, line.n_entries()); })
        .def(
            "quantiles",
            [](const Line& line, std::size_t n) {
                if (n > most_quantiles) throw std::invalid_argument("there are too many quantiles");
                return to_numpy(quantile_blocks(line, n));
            },
            nb::arg("n"),
            "First units after the borders nearest to n - 1 quantiles, each once; 0 and the end.")
        .def(
            "counts",
            [](const Line& line, Array<Index> starts) {
                const Blocks blocks(starts.data(), starts.data() + starts.size());
                if (blocks.size() < 2 || blocks.back() > line.n_units() ||
                    !std::is_sorted(blocks.begin(), blocks.end()))
                    throw std::invalid_argument("starts must increase up to the number of units");
                Rows rows = block_rows(line, blocks);
                const std::size_t n_rows = rows.size();
                return to_numpy(std::move(rows.values()), n_rows, line.layout().n_numbers);
            },
            nb::arg("starts").noconvert(),
            "Class weights of the parts that start at these units; the last start ends them.")
        .def(
            "entries",
            [](const Line& line) -> nb::tuple {
                nb::object weights = nb::none();
                if (!line.weights.empty())
                    weights = nb::cast(to_numpy(Buffer<double>(line.weights)));
                return nb::make_tuple(to_numpy(Buffer<Code>(line.codes)), weights,
                                      to_numpy(Buffer<Index>(line.starts)));
            },
            "Class codes and weights of its entries, None for one each, and where units start.")
        .def(
            "sums",
            [](const Line& line, Table<double> scores) {
                if (scores.shape(0) != line.n_classes || line.n_amounts > 0)
                    throw std::invalid_argument("there must be a row of scores for each class");
                const std::size_t n_sums = scores.shape(1);
                return to_numpy(scored_units(line, {scores.data(), scores.size()}, n_sums),
                                line.n_units(), n_sums + 1);
            },
            nb::arg("scores").noconvert(),
            "Weight of each unit, then the sums of the scores of the classes of its rows.")
        .def(
            "unit_weights",
            [](const Line& line) {
                std::vector<double> weights(line.n_units());
                for (std::size_t unit = 0; unit < weights.size(); ++unit)
                    weights[unit] = line.weight(line.starts[unit], line.starts[unit + 1]);
                return to_numpy(std::move(weights));
            },
            "Weight of each unit.")
        .def(
            "scored",
            [](const Line& line, Table<double> scores) {
                if (scores.shape(0) != line.n_classes || line.n_amounts > 0)
                    throw std::invalid_argument("there must be a row of scores for each class");
                return scored_line(line, {scores.data(), scores.size()}, scores.shape(1));
            },
            nb::arg("scores").noconvert(),
            "The line of the weights of the units and of the sums of the scores of their rows.")
        .def(
            "joined",
            [](const Line& line, Array<Code> classes, std::size_t n_classes) {
                if (classes.size() != line.n_classes || line.n_amounts > 0 ||
                    !are_classes(view(classes), n_classes) ||
                    !std::is_sorted(classes.data(), classes.data() + classes.size()))
                    throw std::invalid_argument("every class must have a new one, in order");
                return with_classes(line, view(classes), n_classes);
            },
            nb::arg("classes").noconvert(), nb::arg("n_classes"),
            "The line in which runs of classes are one class each.")
        .def(
            "runs",
            [](const Line& line) {
                check_entries(line);
                return to_numpy(run_blocks(line));
            },
            "First unit of each run of neighbours of one and the same class; then the end.");
    m.def("line_from_entries", &line_from_entries, nb::arg("codes").noconvert(),
          nb::arg("weights").noconvert().none(), nb::arg("starts").noconvert(),
          nb::arg("n_classes"), "A line from class codes and weights, unit by unit.");
    m.def(
        "line_of_amounts",
        [](Table<double> amounts) {
            const std::size_t n_units = amounts.shape(0);
            const std::size_t width = amounts.shape(1);
            bool fits = width >= 3 && n_units < std::numeric_limits<Index>::max();
            for (std::size_t i = 0; fits && i < n_units; ++i) {
                fits = amounts(i, 0) > 0.0;
                for (std::size_t j = 0; j < width; ++j) fits = fits && std::isfinite(amounts(i, j));
            }
            if (!fits) throw std::invalid_argument("a unit holds a positive weight and its sums");
            return line_of_amounts({amounts.data(), amounts.size()}, width);
        },
        nb::arg("amounts").noconvert(),
        "A line of units whose weight and sums are known, one row of the table for each.");
    bind_values<double>(m);
    bind_values<std::int64_t>(m);
    bind_whole_numbers<std::int8_t>(m);
    bind_whole_numbers<std::int16_t>(m);
    bind_whole_numbers<std::int32_t>(m);
    bind_whole_numbers<std::int64_t>(m);
    bind_whole_numbers<std::uint8_t>(m);
    bind_whole_numbers<std::uint16_t>(m);
    bind_whole_numbers<std::uint32_t>(m);
    bind_whole_numbers<std::uint64_t>(m);
    m.def(
        "count_classes",
        [](Array<std::int32_t> values, Array<Code> codes, std::size_t n_values,
           std::size_t n_classes) {
            if (values.size() != codes.size())
                throw std::invalid_argument("there must be one class for each value");
            std::vector<std::int64_t> counts;
            {
                nb::gil_scoped_release free;
                counts = count_classes(view(values), view(codes), n_values, n_classes);
            }
            return to_numpy(std::move(counts), n_values + 1, n_classes);
        },
        nb::arg("values").noconvert(), nb::arg("codes").noconvert(), nb::arg("n_values"),
        nb::arg("n_classes"),
        "Rows of each value and class; the last row is that of values below 0.");
    m.def(
        "encode_records",
        [](Array<std::uint8_t> data, std::size_t width) {
            if (width == 0 || data.size() % width != 0)
                throw std::invalid_argument("the data are no whole number of records");
            Encoded out;
            {
                nb::gil_scoped_release free;
                out = encode_records(data.data(), data.size() / width, width);
            }
            return nb::make_tuple(to_numpy(std::move(out.first)), to_numpy(std::move(out.codes)));
        },
        nb::arg("data").noconvert(), nb::arg("width"),
        "Distinct records of `width` bytes: where each is met first, and the code of every "
        "record.");
}

}  // namespace partage::bindings
