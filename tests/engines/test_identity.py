"""The same rows give the same partitions, bit for bit, in memory and on every engine."""

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

import partage as pt
from engine_frames import LEVELS, QUIET_ENGINES, engine_parameters, hostile_table, plain
from helpers import sweep

pytestmark = QUIET_ENGINES


@pytest.fixture(scope="module")
def table():
    return hostile_table()


@pytest.fixture(scope="module")
def in_memory(table):
    return pt.TablePartitioner(ordered={"level": LEVELS}).fit(table, target="class")


def test_reference_is_worth_comparing_with(in_memory):
    levels = dict(zip(in_memory.partitions_, in_memory.levels_, strict=True))
    idle = {name for name, level in levels.items() if level == 0}
    assert idle == {"constant", "empty", "noise"}


def test_partitions_are_those_of_memory(table, in_memory, lazy):
    found = pt.TablePartitioner(ordered={"level": LEVELS}).fit(lazy(table), target="class")
    assert found.classes_.tolist() == in_memory.classes_.tolist()
    assert found.feature_names_in_.tolist() == in_memory.feature_names_in_.tolist()
    assert found.levels_.tolist() == in_memory.levels_.tolist()
    for name, partition in in_memory.partitions_.items():
        assert plain(found.partitions_[name]) == plain(partition), name
        assert found.partitions_[name].exact_counts


def test_weights_are_counted_beside_rows(lazy):
    table = hostile_table(300, seed=3).select("float", "text", "small", "class")
    table = table.with_columns(w=np.arange(300) % 4)
    weights = table["w"].to_numpy()
    wanted = pt.TablePartitioner().fit(table.drop("w"), target="class", sample_weight=weights)
    found = pt.TablePartitioner().fit(lazy(table), target="class", sample_weight="w")
    for name, partition in wanted.partitions_.items():
        assert plain(found.partitions_[name]) == plain(partition), name


@pytest.mark.parametrize("engine", engine_parameters(["duckdb", "polars", "dask"]))
def test_declared_order_of_categories_is_kept(engine, lazy):
    table = hostile_table(300, seed=4).select(
        pl.col("level").cast(pl.Enum(LEVELS)), pl.col("text").cast(pl.Categorical), "class"
    )
    wanted = pt.TablePartitioner().fit(table, target="class")
    found = pt.TablePartitioner().fit(lazy(table), target="class")
    assert wanted.partitions_["level"].is_ordered
    for name, partition in wanted.partitions_.items():
        assert plain(found.partitions_[name]) == plain(partition), (engine, name)


@pytest.mark.parametrize("estimator", [pt.Discretizer(method="mdlpc"), pt.Grouper(method="chaid")])
def test_other_estimators_and_methods_take_lazy_frames(estimator, lazy):
    names = ["small", "noise"] if isinstance(estimator, pt.Discretizer) else ["text", "boolean"]
    table = hostile_table(300, seed=5).select(*names, "class")
    wanted = clone(estimator).fit(table, target="class")
    found = clone(estimator).fit(lazy(table), target="class")
    for name, partition in wanted.partitions_.items():
        assert plain(found.partitions_[name]) == plain(partition), name


def test_counts_of_an_engine_add_up_with_those_of_memory(lazy):
    table = hostile_table(200, seed=6).select("text", "class")
    counts = pt.Contingency.of(lazy(table[:150]), "text", "class")
    counts += pt.Contingency.of(table[150:], "text", "class")
    wanted = pt.Contingency.of(table, "text", "class")
    assert counts.values.tolist() == wanted.values.tolist()
    assert counts.counts.tolist() == wanted.counts.tolist()
    assert counts.missing_counts.tolist() == wanted.missing_counts.tolist()


def test_partial_fit_takes_lazy_pieces():
    table = hostile_table(400, seed=7).select("float", "text", "beyond", "class")
    found = pt.TablePartitioner()
    for piece in (table[:100], table[100:]):
        found.partial_fit(piece.lazy(), target="class")
    wanted = pt.TablePartitioner().fit(table, target="class")
    for name, partition in wanted.partitions_.items():
        assert plain(found.partitions_[name]) == plain(partition), name


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_catalogue_sets_give_the_partitions_of_memory(engine, lazy, large_sets):
    for name, table in sweep(large_sets.items()):
        wanted = pt.TablePartitioner().fit(table, target="class")
        found = pt.TablePartitioner().fit(lazy(table), target="class")
        assert found.levels_.tolist() == wanted.levels_.tolist(), (engine, name)
        for column, partition in wanted.partitions_.items():
            assert plain(found.partitions_[column]) == plain(partition), (name, column)
