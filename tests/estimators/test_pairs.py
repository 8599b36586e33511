"""``pt.pairs`` and ``pt.cocluster``: what columns say together, and which repeat each other."""

import itertools
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from helpers import FULL
from partage._partitions.pairs import naming_price


@pytest.fixture(scope="module")
def table():
    """Five columns of 600 rows: an exclusive or of two, one that tells alone, a copy, noise."""
    rng = np.random.default_rng(12)
    n = 600
    frame = pd.DataFrame({name: rng.random(n) for name in ("one", "two", "tells", "noise")})
    frame["copy"] = np.where(frame["tells"] + rng.normal(0, 0.05, n) > 0.5, "high", "low")
    law = (frame["one"] > 0.5) ^ (frame["two"] > 0.4)
    law = np.where(rng.random(n) < 0.4, frame["tells"] > 0.5, law)
    return frame, np.where(rng.random(n) < 0.1, 1 - law, law).astype(int)


def test_an_interaction_comes_first(table):
    frame, y = table
    found = pt.pairs(frame, y)
    assert list(found.columns) == [
        *("column1", "column2", "cost", "level", "level1", "level2", "synergy", "delta_level"),
        *("parts1", "parts2", "cells", "search"),
    ]
    assert len(found) == 10
    first = found.iloc[0]
    assert (first["column1"], first["column2"]) == ("one", "two")
    assert first["synergy"] > naming_price(5)
    assert first["level1"] == first["level2"] == 0
    assert (np.diff(found["synergy"]) <= 1e-9).all()
    repeats = found[(found["column1"] == "tells") & (found["column2"] == "copy")].iloc[0]
    assert repeats["synergy"] < -10


def test_the_best_pairs_are_those_of_grid(table):
    frame, y = table
    found = pt.pairs(frame, y).iloc[0]
    g = pt.grid(frame["one"], frame["two"], y)
    assert found["cost"] == pytest.approx(g.cost, rel=0.01)
    assert found["cost"] >= g.cost - 1e-6
    assert found["level"] == pytest.approx(1 - found["cost"] / g.null_cost)


def test_columns_that_repeat_each_other_come_first_without_a_target(table):
    frame, _ = table
    found = pt.pairs(frame)
    assert {found["column1"][0], found["column2"][0]} == {"tells", "copy"}
    assert found["level"][0] > 0
    assert (found["level"][1:] == 0).all()  # independent columns score exactly 0
    assert (found["cells"][1:] == 1).all()


def test_the_same_on_any_number_of_threads_and_in_any_library(table):
    frame, y = table
    one = pt.pairs(frame, y)
    assert one.equals(pt.pairs(frame, y, n_jobs=3))
    polars = pt.pairs(pl.from_pandas(frame), y)
    assert isinstance(polars, pl.DataFrame)
    assert polars["synergy"].to_list() == one["synergy"].tolist()
    named = pt.pairs(frame.assign(y=y), target="y", top=2)
    assert named.equals(one.head(2))


def test_some_pairs_only(table):
    frame, y = table
    assert len(pt.pairs(frame, y, columns=["one", "two", "noise"])) == 3
    found = pt.pairs(frame, y, pairs=[("noise", "one"), ("two", "one")])
    assert found[["column1", "column2"]].to_numpy().tolist() == [["two", "one"], ["noise", "one"]]


def test_gaps_weights_and_long_columns():
    rng = np.random.default_rng(3)
    n = 30_000
    frame = pd.DataFrame({"a": rng.random(n), "b": rng.random(n)})
    y = (frame["a"] > 0.3) ^ (frame["b"] > 0.7)
    frame.loc[::10, "a"] = np.nan
    found = pt.pairs(frame, y, sample_weight=np.full(n, 2.0))
    assert found["search"][0] == "refined"
    assert found["level"][0] > 0.8


def refused(error, message, *args, **given):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        pt.pairs(*args, **given)


