"""Columns that repeat each other are named: the same parts, gaps in the same rows."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mutual_info_score

import partage as pt
from partage._report.related import known_share


def read_data(page):
    """Return the numbers that a page draws, its columns by name."""
    (text,) = re.findall(r'id="numbers">(.*?)</script>', page.html, re.DOTALL)
    data = json.loads(text)
    return data, {column["n"]: column for column in data["columns"]}


def test_the_share_that_codes_give_of_others_is_that_of_their_information():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 5, 500), rng.integers(0, 3, 500)
    b = np.where(rng.random(500) < 0.6, a // 2, b)
    shares = np.bincount(b) / 500
    entropy = -(shares * np.log(shares)).sum()
    assert known_share(a, b) == pytest.approx(mutual_info_score(a, b) / entropy)
    assert known_share(a, a) == pytest.approx(1)
    assert known_share(a, np.zeros(500, dtype=int)) == 0


def test_a_column_in_other_units_is_redundant():
    rng = np.random.default_rng(1)
    income = np.exp(rng.normal(8, 0.5, 3000)).round(2)
    y = rng.random(3000) < np.where(income > 3000, 0.7, 0.2)
    frame = pd.DataFrame(
        {
            "income": income,
            "income in thousands": (income / 1000).round(1),
            "other": rng.normal(size=3000) + y,
            "class": y.astype(int),
        }
    )
    _, columns = read_data(pt.report(frame, target="class"))
    better, worse = sorted(
        (columns["income"], columns["income in thousands"]), key=lambda column: -column["l"]
    )
    assert worse["re"]
    assert "re" not in better
    assert [name for name, _ in worse["rel"]] == [better["n"]]
    assert [name for name, _ in better["rel"]] == [worse["n"]]
    assert "rel" not in columns["other"]


def test_columns_missing_in_the_same_rows_are_named_together():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(800, 4)), columns=list("abcd"))
    frame.loc[:99, ["a", "b"]] = np.nan
    frame.loc[50:150, "c"] = np.nan
    data, _ = read_data(pt.report(frame.assign(y=rng.integers(0, 2, 800)), target="y"))
    assert data["gaps"] == [["a", "b"]]
