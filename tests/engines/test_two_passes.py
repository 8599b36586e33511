"""Numbers of many values: small intervals first, then the rows around every cut."""

import datetime

import numpy as np
import polars as pl
import pytest

import partage as pt
from engine_frames import QUIET_ENGINES
from helpers import sweep
from partage.engines import scan, two_passes

pytestmark = QUIET_ENGINES
CUTS = [0.13, 0.37, 0.52, 0.81]


def pieces(seed, n=30_000, rates=(0.3, 0.6, 0.4, 0.7, 0.3)):
    """Numbers between 0 and 1 and two classes, whose rates change at four cuts."""
    rng = np.random.default_rng(seed)
    x = rng.random(n)
    y = rng.random(n) < np.array(rates)[np.searchsorted(CUTS, x)]
    return x, np.where(y, "yes", "no")


def fit(lazy, most_values=2000, **options):
    enc = pt.Discretizer(**options).fit(scan(lazy, most_values=most_values), target="class")
    return enc.partitions_["x"]


def test_every_engine_finds_the_same_and_says_that_it_is_not_proven(lazy):
    x, y = pieces(1)
    x[:500] = np.nan
    table = pl.DataFrame({"x": x, "class": y})
    found = fit(lazy(table))
    wanted = fit(table.lazy())
    assert not found.exact_counts
    assert not found.is_optimal
    assert found.loss_bound > 0
    assert found.cuts.tolist() == wanted.cuts.tolist()
    assert found.counts.tolist() == wanted.counts.tolist()
    in_memory = pt.discretize(x, y)
    assert found.cost <= in_memory.cost * (1 + 1e-12)
    assert found.null_cost == in_memory.null_cost
    assert found.missing_counts.tolist() == in_memory.missing_counts.tolist()
    assert abs(found.n_values / 29_500 - 1) < 0.1


@pytest.mark.parametrize("seed", sweep(range(6)))
def test_cost_is_that_of_memory(seed):
    x, y = pieces(seed, 100_000)
    found = fit(pl.LazyFrame({"x": x, "class": y}), 10_000)
    assert found.cost <= pt.discretize(x, y).cost + 1e-6
    codes = found.assign(x)
    for k in range(found.n_parts):
        values, n = np.unique(y[codes == k], return_counts=True)
        assert values.tolist() == ["no", "yes"]
        assert found.counts[k].tolist() == n.tolist()


def test_thin_piece_is_found():
    rng = np.random.default_rng(0)
    x = np.sort(rng.random(200_000))
    rate = np.full(len(x), 0.5)
    rate[80_000:80_300] = 0.85
    y = rng.random(len(x)) < rate
    found = fit(pl.LazyFrame({"x": x, "class": y}), 10_000)
    assert found.n_parts == 3
    assert np.abs(found.cuts - x[[80_000, 80_300]]).max() < 1e-4