def test_bad_input_is_refused(table):
    frame, y = table
    refused(
        ValueError,
        "pairs: pairs must name columns of X; got 'onee'; did you mean 'one'?",
        frame,
        y,
        pairs=[("onee", "two")],
    )
    refused(
        ValueError,
        "pairs: a pair must name two columns; got 'one' twice.",
        frame,
        y,
        pairs=[("one", "one")],
    )
    refused(ValueError, "pairs: at least two columns must be given; got 1.", frame[["one"]], y)
    refused(
        ValueError,
        "pairs: method must be 'modl' or 'khiops11'; got 'chaid'.",
        frame,
        method="chaid",
    )
    refused(
        ValueError,
        "pairs: pairs must be 'all' or a list of pairs of columns; got 'one'.",
        frame,
        y,
        pairs="one",
    )
    refused(
        ValueError,
        "pairs: target must name the column that holds y, and y must be None, for a table whose "
        "rows are not in memory; got y.",
        pl.from_pandas(frame).lazy(),
        y,
    )


# Noise


@pytest.mark.parametrize("n_rows", [100, 200, 1000] if FULL else [200])
def test_no_interaction_is_named_among_noise(n_rows):
    rng = np.random.default_rng(n_rows)
    n_named = 0
    for _ in range(11 if FULL else 2):
        frame = pd.DataFrame(rng.random((n_rows, 30))).rename(columns=str)
        found = pt.pairs(frame, rng.integers(0, 2, n_rows))
        both = (found["parts1"] > 1) & (found["parts2"] > 1)
        n_named += int((both & (found["synergy"] > naming_price(30))).sum())
    assert n_named == 0


def test_independent_columns_score_exactly_0_without_a_target():
    rng = np.random.default_rng(9)
    for n_rows in (200, 1000):
        frame = pd.DataFrame(rng.random((n_rows, 10))).rename(columns=str)
        for i in range(6):
            frame[f"c{i}"] = rng.choice(list("abcdefgh"), n_rows)
        found = pt.pairs(frame)  # 120 pairs
        assert (found["level"] == 0).all()
        assert (found["cells"] == 1).all()


def test_an_exclusive_or_of_200_rows_is_found_with_a_fifth_flipped():
    n_found = 0
    for seed in range(20):
        rng = np.random.default_rng(100 + seed)
        a, b = rng.random((2, 200))
        law = (a > 0.5) ^ (b > 0.5)
        y = np.where(rng.random(200) < 0.2, ~law, law)
        g = pt.grid(a, b, y)
        n_found += g.n_parts[0] > 1 and g.n_parts[1] > 1 and g.synergy > naming_price(30)
    assert n_found == 20


# Coclustering


@pytest.fixture(scope="module")
def baskets():
    """Make counts of users by items: three tastes, with some noise."""
    rng = np.random.default_rng(2)
    user, item = rng.integers(0, 60, 6000), rng.integers(0, 40, 6000)
    likes = (user % 3 == item % 3) | (rng.random(6000) < 0.15)
    frame = pd.DataFrame({"user": user[likes], "item": [f"i{i}" for i in item[likes]]})
    frame["user"] = "u" + frame["user"].astype(str)
    return frame.value_counts().rename("n").reset_index()


def test_tastes_are_found(baskets):
    c = pt.cocluster(baskets, ["user", "item"], weight="n")
    assert c.n_parts == (3, 3)
    for group in c.axes[0].groups:
        assert len({int(user[1:]) % 3 for user in group}) == 1
    repeated = baskets.loc[baskets.index.repeat(baskets["n"])]
    assert pt.cocluster(repeated, ["user", "item"]).cost == pytest.approx(c.cost)
    assert c.table()["count"].iloc[-1] == len(baskets)


def test_hierarchy_goes_down_to_one_cell(baskets):
    c = pt.cocluster(baskets, ["user", "item"], weight="n")
    steps = c.hierarchy()
    assert steps["parts"].tolist() == [5, 4, 3, 2]
    assert steps["information"].iloc[0] < 1
    assert abs(steps["information"].iloc[-1]) < 0.01
    axis = steps["axis"][0]
    labels = c.axes[c.names.index(axis)].labels()
    merged = c.merge(axis, *map(labels.index, steps.loc[0, ["part1", "part2"]]))
    assert merged.cost == pytest.approx(steps["cost"][0])
    simple = c.simplify(max_parts=2)
    assert max(simple.n_parts) == 2
    assert c.simplify(1.0) is c
    assert max(c.simplify(0.0).n_parts) == 2  # the last merges leave less than nothing
    assert simple.undo() is c


def test_typicality_and_interest(baskets):
    c = pt.cocluster(baskets, ["user", "item"], weight="n")
    typical = c.typicality("item")
    assert len(typical) == 40
    assert typical.groupby("part")["typicality"].max().tolist() == [1.0, 1.0, 1.0]
    assert c.interest(0)["interest"].max() == 1.0


