"""The exact search against exhaustive search: equal cost, always."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import partage as pt
from helpers import cost_of, examples, search, sweep
from reference.program import lowest_costs
from reference.runs import merge_units
from reference.searches import exhaustive, is_allowed
from strategies import large_table, tables

FREE = [
    ("modl", None),
    ("fusinter", None),
    ("fusinter", {"entropy": "shannon"}),
    ("fusinter", {"alpha": 0.9, "lambda": 0.3}),
    ("gini", None),
    ("entropy", None),
    ("tschuprow", None),
    ("cramer", None),
]
LIMITED = [*FREE, ("chi2", None)]


def assert_reaches_the_lowest_cost(units, criterion, params, **limits):
    _, lowest = exhaustive(units, criterion, params, **limits)
    assume(math.isfinite(lowest))
    found = search(units, criterion, "exact", params, **limits)
    reached = cost_of(units, found.starts, criterion, params)
    assert reached == pytest.approx(lowest, rel=1e-9, abs=1e-12)
    assert found.cost == pytest.approx(reached, rel=1e-12, abs=1e-12)
    assert found.is_optimal is True
    assert is_allowed(merge_units(units, list(found.starts)), **limits)


@pytest.mark.parametrize(("criterion", "params"), FREE)
@settings(max_examples=examples(80))
@given(units=tables())
def test_exact_search_reaches_the_lowest_cost(criterion, params, units):
    assert_reaches_the_lowest_cost(units, criterion, params)


@pytest.mark.parametrize(("criterion", "params"), LIMITED)
@given(units=tables(min_units=2), data=st.data())
def test_exact_search_reaches_the_lowest_cost_of_a_number_of_parts(criterion, params, units, data):
    n_parts = data.draw(st.integers(1, len(units)))
    assert_reaches_the_lowest_cost(units, criterion, params, n_parts=n_parts)


@pytest.mark.parametrize(("criterion", "params"), LIMITED)
@given(units=tables(min_units=2), max_parts=st.integers(1, 8))
def test_exact_search_reaches_the_lowest_cost_of_at_most_some_parts(
    criterion, params, units, max_parts
):
    assert_reaches_the_lowest_cost(units, criterion, params, max_parts=max_parts)


@pytest.mark.parametrize(("criterion", "params"), FREE)
@given(units=tables(min_units=2), min_part_size=st.integers(1, 12))
def test_exact_search_reaches_the_lowest_cost_of_parts_of_some_size(
    criterion, params, units, min_part_size
):
    assert_reaches_the_lowest_cost(units, criterion, params, min_part_size=min_part_size)


@pytest.mark.parametrize(("criterion", "params"), LIMITED)
@given(units=tables(min_units=3), size=st.integers(1, 6), n_parts=st.integers(1, 4))
def test_exact_search_reaches_the_lowest_cost_under_limits_together(
    criterion, params, units, size, n_parts
):
    assert_reaches_the_lowest_cost(units, criterion, params, n_parts=n_parts, min_part_size=size)


@pytest.mark.parametrize(("criterion", "params"), FREE)
@given(units=tables(max_units=5), scale=st.floats(0.2, 5))
def test_exact_search_reaches_the_lowest_cost_of_real_weights(criterion, params, units, scale):
    assert_reaches_the_lowest_cost(units * scale, criterion, params)


@pytest.mark.parametrize("seed", sweep(range(6)))
@pytest.mark.parametrize("criterion", ["modl", "fusinter", "gini", "entropy"])
def test_exact_search_reaches_the_lowest_cost_of_a_longer_line(criterion, seed):
    units = large_table(60, 2 + seed % 4, seed=seed, n_pieces=4 * seed + 1)
    lowest = lowest_costs(units, criterion)
    found = {n: search(units, criterion, "exact", n_parts=n).cost for n in (2, 5, 17, 60)}
    assert search(units, criterion, "exact").cost == pytest.approx(min(lowest), rel=1e-9)
    assert search(units, criterion, "exact", max_parts=3).cost == pytest.approx(
        min(lowest[:3]), rel=1e-9
    )
    assert found == pytest.approx({n: lowest[n - 1] for n in found}, rel=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3, 40])
@pytest.mark.parametrize("criterion", ["modl", "gini", "entropy", "fusinter"])
def test_exact_search_is_never_above_any_other_search(criterion, n_classes):
    units = large_table(300, n_classes, seed=n_classes)
    lowest = search(units, criterion, "exact").cost
    others = [search(units, criterion, how).cost for how in ("bottom-up", "top-down", "auto")]
    assert min(others) >= lowest - 1e-9 * abs(lowest)


@given(units=tables(min_units=2, max_units=6))
def test_exact_modl_costs_the_same_on_the_reversed_line(units):
    turned = search(units[::-1], "modl", "exact")
    assert turned.cost == pytest.approx(search(units, "modl", "exact").cost, rel=1e-12)


def test_exact_ties_take_the_fewest_parts_then_the_leftmost_cuts():
    assert search([[1, 1], [1, 1], [1, 1]], "tschuprow", "exact").starts.tolist() == [0]
    alike = np.array([[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]])
    expected = exhaustive(alike, "modl", n_parts=2)[0]
    assert search(alike, "modl", "exact", n_parts=2).starts.tolist() == expected


def test_exact_fusinter_cuts_inside_a_run_where_that_is_cheaper():
    units = [[1, 0]] * 21 + [[0, 1]]
    found = search(units, "fusinter", "exact")
    assert found.starts.tolist() == [0, 20]
    assert found.cost == pytest.approx(0.148734, abs=5e-7)


def test_exact_modl_with_two_parts_cuts_inside_a_run_where_that_is_cheaper():
    units = [[1, 0]] * 4 + [[0, 1]] + [[1, 0]] * 4
    assert search(units, "modl", "exact", n_parts=2).cost == pytest.approx(9.4696, abs=5e-5)


@pytest.mark.parametrize("entropy", ["quadratic", "shannon"])
def test_no_greedy_search_goes_below_the_optimum_of_fusinter_on_thousands_of_values(entropy):
    # Narrow pockets of one class: the cost of a part falls again as rows join it.
    rng = np.random.default_rng(0)
    x = rng.random(4000)
    y = rng.random(4000) < np.where(np.abs(x * 10 % 1 - 0.5) < 0.04, 1.0, 0.1)
    options = {"method": "fusinter", "method_params": {"entropy": entropy}}
    best = pt.discretize(x, y, search="exact", **options)
    for greedy in ("bottom-up", "top-down", "coarse"):
        assert best.cost <= pt.discretize(x, y, search=greedy, **options).cost + 1e-12
