"""Distinct values and codes of rows, against NumPy's sorting."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from partage import _core
from partage._data.encoding import encode
from partage._data.table import read_categories
from partage._targets.read import read_target

WHOLE = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
DTYPES = [*WHOLE, ">i4", "?", "f2", "f4", "f8", "M8[D]", "m8[us]", "U2"]


def sorted_codes(values):
    """Distinct values in order and the code of each row, as encode gives them after sorting."""
    distinct, codes = encode(values)
    order = np.argsort(distinct, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return distinct[order], place[codes]


@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data())
def test_encode_finds_the_distinct_values(dtype, data):
    elements = {"allow_nan": False} if dtype[0] == "f" else {}
    if dtype[0] in "Mm":
        elements = {"allow_nan": False}
    values = data.draw(arrays(dtype, array_shapes(max_dims=1, max_side=30), elements=elements))
    found, codes = sorted_codes(values)
    expected, places = np.unique(values, return_inverse=True)
    assert found.dtype == values.dtype
    assert (found == expected).all()
    assert (codes == places).all()


@pytest.mark.parametrize("dtype", WHOLE)
@pytest.mark.parametrize("end", ["low", "middle", "high"])
def test_whole_numbers_at_the_ends_of_their_type(dtype, end):
    info = np.iinfo(dtype)
    base = {"low": info.min, "middle": 0, "high": info.max - 9}[end]
    values = np.array([base + k for k in (5, 9, 0, 5, 5, 2)], dtype=dtype)
    distinct, codes = _core.number_whole(values)
    assert distinct.dtype == values.dtype
    assert distinct.tolist() == [base + k for k in (0, 2, 5, 9)]
    assert codes.tolist() == [2, 3, 0, 2, 2, 1]


def test_whole_numbers_number_up_to_2_16_and_no_further():
    values = np.arange(2**16, dtype=np.int64) - 7
    distinct, codes = _core.number_whole(values[::-1].copy())
    assert (distinct == values).all()
    assert (codes == np.arange(2**16)[::-1]).all()
    assert _core.number_whole(np.array([0, 2**16])) is None
    assert _core.number_whole(np.array([-(2**63), 2**63 - 1])) is None
    assert _core.number_whole(np.array([0, 2**64 - 1], dtype=np.uint64)) is None


def test_negative_zero_is_zero():
    distinct, codes = encode(np.array([-0.0, 1.0, 0.0]))
    assert np.signbit(distinct).tolist() == [False, False]
    assert codes[0] == codes[2]


def test_missing_objects_are_a_value_of_their_own():
    distinct, codes = encode(np.array(["a", None, "b", None, "a"], dtype=object))
    assert distinct.tolist() == ["a", "b", None]
    assert codes.tolist() == [0, 2, 1, 2, 0]


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8"])
def test_codes_are_taken_over(dtype):
    codes, is_used = _core.read_codes(np.array([3, -1, 0, 3], dtype=dtype), 5)
    assert codes.dtype == np.int32
    assert codes.tolist() == [3, -1, 0, 3]
    assert is_used.tolist() == [1, 0, 0, 1, 0]
    for wrong in (5, -2):
        with pytest.raises(IndexError, match="a code stands for no value"):
            _core.read_codes(np.array([0, wrong], dtype=dtype), 5)


@pytest.mark.parametrize("n_values", [1, 3, 5000])
def test_classes_are_counted(n_values):
    rng = np.random.default_rng(n_values)
    values = rng.integers(-1, n_values, 2003).astype(np.int32)
    classes = rng.integers(3, size=2003).astype(np.uint16)
    expected = np.zeros((n_values + 1, 3))
    np.add.at(expected, (values, classes), 1)
    assert (_core.count_classes(values, classes, n_values, 3) == expected).all()
    with pytest.raises(IndexError, match="a code stands for no value"):
        _core.count_classes(np.array([n_values], dtype=np.int32), classes[:1], n_values, 3)
    with pytest.raises(IndexError, match="a code stands for no class"):
        _core.count_classes(values[:1], np.array([3], dtype=np.uint16), n_values, 3)


TEXT = ["é", "b", "a", "b", "zz", "a\0"]


def forms(cells):
    """One column of text as every library may hold it."""
    chunked = pa.chunked_array([pa.array(cells[:2]), pa.array(cells[2:])])
    pl.Series(["zz", "y"]).cast(pl.Categorical)  # numbers of categories have gaps
    levels = sorted({cell for cell in cells if cell is not None})
    return {
        "list": cells,
        "objects": np.array(cells, dtype=object),
        "pandas object": pd.Series(cells, dtype=object),
        "pandas str": pd.Series(cells, dtype="str"),
        "pandas category": pd.Series(cells).astype("category"),
        "polars": pl.Series(cells),
        "polars category": pl.Series(cells).cast(pl.Categorical),
        "polars enum": pl.Series(cells).cast(pl.Enum(["unused", *levels])),
        "arrow": pa.array(cells),
        "arrow chunks": chunked,
        "arrow dictionary": pa.array(cells).dictionary_encode(),
        "arrow dictionaries": pa.chunked_array([c.dictionary_encode() for c in chunked.chunks]),
        "arrow repeated": pa.DictionaryArray.from_arrays(range(len(cells)), pa.array(cells)),
    }


@pytest.mark.parametrize("form", forms(TEXT))
def test_text_is_read_alike_from_every_library(form):
    column = read_categories("t", forms([*TEXT, None])[form], "x")
    assert column.values == ["a", "a\0", "b", "zz", "é"]
    assert column.codes.dtype == np.int32
    assert column.codes.tolist() == [4, 2, 0, 2, 3, 1, -1]


@pytest.mark.parametrize("form", forms(TEXT[:5]))
def test_text_targets_are_read_alike_from_every_library(form):
    target = read_target("t", forms(TEXT[:5])[form])
    assert target.classes.dtype.kind == "U"
    assert target.classes.tolist() == ["a", "b", "zz", "é"]
    assert target.codes.dtype == np.uint16
    assert target.codes.tolist() == [3, 1, 0, 1, 2]
    with pytest.raises(ValueError, match="Input y contains NaN"):
        read_target("t", forms([*TEXT[:5], None])[form])


@pytest.mark.filterwarnings("ignore:t. y holds 40 different numbers|t. y holds 39 different")
@pytest.mark.parametrize("n_classes", [2, 5, 40])
@pytest.mark.parametrize("dtype", [*WHOLE, "f4", "f8"])
def test_targets_of_whole_numbers_keep_their_type(dtype, n_classes):
    labels = (np.random.default_rng(n_classes).integers(n_classes, size=200) * 3).astype(dtype)
    weights = (labels != labels[0]).astype(float)
    target = read_target("t", labels)
    expected, codes = np.unique(labels, return_inverse=True)
    assert target.classes.dtype == labels.dtype
    assert (target.classes == expected).all()
    assert (target.codes == codes).all()
    kept = read_target("t", labels, weights)
    expected, codes = np.unique(labels[labels != labels[0]], return_inverse=True)
    assert (kept.classes == expected).all()
    assert (kept.codes == codes).all()
