"""The same counts give the same intervals, whatever library or type holds the column."""

import math
from collections import namedtuple
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.utils import Bunch

import partage as pt

NUMBERS = [5.0, 1.0, 3.0, 2.0, 4.0, 9.0, 8.0, 7.0, 6.0, 10.0, 12.0, 11.0]
LABELS = ["b" if value > 6 else "a" for value in NUMBERS]
WHOLE = [int(value) for value in NUMBERS]
GAPPED = [None if value == 3 else value for value in NUMBERS]
EXPECTED = pt.discretize(np.array(NUMBERS), LABELS)
EXPECTED_GAPPED = pt.discretize(
    np.array([math.nan if value is None else value for value in GAPPED]), LABELS
)

COLUMNS = {
    "list": NUMBERS,
    "tuple": tuple(NUMBERS),
    "numpy float64": np.array(NUMBERS),
    "numpy float32": np.array(NUMBERS, dtype=np.float32),
    "numpy float16": np.array(NUMBERS, dtype=np.float16),
    "numpy int64": np.array(WHOLE),
    "numpy int8": np.array(WHOLE, dtype=np.int8),
    "numpy uint64": np.array(WHOLE, dtype=np.uint64),
    "numpy big-endian": np.array(NUMBERS, dtype=">f8"),
    "numpy strided": np.repeat(np.array(NUMBERS), 2)[::2],
    "numpy read-only": np.broadcast_to(np.array(NUMBERS), (12,)),
    "numpy object of numbers": np.array(NUMBERS, dtype=object),
    "pandas float64": pd.Series(NUMBERS),
    "pandas Int64": pd.Series(WHOLE, dtype="Int64"),
    "pandas Float64": pd.Series(NUMBERS, dtype="Float64"),
    "pandas Float32": pd.Series(NUMBERS, dtype="Float32"),
    "pandas arrow": pd.Series(NUMBERS, dtype="float64[pyarrow]"),
    "pandas index shuffled": pd.Series(NUMBERS, index=range(12, 0, -1)),
    "polars Float64": pl.Series(NUMBERS),
    "polars Int32": pl.Series(WHOLE, dtype=pl.Int32),
    "polars UInt8": pl.Series(WHOLE, dtype=pl.UInt8),
    "pyarrow array": pa.array(NUMBERS),
    "pyarrow chunked": pa.chunked_array([NUMBERS[:5], NUMBERS[5:]]),
    "pyarrow int16": pa.array(WHOLE, type=pa.int16()),
}
GAPPED_COLUMNS = {
    "list": GAPPED,
    "numpy object": np.array(GAPPED, dtype=object),
    "pandas float64": pd.Series(GAPPED, dtype=float),
    "pandas Int64": pd.Series([None if v is None else int(v) for v in GAPPED], dtype="Int64"),
    "pandas Float64": pd.Series(GAPPED, dtype="Float64"),
    "pandas arrow": pd.Series(GAPPED, dtype="float64[pyarrow]"),
    "polars Float64": pl.Series(GAPPED),
    "polars Int64": pl.Series([None if v is None else int(v) for v in GAPPED]),
    "polars NaN": pl.Series([math.nan if v is None else v for v in GAPPED]),
    "pyarrow array": pa.array(GAPPED),
    "pyarrow int": pa.array([None if v is None else int(v) for v in GAPPED]),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_column_of_any_library_gives_the_same_bits(column):
    p = pt.discretize(column, LABELS)
    assert [float(cut) for cut in p.cuts] == [6.5] == list(EXPECTED.cuts)
    assert p.counts.tolist() == EXPECTED.counts.tolist()
    assert (p.cost, p.level) == (EXPECTED.cost, EXPECTED.level)
    assert p.assign(column).tolist() == EXPECTED.assign(np.array(NUMBERS)).tolist()


@pytest.mark.parametrize("column", GAPPED_COLUMNS.values(), ids=GAPPED_COLUMNS)
def test_gap_of_any_library_is_missing(column):
    p = pt.discretize(column, LABELS)
    assert [float(cut) for cut in p.cuts] == list(EXPECTED_GAPPED.cuts)
    assert p.missing_counts.tolist() == [1, 0]
    assert p.cost == EXPECTED_GAPPED.cost
    assert p.assign(column).tolist() == [2 if v is None else int(v > 6) for v in GAPPED]


@pytest.mark.parametrize(
    "x",
    [
        np.array([False] * 8 + [True] * 8),
        pd.Series([False] * 8 + [True] * 8, dtype="boolean"),
        pl.Series([False] * 8 + [True] * 8),
        pa.array([False] * 8 + [True] * 8),
    ],
    ids=["numpy", "pandas", "polars", "pyarrow"],
)
def test_booleans_are_zeros_and_ones_when_asked_for_intervals(x):
    p = pt.discretize(x, [0] * 8 + [1] * 8)
    assert p.counts.tolist() == [[8, 0], [0, 8]]
    assert p.assign(x).tolist() == [0] * 8 + [1] * 8


DAYS = pd.date_range("2020-01-01", periods=12, freq="D")


@pytest.mark.parametrize(
    "x",
    [DAYS.to_numpy(), pd.Series(DAYS), pl.Series(DAYS.to_pydatetime()), pa.array(DAYS)],
    ids=["numpy", "pandas", "polars", "pyarrow"],
)
def test_datetime_column_has_datetime_cuts(x):
    p = pt.discretize(x, [0] * 6 + [1] * 6)
    assert p.counts.tolist() == [[6, 0], [0, 6]]
    assert p.cuts.dtype.kind == "M"
    assert pd.Timestamp(p.cuts[0]) == pd.Timestamp("2020-01-06 12:00")
    assert p.assign(x).tolist() == [0] * 6 + [1] * 6


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_datetime_series_may_have_any_unit(unit):
    x = pd.Series(DAYS.to_numpy().astype(f"M8[{unit}]"))
    p = pt.discretize(x, [0] * 6 + [1] * 6)
    assert pd.Timestamp(p.cuts[0]) == pd.Timestamp("2020-01-06 12:00")


@pytest.mark.parametrize(
    "x",
    [
        pd.Series(DAYS.tz_localize("Europe/Paris")),
        pd.Series(DAYS - DAYS[0]),
        pl.Series([day.date() for day in DAYS]),
        [Decimal(i) / 10 for i in range(12)],
    ],
    ids=["time zone", "durations", "dates", "decimals"],
)
def test_other_ordered_kinds_are_cut_in_the_middle(x):
    p = pt.discretize(x, [0] * 6 + [1] * 6)
    assert p.counts.tolist() == [[6, 0], [0, 6]]
    assert p.assign(x).tolist() == [0] * 6 + [1] * 6


def test_missing_datetime_is_missing():
    x = pd.Series(DAYS)
    x[3] = pd.NaT
    p = pt.discretize(x, [0] * 6 + [1] * 6)
    assert p.missing_counts.tolist() == [1, 0]
    assert p.assign(x).tolist() == [0, 0, 0, 2, 0, 0, *[1] * 6]


@pytest.mark.parametrize(
    "start", [2**53, -(2**53) - 12, 2**62], ids=["2^53", "below -2^53", "2^62"]
)
def test_integers_beyond_two_to_the_53_are_told_apart(start):
    x = np.arange(start, start + 12, dtype=np.int64)
    p = pt.discretize(x, [0] * 5 + [1] * 7)
    assert p.counts.tolist() == [[5, 0], [0, 7]]
    assert p.assign(x).tolist() == [0] * 5 + [1] * 7


def test_unsigned_integers_beyond_two_to_the_63_are_told_apart():
    x = np.arange(2**64 - 12, 2**64, dtype=np.uint64)
    p = pt.discretize(x, [0] * 5 + [1] * 7)
    assert p.counts.tolist() == [[5, 0], [0, 7]]
    assert p.assign(x).tolist() == [0] * 5 + [1] * 7


def test_integers_at_both_ends_of_their_range_are_told_apart():
    x = np.array([-(2**63)] * 8 + [2**63 - 1] * 8)
    p = pt.discretize(x, [0] * 8 + [1] * 8)
    assert p.assign(x).tolist() == [0] * 8 + [1] * 8


def test_large_integers_with_a_gap_are_told_apart():
    x = pd.Series([*range(2**53, 2**53 + 12), None], dtype="Int64")
    p = pt.discretize(x, [0] * 5 + [1] * 8)
    assert p.counts.tolist() == [[5, 0], [0, 7]]
    assert p.assign(x).tolist() == [0] * 5 + [1] * 7 + [2]


def test_negative_zero_equals_zero():
    x = np.array([-0.0, 0.0] * 10)
    p = pt.discretize(x, [0, 1] * 10)
    assert p.n_parts == 1
    step = pt.discretize(np.array([-0.0] * 4 + [0.0] * 4 + [1.0] * 8), [0] * 8 + [1] * 8)
    assert step.counts.tolist() == [[8, 0], [0, 8]]
    assert step.assign(np.array([-0.0, 0.0])).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-math.inf, 0.0),
        (0.0, math.inf),
        (-math.inf, math.inf),
        (-1.7e308, -1e308),
        (1e308, 1.7e308),
    ],
)
def test_extreme_values_are_values_like_any_other(low, high):
    p = pt.discretize(np.array([low] * 8 + [high] * 8), [0] * 8 + [1] * 8)
    assert p.counts.tolist() == [[8, 0], [0, 8]]
    assert p.assign(np.array([low, high])).tolist() == [0, 1]


