"""Edits give a new partition, its price, and a way back; explanations are true."""

import json
import math
import pickle
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partage as pt
from helpers import assert_refuses, examples
from partage._data.cut_places import place_cut
from partage._partitions.costs import modl_costs
from reference.criteria import modl, part_length
from reference.groups import garbage_cost, standard_cost, thresholds
from strategies import columns, weighted_columns

BIT = math.log(2)


def counts_of(p, x, y, weight=None):
    """Class weights of each part, counted row by row."""
    codes = p.assign(x)
    out = np.zeros((p.n_parts, len(p.classes)))
    weight = np.ones(len(x)) if weight is None else weight
    for code, label, w in zip(codes, y, weight, strict=True):
        if code < p.n_parts:
            out[code, list(p.classes).index(label)] += w
    return out


def cost_of(p, x, y):
    """MODL cost of intervals, by the slow twin."""
    missing = np.isnan(x)
    row = np.array([np.sum(missing & (y == c)) for c in p.classes], dtype=float)
    beside = math.log(2) + part_length(row) if row.any() else 0.0
    if not (~missing).any():
        return modl(row[None, :])
    return modl(counts_of(p, x, y)) + beside


@settings(max_examples=examples(30))
@given(column=columns(missing=True, min_rows=4), data=st.data())
def test_edited_intervals_have_the_counts_and_the_cost_of_their_rows(column, data):
    x, y = column
    p = pt.discretize(x, y)
    cuts = sorted(set(data.draw(st.lists(st.sampled_from([-3.0, 0.0, 0.1, 1.0, 5.0]), max_size=4))))
    q = p.set_cuts(cuts)
    assert q.cuts.tolist() == cuts
    assert q.counts.tolist() == counts_of(q, x, y).tolist()
    assert q.rows.tolist() == counts_of(q, x, y).sum(axis=1).tolist()
    assert modl_costs(q)[0] == pytest.approx(cost_of(q, x, y), rel=1e-9)
    price = (cost_of(q, x, y) - cost_of(p, x, y)) / BIT
    assert q.history[-1].price == pytest.approx(price, abs=1e-7)
    assert q.undo() is p


@settings(max_examples=examples(30))
@given(column=weighted_columns(min_rows=6), at=st.sampled_from([-2.0, 0.05, 0.5, 3.0]))
def test_split_counts_rows_and_weights(column, at):
    x, y, weight = column
    p = pt.discretize(x, y, sample_weight=weight).set_cuts([])
    q = p.split(0, at=at)
    kept = weight > 0
    assert q.counts.tolist() == counts_of(q, x[kept], y[kept], weight[kept]).tolist()
    assert q.rows.tolist() == [np.sum(q.assign(x[kept]) == k) for k in range(2)]
    assert q.merge(0, 1).counts.tolist() == p.counts.tolist()


@settings(max_examples=examples(30))
@given(column=columns(missing=True, min_rows=6))
def test_merge_undoes_split(column):
    x, y = column
    p = pt.discretize(x, y, missing="merge")
    q = p.split(0, at=-1e300) if p.n_parts == 1 else p.merge(0, 1)
    assert len(q.history) == 1
    assert q.counts.tolist() == counts_of(q, x, y).tolist()
    assert q.totals().tolist() == p.totals().tolist()
    assert q.undo().to_dict() == p.to_dict()


VALUES = list("abcdefgh")


@st.composite
def categories(draw):
    """Draw a column of categories of different frequencies, and its classes."""
    n_values = draw(st.integers(2, 8))
    sizes = draw(st.lists(st.integers(1, 6), min_size=n_values, max_size=n_values))
    x = [v for v, n in zip(VALUES, sizes, strict=False) for _ in range(n)]
    y = draw(st.lists(st.sampled_from("pqr"), min_size=len(x), max_size=len(x)))
    return x, y


