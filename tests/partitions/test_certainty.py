"""``certainty()``: probabilities of cuts, numbers of parts and averaged shares of a partition."""

import json
import math
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from helpers import assert_refuses
from partage._search.averaged import averaged_cells
from partage._search.borders import MOST_EXACT, Borders
from partage._search.sums import sum_partitions
from partage._spaces.space import line_of
from reference import sums as slow
from reference.runs import units_of


def steps(n_rows=400, seed=0, shares=(0.2, 0.7), ties=None):
    """Column whose class share changes at evenly spaced values of x."""
    rng = np.random.default_rng(seed)
    x = rng.random(n_rows)
    y = rng.random(n_rows) < np.asarray(shares)[(x * len(shares)).astype(int)]
    return (x if ties is None else np.round(x * ties) / ties), y


def small(seed):
    """Column of at most ten distinct values."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 9, size=80)
    return x, rng.random(80) < np.where(x < 4, 0.2, 0.7)


@pytest.mark.parametrize("seed", range(4))
def test_everything_equals_enumeration(seed):
    x, y = small(seed)
    values, units = units_of(x, y)
    wanted = slow.sum_partitions(units)
    p = pt.discretize(x, y)
    c = p.certainty()
    assert c.is_exact is True
    known = np.array([c.n_parts.get(k, 0.0) for k in range(1, len(values) + 1)])
    np.testing.assert_allclose(known, wanted.n_parts, atol=1e-9)
    assert c.informative == pytest.approx(1.0 - wanted.n_parts[0])
    assert c.log_evidence == pytest.approx(wanted.log_total)
    assert c.boundaries["below"].tolist() == values[:-1].tolist()
    assert c.boundaries["above"].tolist() == values[1:].tolist()
    np.testing.assert_allclose(c.boundaries["probability"], wanted.cuts, atol=1e-9)
    np.testing.assert_allclose(c.rates(values), wanted.shares, atol=1e-9)
    spread = np.sqrt(wanted.squares - wanted.shares**2)
    np.testing.assert_allclose(c.bands(values), spread, atol=1e-7)
    places = np.searchsorted(values, p.cuts)
    assert c.cuts["cut"].tolist() == p.cuts.tolist()
    np.testing.assert_allclose(c.cuts["probability"], wanted.cuts[places - 1], atol=1e-9)
    for level, low, high in ((0.5, "low50", "high50"), (0.9, "low90", "high90")):
        for row, place in enumerate(places.tolist()):
            found = slow.stretch(wanted, units, place, level)
            ends = [None, None] if found is None else [values[found[0] - 1], values[found[1]]]
            assert [c.stretch_ends(low)[row], c.stretch_ends(high)[row]] == ends


@pytest.mark.parametrize("seed", range(3))
def test_averaged_parts_are_judged_by_the_partitions_of_their_cells(seed):
    x, y = steps(40, seed)
    p = pt.discretize(x, y, method="averaged", max_parts=3)
    cells = averaged_cells(p.units)
    prior = [-math.log(len(cells.counts) * math.comb(len(cells.counts) - 1, k)) for k in range(10)]
    wanted = slow.sum_partitions(cells.counts, log_prior=prior[: len(cells.counts)])
    c = p.certainty()
    assert c.is_exact is False
    known = np.array([c.n_parts.get(k, 0.0) for k in range(1, len(cells.counts) + 1)])
    np.testing.assert_allclose(known, wanted.n_parts, atol=1e-9)
    np.testing.assert_allclose(c.boundaries["probability"], wanted.cuts, atol=1e-9)
    lows = p.units.lows[cells.starts[:-1]]
    assert c.boundaries["above"].tolist() == lows[1:].tolist()
    np.testing.assert_allclose(c.rates(lows), cells.shares, atol=1e-9)
    assert len(c.cuts) == p.n_parts - 1


def test_values_between_those_of_training_have_the_rates_of_their_side():
    x, y = small(0)
    p = pt.discretize(x, y)
    cut = p.cuts[0]
    near = p.certainty().rates([cut, np.nextafter(cut, 9.0)])
    below, above = np.floor(cut), np.ceil(cut)
    np.testing.assert_array_equal(near, p.certainty().rates([below, above]))


def test_weights_count_as_repetitions():
    x, y = small(1)
    weight = np.random.default_rng(0).integers(1, 4, size=len(x)).astype(float)
    weighted = pt.discretize(x, y, sample_weight=weight).certainty()
    repeated = pt.discretize(np.repeat(x, weight.astype(int)), np.repeat(y, weight.astype(int)))
    assert weighted.log_evidence == pytest.approx(repeated.certainty().log_evidence)
    np.testing.assert_allclose(weighted.rates(x), repeated.certainty().rates(x))


def test_rows_that_weigh_little_do_not_make_many_parts():
    x, y = steps(600)
    whole = pt.discretize(x, y).certainty()
    half = pt.discretize(x, y, sample_weight=np.full(len(x), 0.5)).certainty()
    means = [sum(k * p for k, p in c.n_parts.items()) for c in (whole, half)]
    assert means[1] < means[0] < 6.0
    assert half.cuts["low90"][0] <= whole.cuts["low90"][0]


def test_missing_and_special_values_have_their_own_rows():
    x, y = small(2)
    x = x.astype(float)
    x[:10], x[10:14] = np.nan, -9.0
    p = pt.discretize(x, y, special_values=[-9.0])
    rows = y[:10].sum(), y[10:14].sum()
    found = p.certainty().rates([np.nan, -9.0])
    np.testing.assert_allclose(found[:, 1], [(rows[0] + 1) / 12, (rows[1] + 1) / 6])
    assert p.certainty().boundaries["below"].min() >= 0.0


@pytest.mark.parametrize("monotonic", ["ascending", "auto"])
def test_limits_hold_for_every_partition(monotonic):
    x, y = small(3)
    values, units = units_of(x, y)
    limits = {"max_parts": 3, "min_part_size": 12, "monotonic": monotonic}
    p = pt.discretize(x, y, **limits)
    wanted = slow.sum_partitions(units, limits={**limits, "monotonic": p.constraints["monotonic"]})
    c = p.certainty()
    np.testing.assert_allclose(c.boundaries["probability"], wanted.cuts, atol=1e-9)
    np.testing.assert_allclose(c.rates(values), wanted.shares, atol=1e-9)


def test_cuts_that_are_given_are_certain_and_others_impossible():
    x, y = small(0)
    c = pt.discretize(x, y, user_cuts=[2.5], candidate_cuts=[4.5, 6.5]).certainty()
    frame = c.boundaries.set_index("below")["probability"]
    assert frame.index.tolist() == [2, 4, 6]
    assert frame[2] == pytest.approx(1.0)
    outside = pt.discretize(x, y, user_cuts=[-5.0, 2.5]).certainty().cuts
    assert outside["probability"][0] == 0.0
    assert outside[["low50", "high90"]].iloc[0].isna().all()


def test_entropy_has_probabilities_of_its_own():
    x, y = small(0)
    wanted = slow.sum_partitions(units_of(x, y)[1], "entropy")
    c = pt.discretize(x, y, method="entropy").certainty()
    np.testing.assert_allclose(c.boundaries["probability"], wanted.cuts, atol=1e-9)


def test_ordered_categories_are_a_line():
    rng = np.random.default_rng(0)
    names = ["none", "little", "some", "much", "all"]
    codes = rng.integers(0, 5, size=300)
    y = rng.random(300) < np.where(codes < 2, 0.2, 0.6)
    x = pd.Series(pd.Categorical.from_codes(codes, [*names, "more"], ordered=True))
    p = pt.group(x, y)
    c = p.certainty()
    wanted = slow.sum_partitions(units_of(codes, y)[1])
    np.testing.assert_allclose(c.boundaries["probability"], wanted.cuts, atol=1e-9)
    assert c.boundaries["below"].tolist() == names[:-1]
    assert c.cuts["cut"].tolist() == ["little"]
    np.testing.assert_allclose(c.rates(pd.Series(names)), wanted.shares, atol=1e-9)
    read = pt.from_dict(json.loads(json.dumps(p.to_dict()))).certainty()
    pd.testing.assert_frame_equal(read.boundaries, c.boundaries)
    np.testing.assert_array_equal(read.rates([*names, "more"]), c.rates([*names, "more"]))
    unseen = (np.bincount(y) + 1) / (len(y) + 2)
    np.testing.assert_allclose(c.rates(["other"])[0], unseen)


def test_no_information_and_no_values():
    rng = np.random.default_rng(0)
    c = pt.discretize(rng.random(300), rng.random(300) < 0.4).certainty()
    assert c.informative < 0.5
    assert len(c.cuts) == 0
    empty = pt.discretize([np.nan] * 4, [0, 1, 0, 1]).certainty()
    assert empty.n_parts == {1: 1.0}
    assert empty.informative == 0.0
    assert len(empty.boundaries) == 0
    one = pt.discretize([3.0] * 4, [0, 1, 0, 1]).certainty()
    assert one.rates([3.0]).tolist() == [[0.5, 0.5]]


def test_frames_are_of_the_library_of_the_data():
    x, y = steps()
    frame = pt.discretize(pl.Series("x", x), pl.Series("y", y)).certainty().cuts
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == ["cut", "probability", "low50", "high50", "low90", "high90"]


def test_dates_stay_dates():
    x, y = steps()
    days = pd.Series(pd.Timestamp("2024-01-01") + pd.to_timedelta((x * 300).astype(int), "D"))
    c = pt.discretize(days, y).certainty()
    assert (c.cuts["low90"] < c.cuts["cut"]).all()
    assert (c.cuts["cut"] < c.cuts["high90"]).all()
    c.plot()
    plt.close("all")


def test_long_columns_are_looked_at_where_cuts_are_probable():
    x, y = steps(3 * MOST_EXACT, shares=(0.3, 0.5, 0.3))
    p = pt.discretize(x, y)
    c = p.certainty()
    assert c.is_exact is False
    assert repr(c).endswith(f"; 6000 values, {len(c.boundaries)} borders looked at)")
    assert len(c.boundaries) < MOST_EXACT
    order = np.argsort(x)
    table = np.column_stack([~y, y])[order].astype(float)
    every = sum_partitions(table)
    sizes = [c.n_parts.get(k, 0.0) for k in range(1, 6)]
    np.testing.assert_allclose(sizes, every.n_parts[:5], atol=0.02)
    values = np.sort(x)
    places = np.searchsorted(values, p.cuts)
    np.testing.assert_allclose(c.cuts["probability"], every.cuts[places - 1], rtol=0.1)
    assert np.abs(c.rates(values) - every.shares).max() < 0.03


def test_ranges_of_values_count_for_the_cuts_inside_them():
    x, y = steps(1500, shares=(0.3, 0.5))
    p = pt.discretize(x, y)
    c = p.certainty()
    starts = np.unique(np.append(np.arange(0, 1501, 5), np.searchsorted(np.sort(x), p.cuts)))
    units = p.units
    joined = replace(
        units,
        line=line_of(units.counts(starts)),
        lows=units.lows[starts[:-1]],
        highs=units.highs[starts[1:] - 1],
        is_exact=False,
    )
    d = replace(p, units=joined).certainty()
    assert d.is_exact is False
    for k in (1, 2, 3, 4):
        assert d.n_parts.get(k, 0.0) == pytest.approx(c.n_parts.get(k, 0.0), abs=0.04)
    assert d.cuts["low90"][0] <= p.cuts[0] <= d.cuts["high90"][0]


def test_borders_stand_for_every_place_once():
    borders = Borders.at(np.array([3, 10, 11, 40]), 50)
    assert borders.n_places.sum() == 49
    assert borders.border_of(np.array([1, 3, 10, 11, 12, 49])).tolist() == [1, 1, 2, 3, 3, 4]


def test_an_edited_partition_has_a_certainty_of_its_own():
    x, y = steps()
    p = pt.discretize(x, y)
    q = p.split(0, 0.25)
    assert len(q.certainty().cuts) == len(p.certainty().cuts) + 1
    assert q.certainty().log_evidence == pytest.approx(p.certainty().log_evidence)


def test_certainty_in_tables_and_words():
    x, y = steps(ties=50)
    p = pt.discretize(x, y)
    table = p.table(certainty=True)
    cuts = p.certainty().cuts
    n_cuts = len(cuts)
    assert table["low"][:n_cuts].tolist() == cuts["low90"].tolist()
    assert table["high"][:n_cuts].tolist() == cuts["high90"].tolist()
    assert table["probability"][:n_cuts].tolist() == cuts["probability"].tolist()
    assert table[["low", "high", "probability"]][n_cuts:].isna().all(axis=None)
    text = str(p.explain())
    low, high = cuts["low90"][0], cuts["high90"][0]
    assert f"a cut lies between {low} and {high} with 90 %" in text
    assert p.explain().facts["certainty"] is p.certainty()


def test_certainty_is_saved_once_it_was_asked_for():
    x, y = steps(1500)
    p = pt.discretize(x, y)
    assert "certainty" not in p.to_dict()
    c = p.certainty()
    read = pt.from_dict(json.loads(json.dumps(p.to_dict())))
    assert read.units is None
    d = read.certainty()
    assert d.n_parts == c.n_parts
    pd.testing.assert_frame_equal(d.cuts, c.cuts)
    pd.testing.assert_frame_equal(d.boundaries, c.boundaries)
    np.testing.assert_array_equal(d.rates(x), c.rates(x))
    assert repr(d) == repr(c)


def test_picture():
    x, y = steps()
    ax = pt.discretize(x, y).certainty().plot()
    assert ax.get_ylabel() == "averaged share; probability of a cut"
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["share of True", "cut here", "a cut lies here with 90 %"]
    three = pt.discretize(x, np.where(y, "a", np.where(x > 0.9, "b", "c"))).certainty().plot()
    assert three.get_legend().get_texts()[2].get_text() == "share of c"
    plt.close("all")


def test_refuses_methods_without_probabilities():
    x, y = steps()
    assert_refuses(
        pt.discretize(x, y, method="mdlpc").certainty,
        ValueError,
        "Intervals.certainty: column 'x' needs a method whose cost is the length of a code, "
        "'modl', 'khiops11', 'entropy' or 'averaged'; got method='mdlpc'.",
    )
    assert_refuses(
        pt.group(["a", "b"] * 20, ["u", "v"] * 20).certainty,
        ValueError,
        "Groups.certainty: column 'x' needs an order of its values, as an ordered categorical "
        "series has it, and a method other than 'none'; got no order and method='modl'.",
    )


def test_refuses_partitions_without_the_counts_of_values():
    x, y = steps(1500)
    read = pt.from_dict(pt.discretize(x, y).to_dict())
    assert_refuses(
        read.certainty,
        ValueError,
        "Intervals.certainty: the counts of the values of column 'x' must be known; none were "
        "kept. Give the data again: recount(x, y).",
    )
