"""Files of partitions of a number keep the values: edits, prices and explanations go on."""

import json

import numpy as np
import pytest

import partage as pt

METHODS = (
    "modl",
    "modl-classes",
    "modl-grid",
    "mean",
    "poisson",
    "gamma",
    "tweedie",
    "equal-frequency",
)


def rows(seed=0, n=400):
    rng = np.random.default_rng(seed)
    x = np.round(rng.uniform(size=n), 2)
    y = rng.lognormal(size=n) * np.where(x > 0.5, 4.0, 1.0)
    x[::17] = np.nan
    return x, y, rng.integers(1, 4, n).astype(float)


def kept(partition):
    return pt.from_dict(json.loads(json.dumps(partition.to_dict())))


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_intervals_of_a_number_are_edited_after_loading(method, is_weighted):
    x, y, weights = rows()
    p = pt.discretize(
        x,
        y,
        method=method,
        target_type="number",
        sample_weight=weights if is_weighted else None,
        **({"n_parts": 4} if method == "equal-frequency" else {}),
    )
    q = kept(p)
    assert q == p
    assert str(q.explain()) == str(p.explain())
    for edited in (
        lambda one: one.split(0, one.cuts[0] / 2),
        lambda one: one.set_cuts([0.3017, 0.6]),
    ):
        a, b = edited(p), edited(q)
        assert (a.cost, a.cuts.tolist()) == (b.cost, b.cuts.tolist())
        assert a.history[-1].price == b.history[-1].price
        assert a.stats.equals(b.stats)


@pytest.mark.parametrize("method", ["modl", "modl-classes", "mean"])
def test_groups_of_a_number_are_edited_after_loading(method):
    x, y, _ = rows(1)
    city = np.where(np.isnan(x), "none", np.floor(np.nan_to_num(x) * 12).astype(int).astype(str))
    p = pt.group(city, y, method=method, target_type="number")
    q = kept(p)
    assert q == p
    assert str(q.explain()) == str(p.explain())
    a, b = (one.move("3", p.n_parts - 1) for one in (p, q))
    assert (a.cost, a.groups) == (b.cost, b.groups)


def test_many_values_of_a_number_are_left_out():
    rng = np.random.default_rng(0)
    p = pt.discretize(rng.uniform(size=4000), rng.normal(size=4000))
    q = kept(p)
    assert q.units is None
    assert q == p


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("counts", [0.5, 1.0], "units must hold cells of the target, each once"),
        ("counts", [1e9, 1.0], "units must hold cells of the target, each once"),
        ("counts", [0, -1.0], "counts of units must be finite and above 0"),
        ("moments", [0.0], "inhomogeneous|sums of units do not fit them"),
        ("extremes", [0.0, float("inf")], "sums of units must be finite"),
    ],
)
def test_damaged_units_of_a_number_are_refused(name, value, message):
    x, y, _ = rows()
    data = pt.discretize(x, y).to_dict()
    data["units"][name][0] = value
    with pytest.raises(pt.exceptions.PartageError, match=message):
        pt.from_dict(data)
