"""Columns of text, each obstacle by its name: what they become, and what is said of them."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

from partage._data.conversions import Conversion, conversions_from_plain, convert, convert_table
from partage._data.number_text import NumberText, find_number_text
from partage._data.sentinels import find_sentinels
from partage._data.time_text import find_time_text
from partage._data.understanding import understand


def numbers(*texts, comma=False):
    """Read texts as numbers in the style that is found."""
    series = pl.Series("x", texts)
    style = find_number_text(series, comma)
    return None if style is None else style.parse(series).to_list()


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["€1,234.56", "€ 12", "-€3.50", "(€4.00)"], [1234.56, 12, -3.5, -4]),
        (["1.234,56 €", "12,00 €"], [1234.56, 12]),
        (["€ 1.234", "€ 99.000"], [1234, 99000]),
        (["USD 5", "7"], [5, 7]),
        (["12.3%", "4 %"], [12.3, 4]),
        (["1,5", "2,75", "3"], [1.5, 2.75, 3]),
        (["0,123", "1,456"], [0.123, 1.456]),
        (["1,234", "12,345"], [1234, 12345]),
        (["1,23,456.7", "12,345"], [123456.7, 12345]),
        (["1 234,5", "2"], [1234.5, 2]),
        (["1\u202f234\u00a0567", "2"], [1234567, 2]),
        (["1'234.5", "2"], [1234.5, 2]),
        (["12 kg", "3.5kg"], [12, 3.5]),
        (["1 year", "2 years"], [1, 2]),
        (["1.2k", "3M", "5"], [1200, 3_000_000, 5]),
        (["\u22123,5", "1"], [-3.5, 1]),
        (["12-", "3"], [-12, 3]),
        (["1.5e3", "2E-4"], [1500, 0.0002]),
    ],
)
def test_numbers_are_read_as_they_are_written(texts, wanted):
    assert numbers(*texts) == wanted


def test_what_nothing_decides_follows_the_other_columns():
    assert numbers("1,234", "2,345") == [1234, 2345]
    assert numbers("1,234", "2,345", comma=True) == [1.234, 2.345]


@pytest.mark.parametrize(
    "texts",
    [["$5", "€4"], ["A12", "A13"], ["31.12.2020"], ["1.2.3"], ["12:30"], ["12 kg", "3 cm"], ["x"]],
)
def test_what_is_no_number_stays_text(texts):
    assert numbers(*texts) is None


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["31/12/2020", "1/2/2021"], [dt.date(2020, 12, 31), dt.date(2021, 2, 1)]),
        (["12/31/2020", "1/2/2021"], [dt.date(2020, 12, 31), dt.date(2021, 1, 2)]),
        (["31.12.20", "05.01.21"], [dt.date(2020, 12, 31), dt.date(2021, 1, 5)]),
        (["2020/12/31"], [dt.date(2020, 12, 31)]),
        (["31 Dec 2020", "1 January 2021"], [dt.date(2020, 12, 31), dt.date(2021, 1, 1)]),
        (["Dec 31, 2020", "Sept 2, 2021"], [dt.date(2020, 12, 31), dt.date(2021, 9, 2)]),
        (["3rd March 2020"], [dt.date(2020, 3, 3)]),
        (["Dec-2015", "Jan-2016"], [dt.date(2015, 12, 1), dt.date(2016, 1, 1)]),
        (["Thu, 31 Dec 2020 13:45"], [dt.datetime(2020, 12, 31, 13, 45)]),
        (["12/31/2020 1:45 PM"], [dt.datetime(2020, 12, 31, 13, 45)]),
        (["13:45", "7:05:10"], [dt.timedelta(hours=13, minutes=45), None]),
    ],
)
def test_dates_are_read_as_they_are_written(texts, wanted):
    series = pl.Series("x", texts)
    found = find_time_text(series).parse(series).to_list()
    assert [b for a, b in zip(wanted, found, strict=True) if a is not None] == [
        a for a in wanted if a is not None
    ]


def test_dates_that_may_be_either_are_said_to_be():
    texts = ["1/2/2020", "3/4/2020"] * 20
    (decision,) = understand(pl.DataFrame({"x": texts})).decisions
    assert decision.action == "converted"
    assert "day first (month first is possible too" in decision.reason


def said(column, **options):
    """Decisions on one column, beside another one."""
    found = understand(pl.DataFrame({"x": column, "z": ["a", "b"] * (len(column) // 2)}), **options)
    return [(one.action, one.reason) for one in found.decisions]


def test_a_column_that_is_98_percent_numbers_is_converted_and_says_so():
    texts = [str(i / 7) for i in range(198)] + ["tbc", "tbc"]
    assert said(texts) == [
        ("converted", "text read as numbers; 2 texts that are none (such as 'tbc') became missing")
    ]


def test_words_that_mean_a_gap_do_not_count():
    texts = [str(i * 37 % 101) for i in range(60)] + ["unknown", "n/a", "-", "None"] * 20
    assert [action for action, _ in said(texts)] == ["converted"]


def test_identifiers_are_left_out():
    assert said([f"K{i}" for i in range(40)]) == [
        ("left out", "a different value in every row: an identifier")
    ]
    assert said([f"06 {10 + i} 77 {99 - i} 12" for i in range(40)]) == [
        ("left out", "a different value in every row: an identifier")
    ]
    assert said(list(range(7, 47))) == [
        ("left out", "a different number in every row: an identifier")
    ]
    assert said([i * 0.5 for i in range(40)]) == []
    assert said([i * 37 % 101 for i in range(40)]) == []


def test_identifiers_by_name():
    frame = pl.DataFrame({"user_id": [i * 37 % 1009 for i in range(40)], "z": ["a"] * 40})
    assert understand(frame).left_out == ["user_id"]
    assert understand(frame, kinds={"user_id": "numeric"}).left_out == []


def test_free_text_is_left_out_or_measured():
    texts = [f"a sentence of words {i}" for i in range(40)]
    assert said(texts) == [("left out", "free text (40 different ones)")]
    found = understand(pl.DataFrame({"x": texts}), texts=["x"])
    made = found.apply(pl.DataFrame({"x": texts}))
    assert made.columns == ["x (length)", "x (words)"]
    assert made["x (words)"].to_list() == [5] * 40
    assert made["x (length)"].to_list() == [len(text) for text in texts]


def test_booleans_in_several_spellings():
    ((action, reason),) = said(["Yes", "no", "YES", "No "] * 20)
    assert (action, reason) == ("converted", "yes and no in several spellings (No , YES, Yes, no)")
    assert said(["yes", "no"] * 20) == []


def test_nested_columns_are_left_out():
    assert said([[1, 2]] * 40) == [("left out", "it holds lists or records, not single values")]


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([-1] * 30 + list(range(20)), [-1]),
        ([-9] * 6 + [-8] * 6 + list(range(20)), [-8, -9]),
        ([9999] * 10 + list(range(20)), [9999]),
        ([-999.0] * 10 + [i / 3 for i in range(20)], [-999]),
        ([-1, 0, 1] * 20, []),
        (list(range(-20, 20)), []),
        ([0] * 30 + list(range(20)), []),
        ([99] * 10 + list(range(90)), []),
        ([-1] * 3 + list(range(20)), []),
    ],
)
def test_special_values_are_found(values, wanted):
    assert find_sentinels(pl.Series(values))[0] == wanted


def test_conversions_survive_a_model_file():
    made = {
        "x": Conversion("x", "number", NumberText(",", ".", ("€",))),
        "n": Conversion("t", "words"),
    }
    again = conversions_from_plain({name: one.to_plain() for name, one in made.items()})
    assert again == made


@pytest.mark.parametrize("plain", [{"source": 3, "to": "number"}, {"source": "x", "to": "run"}])
def test_a_conversion_that_is_none_is_refused(plain):
    with pytest.raises(ValueError, match="has no such conversion"):
        conversions_from_plain({"x": plain})


def test_frames_of_other_libraries_are_converted_alike():
    import pandas as pd

    made = {"x": Conversion("x", "number", NumberText(",", "."))}
    frame = pl.DataFrame({"x": ["1,5", None, "n/a", "2.000,25"], "z": ["a"] * 4})
    wanted = convert(frame, made)["x"].to_list()
    assert wanted == [1.5, None, None, 2000.25]
    found = convert_table(pd.DataFrame({"x": ["1,5", None, "n/a", "2.000,25"]}), made)
    np.testing.assert_array_equal(found["x"].to_numpy(float), [1.5, np.nan, np.nan, 2000.25])
