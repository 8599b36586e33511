#include "partage/bayes/bayes.hpp"

#include <nanobind/stl/optional.h>

#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "stop.hpp"

namespace partage::bindings {
namespace {

/// Posteriors, and the arrays they look at.
class OwnedPosteriors {
public:
    OwnedPosteriors(Table<std::uint32_t> codes, Array<std::int64_t> offsets, Table<double> tables,
                    Array<std::uint16_t> labels, std::optional<Array<double>> weights,
                    Array<double> prior)
        : codes_(std::move(codes)),
          offsets_(std::move(offsets)),
          tables_(std::move(tables)),
          labels_(std::move(labels)),
          weights_(std::move(weights)),
          prior_(std::move(prior)) {
        if (labels_.size() >= std::numeric_limits<std::uint32_t>::max())
            throw std::invalid_argument("there are too many rows");
        if (tables_.shape(1) != prior_.size() || codes_.shape(1) != labels_.size())
            throw std::invalid_argument("arrays differ in rows or classes");
        nb::gil_scoped_release free;
        held_ = std::make_unique<Posteriors>(
            CodedColumns{labels_.size(),
                         prior_.size(),
                         {codes_.data(), codes_.size()},
                         view(offsets_),
                         {tables_.data(), tables_.size()},
                         view(labels_),
                         weights_ ? view(*weights_) : std::span<const double>{},
                         view(prior_)});
    }

    double lift_area() const {
        nb::gil_scoped_release free;
        return held_->lift_area();
    }
    auto lift_areas(Array<std::uint32_t> candidates, const Cancel* cancel) const {
        std::vector<double> areas;
        run_stoppable(cancel,
                      [&](const Stop& stop) { areas = held_->lift_areas(view(candidates), stop); });
        return to_numpy(std::move(areas));
    }
    auto lift_bounds(Array<std::uint32_t> candidates, const Cancel* cancel) const {
        std::vector<double> bounds;
        run_stoppable(
            cancel, [&](const Stop& stop) { bounds = held_->lift_bounds(view(candidates), stop); });
        return to_numpy(std::move(bounds));
    }
    void take(std::size_t column) {
        nb::gil_scoped_release free;
        held_->take(column);
    }
    auto weigh(Array<std::uint32_t> order, std::size_t n_known, unsigned n_halvings,
               const Cancel* cancel) {
        std::vector<double> weights;
        run_stoppable(cancel, [&](const Stop& stop) {
            weights = held_->weigh(view(order), n_known, n_halvings, stop);
        });
        return to_numpy(std::move(weights));
    }
    double log_loss() const {
        nb::gil_scoped_release free;
        return held_->log_loss();
    }

private:
    Table<std::uint32_t> codes_;
    Array<std::int64_t> offsets_;
    Table<double> tables_;
    Array<std::uint16_t> labels_;
    std::optional<Array<double>> weights_;
    Array<double> prior_;
    std::unique_ptr<Posteriors> held_;
};

using Scores = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void add_codes(Scores scores, Array<std::int64_t> codes, Table<double> table) {
    if (scores.shape(1) != table.shape(1))
        throw std::invalid_argument("scores and table differ in classes");
    nb::gil_scoped_release free;
    add_by_code({scores.data(), scores.size()}, view(codes), {table.data(), table.size()},
                scores.shape(1));
}

}  // namespace

void bind_bayes(nb::module_& m) {
    m.def("add_by_code", &add_codes, nb::arg("scores").noconvert(), nb::arg("codes").noconvert(),
          nb::arg("table").noconvert(),
          "Add to each row of scores the row of a table that its code names.");
    m.def(
        "selection_prior",
        [](double n_columns, double sum) {
            if (!(n_columns >= 0.0 && n_columns < infinite && sum >= 0.0 && sum < infinite))
                throw std::invalid_argument("both numbers must be finite and at least 0");
            return selection_prior(n_columns, sum);
        },
        nb::arg("n_columns"), nb::arg("sum"),
        "log(p+1) + log C(p+s-1, s), in nats: the price of a sum of weights.");
    nb::class_<OwnedPosteriors>(m, "Posteriors",
                                "Posteriors of training rows under a naive Bayes model.")
        .def(nb::init<Table<std::uint32_t>, Array<std::int64_t>, Table<double>,
                      Array<std::uint16_t>, std::optional<Array<double>>, Array<double>>(),
             nb::arg("codes").noconvert(), nb::arg("offsets").noconvert(),
             nb::arg("tables").noconvert(), nb::arg("labels").noconvert(),
             nb::arg("weights").noconvert().none(), nb::arg("prior").noconvert())
        .def("lift_area", &OwnedPosteriors::lift_area,
             "Area under the lift curve, classes averaged by frequency.")
        .def("lift_areas", &OwnedPosteriors::lift_areas, nb::arg("candidates").noconvert(),
             nb::arg("cancel").none(), "The area with each of these columns taken too.")
        .def("lift_bounds", &OwnedPosteriors::lift_bounds, nb::arg("candidates").noconvert(),
             nb::arg("cancel").none(), "Numbers that those areas do not exceed.")
        .def("take", &OwnedPosteriors::take, nb::arg("column"), "Take a column.")
        .def("weigh", &OwnedPosteriors::weigh, nb::arg("order").noconvert(), nb::arg("n_known"),
             nb::arg("n_halvings"), nb::arg("cancel").none(),
             "Weights of the columns that describe the classes shortest.")
        .def("log_loss", &OwnedPosteriors::log_loss,
             "- sum of log P(class | row) of the columns taken, in nats.");
}

}  // namespace partage::bindings