def groups_cost(p, x, y, method):
    """MODL cost of groups by the slow twin: the cheapest threshold that can tell them."""
    values = sorted(set(x))
    rows = list(zip(x, y, strict=True))
    units = [[rows.count((value, label)) for label in p.classes] for value in values]
    grouping = tuple(tuple(sorted(values.index(v) for v in group)) for group in p.groups)
    if method == "modl-standard":
        return standard_cost(units, grouping)
    return min(garbage_cost(units, grouping, F) for F in thresholds(units))


@pytest.mark.parametrize("method", ["modl", "modl-standard"])
@settings(max_examples=examples(30))
@given(column=categories(), data=st.data())
def test_edited_groups_have_the_cost_of_their_cheapest_code(method, column, data):
    x, y = column
    p = pt.group(x, y, method=method)
    value = data.draw(st.sampled_from(sorted(set(x))))
    home = int(p.assign([value])[0])
    if p.n_parts > 1:
        to = data.draw(st.sampled_from([k for k in range(p.n_parts) if k != home]))
        q = p.move(value, to=to)
        assert q.n_parts == p.n_parts - (len(p.groups[home]) == 1)
    elif len(p.groups[0]) > 1:
        q = p.split(0, at=value)
        assert q.groups[1] == (value,)
    else:
        return
    assert sorted(v for group in q.groups for v in group) == sorted(set(x))
    assert q.counts.tolist() == counts_of(q, x, y).tolist()
    wanted = groups_cost(q, x, y, method)
    assert modl_costs(q)[0] == pytest.approx(wanted, rel=1e-9)
    price = (wanted - groups_cost(p, x, y, method)) / BIT
    assert q.history[-1].price == pytest.approx(price, abs=1e-7)


@settings(max_examples=examples(30))
@given(column=columns(min_rows=6))
def test_explanation_finds_the_best_cut_to_add_and_to_move(column):
    x, y = column
    p = pt.discretize(x, y)
    facts = p.explain().facts
    values = np.unique(x + 0.0)
    middles = [place_cut(p.kind, a, b) for a, b in pairwise(values.tolist())]
    inside = [c for c in middles if c not in p.cuts]
    prices = [p.set_cuts(sorted([*p.cuts, c])).history[-1].price for c in inside]
    if prices:
        assert facts["more"][0][1] == pytest.approx(min(prices), abs=1e-7)
        if p.is_optimal:
            assert min(prices) > -1e-6
    else:
        assert facts["more"] == []
    moved = [
        p.set_cuts(sorted([*np.delete(p.cuts, i), c])).history[-1].price
        for i in range(p.n_parts - 1)
        for c in inside
        if (i == 0 or c > p.cuts[i - 1]) and (i == p.n_parts - 2 or c < p.cuts[i + 1])
    ]
    if moved:
        assert facts["moves"][0][1] == pytest.approx(min(moved), abs=1e-7)
    assert facts["runner_up"] in [*facts["merges"], *facts["more"], *facts["moves"], None]


@settings(max_examples=examples(30))
@given(column=categories())
def test_explanation_of_groups_finds_the_best_move(column):
    x, y = column
    p = pt.group(x, y, method="modl-standard")
    prices = [
        p.move(v, to=k).history[-1].price
        for v in sorted(set(x))
        for k in range(p.n_parts)
        if k != p.assign([v])[0] and len(p.groups[p.assign([v])[0]]) > 1
    ]
    facts = p.explain().facts
    if prices:
        assert facts["moves"][0][1] == pytest.approx(min(prices), abs=1e-7)
    assert str(p.explain()).startswith(f"x: {p.n_parts} group")


def test_explanation_says_why(steps):
    X, y = steps
    text = str(pt.discretize(X["signal"], y).explain())
    assert "3 parts" in text
    assert "no other partition costs less (proven)" in text
    assert "One part fewer would cost:\n  merge(" in text
    assert "One more: the best is split(" in text
    assert "Runner-up" in text
    noise = str(pt.discretize(X["noise"], y).explain())
    assert "One part: every cut costs more bits than it saves." in noise
    other = str(pt.discretize(X["noise"], y, method="chimerge").explain())
    assert "chimerge chose these parts by its own rule; prices are MODL's." in other


