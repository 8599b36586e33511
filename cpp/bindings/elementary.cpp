#include <cmath>
#include <limits>
#include <vector>

#include "arrays.hpp"
#include "module.hpp"
#include "partage/support/combinatorics.hpp"
#include "partage/support/lengths.hpp"
#include "partage/support/normal_law.hpp"

namespace partage::bindings {
namespace {

/// Natural logarithm of any number, as the C library has it at 0, below it and at infinity.
double log_of(double x) noexcept {
    if (x > 0.0 && std::isfinite(x)) return portable_log(x);
    if (x == 0.0) return -std::numeric_limits<double>::infinity();
    return x > 0.0 ? x : std::numeric_limits<double>::quiet_NaN();
}

double log1p_of(double x) noexcept {
    return x > -1.0 && std::isfinite(x) ? portable_log1p(x) : log_of(1.0 + x);
}

double exp_of(double x) noexcept {
    if (x != x) return x;
    return x <= 0.0 ? quick_exp(x) : portable_exp(x);
}

template <double (*function)(double) noexcept>
auto each(Array<double> values) {
    std::vector<double> out(values.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = function(values.data()[i]);
    return to_numpy(std::move(out));
}

}  // namespace

void bind_elementary(nb::module_& m) {
    m.def("log", &log_of, nb::arg("x"), "Natural logarithm, the same bits on every CPU.");
    m.def("log1p", &log1p_of, nb::arg("x"), "log(1 + x), the same bits on every CPU.");
    m.def("expm1", &portable_expm1, nb::arg("x"),
          "exp(x) - 1 for x of at most 0, the same bits on every CPU.");
    m.def("logs", &each<log_of>, nb::arg("values").noconvert(), "Logarithm of each value.");
    m.def("exps", &each<exp_of>, nb::arg("values").noconvert(), "Exponential of each value.");
    m.def("normal_quantiles", &each<normal_quantile>, nb::arg("probabilities").noconvert(),
          "Quantile of the standard normal law at each probability.");
}

}  // namespace partage::bindings
