"""Constraints: the optimum among all partitions that satisfy them, each alone and in pairs."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt
from partage import _core
from partage._search.limits import RULES, TRENDS
from partage._spaces.space import line_of
from partage.exceptions import NotPartitionableError
from reference.constraints import cheapest, cost_with_empty_parts, follows, rates_of, satisfies
from reference.runs import merge_units
from reference.searches import contiguous_partitions
from strategies import large_table, tables

# Round cuts have an enumeration of their own.
ALONE = [name for name in RULES if name != "round_cuts"]
PAIRS = [(a, b) for a, b in itertools.combinations(ALONE, 2) if (a, b) != ("n_parts", "max_parts")]


def rows_of(units):
    """Values and classes of rows that have these counts; unit i is the value i."""
    unit, label = np.nonzero(units)
    repeat = units[unit, label].astype(int)
    return np.repeat(unit, repeat).astype(float), np.repeat(label, repeat)


@st.composite
def limits_of(draw, names, units):
    """Draw constraints; cuts are first units, as the reference has them."""
    n = len(units)
    places = st.lists(st.integers(1, max(n - 1, 1)), min_size=1, max_size=3, unique=True)
    choices = {
        "n_parts": st.integers(1, n),
        "max_parts": st.integers(1, 4),
        "min_part_size": st.integers(1, 12),
        "min_class_count": st.integers(1, 3),
        "monotonic": st.sampled_from(TRENDS),
        "user_cuts": places.map(sorted),
        "candidate_cuts": places.map(sorted),
    }
    return {name: draw(choices[name]) for name in names}


def asked(limits):
    """Constraints as the library takes them: a cut lies before its unit."""
    return {
        name: [place - 0.5 for place in value] if name.endswith("cuts") else value
        for name, value in limits.items()
    }


def check_against_exhaustive_search(units, method, limits):
    x, y = rows_of(units)
    lowest = cheapest(units, method, limits)
    if lowest == math.inf:
        with pytest.raises(NotPartitionableError, match="|".join(limits)):
            pt.discretize(x, y, method=method, **asked(limits))
        return
    p = pt.discretize(x, y, method=method, **asked(limits))
    starts = [0, *(np.ceil(p.cuts).astype(int).tolist())]
    assert satisfies(starts, units, limits)
    assert p.cost == pytest.approx(lowest, rel=1e-9)
    assert p.is_optimal
    assert p.gap == 0
    assert p.price >= 0


@pytest.mark.parametrize("name", ALONE)
@given(data=st.data())
def test_each_constraint_alone_is_kept_at_the_lowest_cost(name, data):
    units = data.draw(tables(min_units=2, max_units=8, max_classes=3))
    check_against_exhaustive_search(units, "modl", data.draw(limits_of([name], units)))


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
@given(data=st.data())
def test_constraints_in_pairs_are_kept_at_the_lowest_cost(names, data):
    units = data.draw(tables(min_units=2, max_units=8, max_classes=3))
    check_against_exhaustive_search(units, "modl", data.draw(limits_of(names, units)))


@pytest.mark.parametrize("method", ["fusinter", "gini", "entropy", "tschuprow", "cramer"])
@given(data=st.data())
def test_every_method_with_an_exact_search_keeps_constraints(method, data):
    units = data.draw(tables(min_units=2, max_units=7, max_classes=3))
    names = data.draw(st.sampled_from([("monotonic",), ("monotonic", "max_parts"), ("user_cuts",)]))
    check_against_exhaustive_search(units, method, data.draw(limits_of(names, units)))


@given(data=st.data())
def test_trend_holds_in_every_segment_at_the_lowest_cost(data):
    units = data.draw(tables(min_units=2, max_units=7, max_classes=3, max_count=4))
    trend = data.draw(st.sampled_from(TRENDS))
    n_segments = data.draw(st.integers(1, 3))
    x, y = rows_of(units)
    by = np.array(
        data.draw(st.lists(st.integers(0, n_segments - 1), min_size=len(x), max_size=len(x)))
    )
    segments = []
    for segment in np.unique(by):
        table = np.zeros_like(units)
        np.add.at(table, (x[by == segment].astype(int), y[by == segment]), 1)
        segments.append(table)
    tolerance = data.draw(st.sampled_from([0.0, 0.0, 0.3, 0.95]))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*one part only")
        p = pt.discretize(x, y, monotonic=trend, by=by, by_tolerance=tolerance)
    starts = [0, *np.ceil(p.cuts).astype(int).tolist()]
    assert satisfies(starts, units, {"monotonic": trend}, segments, tolerance)
    lowest = cheapest(units, "modl", {"monotonic": trend}, segments, tolerance)
    assert p.cost == pytest.approx(lowest, rel=1e-9)


@pytest.mark.parametrize("method", ["modl", "tschuprow"])
@given(data=st.data())
def test_user_cuts_without_rows_between_them_are_kept_and_paid_for(method, data):
    units = data.draw(tables(min_units=2, max_units=6, max_classes=3))
    x, y = rows_of(units)
    inside = data.draw(st.integers(1, len(units) - 1))
    cuts = [-5.0, inside - 0.75, inside - 0.25, len(units) + 3.0]
    p = pt.discretize(x, y, method=method, user_cuts=cuts)
    assert set(cuts) <= set(p.cuts.tolist())
    assert p.counts.sum(axis=1).tolist().count(0) == 3
    costs = [
        cost_with_empty_parts(merge_units(units, starts), method, 3)
        for starts in contiguous_partitions(len(units))
        if inside in starts
    ]
    assert p.cost == pytest.approx(min(costs), rel=1e-9)


@pytest.mark.parametrize("trend", TRENDS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_zoom_reaches_the_optimum_of_a_long_line(trend, n_classes):
    units = large_table(1200, n_classes, seed=5, n_pieces=9)
    x, y = rows_of(units)
    exact = pt.discretize(x, y, monotonic=trend, search="exact")
    coarse = pt.discretize(x, y, monotonic=trend, search="coarse")
    assert follows(trend, [rates_of(coarse.counts)])
    assert coarse.cost >= exact.cost - 1e-6
    assert coarse.cost == pytest.approx(exact.cost, rel=1e-3)
    # The certified gap covers what is missing to the optimum.
    assert coarse.gap >= (coarse.cost - exact.cost) / math.log(2) - 1e-6


@pytest.mark.parametrize("trend", ["ascending", "peak"])
def test_two_thousand_boundaries_are_solved_exactly(trend):
    units = large_table(2001, 2, seed=3, n_pieces=7)
    x, y = rows_of(units)
    p = pt.discretize(x, y, monotonic=trend, min_part_size=0.02, min_class_count=5)
    assert p.is_optimal
    assert follows(trend, [rates_of(p.counts)])
    assert p.counts.min() >= 5


def test_auto_is_never_dearer_than_a_stricter_trend():
    units = large_table(300, 2, seed=8, n_pieces=6)
    x, y = rows_of(units)
    costs = {trend: pt.discretize(x, y, monotonic=trend).cost for trend in TRENDS}
    assert costs["auto"] == min(costs.values())
    assert pt.discretize(x, y, monotonic="auto").constraints["monotonic"] in TRENDS[:4]


def test_same_rows_in_any_order_give_the_same_parts():
    units = large_table(800, 2, seed=2, n_pieces=5)
    x, y = rows_of(units)
    order = np.random.default_rng(0).permutation(len(x))
    one = pt.discretize(x, y, monotonic="auto", search="coarse")
    other = pt.discretize(x[order], y[order], monotonic="auto", search="coarse")
    assert one.cuts.tolist() == other.cuts.tolist()
    assert one.cost == other.cost


@given(units=tables(min_units=2, max_units=7, max_classes=2), weight=st.integers(2, 4))
def test_whole_weights_equal_repeated_rows(units, weight):
    x, y = rows_of(units)
    weighted = pt.discretize(x, y, monotonic="auto", sample_weight=np.full(len(x), weight))
    repeated = pt.discretize(np.repeat(x, weight), np.repeat(y, weight), monotonic="auto")
    assert weighted.cuts.tolist() == repeated.cuts.tolist()
    assert weighted.cost == pytest.approx(repeated.cost, rel=1e-12)


@pytest.mark.parametrize(("trend", "sign"), [("ascending", 1.0), ("descending", -1.0)])
@given(units=tables(max_units=8, max_classes=2, max_count=9))
def test_bound_of_a_trend_is_below_every_partition_that_follows_it(trend, sign, units):
    line = line_of(units)
    bound = _core.trend_bound(line, sign, None)
    assert bound <= cheapest(units, "modl", {"monotonic": trend}) + 1e-9


@pytest.mark.parametrize("trend", ["ascending", "descending"])
def test_bound_of_a_trend_is_near_the_optimum_of_a_long_line(trend):
    rng = np.random.default_rng(4)
    x = rng.random(40_000)  # a wave, so that the optimum of any trend is no proof
    y = (rng.random(len(x)) < 0.3 + 0.4 * x + 0.1 * np.sin(20 * x)).astype(int)
    p = pt.discretize(x, y if trend == "ascending" else 1 - y, monotonic=trend)
    assert not p.is_optimal
    assert 0 <= p.gap <= 1.0 * p.n_parts
