"""``pt.grid``: what a grid promises as a partition of two columns."""

import json
import re

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt


@pytest.fixture(scope="module")
def table():
    """Numbers, a category and their classes: an exclusive or with some noise and some gaps."""
    rng = np.random.default_rng(4)
    n = 800
    frame = pd.DataFrame(
        {
            "age": np.round(rng.uniform(18, 80, n)),
            "pay": rng.lognormal(8, 1, n),
            "town": rng.choice(["Lyon", "Paris", "Nice", "Lille", "Metz"], n),
        }
    )
    law = (frame["age"] > 50) ^ frame["town"].isin(["Lyon", "Nice"])
    y = np.where(rng.random(n) < 0.1, ~law, law)
    frame.loc[::23, "age"] = np.nan
    return frame, np.where(y, "yes", "no")


@pytest.fixture(scope="module")
def grid(table):
    frame, y = table
    return pt.grid(frame["age"], frame["town"], y)


def test_columns_that_say_nothing_alone_are_divided_together(grid):
    assert grid.n_parts == (2, 2)
    groups = set(map(frozenset, grid.axes[1].groups))
    assert groups == {frozenset(["Lille", "Metz", "Paris"]), frozenset(["Lyon", "Nice"])}
    assert 49 <= grid.axes[0].cuts[0] <= 52
    assert grid.synergy > 100
    assert grid.delta_level == pytest.approx(grid.synergy / grid.null_cost)
    assert grid.column_gains[1] == pytest.approx(0, abs=10)


def test_counts_codes_and_table_agree(table, grid):
    frame, y = table
    codes = grid.assign(frame["age"], frame["town"])
    n_codes = grid.rule.n_codes
    shown = np.bincount(codes, minlength=np.prod(n_codes)).reshape(n_codes)[:3, :2]
    assert np.array_equal(shown, grid.rows)
    assert np.array_equal(grid.assign(frame), codes)
    other = grid.table(frame[::2], y[::2])
    assert list(other["count"])[-1] == len(frame[::2])
    assert grid.counts.shape == (3, 2, 2)  # the third part holds the gaps
    yes = np.bincount(codes[y == "yes"], minlength=np.prod(n_codes)).reshape(n_codes)[:3, :2]
    assert np.array_equal(yes, grid.counts[..., 1])
    shown = grid.table()
    assert list(shown["count"])[-1] == len(frame)
    assert shown["count"].iloc[:-1].sum() == len(frame)
    assert list(shown["part1"])[-2] == "missing"
    assert shown["event_rate"].iloc[-1] == pytest.approx((y == "yes").mean())


def test_gaps_are_counted_over_both_axes(table, grid):
    frame, y = table
    assert grid.missing_rows == frame["age"].isna().sum()
    assert grid.missing_counts.sum() == grid.missing_rows
    assert np.array_equal(grid.totals(), [(y == "no").sum(), (y == "yes").sum()])
    assert grid.code_woe(1).shape == (np.prod(grid.rule.n_codes),)


def test_table_counts_other_rows(table, grid):
    frame, y = table
    half = grid.table((frame["age"][:100], frame["town"][:100]), y[:100])
    assert half["count"].iloc[-1] == 100


def test_unseen_and_missing_values_have_the_codes_of_their_axes(grid):
    k1, k2 = (axis.n_parts for axis in grid.axes)
    n2 = grid.rule.n_codes[1]
    codes = grid.assign([np.nan, 20.0, np.nan], ["Lyon", "Oslo", None])
    lyon = grid.axes[1].assign(["Lyon"])[0]
    assert codes.tolist() == [k1 * n2 + lyon, k2 + 1, k1 * n2 + k2]


def test_sql_and_python_give_the_same_codes(table, grid):
    frame, _ = table
    wanted = grid.assign(frame["age"], frame["town"])
    found = duckdb.sql(f"SELECT {grid.to_sql()} AS code FROM frame").df()["code"]
    assert np.array_equal(found, wanted)
    sql = grid.to_sql(column=["a", "t"])
    source = "(SELECT age AS a, town AS t FROM frame)"
    assert np.array_equal(duckdb.sql(f"SELECT {sql} AS code FROM {source}").df()["code"], wanted)
    space: dict = {}
    exec(grid.to_python(), space)  # the source that is to be tried
    rows = frame.to_dict("records")[:100]
    assert [space["transform"](row)[grid.name] for row in rows] == wanted[:100].tolist()


def test_a_grid_is_written_and_read_back(grid):
    read = pt.from_dict(json.loads(json.dumps(grid.to_dict())))
    assert read == grid
    assert read.table().equals(grid.table())
    edited = grid.merge("town", 0, 1)
    again = pt.from_dict(json.loads(json.dumps(edited.to_dict())))
    assert again == edited
    assert again.undo() == grid
    assert again.undo().merge("town", 0, 1).cost == edited.cost