def test_history_is_saved_and_undoes():
    p = pt.discretize(np.arange(30.0), [0] * 10 + [1] * 10 + [0] * 10)
    q = p.merge(0, 1).split(0, at=4.5).set_cuts([9.5, 19.5])
    back = pt.from_dict(json.loads(json.dumps(q.to_dict())))
    assert back.to_dict() == q.to_dict()
    assert [edit.action for edit in back.history] == [
        "merge(0, 1)",
        "split(0, at=4.5)",
        "set_cuts([9.5, 19.5])",
    ]
    assert sum(edit.price for edit in back.history) == pytest.approx(0, abs=1e-9)
    assert back.undo(3).to_dict() == p.to_dict()
    assert back.undo(2).cuts.tolist() == [19.5]
    assert back.undo(2).undo().cuts.tolist() == [9.5, 19.5]
    assert back.undo(0) is back
    assert "edited for" in repr(q)
    assert pickle.loads(pickle.dumps(q)).split(0, at=3.5).n_parts == 4


def test_missing_values_can_be_merged_by_hand():
    x = np.array([*range(20), math.nan, math.nan], dtype=float)
    p = pt.discretize(x, [0] * 10 + [1] * 12)
    q = p.merge(1, "missing")
    assert q.missing_part == 1
    assert q.assign([math.nan]).tolist() == [1]
    assert q.counts.tolist() == [[10, 0], [0, 12]]
    merged = pt.discretize(x, [0] * 10 + [1] * 12, missing="merge")
    assert q.cost == pytest.approx(merged.cost, rel=1e-12)


@pytest.mark.parametrize("kind", ["numbers", "text"])
def test_special_values_can_be_merged_by_hand(kind):
    y = [0] * 10 + [1] * 12
    x = np.array([*range(20), -9, -9], dtype=float)
    special = -9.0
    make = pt.discretize
    if kind == "text":
        x, special, make = np.where(x < 0, "?", np.where(x < 10, "a", "b")), "?", pt.group
    q = make(x, y, special_values=[special]).merge(1, f"special {special}")
    merged = make(x, y, special_values=[special], special="merge")
    assert merged.special_parts == q.special_parts == (1,)
    assert q.counts.tolist() == merged.counts.tolist() == [[10, 0], [0, 12]]
    assert q.cost == pytest.approx(merged.cost, rel=1e-12)
    assert q.assign(x).tolist() == y
    assert q.undo().special_parts == (None,)
    assert pt.from_dict(q.to_dict()).special_parts == (1,)


def test_a_name_beside_the_parts_that_is_none_is_refused():
    p = pt.discretize([1.0, 2, 3, -9], [0, 1, 0, 1], special_values=[-9])
    assert_refuses(
        lambda: p.merge(0, "special 9"),
        ValueError,
        "Intervals.merge: a part of column 'x' must be a number from 0 to 0, or one of 'missing', "
        "'special -9'; got 'special 9'.",
    )


def test_explanation_says_why_parts_cost_more_than_one():
    x, y = np.arange(40.0), [0, 1] * 20
    assert "0.0 bits saved (MODL)." in str(pt.discretize(x, y).explain())
    forced = pt.discretize(x, y, n_parts=3)
    more = (forced.cost - forced.null_cost) / math.log(2)
    assert f"{more:.1f} bits more (MODL), since the limits ask for them." in str(forced.explain())
    gaps = pt.discretize(np.where(x % 4 < 2, x, math.nan), y)
    more = (gaps.cost - gaps.null_cost) / math.log(2)
    text = f"{more:.1f} bits more (MODL), since missing or special values are kept apart."
    assert text in str(gaps.explain())
    assert "bits more (MODL), since edits made them." in str(forced.undo(0).merge(0, 1).explain())


