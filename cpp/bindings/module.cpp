#include "module.hpp"

NB_MODULE(_core, m) {
    // Objects that are alive when Python ends are no fault of a user's; sanitizers look for leaks.
    nanobind::set_leak_warnings(false);
    m.doc() = "The compiled core: spaces, criteria and searches.";
    partage::bindings::bind_additive(m);
    partage::bindings::bind_bayes(m);
    partage::bindings::bind_cards(m);
    partage::bindings::bind_coded_groups(m);
    partage::bindings::bind_columns(m);
    partage::bindings::bind_elementary(m);
    partage::bindings::bind_search(m);
    partage::bindings::bind_sums(m);  // takes Constraints
    partage::bindings::bind_groups(m);
    partage::bindings::bind_lengths(m);
    partage::bindings::bind_numbers(m);
    partage::bindings::bind_proximity(m);  // Progress is named by what follows
    partage::bindings::bind_graphs(m);
    partage::bindings::bind_covers(m);
    partage::bindings::bind_grids(m);
}
