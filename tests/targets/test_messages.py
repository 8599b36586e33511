"""Targets and weights that cannot be used are refused: who, what must hold, what was got."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from helpers import assert_refuses

X = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "pay": [4.0, 3.0, 2.0, 1.0]})
Y = [0, 0, 1, 1]
COLUMN = [1.0, 2.0, 3.0, 4.0]

NO_GAPS = "drop these rows or give them a class of their own."
TARGETS = [
    ([0.5, math.nan, 2.5, 3.0], ValueError, "Input y contains NaN; drop these rows."),
    ([math.nan] * 4, ValueError, "y must hold class labels; all are missing."),
    ([None] * 4, ValueError, "y must hold class labels; all are missing."),
    ([0.0, math.nan, 1.0, 1.0], ValueError, f"Input y contains NaN; {NO_GAPS}"),
    (["a", None, "b", "b"], ValueError, f"Input y contains NaN; {NO_GAPS}"),
    (
        pd.Series([0, None, 1, 1], dtype="Int64"),
        ValueError,
        f"Input y contains NaN; {NO_GAPS}",
    ),
    (pl.Series(["a", None, "b", "b"]), ValueError, f"Input y contains NaN; {NO_GAPS}"),
    (
        [0.0, math.inf, 1.0, 1.0],
        ValueError,
        "Input y contains infinity or a value too large for dtype('float64'); "
        "y must hold class labels.",
    ),
    (
        ["a", 1, "b", 2],
        TypeError,
        "y must hold labels of one type; got int, str. Convert them to text.",
    ),
    (
        np.array([1j, 2, 3, 4]),
        ValueError,
        "Complex data not supported; y must hold class labels.",
    ),
    (
        [[0, 1], [1, 0], [0, 1], [1, 0]],
        ValueError,
        "y must have one dimension; got the shape (4, 2).",
    ),
    ([], ValueError, "y must hold at least one row; got 0 sample(s)."),
    (
        None,
        ValueError,
        "y must be given; got None. It requires y to be passed, but the target y is None.",
    ),
]


@pytest.mark.parametrize(("y", "error", "message"), TARGETS)
def test_discretize_refuses_a_bad_target(y, error, message):
    assert_refuses(lambda: pt.discretize(COLUMN, y), error, f"discretize: {message}")


@pytest.mark.parametrize(("y", "error", "message"), TARGETS)
def test_discretizer_refuses_a_bad_target(y, error, message):
    assert_refuses(lambda: pt.Discretizer().fit(X, y), error, f"Discretizer.fit: {message}")


WEIGHTS = [
    ([1, 1, -2, 1], "sample_weight must not be negative; got -2.0."),
    ([1, 1, math.nan, 1], "sample_weight must be finite; it holds NaN or infinity."),
    ([1, 1, math.inf, 1], "sample_weight must be finite; it holds NaN or infinity."),
    ([0, 0, 0, 0], "sample_weight must hold a positive number; all are zero."),
    (
        [1e308, 1e308, 1, 1],
        "sample_weight must sum to at most 1e+18; got inf. Divide all by one number.",
    ),
    (
        [1e305, 1e305, 1, 1],
        "sample_weight must sum to at most 1e+18; got 2e+305. Divide all by one number.",
    ),
    (
        [1, 1, 1],
        "sample_weight must hold one number for each of the 4 rows; got the shape (3,).",
    ),
    (
        [[1], [1], [1], [1]],
        "sample_weight must hold one number for each of the 4 rows; got the shape (4, 1).",
    ),
]


@pytest.mark.parametrize(("weight", "message"), WEIGHTS)
def test_discretize_refuses_bad_weights(weight, message):
    assert_refuses(
        lambda: pt.discretize(COLUMN, Y, sample_weight=weight),
        ValueError,
        f"discretize: {message}",
    )


@pytest.mark.parametrize(("weight", "message"), WEIGHTS)
def test_discretizer_refuses_bad_weights(weight, message):
    assert_refuses(
        lambda: pt.Discretizer().fit(X, Y, sample_weight=weight),
        ValueError,
        f"Discretizer.fit: {message}",
    )


def test_weights_that_are_no_numbers_are_refused():
    assert_refuses(
        lambda: pt.discretize(COLUMN, Y, sample_weight=list("abcd")),
        TypeError,
        "discretize: sample_weight must hold numbers; got list.",
    )
