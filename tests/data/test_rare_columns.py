"""Columns that come in rare shapes, and conversions that meet other rows than those of the fit."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from partage._data.conversions import Conversion, NumberClasses, conversions_from_plain
from partage._data.labels import with_labels
from partage._data.number_text import NumberText

Y = [0] * 20 + [1] * 20


@pytest.mark.parametrize(
    ("dtype", "cut"),
    [("M8[Y]", "1989-07-02T12"), ("M8[M]", "1971-08-16T12"), ("M8[25s]", "1970-01-01T00:08:07")],
)
def test_times_of_rare_units_are_cut(dtype, cut):
    x = np.arange(40).astype(dtype)
    (found,) = pt.discretize(x, Y).cuts
    assert str(found).startswith(cut)


def test_objects_that_are_no_real_numbers_are_refused():
    x = np.array([1 + 2j, 2.0] * 20, dtype=object)
    with pytest.raises(ValueError, match=r"^discretize: Complex data not supported; column"):
        pt.discretize(x, Y)


def test_decimals_without_end_are_read_as_floats():
    x = [decimal.Decimal(i) for i in range(39)] + [decimal.Decimal("Infinity")]
    assert pt.discretize(x, Y).cuts.tolist() == [19.5]
    with pytest.raises(ValueError, match="holds decimals of more digits than 64 bits can; convert"):
        pt.discretize([decimal.Decimal(10) ** 25 + i for i in range(40)], Y)


def test_a_mask_that_hides_nothing_changes_nothing():
    x = np.ma.masked_array(np.array(["b", "a"] * 20), mask=np.zeros(40, dtype=bool))
    assert pt.group(x, Y).n_values == 2


def ordered_piece(values, levels):
    """Make a piece of a table whose column is ordered, or not where there are no levels."""
    column = pd.Categorical(values, levels, ordered=True) if levels else pd.array(values, object)
    return pd.DataFrame({"x": column})


def test_pieces_of_an_ordered_column_must_agree():
    model = pt.TablePartitioner().partial_fit(
        ordered_piece(["low", "high"] * 20, ["low", "high"]), Y
    )
    for levels in (["high", "low"], None):
        with pytest.raises((TypeError, ValueError), match=r"throughout; got"):
            model.partial_fit(ordered_piece(["low", "high"] * 20, levels), Y)


def test_pieces_in_the_order_of_their_values_may_hold_different_ones():
    model = pt.TablePartitioner().partial_fit(ordered_piece([1, 2] * 20, [1, 2]), Y)
    model.partial_fit(ordered_piece([2, 3] * 20, [2, 3]), Y)
    assert model["x"].rule.is_ordered
    assert model["x"].n_values == 3


CLASSES = NumberClasses((10.0, 20.0), NumberText())


def test_conversions_of_other_types_than_those_of_the_fit():
    texts = pl.Series("a", ["5", "15", None, "25"])
    assert CLASSES.parse(texts).to_list() == ["up to 10", "10 to 20", None, "above 20"]
    numbers = pl.Series("a", [5, 15])
    assert Conversion("a", "number", NumberText()).apply(numbers).to_list() == [5, 15]
    assert Conversion("a", "length").apply(numbers).to_list() == [1, 2]
    assert Conversion("a", "hour").apply(pl.Series("a", ["x"])).to_list() == [None]
    days = pl.Series("a", [datetime.date(2026, 1, 2)])
    assert Conversion("a", "month").apply(days).to_list() == [1]


def test_conversions_are_read_back_from_plain_data():
    kept = {"a": Conversion("a", "classes", CLASSES), "b": Conversion("a", "weekday")}
    plain = {name: one.to_plain() for name, one in kept.items()}
    assert conversions_from_plain(plain) == kept
    with pytest.raises(ValueError, match="column 'a' has no such conversion"):
        conversions_from_plain({"a": {"source": "a", "to": "frob"}})


def test_labels_of_a_file_stand_for_codes_where_all_have_one():
    frame = pl.DataFrame({"a": [1, 2, 2], "b": [1.0, 9.0, 3.0], "c": ["x", "y", "z"]})
    labels = {"a": {1: "one", 2: "two"}, "b": {9.0: "no answer"}, "c": {"q": "?"}, "d": {1: "x"}}
    notes = []
    made = with_labels(frame, labels, {"a": "ordinal"}, notes)
    assert made["a"].to_list() == ["one", "two", "two"]
    assert made["a"].dtype == pl.Enum(["one", "two"])
    assert made["b"].to_list() == frame["b"].to_list()
    assert notes == [
        "Labels of the file stand for the codes of a.",
        "Some numbers have labels: b (9 'no answer'; special values? --special b=9).",
    ]
