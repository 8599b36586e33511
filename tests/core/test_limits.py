"""n_parts, max_parts and min_part_size are honoured by every search."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers import search
from partage._search.methods import methods
from reference.runs import merge_units
from reference.searches import exhaustive
from strategies import large_table, tables

PAIRS = [
    (name, how)
    for name, method in methods().items()
    if not method.averages  # its parts are those of cells; see tests/search/test_averaged.py
    for how in method.searches
]
FREE_PAIRS = [pair for pair in PAIRS if pair[0] != "chi2"]


@pytest.mark.parametrize(("method", "how"), PAIRS)
@given(units=tables(min_units=2, max_units=9), data=st.data())
def test_number_of_parts_is_the_one_asked(method, how, units, data):
    n_parts = data.draw(st.integers(1, len(units)))
    assert len(search(units, method, how, n_parts=n_parts).starts) == n_parts


@pytest.mark.parametrize(("method", "how"), PAIRS)
@given(units=tables(min_units=2, max_units=9), max_parts=st.integers(1, 5))
def test_number_of_parts_is_at_most_the_one_asked(method, how, units, max_parts):
    assert len(search(units, method, how, max_parts=max_parts).starts) <= max_parts


@pytest.mark.parametrize(("method", "how"), FREE_PAIRS)
@given(units=tables(min_units=2, max_units=9), min_part_size=st.integers(1, 12))
def test_every_part_has_at_least_the_size_asked(method, how, units, min_part_size):
    assume(units.sum() >= min_part_size)
    found = search(units, method, how, min_part_size=min_part_size)
    sizes = merge_units(units, list(found.starts)).sum(axis=1)
    assert sizes.min() >= min_part_size


@pytest.mark.parametrize(("method", "how"), FREE_PAIRS)
@given(units=tables(min_units=2), size=st.integers(1, 5), max_parts=st.integers(1, 4))
def test_size_and_number_of_parts_are_honoured_together(method, how, units, size, max_parts):
    assume(units.sum() >= size)
    found = search(units, method, how, max_parts=max_parts, min_part_size=size)
    sizes = merge_units(units, list(found.starts)).sum(axis=1)
    assert len(sizes) <= max_parts
    assert sizes.min() >= size


@pytest.mark.parametrize("how", ["exact", "bottom-up", "top-down", "auto"])
@pytest.mark.parametrize("limits", [{"n_parts": 7}, {"max_parts": 3}, {"min_part_size": 400}])
def test_limits_hold_on_a_long_line(how, limits):
    units = large_table(2000, 3, seed=1, n_pieces=10)
    found = search(units, "modl", how, **limits)
    sizes = merge_units(units, list(found.starts)).sum(axis=1)
    assert len(sizes) == limits.get("n_parts", len(sizes))
    assert len(sizes) <= limits.get("max_parts", len(sizes))
    assert sizes.min() >= limits.get("min_part_size", 0)


@pytest.mark.parametrize("how", ["exact", "bottom-up", "top-down", "auto"])
def test_limits_that_do_not_bind_change_nothing(how):
    units = large_table(200, 2, seed=4)
    free = search(units, "modl", how)
    loose = search(units, "modl", how, max_parts=200, min_part_size=1)
    assert loose.starts.tolist() == free.starts.tolist()
    assert loose.cost == free.cost


@given(units=tables(min_units=2), max_parts=st.integers(1, 7))
def test_auto_under_a_limit_is_exact_on_a_small_line(units, max_parts):
    _, lowest = exhaustive(units, "modl", max_parts=max_parts)
    found = search(units, "modl", "auto", max_parts=max_parts)
    assert found.cost == pytest.approx(lowest, rel=1e-9)
