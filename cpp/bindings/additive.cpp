#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/additive/model.hpp"
#include "stop.hpp"
#include "workers.hpp"

namespace partage::bindings {
namespace {

Law find_law(const std::string& name) {
    constexpr std::array names{"two classes", "classes", "normal", "poisson", "gamma"};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == names[i]) return static_cast<Law>(i);
    throw std::invalid_argument("there is no such law");
}

/// An additive model, and the arrays it looks at.
class OwnedModel {
public:
    OwnedModel(const std::string& law, Array<double> y, std::size_t n_outputs,
               std::optional<Array<double>> offsets)
        : y_(std::move(y)), offsets_(std::move(offsets)) {
        held_ = std::make_unique<AdditiveModel>(
            ModelRows{find_law(law), n_outputs, view(y_),
                      offsets_ ? view(*offsets_) : std::span<const double>{}});
    }

    std::size_t add_line(Array<std::uint32_t> codes, std::size_t n_ordered, std::size_t n_cells,
                         Array<double> steps, int trend) {
        return add({.kind = Term::Kind::line,
                    .codes = view(codes),
                    .n_cells = n_cells,
                    .n_ordered = n_ordered,
                    .steps = view(steps),
                    .trend = trend,
                    .shape = {}},
                   codes, steps);
    }
    std::size_t add_values(Array<std::uint32_t> codes, std::size_t n_cells) {
        return add({.kind = Term::Kind::values,
                    .codes = view(codes),
                    .n_cells = n_cells,
                    .n_ordered = 0,
                    .steps = {},
                    .trend = 0,
                    .shape = {}},
                   codes, std::nullopt);
    }
    std::size_t add_pair(Array<std::uint32_t> codes, std::size_t n_first, std::size_t n_second,
                         bool first_is_ordered, bool second_is_ordered) {
        return add({.kind = Term::Kind::pair,
                    .codes = view(codes),
                    .n_cells = n_first * n_second + 1,
                    .n_ordered = 0,
                    .steps = {},
                    .trend = 0,
                    .shape = {n_first, n_second, first_is_ordered, second_is_ordered}},
                   codes, std::nullopt);
    }
    void start(Array<double> weights) {
        nb::gil_scoped_release free;
        held_->start(view(weights));
    }
    std::size_t fit(Array<std::uint32_t> active, Array<double> walks, Array<double> heights,
                    double value, std::size_t max_cycles, double tolerance, std::size_t n_jobs,
                    const Cancel* cancel) {
        FitSettings settings;
        settings.curves.walks = view(walks);
        settings.curves.value = value;
        settings.pairs.walks = view(walks);
        settings.pairs.heights = view(heights);
        settings.max_cycles = max_cycles;
        settings.tolerance = tolerance;
        std::size_t n_cycles = 0;
        run_stoppable(cancel, [&](const Stop& stop) {
            n_cycles = held_->fit(view(active), settings, Workers{stop, n_jobs});
        });
        return n_cycles;
    }
    void stretch(double factor, std::size_t n_jobs) {
        run_workers(n_jobs, nullptr,
                    [&](const Workers& workers) { held_->stretch(factor, workers); });
    }
    double loss(Array<double> weights, double factor) const {
        nb::gil_scoped_release free;
        return held_->loss(view(weights), factor);
    }
    auto screen(Table<std::uint8_t> codes, std::size_t stride, Table<std::uint32_t> pairs,
                Table<std::uint32_t> shapes, Array<double> walks, Array<double> heights,
                std::size_t n_jobs) const {
        if (pairs.shape(1) != 2 || shapes.shape(1) != 4 || pairs.shape(0) != shapes.shape(0))
            throw std::invalid_argument("pairs need two columns and four numbers each");
        std::vector<PairShape> all;
        for (std::size_t i = 0; i < shapes.shape(0); ++i) {
            const std::uint32_t* shape = shapes.data() + 4 * i;
            all.push_back({shape[0], shape[1], shape[2] != 0, shape[3] != 0});
        }
        PairPrior prior;
        prior.walks = view(walks);
        prior.heights = view(heights);
        std::vector<double> found;
        run_workers(n_jobs, nullptr, [&](const Workers& workers) {
            found = held_->screen({codes.data(), codes.size()}, stride, all,
                                  {pairs.data(), pairs.size()}, prior, workers);
        });
        return to_numpy(std::move(found));
    }
    auto means(std::size_t term) const {
        return to_numpy(std::vector<double>(held_->levels(term).means));
    }
    auto variances(std::size_t term) const {
        return to_numpy(std::vector<double>(held_->levels(term).variances));
    }
    double evidence(std::size_t term) const { return held_->evidence(term); }
    auto intercept() const {
        return to_numpy(std::vector<double>(held_->intercept().begin(), held_->intercept().end()));
    }
    double dispersion() const { return held_->dispersion(); }

private:
    std::size_t add(const Term& term, Array<std::uint32_t> codes,
                    std::optional<Array<double>> steps) {
        const std::size_t found = held_->add(term);
        codes_.push_back(std::move(codes));
        if (steps) steps_.push_back(std::move(*steps));
        return found;
    }