START = datetime.datetime(2026, 1, 1)
KINDS = {
    "float32": lambda x: pl.Series(x, dtype=pl.Float32),
    "integer": lambda x: pl.Series((x * 2**30).astype(np.int64)),
    "beyond": lambda x: pl.Series(2**60 + (x * 2**40).astype(np.int64)),
    "unsigned": lambda x: pl.Series(2**63 + (x * 2**40).astype(np.uint64)),
    "time": lambda x: pl.Series((x * 1e12).astype("M8[us]")),
    "milliseconds": lambda x: pl.Series((x * 1e9).astype("M8[ms]")),
    "infinite": lambda x: pl.Series(np.where(x < 0.01, -np.inf, np.where(x > 0.98, np.inf, x))),
    "signed zero": lambda x: pl.Series(np.where(x < 0.02, 0.0, np.where(x < 0.04, -0.0, x))),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_number_gives_the_cuts_of_memory(kind):
    x, y = pieces(3)
    values = KINDS[kind](x)
    values = values.set(pl.Series(np.arange(len(x)) % 50 == 0), None)
    found = fit(pl.LazyFrame({"x": values, "class": y}))
    wanted = pt.discretize(values, y)
    assert not found.exact_counts
    assert found.cuts.dtype == wanted.cuts.dtype
    assert found.cuts.tolist() == wanted.cuts.tolist()
    assert found.counts.tolist() == wanted.counts.tolist()
    assert found.cost == wanted.cost


@pytest.mark.parametrize(
    "options",
    [
        {"n_parts": 3},
        {"min_part_size": 5000},
        {"special_values": [2.5, 7.0]},
        {"method": "fusinter"},
        {"method": "mdlpc"},
        {"method": "equal-width", "max_parts": 4},
        {"method": "equal-frequency", "n_parts": 4},
    ],
    ids=str,
)
def test_options_hold_as_in_memory(options):
    x, y = pieces(4)
    x[:300], x[300:700], x[700:1000] = np.nan, 2.5, 7.0
    found = fit(pl.LazyFrame({"x": x, "class": y}), **options)
    wanted = pt.Discretizer(**options).fit(x[:, None], y).partitions_["x0"]
    assert found.cuts.tolist() == wanted.cuts.tolist()
    assert found.counts.tolist() == wanted.counts.tolist()
    assert found.missing_counts.tolist() == wanted.missing_counts.tolist()
    assert found.special_counts.tolist() == wanted.special_counts.tolist()
    assert found.rows.tolist() == wanted.rows.tolist()
    assert found.cost == wanted.cost
    assert (found.loss_bound is None) == ("method" in options)


def test_merged_gaps_cost_little_more_than_in_memory():
    x, y = pieces(4)
    x[:300] = np.nan
    found = fit(pl.LazyFrame({"x": x, "class": y}), missing="merge")
    wanted = pt.Discretizer(missing="merge").fit(x[:, None], y).partitions_["x0"]
    assert found.n_parts == wanted.n_parts
    assert found.missing_counts.tolist() == wanted.missing_counts.tolist()
    assert wanted.cost <= found.cost <= wanted.cost + 1e-3 * (wanted.null_cost - wanted.cost)


def test_classes_too_many_for_a_chain_of_tests_are_counted():
    x, y = pieces(5)
    rng = np.random.default_rng(5)
    label = np.where(y == "yes", rng.integers(0, 70, len(x)), rng.integers(35, 90, len(x)))
    found = fit(pl.LazyFrame({"x": x, "class": label}))
    wanted = pt.discretize(x, label)
    assert len(found.classes) == 90
    assert found.cuts.tolist() == wanted.cuts.tolist()
    assert found.counts.tolist() == wanted.counts.tolist()


def test_weights_are_counted_beside_rows():
    x, y = pieces(5, rates=(0.1, 0.8, 0.2, 0.9, 0.1))
    weight = np.random.default_rng(5).integers(0, 2, len(x)) * 1.5
    source = scan(pl.LazyFrame({"x": x, "class": y, "w": weight}), most_values=2000)
    found = pt.Discretizer().fit(source, target="class", sample_weight="w").partitions_["x"]
    wanted = pt.discretize(x, y, sample_weight=weight)
    assert found.cuts.tolist() == wanted.cuts.tolist()
    assert found.counts.tolist() == wanted.counts.tolist()
    assert found.rows.tolist() == wanted.rows.tolist()


@pytest.mark.parametrize("seed", sweep(range(8)))
def test_no_partition_of_the_values_costs_less_than_the_bound_allows(seed, monkeypatch):
    # Nothing is read around the cuts, so that the bound has something to say.
    monkeypatch.setattr(
        two_passes.SmallIntervals, "around", lambda small, _: np.zeros(small.n, dtype=bool)
    )
    x, y = pieces(seed, 600, (0.05, 0.95, 0.1, 0.9, 0.2))
    found = fit(pl.LazyFrame({"x": x, "class": y}), 50)
    best = pt.discretize(x, y, search="exact")
    assert best.n_parts <= found.n_parts + 1
    assert best.cost < found.cost
    assert found.cost - found.loss_bound <= best.cost


def test_option_forces_exact_counts():
    x, y = pieces(6)
    lazy = pl.LazyFrame({"x": x, "class": y})
    enc = pt.Discretizer().fit(scan(lazy, most_values=2000, exact=True), target="class")
    found, wanted = enc.partitions_["x"], pt.discretize(x, y)
    assert found.exact_counts
    assert found.loss_bound == 0.0
    assert found.n_values == len(np.unique(x))
    assert found.cost == wanted.cost
    assert found.cuts.tolist() == wanted.cuts.tolist()


def test_given_cuts_are_counted_at_single_values():
    x, y = pieces(8)
    found = fit(pl.LazyFrame({"x": x, "class": y}), user_cuts=[0.2, 0.6])
    wanted = pt.discretize(x, y, user_cuts=[0.2, 0.6])
    assert found.exact_counts
    assert {0.2, 0.6} < set(found.cuts.tolist())
    assert found.cuts.tolist() == wanted.cuts.tolist()
    assert found.counts.tolist() == wanted.counts.tolist()


def test_edits_keep_to_what_was_counted():
    x, y = pieces(7)
    found = fit(pl.LazyFrame({"x": x, "class": y}))
    edited = found.set_cuts([*found.cuts.tolist(), 0.9])
    codes = np.searchsorted(edited.cuts, x, side="left")
    rows = [np.unique(y[codes == k], return_counts=True)[1] for k in range(edited.n_parts)]
    assert edited.counts.tolist() == np.array(rows).tolist()
