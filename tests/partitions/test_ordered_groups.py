"""Groups of ordered categories: intervals of their ranks."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt

SIZES = ["S", "M", "L", "XL", "XXL"]
ORDERED = {
    "pandas": pd.Series(pd.Categorical(SIZES * 12, SIZES, ordered=True)),
    "polars": pl.Series(SIZES * 12, dtype=pl.Enum(SIZES)),
}


@pytest.mark.parametrize("column", ORDERED.values(), ids=ORDERED)
def test_ordered_categories_are_intervals_of_ranks(column):
    y = [0, 1, 0, 1, 1] * 12
    p = pt.group(column, y)
    ranks = pt.discretize(np.array([0.0, 1, 2, 3, 4] * 12), y)
    assert isinstance(p, pt.Groups)
    assert p.groups == (("S",), ("M",), ("L",), ("XL", "XXL"))
    assert p.counts.tolist() == ranks.counts.tolist()
    assert (p.cost, p.null_cost, p.level) == (ranks.cost, ranks.null_cost, ranks.level)
    assert p.assign([*SIZES, "other", None]).tolist() == [0, 1, 2, 3, 3, 5, 4]


def test_order_may_be_given():
    y = [0, 1, 0, 1, 1] * 12
    p = pt.group(SIZES * 12, y, ordered=SIZES)
    assert p.to_dict()["cost"] == pt.group(ORDERED["pandas"], y).cost
    assert p.groups == (("S",), ("M",), ("L",), ("XL", "XXL"))
    assert pt.group(SIZES * 12, y).n_parts == 2


def test_declared_but_absent_category_follows_its_rank():
    x = pd.Series(pd.Categorical(["S", "L", "XXL"] * 12, SIZES, ordered=True))
    p = pt.group(x, [0, 0, 1] * 12)
    assert p.groups[0][0] == "S"
    new = pd.Series(pd.Categorical(["M", "S", "XXL"], SIZES, ordered=True))
    assert p.assign(new).tolist() == [0, 0, 1]


def test_unordered_categories_of_pandas_have_no_order():
    x = pd.Series(pd.Categorical(SIZES * 12, SIZES))
    assert pt.group(x, [0, 1, 0, 1, 1] * 12).n_parts == 2