    Array<double> y_;
    std::optional<Array<double>> offsets_;
    std::vector<Array<std::uint32_t>> codes_;
    std::vector<Array<double>> steps_;
    std::unique_ptr<AdditiveModel> held_;
};

}  // namespace

void bind_additive(nb::module_& m) {
    nb::class_<OwnedModel>(m, "AdditiveModel", "Scores of rows as sums of terms.")
        .def(nb::init<const std::string&, Array<double>, std::size_t,
                      std::optional<Array<double>>>(),
             nb::arg("law"), nb::arg("y").noconvert(), nb::arg("n_outputs"),
             nb::arg("offsets").noconvert().none())
        .def("add_line", &OwnedModel::add_line, nb::arg("codes").noconvert(), nb::arg("n_ordered"),
             nb::arg("n_cells"), nb::arg("steps").noconvert(), nb::arg("trend"),
             "Add a column whose first cells are ordered.")
        .def("add_values", &OwnedModel::add_values, nb::arg("codes").noconvert(),
             nb::arg("n_cells"), "Add a column of values without an order.")
        .def("add_pair", &OwnedModel::add_pair, nb::arg("codes").noconvert(), nb::arg("n_first"),
             nb::arg("n_second"), nb::arg("first_is_ordered"), nb::arg("second_is_ordered"),
             "Add a lattice of two columns; the cell behind it has no effect.")
        .def("start", &OwnedModel::start, nb::arg("weights").noconvert(),
             "Start again with these weights of rows.")
        .def("fit", &OwnedModel::fit, nb::arg("active").noconvert(), nb::arg("walks").noconvert(),
             nb::arg("heights").noconvert(), nb::arg("value"), nb::arg("max_cycles"),
             nb::arg("tolerance"), nb::arg("n_jobs"), nb::arg("cancel").none(),
             "Fit these terms from where they are; gives the number of cycles.")
        .def("stretch", &OwnedModel::stretch, nb::arg("factor"), nb::arg("n_jobs"),
             "Multiply all that terms add by a factor.")
        .def("loss", &OwnedModel::loss, nb::arg("weights").noconvert(), nb::arg("factor") = 1.0,
             "Weighted sum of the losses of rows, were terms stretched by a factor.")
        .def("screen", &OwnedModel::screen, nb::arg("codes").noconvert(), nb::arg("stride"),
             nb::arg("pairs").noconvert(), nb::arg("shapes").noconvert(),
             nb::arg("walks").noconvert(), nb::arg("heights").noconvert(), nb::arg("n_jobs"),
             "Log-evidence of pairs of coded columns beyond either column.")
        .def("means", &OwnedModel::means, nb::arg("term"), "Level of each cell and output.")
        .def("variances", &OwnedModel::variances, nb::arg("term"), "Their variances.")
        .def("evidence", &OwnedModel::evidence, nb::arg("term"),
             "Log-evidence of a term against one level.")
        .def("intercept", &OwnedModel::intercept, "What all rows share.")
        .def_prop_ro("dispersion", &OwnedModel::dispersion);
}

}  // namespace partage::bindings
