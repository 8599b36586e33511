#pragma once

#include <nanobind/nanobind.h>

namespace partage::bindings {

void bind_additive(nanobind::module_& m);      // additive.cpp
void bind_bayes(nanobind::module_& m);         // bayes.cpp
void bind_cards(nanobind::module_& m);         // cards.cpp
void bind_coded_groups(nanobind::module_& m);  // coded_groups.cpp
void bind_columns(nanobind::module_& m);       // columns.cpp
void bind_elementary(nanobind::module_& m);    // elementary.cpp
void bind_graphs(nanobind::module_& m);        // graphs.cpp
void bind_covers(nanobind::module_& m);        // covers.cpp
void bind_grids(nanobind::module_& m);         // grids.cpp
void bind_groups(nanobind::module_& m);        // groups.cpp
void bind_lengths(nanobind::module_& m);       // lengths.cpp
void bind_numbers(nanobind::module_& m);       // numbers.cpp
void bind_proximity(nanobind::module_& m);     // proximity.cpp
void bind_search(nanobind::module_& m);        // search.cpp
void bind_sums(nanobind::module_& m);          // sums.cpp

}  // namespace partage::bindings