@pytest.mark.parametrize("low", [1.0, 0.1, 1e-310, -3.0, 2.0**52 + 1])
def test_neighbouring_floats_are_separated_by_the_lower_one(low):
    high = np.nextafter(low, math.inf)
    p = pt.discretize(np.array([low] * 8 + [high] * 8), [0] * 8 + [1] * 8)
    assert low <= p.cuts[0] < high
    assert p.assign(np.array([low, high])).tolist() == [0, 1]


def test_neighbouring_float32_are_separated():
    low = np.float32(0.1)
    high = np.nextafter(low, np.float32(1))
    x = np.array([low] * 8 + [high] * 8, dtype=np.float32)
    p = pt.discretize(x, [0] * 8 + [1] * 8)
    assert p.assign(x).tolist() == [0] * 8 + [1] * 8


def test_value_on_a_cut_belongs_to_the_part_below():
    p = pt.discretize(np.arange(20.0), [0] * 10 + [1] * 10)
    assert p.assign(np.array([9.5, np.nextafter(9.5, 10)])).tolist() == [0, 1]


def test_inputs_are_left_as_they_were():
    x, y, weight = np.array(NUMBERS), np.array(LABELS), np.ones(12)
    copies = x.copy(), y.copy(), weight.copy()
    pt.discretize(x, y, sample_weight=weight)
    assert all((a == b).all() for a, b in zip((x, y, weight), copies, strict=True))


@pytest.mark.parametrize("name", ["column_names", "columns", "ndim", "shape"])
def test_a_column_may_be_called_as_what_frames_have(name):
    frame = pd.DataFrame({name: NUMBERS, "other": NUMBERS})
    model = pt.NaiveBayesClassifier().fit(frame, LABELS)
    assert model.predict(frame).tolist() == LABELS
    wanted = model.explain(frame.iloc[:1])
    row = namedtuple("Row", [name, "other"])
    for given in (frame.iloc[0], row(*frame.iloc[0]), Bunch(**frame.iloc[0])):
        pd.testing.assert_frame_equal(model.explain(given), wanted)