def test_bad_coclusters_are_refused(baskets):
    def refused(message, error=ValueError, **given):
        with pytest.raises(error, match=f"^{re.escape(message)}$"):
            pt.cocluster(baskets, **{"columns": ["user", "item"], **given})

    refused("cocluster: weight must name columns of X; got 'm'.", weight="m")
    refused(
        "cocluster: columns must be 2 to 6 columns, each once; got ['user', 'user'].",
        columns=["user", "user"],
    )
    refused(
        "cocluster: columns must name columns of X; got 'usr'; did you mean 'user'?",
        columns=["usr"],
    )
    negative = baskets.assign(n=-1)
    with pytest.raises(
        ValueError, match=r"^cocluster: weight must be a column of numbers of at least 0; got -1\.$"
    ):
        pt.cocluster(negative, ["user", "item"], weight="n")
    c = pt.cocluster(baskets, ["user", "item"], weight="n")
    message = "Grid.simplify: one of information and max_parts must be given; got both or none."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        c.simplify()


def test_gaps_of_independent_columns_are_no_dependence():
    rng = np.random.default_rng(11)
    values = rng.integers(0, 60, 3000)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=3000),
            "b": rng.normal(size=3000),
            "c": rng.choice(list("pqr"), 3000),
            "d": [f"v{value}" for value in values],
        }
    )
    for name, share in (("a", 0.3), ("b", 0.1), ("d", 0.9)):
        frame.loc[rng.random(3000) < share, name] = None
    assert (pt.pairs(frame)["level"] == 0).all()
    for one, other in itertools.combinations(frame, 2):
        assert pt.grid(frame[one], frame[other]).level == 0
    frame["b"] = frame["b"].where(frame["a"].notna())
    first = pt.pairs(frame).iloc[0]
    assert (first["column1"], first["column2"]) == ("a", "b")
    assert first["level"] > 0


def test_pairs_that_add_nothing_are_ranked_by_what_they_say():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(400, 4)), columns=list("abcd"))
    found = pt.pairs(frame, frame["d"] + 0.3 * rng.normal(size=400) > 0)
    assert (found["synergy"] == 0).all()
    assert found["level"].is_monotonic_decreasing
    assert "d" in found.loc[0, ["column1", "column2"]].tolist()


def _alike(left, right):
    """Share of pairs of values that both groupings treat alike."""
    same = [np.equal.outer(np.array(g), np.array(g)) for g in (left, right)]
    return np.mean(same[0] == same[1])


def test_groups_of_many_rare_values_are_found_together():
    # A value has eight rows or so: groups that are dealt out blindly look all the same.
    rng = np.random.default_rng(12)
    n, n_values, n_groups = 5000, 600, 4
    user = rng.integers(0, n_values, n)
    other = rng.integers(0, n_values // n_groups, n) * n_groups + user % n_groups
    item = np.where(rng.random(n) < 0.9, other, rng.integers(0, n_values, n))
    frame = pd.DataFrame({"user": user.astype(str), "item": item.astype(str)})
    found = pt.cocluster(frame, ["user", "item"])
    assert found.n_parts == (n_groups, n_groups)
    for axis in found.axes:
        group_of = {int(v): g for g, part in enumerate(axis.groups) for v in part}
        assert _alike(np.array(list(group_of)) % n_groups, list(group_of.values())) > 0.95
    turned = pt.cocluster(frame, ["item", "user"], n_jobs=2)
    assert turned.cost == found.cost


def test_many_rare_values_that_say_something_together_only():
    rng = np.random.default_rng(13)
    n, n_values = 12_000, 800
    left, right = rng.integers(0, n_values, (2, n))
    event = rng.random(n) < np.where((left + right) % 2, 0.1, 0.9)
    found = pt.grid(left.astype(str), right.astype(str), event)
    assert found.n_parts == (2, 2)
    assert found.synergy > 0


def test_columns_without_values_are_left_out_of_the_pairs():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"x": rng.normal(size=90), "c": rng.choice(list("abc"), 90), "none": None})
    y = rng.choice(["no", "yes"], 90)
    for target in (y, None):
        assert len(pt.pairs(frame, target)) == 1
        assert len(pt.pairs(frame[["x", "none"]], target)) == 0
    model = pt.NaiveBayesClassifier(interactions="grid").fit(frame, y)
    assert len(model.predict(frame)) == 90
