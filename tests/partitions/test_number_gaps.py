"""Gaps of numbers and of ordered classes, beside all partitions of small lines."""

from itertools import combinations

import numpy as np
import pytest

import partage as pt
from partage._partitions.costs import beside_of
from partage._partitions.gaps import proof_of


def lowest_cost(p):
    """Lowest cost of all partitions that have the code of one."""
    reading, units, beside = p._method.reading, p.units, beside_of(p)
    n = units.n_units
    return min(
        reading.costs(
            units.counts(np.array([0, *cuts, n], dtype=np.uint32)),
            beside.apart_counts,
            beside.naming(size + 1),
        )[0]
        for size in range(n)
        for cuts in combinations(range(1, n), size)
    )


def column(rng, n_values):
    """Few values with some rows each, of which one may be missing; a step in some."""
    x = np.repeat(np.arange(n_values), rng.integers(1, 6, n_values)).astype(float)
    y = rng.normal(size=len(x)) + 2.0 * (x > n_values / 2) * rng.integers(0, 2)
    if rng.random() < 0.3:
        x[rng.integers(len(x))] = np.nan
    return x, y


@pytest.mark.parametrize("method", ["modl", "modl-scores", "modl-classes", "modl-grid", "mean"])
def test_the_gap_of_a_number_is_never_below_the_truth(method):
    rng = np.random.default_rng(22)
    for _ in range(12):
        x, y = column(rng, int(rng.integers(3, 9)))
        p = pt.discretize(x, y, method=method, target_type="number")
        above = (p.cost - lowest_cost(p)) / np.log(2)
        assert above - 1e-7 <= p.gap <= above + 1.0


def test_the_gap_of_ordered_classes_is_never_below_the_truth():
    rng = np.random.default_rng(23)
    for _ in range(12):
        x, y = column(rng, int(rng.integers(3, 9)))
        p = pt.discretize(x, np.digitize(y, [-0.5, 0.5, 1.5]), target_type="ordered")
        above = (p.cost - lowest_cost(p)) / np.log(2)
        assert above - 1e-7 <= p.gap <= above + 1e-7


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("modl", "as low as the optimum of its code (certified)"),
        ("modl-scores", "proven"),
        ("modl-classes", "as low as the optimum of its code (certified)"),
    ],
)
def test_a_gap_of_some_thousand_values_is_certified_and_says_of_what(method, words):
    rng = np.random.default_rng(24)
    x = rng.normal(size=2_500)
    y = (x > 0.3) + rng.normal(size=2_500)
    p = pt.discretize(x, y, method=method, target_type="number")
    assert p.is_optimal == (words == "proven")
    assert p.gap == 0.0
    assert proof_of(p) == words
    assert words in str(p.explain())


def test_a_longer_number_has_no_bound_but_its_cost():
    rng = np.random.default_rng(25)
    x = rng.normal(size=6_000)
    p = pt.discretize(x, x + rng.normal(size=6_000), method="modl-scores", target_type="number")
    assert p.gap == pytest.approx(p.cost / np.log(2))
    assert proof_of(p) == "not proven to be the optimum"
