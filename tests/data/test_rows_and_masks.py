"""Lists of rows, and masked arrays: every value keeps its type, and what is masked is missing."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from helpers import assert_refuses

N = 60
Y = [0] * 30 + [1] * 30
TEXT = ["low"] * 30 + ["high"] * 30
COLUMNS = {
    "floats": [i / 2 for i in range(N)],
    "integers": list(range(N)),
    "large integers": [2**60 + i for i in range(N)],
    "booleans": [i >= 30 for i in range(N)],
    "text": TEXT,
    "numbers with gaps": [None, *range(1, N)],
    "times": [datetime.datetime(2024, 1, 1) + datetime.timedelta(i) for i in range(N)],
    "lengths": [np.timedelta64(i, "h") for i in range(N)],
    "decimals": [Decimal(i) / 4 for i in range(N)],
}


@pytest.mark.parametrize("holder", [list, tuple])
@pytest.mark.parametrize("other", ["text", "floats", "integers"])
@pytest.mark.parametrize("form", COLUMNS)
def test_a_list_of_rows_reads_as_its_columns(form, other, holder):
    rows = holder(holder(row) for row in zip(COLUMNS[form], COLUMNS[other], strict=True))
    model = pt.TablePartitioner().fit(rows, Y)
    frame = pd.DataFrame({"x0": pd.Series(COLUMNS[form]), "x1": COLUMNS[other]})
    for name, wanted in pt.TablePartitioner().fit(frame, Y).partitions_.items():
        found = model.partitions_[name]
        assert type(found) is type(wanted)
        assert found.labels() == wanted.labels()
    assert model.transform(rows).tolist() == model.transform([list(row) for row in rows]).tolist()
    assert model.transform(rows[:1]).tolist() == model.transform(rows)[:1].tolist()


def test_rows_of_arrays_are_rows():
    rows = [np.array([float(i), i % 5]) for i in range(N)]
    assert pt.Discretizer().fit(rows, Y).transform(rows).tolist() == (
        pt.Discretizer().fit(np.array(rows), Y).transform(np.array(rows)).tolist()
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [[1, 2], [3, 4], [5]],
            "X must hold rows of one length; row 0 has 2 values, row 2 has 1 value. "
            "Fill the gaps with None.",
        ),
        (
            [[1, 2], 3],
            "X must hold rows of one length; row 0 has 2 values, row 1 is a int. "
            "Fill the gaps with None.",
        ),
        ([[[1], [2]], [[3], [4]]], "Found array with dim 3; X must have two dimensions."),
    ],
)
def test_rows_that_are_none_are_refused(rows, message):
    assert_refuses(
        lambda: pt.TablePartitioner().fit(rows, [0, 1]),
        ValueError,
        f"TablePartitioner.fit: {message}",
    )


MASK = np.arange(N) % 4 == 0
MASKED = {
    "floats": np.arange(N) / 2,
    "integers": np.arange(N),
    "large integers": np.arange(N) + 2**60,
    "unsigned": np.arange(N).astype(np.uint64) + np.uint64(2**63),
    "booleans": np.arange(N) >= 30,
    "text": np.array(TEXT),
    "times": np.arange(N).astype("M8[ns]"),
    "objects": np.array(COLUMNS["times"], dtype=object),
}


@pytest.mark.parametrize("form", MASKED)
def test_masked_values_of_a_table_are_missing(form):
    values = MASKED[form]
    X = np.ma.array(np.stack([values, values], axis=1), mask=np.stack([MASK, ~MASK], axis=1))
    model = pt.TablePartitioner().fit(X, Y)
    for name, mask in (("x0", MASK), ("x1", ~MASK)):
        kept = pt.TablePartitioner().fit(values[~mask][:, None], np.array(Y)[~mask])
        p = model.partitions_[name]
        assert p.missing_rows == mask.sum()
        assert p.labels() == kept.partitions_["x0"].labels()
    codes = model.transform(X)
    assert (codes[MASK, 0] == model.partitions_["x0"].missing_code).all()
    assert (codes[~MASK, 0] != model.partitions_["x0"].missing_code).all()


@pytest.mark.parametrize("form", MASKED)
def test_masked_values_of_a_column_are_missing(form):
    values = np.ma.array(MASKED[form], mask=MASK)
    p = pt.group(values, Y)
    assert p.missing_rows == MASK.sum()
    assert (p.assign(values)[MASK] == p.missing_code).all()


def test_masked_labels_and_distances_are_refused():
    y = np.ma.array(Y, mask=MASK)
    with pytest.raises(ValueError, match="Input y contains NaN"):
        pt.discretize(range(N), y)
    X = np.ma.array(np.arange(N * 2.0).reshape(N, 2), mask=np.stack([MASK, MASK], axis=1))
    with pytest.raises(ValueError, match="column 'x0'"):
        pt.GraphPartitioner().fit(X, Y)


@pytest.mark.skipif(np.__version__.startswith("1."), reason="NumPy 1 has no text of any length")
def test_text_of_any_length_is_read():
    text = np.array([[v] for v in TEXT], dtype=np.dtypes.StringDType())
    model = pt.TablePartitioner().fit(text, text[:, 0])
    assert model.partitions_["x0"].labels() == ["{high}", "{low}"]


def test_wide_integers_are_read():
    wide = pl.DataFrame({"a": pl.Series([None, *range(1, N)], dtype=pl.Int128)})
    assert pt.TablePartitioner().fit(wide, Y).partitions_["a"].labels() == [
        "(-inf, 29.5]",
        "(29.5, inf)",
    ]
    assert pt.Grouper().fit(wide, Y).partitions_["a"].missing_rows == 1


def test_numbers_that_stand_for_themselves_are_no_rows():
    alone = [np.array(1.0), np.array(2.0), np.array(3.0)]
    with pytest.raises(ValueError, match=r"^Discretizer\.fit: Expected 2D array, got 1D array"):
        pt.Discretizer().fit(alone, [0, 1, 0])
    assert_refuses(
        lambda: pt.Discretizer().fit([*alone, [4.0]], [0, 1, 0, 1]),
        ValueError,
        "Discretizer.fit: X must hold rows of one length; row 0 is a ndarray, row 3 has 1 value. "
        "Fill the gaps with None.",
    )


def test_integers_of_a_list_may_take_64_bits_without_a_sign():
    large = [2**63 + i for i in range(N)]
    rows = [[value, i / 2] for i, value in enumerate(large)]
    found = pt.Discretizer().fit(rows, Y).partitions_["x0"]
    assert found.cuts.tolist() == [2**63 + 29]
    with pytest.raises(ValueError, match="column 'x0' holds integers beyond 64 bits"):
        pt.Discretizer().fit([[2**63], [-1], [0]], [0, 1, 0])
