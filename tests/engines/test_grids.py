"""Grids of the same rows are the same, bit for bit, in memory and on every engine."""

import numpy as np
import polars as pl
import pytest

import partage as pt
from engine_frames import QUIET_ENGINES, engine_parameters, hostile_table, in_memory

pytestmark = QUIET_ENGINES

COLUMNS = ["float", "small", "text", "boolean", "date", "noise", "rows"]


@pytest.fixture(scope="module")
def table():
    return hostile_table(500, seed=11).select(*COLUMNS, "class")


def listed(frame):
    """Rows of a table of any library."""
    frame = pl.from_pandas(frame) if not isinstance(frame, pl.DataFrame) else frame
    return frame.to_dicts()


def same(one, two):
    """Whether two grids say the same; the rows behind them may stand in another order."""
    assert one.cost == two.cost
    assert one.null_cost == two.null_cost
    assert one.n_parts == two.n_parts
    assert one.counts.tolist() == two.counts.tolist()
    assert one.rows.tolist() == two.rows.tolist()
    assert [axis.labels() for axis in one.axes] == [axis.labels() for axis in two.axes]
    assert one.column_gains == two.column_gains
    merges = one.hierarchy(), two.hierarchy()
    assert listed(merges[0]) == listed(merges[1])


def test_pairs_are_those_of_memory(table, lazy):
    wanted = pt.pairs(table, target="class")
    assert listed(pt.pairs(lazy(table), target="class")) == listed(wanted)
    assert (wanted["search"] == "refined").any()


def test_pairs_without_a_target_are_those_of_memory(table, lazy):
    few = table.select(COLUMNS[:4])
    assert listed(pt.pairs(lazy(few))) == listed(pt.pairs(few))


@pytest.mark.parametrize("pair", [("float", "text"), ("date", "noise"), ("boolean", "rows")])
def test_grids_are_those_of_memory(table, lazy, pair):
    source = lazy(table)
    same(pt.grid(*pair, "class", X=source), pt.grid(*pair, "class", X=table))
    same(
        pt.grid(*pair, X=source, method="khiops11"),
        pt.grid(table[pair[0]], table[pair[1]], method="khiops11"),
    )


def test_special_values_are_parts_of_an_axis(table, lazy):
    given = {"special_values": {"small": [3, -7]}, "min_cell_size": 0.01}
    found = pt.grid("small", "text", "class", X=lazy(table), **given)
    same(found, pt.grid("small", "text", "class", X=table, **given))


def test_weights_are_those_of_a_column(table, lazy):
    weighed = table.with_columns(w=np.arange(500) % 4)
    weights = weighed["w"].to_numpy()
    found = pt.grid("float", "text", "class", X=lazy(weighed), sample_weight="w")
    wanted = pt.grid("float", "text", "class", X=table, sample_weight=weights)
    same(found, wanted)
    same(
        pt.cocluster(lazy(weighed), ["text", "rows"], weight="w"),
        pt.cocluster(weighed, ["text", "rows"], weight="w"),
    )


@pytest.mark.parametrize("output", ["code", "onehot", "rate", "woe", "label"])
def test_features_are_those_of_memory(table, lazy, output):
    few = table.select("float", "small", "text", "class")
    given = {"pairs": [("float", "text"), ("small", "float")], "output": output}
    wanted = pt.GridPartitioner(**given).fit(few, target="class")
    found = pt.GridPartitioner(**given).fit(lazy(few), target="class")
    assert listed(found.summary()) == listed(wanted.summary())
    shown = in_memory(found.transform(lazy(few)))
    names = found.get_feature_names_out().tolist()
    assert shown.columns == ["class", *names]
    expected = wanted.transform(few.drop("class"))
    order = np.lexsort(expected.astype(str).T)
    given_order = np.lexsort(shown.select(names).to_numpy().astype(str).T)
    if output == "label":
        assert shown[names].to_numpy()[given_order].tolist() == expected[order].tolist()
    else:
        found_values = np.sort(shown[names].to_numpy().astype(float), axis=0)
        # An engine may read a literal to its last digit but one.
        assert found_values == pytest.approx(np.sort(expected.astype(float), axis=0), rel=1e-14)


@pytest.mark.parametrize("engine", engine_parameters(["duckdb", "polars"]))
def test_codes_of_a_lazy_table(table, lazy, engine):  # noqa: ARG001  # names the engine of lazy
    g = pt.grid("float", "text", "class", X=table)
    found = in_memory(g.assign(lazy(table)))
    assert found.columns == [*table.columns, "float x text"]
    wanted = g.assign(table["float"], table["text"])
    assert found["float x text"].to_list() == wanted.tolist()


@pytest.mark.parametrize("engine", engine_parameters(["duckdb", "polars"]))
def test_long_tables_are_counted_by_quantiles(lazy, engine, monkeypatch):  # noqa: ARG001
    rng = np.random.default_rng(3)
    x1, x2 = rng.random((2, 4000))
    flipped = rng.random(4000) < 0.1
    frame = pl.DataFrame({"x1": x1, "x2": x2, "y": ((x1 > 0.4) ^ (x2 > 0.7)) ^ flipped})
    monkeypatch.setattr("partage.engines.joint.N_COUNTED", 64)
    source = pt.engines.scan(lazy(frame), most_values=1000)
    found = pt.grid("x1", "x2", "y", X=source)
    exact = pt.grid("x1", "x2", "y", X=frame)
    assert found.n_parts == exact.n_parts == (2, 2)
    assert max(found.entries.n_values) <= 70  # quantiles, and the cuts of the columns alone
    assert 0 <= found.cost - exact.cost < 40
    assert found.counts.sum() == 4000
    assert (found.assign(frame["x1"], frame["x2"]) < 16).all()


@pytest.mark.parametrize("engine", engine_parameters(["polars"]))
def test_messages(table, lazy, engine):  # noqa: ARG001
    source = lazy(table)
    with pytest.raises(
        ValueError, match=r"^pairs: target must name the column that holds y, and y"
    ):
        pt.pairs(source, [0, 1])
    with pytest.raises(
        ValueError,
        match=r"^grid: x1 must name columns of X; got 'floats'; did you mean 'float'\?$",
    ):
        pt.grid("floats", "text", "class", X=source)
    with pytest.raises(
        ValueError,
        match=r"^cocluster: weight must name columns of X; got 'noisy'; did you mean 'noise'\?$",
    ):
        pt.cocluster(source, ["float", "text"], weight="noisy")
