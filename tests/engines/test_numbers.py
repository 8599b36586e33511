"""A target that is a number: the same bits on every engine, in pieces and from files of counts."""

import numpy as np
import polars as pl
import pytest

import partage as pt
from engine_frames import LEVELS, QUIET_ENGINES, hostile_table, plain
from helpers import assert_refuses
from partage.exceptions import PartageError

pytestmark = QUIET_ENGINES


def _table(n=600, seed=0):
    """Rows of every kind of value, and a number that most of them say something of."""
    table = hostile_table(n, seed).drop("class")
    rng = np.random.default_rng(seed)
    level = np.nan_to_num(table["integer"].cast(pl.Float64).to_numpy(), nan=-5.0)
    amount = np.where(rng.random(n) < 0.2, 0.0, np.exp(level / 10 + rng.normal(size=n)))
    amount[::31] = -0.0
    return table.with_columns(amount=amount)


@pytest.fixture(scope="module")
def table():
    return _table()


@pytest.fixture(scope="module")
def in_memory(table):
    return pt.TablePartitioner(ordered={"level": LEVELS}).fit(table, target="amount")


def test_partitions_are_those_of_memory(table, in_memory, lazy):
    found = pt.TablePartitioner(ordered={"level": LEVELS}).fit(lazy(table), target="amount")
    assert sum(in_memory.levels_ > 0) > 5
    assert found.levels_.tolist() == in_memory.levels_.tolist()
    for name, partition in in_memory.partitions_.items():
        assert plain(found.partitions_[name]) == plain(partition), name


def test_weights_and_whole_numbers(lazy):
    table = _table(300, seed=3).select("float", "text", pl.col("amount").round().cast(pl.Int64))
    table = table.with_columns(w=np.arange(300) % 4)
    weights = table["w"].to_numpy()
    given = {"target": "amount"}
    wanted = pt.TablePartitioner(target_type="number").fit(
        table.drop("w"), sample_weight=weights, **given
    )
    found = pt.TablePartitioner(target_type="number").fit(lazy(table), sample_weight="w", **given)
    for name, partition in wanted.partitions_.items():
        assert plain(found.partitions_[name]) == plain(partition), name


def test_other_outputs_and_orders_of_rows(table, lazy):
    names = ["float", "text", "amount"]
    shuffled = table.select(names).sample(fraction=1.0, shuffle=True, seed=1)
    for output in ("mean", "median", "averaged"):
        wanted = pt.TablePartitioner(output=output).fit(table.select(names), target="amount")
        found = pt.TablePartitioner(output=output).fit(lazy(shuffled), target="amount")
        plain_rows = table.select(names[:2])
        assert (found.transform(plain_rows) == wanted.transform(plain_rows)).all()


@pytest.mark.parametrize("method", ["modl-classes", "modl-grid", "mean", "gamma"])
def test_other_methods_count_alike(table, method):
    names = ["float", "text", "amount"]
    given = table.select(names).filter(pl.col("amount") > 0)
    wanted = pt.TablePartitioner(method=method).fit(given, target="amount")
    found = pt.TablePartitioner(method=method).fit(given.lazy(), target="amount")
    pieces = pt.TablePartitioner(method=method)
    for start in (0, 150, 300):
        stop = start + 150 if start < 300 else len(given)
        pieces.partial_fit(given[start:stop], target="amount")
    for name, partition in wanted.partitions_.items():
        assert plain(found.partitions_[name]) == plain(partition), name
        assert plain(pieces.partitions_[name]) == plain(partition), name


def test_pieces_are_the_whole(table, in_memory):
    pieces = [table[:200], table[200:350].lazy(), table[350:]]
    found = pt.TablePartitioner(ordered={"level": LEVELS})
    for piece in pieces:
        found.partial_fit(piece, target="amount")
    for name, partition in in_memory.partitions_.items():
        assert plain(found.partitions_[name]) == plain(partition), name


def test_counts_add_up_and_are_saved(table, tmp_path):
    counts = pt.Contingency.of(table[:250], "float", "amount")
    counts += pt.Contingency.of(table[250:].lazy(), "float", "amount")
    assert repr(counts).endswith("a number, 600 rows)")
    counts.save(tmp_path / "counts.npz")
    read = pt.Contingency.load(tmp_path / "counts.npz")
    whole = pt.discretize(table["float"], table["amount"], name="float")
    assert plain(read.discretize()) == plain(whole)
    assert read.n_rows == read.total_weight == 600
    held = table["float"].to_numpy() == counts.values[3]
    assert counts.means[3] == pytest.approx(table["amount"].to_numpy()[held].mean())
    groups = pt.Contingency.of(table, "text", "amount").group()
    assert plain(groups) == plain(pt.group(table["text"], table["amount"], name="text"))


def test_damaged_files_of_counts_are_refused(table, tmp_path):
    path = tmp_path / "counts.npz"
    pt.Contingency.of(table, "float", "amount").save(path)
    with np.load(path) as file:
        arrays = dict(file)
    for values in (arrays["values"][:-1], np.full(len(arrays["values"]), np.nan)):
        np.savez(tmp_path / "bad.npz", **{**arrays, "values": values})
        with pytest.raises(PartageError, match="is damaged"):
            pt.Contingency.load(tmp_path / "bad.npz")


def test_messages(table, lazy):
    who = "TablePartitioner.fit"
    number = pt.TablePartitioner(target_type="number")
    small = table.select("float", "text", "amount", "integer")
    assert_refuses(
        lambda: number.fit(lazy(small), target="text"),
        TypeError,
        f"{who}: y must hold numbers for target_type='number'; column 'text' is of the kind "
        "String. For classes leave target_type out, or take a classifier.",
    )
    assert_refuses(
        lambda: number.fit(lazy(small), target="integer"),
        ValueError,
        f"{who}: Input y contains NaN; drop these rows.",
    )
    assert_refuses(
        lambda: pt.TablePartitioner(output="rate").fit(lazy(small), target="amount"),
        ValueError,
        "TablePartitioner: output='rate' is for classes, and y is a number; use output='mean'.",
    )


def test_pieces_of_classes_and_numbers_do_not_add_up():
    whole = pl.DataFrame({"x": [1, 2, 3], "y": [1.0, 2.0, 3.0]})
    parts = pl.DataFrame({"x": [1, 2, 3], "y": [1.5, 2.0, 3.0]})
    one, other = (pt.Contingency.of(table, "x", "y") for table in (whole, parts))
    assert_refuses(
        lambda: one + other,
        TypeError,
        "Contingency: the target must be one throughout; got classes and a number. Count all "
        "pieces with the same target_type.",
    )
    number = pt.Contingency.of(whole, "x", "y", target_type="number") + other
    assert number.means.tolist() == [1.25, 2.0, 3.0]
    assert_refuses(
        lambda: one.means,
        ValueError,
        "Contingency.means: output='mean' is for a y of numbers, and y holds classes; use "
        "output='rate', or target_type='number'.",
    )