def test_edits_of_times_and_large_integers():
    days = pl.Series("day", np.arange("2020-01-01", "2020-01-31", dtype="M8[D]").astype("M8[us]"))
    p = pt.discretize(days, [0] * 15 + [1] * 15)
    q = p.set_cuts([np.datetime64("2020-01-05T12"), np.datetime64("2020-01-16")])
    assert q.counts.sum(axis=1).tolist() == [5, 11, 14]
    big = np.arange(30) + 2**60
    whole = pt.discretize(big, [0] * 15 + [1] * 15).split(0, at=2**60 + 3)
    assert whole.counts.sum(axis=1).tolist() == [4, 11, 15]
    assert whole.explain().facts["merges"]


def test_methods_keep_their_own_cost(steps):
    X, y = steps
    params = {"alpha": 0.9}
    p = pt.discretize(X["signal"], y, method="fusinter", method_params=params, max_parts=4)
    again = p.set_cuts(p.cuts)
    assert again.cost == p.cost
    assert again.level == p.level
    assert pt.from_dict(p.to_dict()).method_params == params


def test_memory_of_counts_is_bounded_and_cuts_inside_joined_values_are_refused():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 3))
    y = X[:, 0] > 0.1
    enc = pt.Discretizer().fit(X, y)
    exact = enc.partitions_["x0"]
    assert exact.units.is_exact
    joined = exact._with_units_of_at_most(64_000)
    assert not joined.units.is_exact
    assert joined.units.n_units < 2_500
    assert joined.units.n_bytes < 100_000
    assert joined.merge(0, 1).counts.sum() == 30_000
    assert joined.set_cuts(exact.cuts).counts.tolist() == exact.counts.tolist()
    low, high = joined.units.lows[5], joined.units.highs[5]
    with pytest.raises(ValueError, match=r"has too many values to keep each; those from .* to "):
        joined.split(0, at=(low + high) / 2)
    free = (joined.units.highs[5] + joined.units.lows[6]) / 2
    wanted = np.sum(X[:, 0] <= free)
    assert joined.split(0, at=free).rows[0] == wanted
    again = joined.recount(X[:, 0], y)
    assert again.units.is_exact
    assert again.cost == exact.cost
    assert again.split(0, at=(low + high) / 2).n_parts == 3


@settings(max_examples=examples(30))
@given(column=columns(missing=True, min_rows=6))
@pytest.mark.parametrize("missing", ["separate", "merge"])
def test_recount_on_the_training_data_changes_nothing(missing, column):
    x, y = column
    p = pt.discretize(x, y, missing=missing, special_values=[7.0])
    q = p.recount(x, y)
    assert q.counts.tolist() == p.counts.tolist()
    assert q.cost == pytest.approx(p.cost, rel=1e-12)
    assert q.level == pytest.approx(p.level, abs=1e-12)
    assert q.assign(x).tolist() == p.assign(x).tolist()


def test_recount_of_groups():
    x = ["a", "b", "c", "d"] * 20
    p = pt.group(x, [0, 1, 0, 1] * 20)
    assert p.recount(x, [0, 1, 0, 1] * 20).cost == p.cost
    fewer = p.recount(["a", "b", None], [0, 0, 1])
    assert fewer.counts.tolist() == [[1, 0], [1, 0]]
    assert fewer.move("c", to=1).groups == (("a",), ("b", "c", "d"))
    assert_refuses(
        lambda: p.recount(["a", "z"], [0, 1]),
        ValueError,
        "Groups.recount: every value must be in a group of column 'x'; got 'z'. Drop its rows, or "
        "group the column again.",
    )