def test_damaged_files_are_refused(grid):
    data = grid.to_dict()
    for change in ({"axes": data["axes"][:1]}, {"codes": [10**6], "rows": [1]}, {"method": "none"}):
        with pytest.raises(pt.PartageError, match=r"from_dict: the data are damaged"):
            pt.from_dict(data | change)


def test_edits_have_prices_and_a_way_back(table, grid):
    merged = grid.merge("age", 0, 1)
    assert merged.n_parts == (1, 2)
    assert merged.history[0].action == "merge('age', 0, 1)"
    assert merged.history[0].price == pytest.approx((merged.cost - grid.cost) / np.log(2))
    assert merged.price == pytest.approx(merged.history[0].price)
    assert merged.undo() is grid
    frame, y = table
    three = pt.discretize(frame["age"], y, n_parts=3)
    other = grid.set_axis("age", three)
    assert other.n_parts == (3, 2)
    assert np.array_equal(other.axes[0].cuts, three.cuts)
    assert other.counts.sum() == grid.counts.sum()
    assert not other.is_optimal
    assert "merge('age', 0, 1)" in str(grid.explain())


def test_limits_hold_and_have_a_price(table):
    frame, y = table
    free = pt.grid(frame["pay"], frame["age"], y)
    tight = pt.grid(frame["age"], frame["town"], y, max_parts=(1, None))
    assert tight.n_parts[0] == 1
    assert tight.price > 0
    assert tight.violations == ()
    assert free.price == 0
    cut = pt.grid(frame["age"], frame["town"], y, user_cuts={"age": [30.5]})
    assert 30.5 in cut.axes[0].cuts or cut.axes[0].rule.has_borders([30.5])
    big = pt.grid(frame["age"], frame["town"], y, min_cell_size=0.2)
    sizes = big.rows[:-1]
    assert sizes[sizes > 0].min() >= 160


def test_a_plot_is_drawn(grid, table):
    frame, _ = table
    assert grid.plot().get_xlabel() == "age"
    assert grid.plot(widths="rows").get_ylabel() == "town"
    assert pt.grid(frame["pay"], frame["town"]).plot(widths="values").get_xlabel() == "pay"
    assert "<table>" in grid._repr_html_()


# Properties


def test_a_pair_costs_no_more_than_one_column_beside_a_whole_one(table):
    frame, y = table
    data = frame.assign(noise=np.random.default_rng(1).random(len(frame)))
    for first, second in (("pay", "town"), ("pay", "noise"), ("town", "noise")):
        g = pt.grid(data[first], data[second], y)
        for name in (first, second):
            alone = (pt.group if name == "town" else pt.discretize)(data[name], y)
            # What the other column costs in one part is what both nulls differ by.
            assert g.cost <= alone.cost + (g.null_cost - alone.null_cost) + 1e-6


def test_axes_may_be_swapped_rows_permuted_and_names_changed(table):
    frame, y = table
    g = pt.grid(frame["pay"], frame["town"], y)
    order = np.random.default_rng(0).permutation(len(frame))
    swapped = pt.grid(frame["town"], frame["pay"], y)
    assert swapped.cost == pytest.approx(g.cost, rel=1e-12)
    assert swapped.n_parts == g.n_parts[::-1]
    moved = pt.grid(frame["pay"].iloc[order], frame["town"].iloc[order], y[order])
    assert moved.cost == g.cost
    assert np.array_equal(moved.counts, g.counts)
    names = {"Lyon": "z", "Paris": "b", "Nice": "a", "Lille": "y", "Metz": "c"}
    other = np.where(y == "yes", "a", "b")
    renamed = pt.grid(frame["pay"], frame["town"].map(names), other)
    assert renamed.cost == pytest.approx(g.cost, rel=1e-12)


def test_whole_weights_are_repetitions(table):
    frame, y = table
    weights = np.random.default_rng(2).integers(0, 4, len(frame))
    weighted = pt.grid(frame["age"], frame["town"], y, sample_weight=weights)
    rows = np.repeat(np.arange(len(frame)), weights)
    repeated = pt.grid(frame["age"].iloc[rows], frame["town"].iloc[rows], y[rows])
    assert weighted.cost == repeated.cost
    assert np.array_equal(weighted.counts, repeated.counts)
    assert "weight" in weighted.table().columns


def test_beside_a_constant_a_grid_is_the_partition_of_the_column(table):
    frame, y = table
    y = np.where(frame["pay"] > 4000, "yes", y)
    alone = pt.discretize(frame["pay"], y)
    g = pt.grid(frame["pay"], pd.Series(["same"] * len(frame), name="constant"), y)
    assert g.n_parts == (alone.n_parts, 1)
    assert np.array_equal(g.axes[0].cuts, alone.cuts)
    assert g.cost - g.null_cost == pytest.approx(alone.cost - alone.null_cost)


