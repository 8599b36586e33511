"""What is taken as a number: decimals, methods for numbers alone, weights of any size."""

import re
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import partage as pt

RNG = np.random.default_rng(5)
X = RNG.uniform(18, 80, 400)
AMOUNTS = np.round(RNG.gamma(2, 500 * (1 + (X < 30))), 2)
DECIMALS = [Decimal(str(amount)) for amount in AMOUNTS]


@pytest.mark.parametrize(
    "y",
    [
        np.array(DECIMALS, dtype=object),
        pd.Series(DECIMALS, dtype=pd.ArrowDtype(pa.decimal128(12, 2))),
        pa.array(DECIMALS),
        pl.Series(DECIMALS),
    ],
    ids=["objects", "pandas", "pyarrow", "polars"],
)
def test_decimals_are_amounts(y):
    p = pt.discretize(X, y)
    assert p.target.kind == "number"
    assert p.cuts.tolist() == pt.discretize(X, AMOUNTS).cuts.tolist()


def test_whole_decimals_are_classes():
    y = np.array([Decimal(int(x > 40)) for x in X], dtype=object)
    assert pt.discretize(X, y).classes.tolist() == [Decimal(0), Decimal(1)]


def test_gaps_among_decimals_are_refused():
    y = np.array([None, *DECIMALS[1:]], dtype=object)
    with pytest.raises(ValueError, match=re.escape("discretize: Input y contains NaN; drop these")):
        pt.discretize(X, y)


@pytest.mark.parametrize("method", ["poisson", "mean", "modl-scores", "modl-classes", "modl-grid"])
def test_a_method_for_numbers_says_that_counts_are_one(method):
    y = RNG.poisson(1 + (X < 30))
    assert pt.discretize(X, y, method=method).target.kind == "number"
    table = np.column_stack([X, X**2])
    assert pt.TablePartitioner(method=method, output="mean").fit(table, y).transform(table).any()
    with pytest.raises(ValueError, match=f"method='{method}' is not for a y of classes"):
        pt.discretize(X, y, method=method, target_type="class")


def test_text_among_numbers_is_named():
    message = (
        "discretize: y must hold numbers for target_type='number'; got 'lots'. For classes "
        "leave target_type out, or take a classifier."
    )
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        pt.discretize([1, 2, 3], [1.5, 2.5, "lots"], target_type="number")


@pytest.mark.parametrize("weight", [1e6, 1e12, 1e15])
@pytest.mark.parametrize("method", ["modl", "modl-scores", "mean", "gamma", "averaged"])
def test_large_weights_leave_means_as_they_are(method, weight):
    given = {"method": method, "max_parts": 3, "target_type": "number"}
    p = pt.discretize(X, AMOUNTS, sample_weight=np.full(len(X), weight), **given)
    q = pt.discretize(X, AMOUNTS, sample_weight=np.full(len(X), 1e5), **given)
    assert p.cuts.tolist() == q.cuts.tolist()
    codes = p.assign(X)
    expected = [AMOUNTS[codes == k].mean() for k in range(p.n_parts)]
    assert p.stats["mean"].tolist() == pytest.approx(expected, rel=1e-8)


def test_more_events_than_a_likelihood_holds_are_refused():
    message = (
        "discretize: method='poisson' counts events, at most 1e+12 beyond their dispersion; y adds "
        "up to 4e+17. Use method='mean', or divide y by one number."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.discretize(X, AMOUNTS + 1e15, method="poisson")