@pytest.fixture
def three():
    return pt.discretize(np.arange(30.0), [0] * 10 + [1] * 10 + [0] * 10)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            lambda p: p.merge(0, 2),
            "Intervals.merge: parts must be neighbours to be merged; got merge(0, 2).",
        ),
        (
            lambda p: p.merge(0, 3),
            "Intervals.merge: a part of column 'x' must be a number from 0 to 2; got 3.",
        ),
        (
            lambda p: p.merge(1),
            "Intervals.merge: at least two parts must be named, each once; got merge(1).",
        ),
        (
            lambda p: p.merge(0, 1, "missing"),
            "Intervals.merge: 'missing' merges with one part; got merge(0, 1, 'missing').",
        ),
        (
            lambda p: p.set_cuts([3.5, 1.5]),
            "Intervals.set_cuts: cuts must increase, none twice; got [3.5, 1.5].",
        ),
        (
            lambda p: p.set_cuts([1.5, 1.5]),
            "Intervals.set_cuts: cuts must increase, none twice; got [1.5, 1.5].",
        ),
        (
            lambda p: p.set_cuts([math.nan]),
            "Intervals.set_cuts: cuts must not be missing; got [nan].",
        ),
        (
            lambda p: p.split(0, at=12),
            "Intervals.split: at must lie inside part 0, (-inf, 9.5]; got 12.",
        ),
        (
            lambda p: p.undo(),
            "Intervals.undo: there is nothing to undo; column 'x' has no edits.",
        ),
        (
            lambda p: pt.from_dict(p.to_dict() | {"units": None}).split(0, at=3),
            "Intervals.split: the counts of the values of column 'x' must be known; none "
            "were kept. Give the data again: recount(x, y).",
        ),
    ],
)
def test_bad_edits_of_intervals(three, edit, message):
    assert_refuses(lambda: edit(three), ValueError, message)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            lambda p: p.move("Rome", to=1),
            "Groups.move: value must be one of the 4 values of column 'x'; got 'Rome'.",
        ),
        (
            lambda p: p.move("a", to=0),
            "Groups.move: to must be another group than that of 'a'; got 0.",
        ),
        (
            lambda p: p.move("a", to=7),
            "Groups.move: a part of column 'x' must be a number from 0 to 1; got 7.",
        ),
        (lambda p: p.split(0, at=["b"]), "Groups.split: at must hold values of group 0; got 'b'."),
        (
            lambda p: p.split(0, at=["a", "c"]),
            "Groups.split: some values of group 0 must go and some must stay; got ['a', 'c'].",
        ),
    ],
)
def test_bad_edits_of_groups(edit, message):
    p = pt.group(["a", "b", "c", "d"] * 20, [0, 1, 0, 1] * 20)
    assert_refuses(lambda: edit(p), ValueError, message)


def test_ordered_groups_stay_ranges():
    sizes = ["S", "M", "L", "XL"]
    p = pt.group(sizes * 20, [0, 0, 1, 1] * 20, ordered=sizes)
    assert p.groups == (("S", "M"), ("L", "XL"))
    assert p.move("M", to=1).groups == (("S",), ("M", "L", "XL"))
    assert_refuses(
        lambda: p.move("S", to=1),
        ValueError,
        "Groups.move: groups of ordered values must be ranges of them; got move('S', to=1).",
    )
    assert p.explain().facts["moves"]


def test_edits_add_to_the_price_of_limits():
    rng = np.random.default_rng(0)
    x = rng.normal(size=600)
    y = rng.random(600) < 1 / (1 + np.exp(-2 * np.sin(3 * x)))
    p = pt.discretize(x, y, monotonic="ascending")
    free = pt.discretize(x, y)
    assert p.price == pytest.approx((p.cost - free.cost) / BIT)
    q = p.merge(0, 1)
    assert q.price == pytest.approx((q.cost - free.cost) / BIT)
    assert q.constraints == p.constraints
    assert q.violations == ()
    assert free.set_cuts(p.cuts).price == pytest.approx(p.price)
    text = str(p.explain())
    assert "no other partition within the limits costs less (proven)" in text
    assert "Limits: monotonic='ascending'. They cost " in text
    assert pt.discretize(x, y, method="fusinter", max_parts=3).merge(0, 1).price is None