def test_other_libraries_and_kinds_of_columns(table):
    frame, y = table
    g = pt.grid(frame["pay"], frame["town"], y)
    polars = pl.from_pandas(frame)
    same = pt.grid(polars["pay"], polars["town"], y)
    assert same.cost == g.cost
    assert isinstance(same.table(), pl.DataFrame)
    days = pd.Series(pd.date_range("2024", periods=len(frame)), name="day")
    timed = pt.grid(days, frame["town"], np.where(days > "2025", "new", "old"))
    assert timed.axes[0].cuts.dtype.kind == "M"
    ordered = pd.Series(pd.Categorical(frame["town"], ordered=True), name="town")
    assert pt.grid(frame["age"], ordered, y).axes[1].is_ordered


def test_special_values_are_parts_of_an_axis(table):
    frame, y = table
    age = frame["age"].fillna(-999)
    g = pt.grid(age, frame["town"], y, special_values={"age": [-999]})
    apart = pt.grid(frame["age"], frame["town"], y)
    assert g.cost == pytest.approx(apart.cost)
    assert "special -999" in set(g.table()["part1"])


def test_independent_columns_give_one_cell_without_a_target():
    rng = np.random.default_rng(8)
    g = pt.grid(rng.random(500), rng.random(500))
    assert g.n_parts == (1, 1)
    assert g.level == 0
    assert g.counts.shape == (1, 1)
    assert "lift" in g.table().columns


# Bad input


def refused(error, message, *args, **given):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        pt.grid(*args, **given)


def test_bad_input_is_refused(table):
    frame, y = table
    x = frame["pay"]
    refused(ValueError, "grid: x1 and x2 must be two columns; got the same one twice.", x, x, y)
    refused(
        ValueError,
        "grid: x1 and x2 must be two columns; got 'pay' twice. Set names to tell them apart.",
        x,
        x.copy(),
        y,
    )
    refused(
        pt.NotPartitionableError,
        "grid: column 'x2' must hold values; all of them are missing.",
        x,
        [None] * len(x),
        y,
    )
    refused(
        ValueError,
        "grid: method must be 'modl' or 'khiops11'; got 'mdlpc'.",
        x,
        frame["town"],
        y,
        method="mdlpc",
    )
    refused(
        ValueError,
        "grid: max_parts must be an integer of at least 1, one for each axis, or None; got 0.",
        x,
        frame["town"],
        y,
        max_parts=0,
    )
    refused(
        ValueError,
        "grid: x2 and y must have the same number of rows; got inconsistent numbers of samples: "
        "[5, 800].",
        x,
        frame["town"][:5],
        y,
    )
    refused(
        TypeError,
        "grid: the rows of X must be in memory; got a LazyFrame. Collect a lazy frame "
        "(X.collect()), or read the file with polars or pandas, first.",
        pl.from_pandas(frame).lazy(),
        frame["town"],
        y,
    )
    refused(
        ValueError,
        "grid: missing='merge' needs the class that each cell is judged by; got no y. Use "
        "'separate' or 'error'.",
        x,
        x,
        missing="merge",
    )


def test_too_many_cells_are_refused():
    rng = np.random.default_rng(3)
    x = rng.random((2, 9000))
    g = pt.grid(x[0], x[1], names=["a", "b"])
    fine = pt.discretize(x[0], np.arange(9000) % 2, name="a")
    fine = fine.set_cuts(np.sort(x[0])[:-1])
    wide = g.set_axis("a", fine)
    other = pt.discretize(x[1], np.arange(9000) % 2, name="b").set_cuts(np.sort(x[1])[:-1])
    message = (
        "Grid.set_axis: a grid must have at most 10,000,000 cells; the parts of 'a' or 'b' make "
        "81,036,004. Set max_parts, or take fewer columns."
    )
    with pytest.raises(pt.NotPartitionableError, match=f"^{re.escape(message)}$"):
        wide.set_axis("b", other)


def test_edits_refuse_what_is_no_axis_and_no_part(grid):
    with pytest.raises(
        ValueError,
        match=r"^Grid.merge: axis must be a number below 2 or one of 'age' or 'town'; got 'pay'\.$",
    ):
        grid.merge("pay", 0, 1)
    with pytest.raises(
        ValueError,
        match=r"^Grid.merge: an axis and at least two of its parts must be named; got \(0, 1\)\.$",
    ):
        grid.merge(0, 1)
    with pytest.raises(
        ValueError,
        match=r"^Grid.assign: one column must be given for each of 'age' or 'town'; got 1\.$",
    ):
        grid.assign([1.0])
    with pytest.raises(TypeError, match=r"^Grid.set_axis: partition must be Intervals of column"):
        grid.set_axis("age", grid.axes[1])
    with pytest.raises(ValueError, match=r"^Grid.explain|^Grid.merge: the rows of 'age x town'"):
        grid.without_rows().merge("age", 0, 1)


def test_a_table_must_have_the_columns_of_the_axes(table, grid):
    frame, _ = table
    message = (
        "Grid.assign: the table must have a column for each axis, by name; 'town' is not there."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        grid.assign(frame[["age"]])
    message = "Grid.assign: one column must be given for each of 'age' or 'town'; got 1."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        grid.assign(frame["age"])
