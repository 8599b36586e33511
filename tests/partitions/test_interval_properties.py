"""What must hold for the intervals of any column, whatever the method."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partage as pt
from helpers import examples, repeat_rows, sweep
from partage._search.methods import methods
from reference.runs import units_of
from reference.searches import exhaustive
from strategies import columns, weighted_columns

METHODS = list(methods())


def fit(x, y, method, **options):
    limits = {"max_parts": 3} if method == "chi2" else {}
    return pt.discretize(x, y, method=method, **limits, **options)


def assert_same_bits(one, other):
    assert one.to_dict() == other.to_dict()
    assert one.cuts.tobytes() == other.cuts.tobytes()
    assert one.counts.tobytes() == other.counts.tobytes()
    assert (one.cost, one.null_cost, one.level) == (other.cost, other.null_cost, other.level)


@pytest.mark.parametrize("method", METHODS)
@given(column=columns(missing=True), data=st.data())
def test_permuted_rows_give_the_same_bits(method, column, data):
    x, y = column
    order = np.array(data.draw(st.permutations(range(len(x)))))
    assert_same_bits(fit(x, y, method), fit(x[order], y[order], method))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=examples(40))
@given(column=weighted_columns(missing=True))
def test_whole_weights_give_the_bits_of_repeated_rows(method, column):
    x, y, weight = column
    weighted = fit(x, y, method, sample_weight=weight)
    repeated = fit(*repeat_rows(weight, x, y), method)
    assert weighted.cuts.tobytes() == repeated.cuts.tobytes()
    assert weighted.counts.tolist() == repeated.counts.tolist()
    assert (weighted.cost, weighted.level) == (repeated.cost, repeated.level)
    assert list(weighted.classes) == list(repeated.classes)


@pytest.mark.parametrize("method", METHODS)
@given(column=columns())
def test_counts_are_the_classes_of_the_assigned_rows(method, column):
    x, y = column
    p = fit(x, y, method)
    expected = np.zeros((p.n_parts, len(p.classes)))
    np.add.at(expected, (p.assign(x), np.searchsorted(p.classes, y)), 1)
    assert p.counts.tolist() == expected.tolist()
    assert p.counts.sum(axis=1).min() > 0


@pytest.mark.parametrize("method", METHODS)
@given(column=columns())
def test_cuts_increase_and_number_one_less_than_parts(method, column):
    p = fit(*column, method)
    assert len(p.cuts) == p.n_parts - 1
    assert (p.cuts[1:] > p.cuts[:-1]).all()


@given(column=columns(max_classes=3))
def test_modl_reaches_the_cost_of_exhaustive_search(column):
    x, y = column
    _, units = units_of(x, y)
    p = pt.discretize(x, y, search="exact")
    assert p.cost == pytest.approx(exhaustive(units, "modl")[1], rel=1e-9)
    assert p.null_cost == pytest.approx(exhaustive(units, "modl", n_parts=1)[1], rel=1e-12)
    assert p.level == pytest.approx(max(0.0, 1 - p.cost / p.null_cost), abs=1e-12)


@given(column=columns())
def test_reversed_column_has_the_same_cost(column):
    x, y = column
    assert pt.discretize(-x, y).cost == pytest.approx(pt.discretize(x, y).cost, rel=1e-12)


@given(column=columns(max_classes=4))
def test_relabelled_classes_have_the_same_cost(column):
    x, y = column
    other = np.array([{"a": "z", "b": "c", "c": "b", "d": "a"}[label] for label in y])
    assert pt.discretize(x, other).cost == pytest.approx(pt.discretize(x, y).cost, rel=1e-12)


@given(column=columns())
def test_increasing_transform_gives_the_same_counts(column):
    x, y = column
    ranks = np.unique(x, return_inverse=True)[1] * 10.0
    one, other = pt.discretize(x, y), pt.discretize(ranks, y)
    assert one.counts.tolist() == other.counts.tolist()
    assert one.cost == other.cost


@pytest.mark.parametrize("method", [name for name in METHODS if name != "chi2"])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([2.5] * 6, list("ababba")),
        ([2.5], ["a"]),
        ([math.nan] * 4, list("abab")),
    ],
    ids=["constant column", "one row", "all missing"],
)
def test_column_without_information_is_one_part(method, x, y):
    p = pt.discretize(np.array(x), y, method=method)
    assert p.n_parts == 1
    assert len(p.cuts) == 0
    assert p.level == 0


@pytest.mark.parametrize(
    "method", [n for n in METHODS if n not in ("equal-width", "equal-frequency")]
)
def test_single_class_is_one_part(method):
    p = fit(np.arange(20.0), ["only"] * 20, method)
    assert p.n_parts == 1
    assert p.level == 0
    assert list(p.classes) == ["only"]


@pytest.mark.parametrize("method", ["modl", "gini", "entropy", "fusinter", "tschuprow", "cramer"])
@pytest.mark.parametrize("seed", sweep(range(5)))
def test_equal_shares_of_real_weights_are_one_part(method, seed):
    rng = np.random.default_rng(seed)
    shares = rng.uniform(0.1, 3, size=3)
    weight = np.concatenate([shares, shares * rng.uniform(0.5, 2)])
    x, y = np.repeat([0.0, 1.0], 3), list("abcabc")
    p = pt.discretize(x, y, method=method, search="exact", sample_weight=weight)
    assert p.n_parts == 1


def test_clean_step_is_cut_in_its_middle():
    p = pt.discretize(np.arange(20.0), [0] * 10 + [1] * 10)
    assert p.cuts.tolist() == [9.5]
    assert p.counts.tolist() == [[10, 0], [0, 10]]
    assert p.is_optimal is True


@pytest.mark.parametrize("method", ["modl", "mdlpc"])
@pytest.mark.parametrize("seed", sweep(range(5)))
def test_noise_is_left_in_one_part(method, seed):
    rng = np.random.default_rng(seed)
    p = pt.discretize(rng.normal(size=10_000), rng.integers(0, 2, 10_000), method=method)
    assert p.n_parts == 1


def test_five_pieces_are_found():
    rng = np.random.default_rng(0)
    x = rng.random(10_000)
    rate = np.array([0.1, 0.9, 0.3, 0.8, 0.2])[(x * 5).astype(int)]
    p = pt.discretize(x, rng.random(10_000) < rate)
    assert p.n_parts == 5
    assert p.cuts == pytest.approx([0.2, 0.4, 0.6, 0.8], abs=0.005)


def test_scaled_weights_change_the_cost():
    x, y = np.arange(12.0), [0, 1] * 6
    once = pt.discretize(x, y)
    thrice = pt.discretize(x, y, sample_weight=np.full(12, 3))
    assert thrice.null_cost > once.null_cost


@given(column=columns(max_classes=3), scale=st.floats(0.3, 4))
def test_real_weights_follow_the_gamma_function(column, scale):
    x, y = column
    _, units = units_of(x, y)
    p = pt.discretize(x, y, search="exact", sample_weight=np.full(len(x), scale))
    assert p.cost == pytest.approx(exhaustive(units * scale, "modl")[1], rel=1e-9)
