"""Columns of categories of any library and type give the groups that the user sees."""

import math
import tracemalloc
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import partage as pt

ALIKE = [
    ("1", 1),
    (True, 1),
    (False, 0),
    ("True", True),
    ("", " "),
    ("a", "A"),
    ("a", "a "),
    ("a", "a\0"),
    ("é", "e\u0301"),
    ("1", "1.0"),
    ("x\ty", "x\ny"),
    (2**60, 2**60 + 1),
    (b"a", "a"),
    ("nan", ""),
    ("k" * 100_000, "k" * 100_001),
    (pd.Timestamp("2020-01-01"), "2020-01-01"),
    (Decimal("0.1"), "0.1"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=lambda value: ascii(value)[:12])
@pytest.mark.parametrize("container", ["list", "objects", "pandas"])
def test_values_that_only_look_alike_are_told_apart(one, other, container):
    if other == "a\0" and int(pd.__version__.split(".")[0]) < 3:
        pytest.skip("text ends at its first null character for pandas before 3")
    column = np.empty(24, dtype=object)
    column[:] = [one] * 12 + [other] * 12
    column = {"list": list(column), "objects": column, "pandas": pd.Series(column)}[container]
    p = pt.group(column, ["n"] * 12 + ["y"] * 12)
    assert p.counts.tolist() == [[12, 0], [0, 12]]
    assert p.assign(column).tolist() == [0] * 12 + [1] * 12
    assert [type(group[0]) for group in p.groups] == [type(one), type(other)]


@pytest.mark.parametrize("one", ["a", "a\0", ""])
def test_text_list_keeps_every_character(one):
    p = pt.group([one] * 12 + ["other"] * 12, ["n"] * 12 + ["y"] * 12)
    assert p.groups == ((one,), ("other",))


def test_long_name_does_not_make_every_row_long():
    x, y = [*["a", "b"] * 1000, "k" * 100_000], [*["n", "y"] * 1000, "y"]
    tracemalloc.start()
    p = pt.group(x, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert p.assign(["k" * 100_000]).tolist() == p.assign(["b"]).tolist()
    assert peak < 50e6


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (0.0, -0.0), (np.int64(3), 3), (np.str_("a"), "a"), (np.bool_(True), True)],
    ids=["1 and 1.0", "zeros", "numpy integer", "numpy text", "numpy boolean"],
)
def test_equal_values_of_one_kind_are_one_value(one, other):
    column = np.empty(24, dtype=object)
    column[:] = [one] * 12 + [other] * 12
    p = pt.group(column, ["n"] * 12 + ["y"] * 12)
    assert sum(map(len, p.groups)) == 1
    assert p.counts.tolist() == [[12, 12]]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_are_told_apart_to_their_last_digit(unit):
    x = np.array([0, 1] * 12, dtype=f"M8[{unit}]")
    p = pt.group(pd.Series(x), [0, 1] * 12)
    assert p.counts.tolist() == [[12, 0], [0, 12]]
    assert p.assign(pd.Series(x)).tolist() == [0, 1] * 12


DAYS = pd.date_range("2020-03-28", periods=2, freq="D", unit="us")


@pytest.mark.parametrize(
    "x",
    [
        pd.Series(DAYS.tolist() * 12).dt.as_unit("us"),
        pd.Series(DAYS.tz_localize("Europe/Paris").tolist() * 12),
        pd.Series((DAYS - DAYS[0]).tolist() * 12),
        pl.Series([day.date() for day in DAYS] * 12),
        [day.date() for day in DAYS] * 12,
        [Decimal("0.1"), Decimal("0.20")] * 12,
        [("a", 1), ("a", 2)] * 12,
    ],
    ids=["times", "time zone", "durations", "polars dates", "dates", "decimals", "tuples"],
)
def test_groups_list_the_values_as_the_column_shows_them(x):
    column = x if isinstance(x, (pd.Series, pl.Series)) else pd.Series(x, dtype=object)
    p = pt.group(column, [0, 1] * 12)
    assert {value for group in p.groups for value in group} == set(column.to_list())
    assert set(p.assign(column).tolist()) <= {0, 1}


def test_masked_value_is_missing():
    for values in (["a", "b", "c"] * 8, [1, 2, 3] * 8):
        x = np.ma.array(values, mask=[False, False, True] * 8)
        p = pt.group(x, [0, 1, 1] * 8)
        assert p.missing_counts.tolist() == [0, 8]
        assert p.assign(x).tolist() == [0, 1, 2] * 8


TEXT = ["b", "a", "", "d", "c", "é"] * 8
TARGET = [0, 0, 1, 1, 1, 0] * 8
EXPECTED = pt.group(np.array(TEXT, dtype=object), TARGET)
TEXT_COLUMNS = {
    "list": TEXT,
    "tuple": tuple(TEXT),
    "numpy text": np.array(TEXT),
    "numpy strided": np.array(TEXT).repeat(2)[::2],
    "pandas object": pd.Series(TEXT, dtype=object),
    "pandas string": pd.Series(TEXT, dtype="string"),
    "pandas category": pd.Series(TEXT, dtype="category"),
    "pandas unused category": pd.Series(pd.Categorical(TEXT, ["zz", *set(TEXT), "yy"])),
    "pandas arrow": pd.Series(TEXT, dtype=pd.ArrowDtype(pa.string())),
    "pandas index": pd.Index(TEXT),
    "polars text": pl.Series(TEXT),
    "polars categorical": pl.Series(TEXT, dtype=pl.Categorical),
    "pyarrow array": pa.array(TEXT),
    "pyarrow chunked": pa.chunked_array([TEXT[:5], TEXT[5:]]),
    "pyarrow large": pa.array(TEXT, type=pa.large_string()),
    "pyarrow dictionary": pa.array(TEXT).dictionary_encode(),
}


