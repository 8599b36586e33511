"""Columns alone under the prior of Khiops 11: costs, optima over all granularities, limits."""

import itertools
from math import ceil, log2

import numpy as np
import pandas as pd
import pytest

import partage as pt
from helpers import FULL
from partage._search.core import partition_cost
from reference.criteria import COSTS
from reference.grids import quantile_ends, set_partitions

LAW = COSTS["khiops11"]


def draw(rng, n_rows, n_values):
    """Draw a column of few values and classes that follow it in most cases."""
    x = rng.integers(0, n_values, n_rows) ** 2 % 37
    strength = rng.choice([0.0, 0.6, 0.9])
    y = np.where(rng.random(n_rows) < strength, x > np.median(x), rng.random(n_rows) < 0.5)
    y[:2] = 0, 1
    return x, y.astype(int)


def counts_of(parts, y):
    return np.array([[np.sum((parts == k) & (y == j)) for j in (0, 1)] for k in np.unique(parts)])


def lowest_line(x, y, columns):
    """Lowest cost over granularities and cuts at the ends of their quantiles."""
    best = LAW(counts_of(np.zeros(len(x)), y))
    for g in range(1, ceil(log2(len(x))) + 1):
        ends = sorted(quantile_ends(x.tolist(), [1] * len(x), g))
        for k in range(1, len(ends) + 1):
            for cuts in itertools.combinations(ends, k):
                counts = counts_of(np.searchsorted(cuts, x, side="left"), y)
                best = min(best, LAW(counts, granularity=g, columns=columns))
    return best


def lowest_groups(x, y, columns):
    """Lowest cost over granularities and divisions of the values that are frequent there."""
    names, codes, sizes = np.unique(x, return_inverse=True, return_counts=True)
    best = LAW(counts_of(np.zeros(len(x)), y))
    for g in range(1, ceil(log2(len(x))) + 1):
        least = ceil(len(x) / 2 ** (g if 2**g < len(x) else g - 1))
        rare = sizes < least
        pool = np.where(rare, len(names), np.arange(len(names)))
        values, pool = np.unique(pool, return_inverse=True)
        for groups in set_partitions(len(values)):
            if max(groups) == 0:
                continue
            counts = counts_of(np.array(groups)[pool][codes], y)
            best = min(best, LAW(counts, granularity=g, columns=columns, values=len(values)))
    return best


@pytest.mark.parametrize("columns", [1, 20])
def test_intervals_are_the_optimum_over_all_granularities(columns):
    rng = np.random.default_rng(columns)
    for _ in range(60 if FULL else 25):
        x, y = draw(rng, int(rng.integers(20, 150)), 8)
        p = pt.discretize(x, y, method="khiops11", method_params={"columns": columns})
        assert p.cost == pytest.approx(LAW(p.counts, **p.method_params), rel=1e-11)
        assert p.cost == pytest.approx(lowest_line(x, y, columns), rel=1e-9)
        assert p.is_optimal


@pytest.mark.parametrize("columns", [1, 20])
def test_groups_are_the_optimum_over_all_granularities(columns):
    rng = np.random.default_rng(columns + 5)
    for _ in range(40 if FULL else 15):
        x, y = draw(rng, int(rng.integers(20, 150)), 6)
        p = pt.group(x.astype(str), y, method="khiops11", method_params={"columns": columns})
        assert p.cost == pytest.approx(LAW(p.counts, **p.method_params), rel=1e-11)
        assert p.cost == pytest.approx(lowest_groups(x.astype(str), y, columns), rel=1e-9)
        assert p.is_optimal


def test_a_garbage_group_is_taken_where_it_pays():
    rng = np.random.default_rng(3)
    x = rng.integers(0, 40, 4000)
    y = (rng.random(4000) < np.array([0.95, 0.95, 0.05, 0.05, *[0.5] * 36])[x]).astype(int)
    p = pt.group([f"v{i}" for i in x], y, method="khiops11")
    assert p.method_params["garbage"] > 20
    assert p.garbage is not None
    assert p.cost == pytest.approx(LAW(p.counts, **p.method_params), rel=1e-11)
    plain = {**p.method_params, "garbage": 0}
    assert p.cost < LAW(p.counts, **plain)


def test_limits_hold_at_the_best_granularity():
    rng = np.random.default_rng(6)
    x = rng.normal(size=900)
    y = (rng.random(900) < np.select([x < -1, x < 0, x < 1], [0.1, 0.8, 0.3], 0.9)).astype(int)
    free = pt.discretize(x, y, method="khiops11")
    assert free.n_parts == 4
    g = free.method_params["granularity"]
    ends = np.array(sorted(quantile_ends(x.tolist(), [1] * 900, g)))
    below = np.sort(x)[np.searchsorted(np.sort(x), free.cuts) - 1]
    assert np.isin(below, ends).all()
    for limits in (
        {"max_parts": 2},
        {"n_parts": 3},
        {"min_part_size": 300},
        {"user_cuts": [0.123]},
        {"monotonic": "ascending"},
        {"candidate_cuts": np.linspace(-2, 2, 41)},
    ):
        p = pt.discretize(x, y, method="khiops11", **limits)
        assert p.violations == ()
        assert p.cost >= free.cost - 1e-9
        assert p.price >= -1e-9
    with pytest.raises(pt.exceptions.NotPartitionableError):
        pt.discretize(x, y, method="khiops11", n_parts=901)


def test_the_price_of_parts_grows_concavely_so_that_programs_are_exact():
    for n, g in itertools.product([10, 700, 100_000], [1, 3, 7, 20]):
        steps = []
        for k in range(1, min(2**g, n, 60)):
            sizes = np.full((k, 2), n / (2.0 * k))
            law = partition_cost(sizes, "khiops11", [g, 5.0, 0.0, 0.0])
            rows = sum(partition_cost(row[None], "khiops11", [g, 5.0, 0.0, 0.0]) for row in sizes)
            steps.append(law - rows + k * np.log(2))
        increments = np.diff(steps)
        assert (np.diff(increments) < 1e-6).all()


def test_tables_models_and_edits_take_it(tmp_path):
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({"a": rng.normal(size=600), "b": rng.choice(list("pqrs"), 600)})
    y = np.where((frame["a"] > 0.3) | (frame["b"] == "p"), "yes", "no")
    enc = pt.TablePartitioner(method="khiops11").fit(frame, y)
    assert enc["a"].method == enc["b"].method == "khiops11"
    enc.save(tmp_path / "m.json")
    again = pt.load(tmp_path / "m.json")
    assert again["b"] == enc["b"]
    assert again["a"].method_params == enc["a"].method_params
    merged = enc["a"].merge(0, 1)
    assert merged.cost > enc["a"].cost
    assert merged.cost == pytest.approx(LAW(merged.counts, **merged.method_params), rel=1e-11)
