"""The gap: never unknown, never below what the optimum leaves, and 0 where it is proven."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partage as pt
from partage import _core
from partage._partitions.found import OpenGap
from partage._search.core import find_partition, partition_cost
from partage._search.limits import Limits
from partage._search.methods import group_methods, methods
from partage._spaces.space import space_from_counts
from reference.searches import exhaustive

BIT = math.log(2)
JUDGES = [name for name, m in methods().items() if m.judges_partitions and "exact" in m.searches]
SIZES = [(8, 32), (8, 2), (3, 2), (2, 1), (1, 2), (1, 1)]  # blocks of a leaf, leaves of a tile


def tables(rng, n_tables, most_units):
    """Columns of some pieces, with ties and weights."""
    for _ in range(n_tables):
        n, n_classes = int(rng.integers(1, most_units + 1)), int(rng.integers(2, 5))
        shares = rng.dirichlet(np.full(n_classes, 0.7), size=3)[np.arange(n) * 3 // n]
        sizes = rng.integers(1, 20, size=n) if rng.random() < 0.5 else np.ones(n, dtype=int)
        counts = np.array([rng.multinomial(m, p) for m, p in zip(sizes, shares, strict=True)])
        yield counts * (rng.uniform(0.1, 3.0) if rng.random() < 0.3 else 1.0)


def bound(space, name, limits, sizes):
    numbers = methods()[name].numbers("bound", None)
    asked = limits.n_parts or 0, limits.max_parts or 0
    return _core.lower_bound(
        space.line, name, numbers, *asked, None, None, math.inf, sizes[0], sizes[1]
    )


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_partition_costs_less_than_the_bound(name, seed):
    rng = np.random.default_rng(seed)
    for counts in tables(rng, 60, 40):
        space = space_from_counts(counts)
        n_units = len(counts)
        for limits in (Limits(max_parts=4), Limits(n_parts=min(3, n_units)), Limits()):
            if limits.is_free and methods()[name].needs_size:
                continue
            best = find_partition(space, methods()[name], "exact", limits).cost
            for sizes in SIZES:
                found = bound(space, name, limits, sizes)
                assert found <= best + 1e-9 * abs(best) + 1e-12, (sizes, limits)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["modl", "entropy", "gini"]))
@settings(max_examples=60, deadline=None)
def test_the_bound_is_below_every_partition_that_is_listed(seed, name):
    rng = np.random.default_rng(seed)
    (counts,) = tables(rng, 1, 8)
    best = exhaustive(counts, name)[1]
    for sizes in SIZES:
        found = bound(space_from_counts(counts), name, Limits(), sizes)
        assert found <= best + 1e-9 * abs(best) + 1e-12


@pytest.mark.parametrize("name", ["modl", "entropy", "gini"])
def test_a_bound_over_single_blocks_is_the_optimum(name):
    # Nothing is joined, and no tile can be cut: the relaxed program is the program.
    for counts in tables(np.random.default_rng(5), 40, 25):
        space = space_from_counts(counts)
        best = find_partition(space, methods()[name], "exact").cost
        assert bound(space, name, Limits(), (1, 1)) == pytest.approx(best, rel=1e-9, abs=1e-9)


def test_fixed_cuts_and_candidates_raise_the_bound_no_higher_than_their_optimum():
    rng = np.random.default_rng(3)
    modl = methods()["modl"]
    for counts in tables(rng, 60, 30):
        n_units = len(counts)
        if n_units < 6:
            continue
        space = space_from_counts(counts)
        core = _core.Constraints()
        fixed = sorted(rng.choice(np.arange(1, n_units), size=2, replace=False).tolist())
        core.set_fixed(fixed, 0)
        if rng.random() < 0.5:
            core.set_borders(sorted({0, *fixed, *range(0, n_units, 2), n_units}))
        best = find_partition(space, modl, "exact", constraints=core).cost
        for sizes in SIZES:
            found = _core.lower_bound(space.line, "modl", [], 0, 0, None, core, math.inf, *sizes)
            assert found <= best + 1e-9 * abs(best)


def test_a_long_column_has_a_gap_of_few_bits_a_cut():
    rng = np.random.default_rng(8)
    x = rng.normal(size=200_000)
    for rate, most in ((np.full(len(x), 0.3), 0.0), (0.5 + 0.3 * np.sign(x), 10.0)):
        p = pt.discretize(x, rng.random(len(x)) < rate, search="coarse")
        assert p.is_optimal == (p.gap == 0.0)
        assert 0.0 <= p.gap <= most * (p.n_parts - 1)


@pytest.mark.parametrize("method", list(methods()))
@pytest.mark.parametrize("merge", ["separate", "merge"])
def test_the_gap_of_every_method_covers_the_optimum_of_its_cost(method, merge):
    rng = np.random.default_rng(11)
    known = methods()[method]
    limits = {"max_parts": 4} if known.needs_size else {}
    for _ in range(6):
        x = np.round(rng.normal(size=60), 1)
        y = rng.random(60) < 0.5 + 0.4 * np.sign(x)
        x[rng.random(60) < 0.1] = np.nan
        p = pt.discretize(x, y, method=method, missing=merge, **limits)
        assert isinstance(p.gap, float)
        assert math.isfinite(p.gap)
        unit = BIT if known.unit == "nats" else 1.0
        name = known.criterion
        best = pt.discretize(
            x, y, method=name, search="exact", missing=merge, **limits,
            method_params=p.method_params if name == method else None,
        )  # fmt: skip
        assert p.gap >= (p.cost - best.cost) / unit - 1e-6


@pytest.mark.parametrize("method", list(group_methods()))
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_gap_of_groups_covers_what_other_groups_save(method, n_classes):
    rng = np.random.default_rng(12)
    colours = np.array(list("abcdefg"))
    known = group_methods()[method]
    for _ in range(6):
        c = rng.integers(7, size=150)
        y = (c % 3 + (rng.random(150) < 0.5)) % n_classes
        p = pt.group(colours[c], y, method=method)
        assert isinstance(p.gap, float)
        assert 0.0 <= p.gap < math.inf
        if p.n_parts > 1:
            best = min(p.merge(0, k).cost for k in range(1, p.n_parts))
            unit = BIT if known.unit == "nats" else 1.0
            assert p.gap >= (p.cost - best) / unit - 1e-6


@pytest.mark.parametrize("trend", ["ascending", "peak", "valley", "auto"])
def test_every_trend_has_a_gap(trend):
    rng = np.random.default_rng(13)
    x = rng.normal(size=3000)
    y = rng.random(3000) < 0.5 + 0.3 * np.sin(3 * x)
    exact = pt.discretize(x, y, monotonic=trend, search="exact")
    coarse = pt.discretize(x, y, monotonic=trend, search="coarse")
    assert exact.gap == 0.0
    assert coarse.gap >= (coarse.cost - exact.cost) / BIT - 1e-6


def test_edits_and_other_rows_have_a_gap():
    rng = np.random.default_rng(14)
    x = rng.normal(size=2000)
    y = rng.random(2000) < 0.5 + 0.3 * np.sign(x)
    p = pt.discretize(x, y, search="exact")
    edited = p.split(0, at=-1.0)
    assert edited.gap == pytest.approx(p.gap + edited.history[0].price)
    again = p.recount(x[:500], y[:500])
    best = pt.discretize(x[:500], y[:500], search="exact")
    counted = partition_cost(again.counts, "modl")
    assert again.gap >= (counted - best.cost) / BIT - 1e-6


def test_the_gap_is_kept_by_files_and_by_joined_values():
    rng = np.random.default_rng(15)
    x = rng.normal(size=20_000)
    y = rng.random(20_000) < 0.5 + 0.3 * np.sign(x)
    p = pt.discretize(x, y, search="top-down")
    assert pt.from_dict(p.to_dict()).gap == p.gap
    X = pd.DataFrame({"x": x})
    fitted = pt.Discretizer(search="top-down").fit(X, y).partitions_["x"]
    assert fitted._with_units_of_at_most(1).gap == p.gap


def test_the_gap_is_said_in_words():
    rng = np.random.default_rng(16)
    x = rng.normal(size=2000)
    y = rng.random(2000) < 0.5 + 0.3 * np.sign(x)
    greedy = pt.discretize(x, y, n_parts=2, search="top-down").split(0, at=-1.0)
    said = f"at most {greedy.gap:.1f} bits above the optimum"
    assert said in str(greedy.explain())
    assert said in greedy._repr_html_()
    proven = pt.discretize(x, y, search="exact")
    assert "no other partition costs less (proven)" in str(proven.explain())


@pytest.fixture
def three_classes():
    """Parts of more values than a proof takes, whose gap nobody asked for."""
    rng = np.random.default_rng(3)
    x = rng.random(10_000)
    y = (3 * x + rng.normal(size=len(x))).round().clip(0, 2).astype(int)
    found = pt.discretize(x, y)
    assert found.found.gap is None
    return found


def test_the_gap_of_joined_values_is_that_of_all_values(three_classes):
    joined = three_classes._with_units_of_at_most(0)
    again = pickle.loads(pickle.dumps(three_classes._with_units_of_at_most(0)))
    assert joined.units.n_units < three_classes.units.n_units
    assert isinstance(joined.found.gap, OpenGap)
    assert isinstance(again.found.gap, float)
    assert joined.gap == again.gap == three_classes.gap > 0


def test_an_edit_of_joined_values_does_not_keep_the_gap_of_before(three_classes):
    open_gap = three_classes._with_units_of_at_most(0)
    settled = three_classes._with_units_of_at_most(0)
    assert settled.gap > 0
    assert open_gap.merge(0, 1).gap == settled.merge(0, 1).gap > settled.gap
