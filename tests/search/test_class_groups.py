"""Groups of values by intervals of the ranks of a number."""

import numpy as np
import pytest

import partage as pt


def drawn(seed, n=3000, n_values=60):
    """Values of two kinds, in any order, and the kind of each."""
    rng = np.random.default_rng(seed)
    kinds = rng.permutation(np.arange(n_values) % 2)
    codes = rng.integers(0, n_values, n)
    return rng, np.array([f"v{code:02d}" for code in codes]), kinds[codes]


@pytest.mark.parametrize("method", ["modl", "modl-classes"])
def test_values_that_differ_in_spread_alone_are_grouped(method):
    rng, x, kind = drawn(0)
    y = rng.normal(size=len(x)) * np.where(kind == 1, 4.0, 1.0)
    p = pt.group(x, y, method=method)
    assert (p.n_parts, p.code) == (2, "classes")
    assert len(set(zip(p.assign(x).tolist(), kind.tolist(), strict=True))) == 2


def test_amounts_behind_many_zeros_are_grouped():
    rng, x, kind = drawn(1, n=6000)
    y = np.where(rng.uniform(size=len(x)) < 0.7, 0.0, rng.gamma(2, np.where(kind == 1, 6.0, 1.0)))
    p = pt.group(x, y)
    assert p.n_parts == 2
    assert len(set(zip(p.assign(x).tolist(), kind.tolist(), strict=True))) == 2
    assert pt.group(x, np.exp(np.sqrt(y))).cost == p.cost  # ranks alone decide


def test_limits_hold_and_noise_stays_whole():
    rng, x, kind = drawn(2)
    y = rng.normal(size=len(x)) * np.where(kind == 1, 4.0, 1.0)
    assert pt.group(x, y, n_parts=4).n_parts == 4
    assert pt.group(x, y, max_parts=1).n_parts == 1
    assert pt.group(x, rng.normal(size=len(x))).n_parts == 1
    heavy = pt.group(x, y, min_part_size=0.3)
    assert heavy.stats["weight"].min() >= 0.3 * len(x)


def test_rows_in_any_order_give_the_same_groups():
    rng, x, kind = drawn(3)
    y = rng.normal(size=len(x)) * np.where(kind == 1, 4.0, 1.0)
    order = rng.permutation(len(x))
    assert pt.group(x, y) == pt.group(x[order], y[order])
