"""The result of discretize: its table, its looks, its life as plain data."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given

import partage as pt
from helpers import ROUND_TRIPS, assert_same
from strategies import columns

DAYS = pd.date_range("2020-01-01", periods=12, freq="D").to_numpy()


def assert_same_partition(one, other, x):
    assert_same(pt.Intervals, one, other, x)
    assert one.cuts.dtype == other.cuts.dtype
    assert one.cuts.tolist() == other.cuts.tolist()


@pytest.mark.parametrize("trip", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
@given(column=columns(missing=True))
def test_round_trip_gives_the_same_partition(trip, column):
    x, y = column
    p = pt.discretize(x, y)
    assert_same_partition(p, trip(p), x)


@pytest.mark.parametrize("trip", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
@pytest.mark.parametrize(
    ("x", "y"),
    [
        (DAYS, [0] * 6 + [1] * 6),
        (np.arange(2**60, 2**60 + 12), ["é", "b"] * 6),
        (np.arange(12, dtype=np.uint64) + 2**63, [False] * 6 + [True] * 6),
        (np.arange(12, dtype=np.float32), [1.0, 2.0] * 6),
    ],
    ids=["datetime", "large integers", "large unsigned integers", "float32"],
)
def test_round_trip_keeps_the_kind_of_cuts_and_classes(trip, x, y):
    p = pt.discretize(x, np.array(y), method="modl", n_parts=2)
    back = trip(p)
    assert_same_partition(p, back, x)
    assert [type(c) for c in list(back.classes)] == [type(c) for c in list(p.classes)]


@pytest.mark.parametrize("missing", ["separate", "merge"])
def test_round_trip_keeps_the_home_of_missing_rows(missing):
    x = np.array([*range(20), math.nan, math.nan], dtype=float)
    p = pt.discretize(x, [0] * 10 + [1] * 12, missing=missing)
    assert_same_partition(p, ROUND_TRIPS["json"](p), x)


def test_plain_data_carries_a_version():
    d = pt.discretize(np.arange(9.0), [0, 1, 0] * 3).to_dict()
    assert d["partage"] == 1
    assert d["type"] == "intervals"


def test_partition_cannot_be_changed():
    p = pt.discretize(np.arange(20.0), [0] * 10 + [1] * 10)
    with pytest.raises(AttributeError):
        p.n_parts = 3
    with pytest.raises(ValueError, match="read-only"):
        p.cuts[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        p.counts[0, 0] = 1.0


def test_table_shows_every_part_and_the_missing_rows():
    x = np.array([*range(20), math.nan], dtype=float)
    table = pt.discretize(x, ["a"] * 10 + ["b"] * 11).table()
    assert isinstance(table, pd.DataFrame)
    assert table["part"].tolist()[2:] == ["missing", "total"]
    assert len(table) == 4
    text = table.to_string()
    assert "(-inf, 9.5]" in text
    assert "(9.5, inf" in text
    assert "missing" in text.lower()


def test_table_counts_rows_and_weight():
    x, y = np.arange(20.0), ["a"] * 10 + ["b"] * 10
    table = pt.discretize(x, y, sample_weight=np.full(20, 3)).table()
    assert table["count"].tolist()[-1] == table["count"][:-1].sum() == 20
    assert table["weight"].tolist()[-1] == table["weight"][:-1].sum() == 60


@pytest.mark.parametrize("missing", ["separate", "merge"])
def test_shares_of_a_table_sum_to_one(missing):
    x = np.array([*range(20), math.nan, math.nan], dtype=float)
    table = pt.discretize(x, ["a"] * 10 + ["b"] * 12, missing=missing).table()
    assert table["share"][:-1].sum() == pytest.approx(1)
    assert table["count"][:-1].sum() == 22


def test_table_is_a_frame_of_the_library_of_the_column():
    x, y = list(range(20)), ["a"] * 10 + ["b"] * 10
    assert isinstance(pt.discretize(pl.Series("x", x), y).table(), pl.DataFrame)
    assert isinstance(pt.discretize(pd.Series(x), y).table(), pd.DataFrame)
    assert isinstance(pt.discretize(np.array(x), y).table(), pd.DataFrame)


def test_printing_never_moves_a_boundary():
    low = 0.1234567890123456
    high = np.nextafter(low, 1)
    p = pt.discretize(np.array([low] * 8 + [high] * 8), [0] * 8 + [1] * 8)
    assert repr(float(p.cuts[0])) in p.table().to_string()


def test_plot_draws_on_the_axes_it_is_given():
    p = pt.discretize(np.array([*range(20), math.nan]), [0] * 10 + [1] * 11)
    _, ax = plt.subplots()
    assert p.plot(ax=ax) is ax
    assert ax.patches or ax.lines or ax.collections
    plt.close("all")


def test_plot_makes_its_own_axes():
    ax = pt.discretize(np.arange(20.0), [0] * 10 + [1] * 10).plot()
    assert ax.has_data()
    plt.close("all")


def test_representation_tells_the_cuts():
    assert "9.5" in repr(pt.discretize(np.arange(20.0), [0] * 10 + [1] * 10))


def test_infinite_cuts_are_readable():
    x = [-math.inf] * 10 + [1.0, 5.0] * 5 + [math.inf] * 10
    p = pt.discretize(x, [0] * 10 + [1] * 10 + [0] * 10)
    assert p.cuts.tolist() == [-math.inf, 5.0]
    assert p.labels() == ["{-inf}", "(-inf, 5]", "(5, inf)"]
    assert p.assign([-math.inf, -1e308, 5.0, 6.0, math.inf]).tolist() == [0, 1, 1, 2, 2]
    assert p.table()["part"].tolist()[:3] == p.labels()
    assert "{-inf}, (-inf, 5], (5, inf)" in repr(p)
    both = p.set_cuts([-math.inf, math.inf])
    assert both.labels() == ["{-inf}", "(-inf, inf]", "{}"]
    assert both.counts.sum(axis=1).tolist() == [10, 20, 0]
    assert p.set_cuts([]).labels() == ["(-inf, inf)"]


def test_codes_are_integers_of_the_length_of_the_column():
    p = pt.discretize(np.arange(20.0), [0] * 10 + [1] * 10)
    codes = p.assign(np.array([-5.0, 100.0, math.inf, -math.inf]))
    assert codes.dtype.kind == "i"
    assert codes.tolist() == [0, 1, 1, 0]
    assert p.assign(np.array([])).shape == (0,)
    assert p.assign([3]).tolist() == [0]


@pytest.mark.parametrize("n", [1, 100, 10_000, 200_000])
def test_codes_are_those_of_searchsorted(n):
    rng = np.random.default_rng(n)
    train = rng.random(20_000)
    y = (np.sin(train * 40) > rng.normal(size=20_000)).astype(int)
    p = pt.discretize(train, y)
    assert p.n_parts > 5
    x = np.concatenate([rng.normal(0.5, 1, size=n), p.cuts, np.nextafter(p.cuts, 9)])
    assert p.assign(x).tolist() == np.searchsorted(p.cuts, x, side="left").tolist()


def test_fraction_of_rows_is_a_minimum_size():
    rng = np.random.default_rng(1)
    x = rng.random(400)
    y = (x > 0.97) ^ (rng.random(400) < 0.02)
    free = pt.discretize(x, y)
    assert free.counts.sum(axis=1).min() < 40
    assert pt.discretize(x, y, min_part_size=0.1).counts.sum(axis=1).min() >= 40
    assert pt.discretize(x, y, min_part_size=60).counts.sum(axis=1).min() >= 60


def test_minimum_size_counts_weight():
    x, y = np.arange(20.0), np.array([0] * 4 + [1] * 16)
    assert pt.discretize(x, y, min_part_size=5).counts.sum(axis=1).min() >= 5
    weighted = pt.discretize(x, y, min_part_size=5, sample_weight=np.full(20, 2))
    assert weighted.cuts.tolist() == [3.5]
