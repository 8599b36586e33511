#include "parameters.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace partage::bindings {

nb::list describe(const std::vector<Parameter>& parameters) {
    nb::list out;
    for (const Parameter& parameter : parameters) {
        nb::dict row;
        row["name"] = parameter.name;
        row["meaning"] = parameter.meaning;
        row["words"] = parameter.words;
        row["low"] = parameter.low;
        row["high"] = parameter.high;
        row["low_included"] = parameter.low_included;
        row["high_included"] = parameter.high_included;
        if (parameter.words.empty())
            row["default"] = parameter.fallback;
        else
            row["default"] = parameter.words[static_cast<std::size_t>(parameter.fallback)];
        out.append(row);
    }
    return out;
}

}  // namespace partage::bindings