@pytest.mark.parametrize("column", TEXT_COLUMNS.values(), ids=TEXT_COLUMNS)
def test_column_of_any_library_gives_the_same_bits(column):
    p = pt.group(column, TARGET)
    assert p.groups == EXPECTED.groups == (("a", "b", "é"), ("", "c", "d"))
    assert {type(value) for group in p.groups for value in group} == {str}
    assert p.counts.tolist() == EXPECTED.counts.tolist()
    assert (p.cost, p.level) == (EXPECTED.cost, EXPECTED.level)
    for other in (column, np.array(TEXT, dtype=object)):
        assert p.assign(other).tolist() == EXPECTED.assign(TEXT).tolist()


GAPPED = [*TEXT[:-1], None]
GAPPED_COLUMNS = {
    "list": GAPPED,
    "object None": np.array(GAPPED, dtype=object),
    "object NaN": np.array([*TEXT[:-1], math.nan], dtype=object),
    "object NA": np.array([*TEXT[:-1], pd.NA], dtype=object),
    "pandas object": pd.Series(GAPPED, dtype=object),
    "pandas string": pd.Series(GAPPED, dtype="string"),
    "pandas category": pd.Series(GAPPED, dtype="category"),
    "pandas arrow": pd.Series(GAPPED, dtype=pd.ArrowDtype(pa.string())),
    "polars text": pl.Series(GAPPED),
    "polars categorical": pl.Series(GAPPED, dtype=pl.Categorical),
    "pyarrow array": pa.array(GAPPED),
    "pyarrow dictionary": pa.array(GAPPED).dictionary_encode(),
}


@pytest.mark.parametrize("column", GAPPED_COLUMNS.values(), ids=GAPPED_COLUMNS)
def test_gap_of_any_library_is_missing(column):
    p = pt.group(column, TARGET)
    assert p.groups == EXPECTED.groups
    assert p.missing_counts.tolist() == [1, 0]
    assert p.assign(column).tolist() == [*EXPECTED.assign(TEXT[:-1]).tolist(), 2]


NUMBER_COLUMNS = {
    "list": [3, 1, 2] * 8,
    "numpy int8": np.array([3, 1, 2] * 8, dtype=np.int8),
    "numpy uint64": np.array([3, 1, 2] * 8, dtype=np.uint64),
    "numpy float": np.array([3.0, 1.0, 2.0] * 8),
    "numpy object": np.array([3, 1, 2] * 8, dtype=object),
    "pandas Int64": pd.Series([3, 1, 2] * 8, dtype="Int64"),
    "pandas category": pd.Series([3, 1, 2] * 8, dtype="category"),
    "polars Int32": pl.Series([3, 1, 2] * 8, dtype=pl.Int32),
    "pyarrow": pa.array([3, 1, 2] * 8),
}


@pytest.mark.parametrize("column", NUMBER_COLUMNS.values(), ids=NUMBER_COLUMNS)
def test_numbers_are_values_like_any_other(column):
    p = pt.group(column, [0, 1, 0] * 8)
    assert p.groups == ((2, 3), (1,))
    assert p.assign([1, 2, 3, 4]).tolist() == [1, 0, 0, 3]
    assert p.assign([1, "2"]).tolist() == [1, 3]


def test_missing_number_is_missing_and_infinity_a_value():
    x = np.array([1.0, math.inf, math.nan, -math.inf] * 10)
    p = pt.group(x, [0, 1, 1, 0] * 10)
    assert p.groups == ((-math.inf, 1.0), (math.inf,))
    assert p.missing_counts.tolist() == [0, 10]


@pytest.mark.parametrize(
    "x",
    [
        np.array([False, True] * 10),
        pd.Series([False, True] * 10, dtype="boolean"),
        pl.Series([False, True] * 10),
        pa.array([False, True] * 10),
        [False, True] * 10,
    ],
    ids=["numpy", "pandas", "polars", "pyarrow", "list"],
)
def test_booleans_are_two_values_and_no_numbers(x):
    p = pt.group(x, [0, 1] * 10)
    assert p.groups == ((False,), (True,))
    assert {type(value) for group in p.groups for value in group} == {bool}
    assert p.assign([False, True]).tolist() == [0, 1]
    assert p.assign([True, 0, 1]).tolist() == [1, 3, 3]


@pytest.mark.parametrize("pair", [(1, 1.0), (1.0, 1)])
def test_number_written_in_two_ways_is_shown_as_a_whole_one(pair):
    values = np.array([*pair, "a"] * 10, dtype=object)
    assert pt.group(values, [0, 0, 1] * 10).groups == ((1,), ("a",))
    assert [type(v) for g in pt.group(values, [0, 0, 1] * 10).groups for v in g] == [int, str]


@pytest.mark.skipif(not hasattr(pa, "string_view"), reason="this pyarrow has no views of text")
def test_arrow_views_of_text_without_values():
    empty = pa.chunked_array([pa.array([None, None], pa.string_view())])
    assert pt.group(empty, [0, 1]).n_parts == 1
    with pytest.raises(ValueError, match="y must hold at least one row"):
        pt.group(pa.chunked_array([], pa.string_view()), [])
