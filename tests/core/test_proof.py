"""Proven optima of long columns of two classes, against a program over every border."""

import numpy as np
import pytest
from scipy.special import gammaln

import partage as pt
from helpers import search, sweep
from strategies import large_table

LAWS = {
    "noise": lambda x: 0.3 + 0 * x,
    "weak": lambda x: 0.4 + 0.2 * x,
    "strong": lambda x: 0.1 + 0.8 * x,
    "waves": lambda x: 0.5 + 0.45 * np.sin(25 * x),
    "pockets": lambda x: np.where(np.sin(150 * x) > 0.95, 0.98, 0.1),
}


def lowest_modl_cost(y, most_parts):
    """Cost of the best partition of a line of distinct values: one layer for each part."""
    n = len(y)
    before = np.concatenate([[0], np.cumsum(y)])
    at = np.arange(n + 1)
    sizes = np.maximum(at[None, :] - at[:, None], 0)
    events = np.maximum(before[None, :] - before[:, None], 0)
    costs = gammaln(sizes + 2) - gammaln(events + 1) - gammaln(sizes - events + 1)
    costs[at[None, :] <= at[:, None]] = np.inf
    lowest = np.where(at == 0, 0.0, np.inf)
    found = []
    for k in range(1, most_parts + 1):
        lowest = (lowest[:, None] + costs).min(axis=0)
        structure = np.log(n) + gammaln(n + k) - gammaln(k) - gammaln(n + 1)
        found.append(structure + lowest[-1])
    assert np.argmin(found) < most_parts - 1
    return min(found)


def drawn(law, n_rows, seed):
    """Draw a column of distinct values and its two classes."""
    rng = np.random.default_rng(seed)
    x = rng.permutation(n_rows).astype(float)
    return x, (rng.random(n_rows) < LAWS[law](x / n_rows)).astype(int)


@pytest.mark.parametrize("how", ["auto", "exact"])
@pytest.mark.parametrize("seed", sweep(range(6)))
@pytest.mark.parametrize("law", LAWS)
def test_the_optimum_is_that_of_a_program_over_every_border(law, seed, how):
    x, y = drawn(law, 1200, seed)
    p = pt.discretize(x, y, search=how)
    assert p.found.is_optimal
    assert p.gap == 0.0
    assert p.cost == pytest.approx(lowest_modl_cost(y[np.argsort(x)], 40), rel=1e-9)


@pytest.mark.parametrize("law", LAWS)
def test_the_default_search_proves_columns_of_some_ten_thousand_values(law):
    x, y = drawn(law, 20_000, 1)
    p = pt.discretize(x, y)
    assert p.found.is_optimal
    merged = pt.discretize(x, y, search="coarse")
    assert not merged.found.is_optimal
    assert p.cost <= merged.cost + 1e-9 * merged.cost


@pytest.mark.parametrize("criterion", ["modl", "entropy", "gini"])
@pytest.mark.parametrize("seed", sweep(range(6)))
def test_proofs_agree_with_the_program_where_sizes_are_asked_for_too(criterion, seed):
    units = large_table(700, 2, seed=seed, n_pieces=15)
    free = search(units, criterion, "exact")
    # A least size makes the plain program run; this one forbids nothing.
    plain = search(units, criterion, "exact", min_part_size=1)
    assert free.cost == pytest.approx(plain.cost, rel=1e-10)
    assert len(free.starts) == len(plain.starts)
    few = search(units, criterion, "exact", max_parts=3)
    same = search(units, criterion, "exact", max_parts=3, min_part_size=1)
    assert few.cost == pytest.approx(same.cost, rel=1e-10)


def test_results_do_not_depend_on_the_order_of_the_rows():
    x, y = drawn("waves", 12_000, 3)
    order = np.random.default_rng(0).permutation(len(x))
    one, other = pt.discretize(x, y), pt.discretize(x[order], y[order])
    assert one.cost == other.cost
    assert np.array_equal(one.cuts, other.cuts)
