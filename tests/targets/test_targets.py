"""The target: classes of any library and kind, kept as they are, in order."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import partage as pt
from helpers import assert_refuses

NUMBERS = [5.0, 1.0, 3.0, 2.0, 4.0, 9.0, 8.0, 7.0, 6.0, 10.0, 12.0, 11.0]
LABELS = ["b" if value > 6 else "a" for value in NUMBERS]
EXPECTED = pt.discretize(np.array(NUMBERS), LABELS)


@pytest.mark.parametrize(
    "y",
    [
        np.array(LABELS),
        np.array(LABELS, dtype=object),
        tuple(LABELS),
        pd.Series(LABELS),
        pd.Series(LABELS, dtype="category"),
        pd.Series(LABELS, dtype="string"),
        pl.Series(LABELS),
        pl.Series(LABELS, dtype=pl.Categorical),
        pa.array(LABELS),
        pa.array(LABELS).dictionary_encode(),
    ],
    ids=lambda y: f"{type(y).__module__.split('.')[0]} {getattr(y, 'dtype', '')}",
)
def test_target_of_any_library_gives_the_same_bits(y):
    p = pt.discretize(NUMBERS, y)
    assert list(p.classes) == ["a", "b"]
    assert p.counts.tolist() == EXPECTED.counts.tolist()
    assert p.cost == EXPECTED.cost


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        ([value > 6 for value in NUMBERS], [False, True]),
        (pd.Series([value > 6 for value in NUMBERS], dtype="boolean"), [False, True]),
        (pd.Series([3 if value > 6 else -1 for value in NUMBERS], dtype="Int64"), [-1, 3]),
        (np.where(np.array(NUMBERS) > 6, 2.0, 1.0), [1.0, 2.0]),
    ],
    ids=["bool", "nullable boolean", "nullable integer", "whole floats"],
)
def test_classes_keep_their_kind_and_order(y, classes):
    p = pt.discretize(NUMBERS, y)
    assert list(p.classes) == classes
    assert p.counts.tolist() == [[6, 0], [0, 6]]


GAPPED = {
    "object None": np.array([*LABELS[:-1], None], dtype=object),
    "object NaN": np.array([*LABELS[:-1], math.nan], dtype=object),
    "object NA": np.array([*LABELS[:-1], pd.NA], dtype=object),
    "pandas string": pd.Series([*LABELS[:-1], None], dtype="string"),
    "pandas category": pd.Series([*LABELS[:-1], None], dtype="category"),
    "pandas boolean": pd.Series([*[True, False] * 5, True, None], dtype="boolean"),
    "pandas Int64": pd.Series([*range(11), None], dtype="Int64"),
    "polars text": pl.Series([*LABELS[:-1], None]),
    "polars boolean": pl.Series([*[True, False] * 5, True, None]),
    "pyarrow text": pa.array([*LABELS[:-1], None]),
    "numpy NaT": np.array([*["2020-01-01", "2020-01-02"] * 5, "2020-01-01", "NaT"], dtype="M8[D]"),
}


@pytest.mark.parametrize("y", GAPPED.values(), ids=GAPPED)
def test_gap_in_the_target_is_refused_whatever_library_holds_it(y):
    assert_refuses(
        lambda: pt.discretize(NUMBERS, y),
        ValueError,
        "discretize: Input y contains NaN; drop these rows or give them a class of their own.",
    )


def test_integer_categories_stay_integers_in_their_order():
    y = pd.Series([10 if value > 6 else 9 for value in NUMBERS], dtype="category")
    assert list(pt.discretize(NUMBERS, y).classes) == [9, 10]


def test_classes_are_counted_in_the_order_of_classes():
    y = ["late" if value < 3 else "early" for value in NUMBERS]
    p = pt.discretize(NUMBERS, y, n_parts=1)
    assert list(p.classes) == ["early", "late"]
    assert p.counts.tolist() == [[10, 2]]


def test_hundreds_of_classes_are_counted():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 300, 3000)
    x = y + rng.random(3000)
    p = pt.discretize(x, y.astype(str), method="fusinter", max_parts=20)
    assert p.counts.shape == (p.n_parts, 300)
    assert p.counts.sum() == 3000


def test_column_vector_is_taken_with_a_warning():
    with pytest.warns(
        UserWarning, match=r"^A column-vector y was passed .+; discretize takes y.ravel"
    ):
        p = pt.discretize(NUMBERS, np.array(LABELS)[:, None])
    assert p.cost == EXPECTED.cost


def test_labels_of_several_values_are_refused():
    labels = pd.Series([(label, 1) for label in LABELS])
    assert_refuses(
        lambda: pt.discretize(NUMBERS, labels),
        TypeError,
        "discretize: y must hold single labels; got tuple. Convert them to text.",
    )
