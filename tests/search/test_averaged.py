"""Averaged shares and the parts that summarise them, beside enumeration of all partitions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partage as pt
from helpers import assert_refuses, examples
from partage._search.averaged import averaged_cells, averaged_shares, information
from partage._spaces.space import space_from_counts
from partage.exceptions import NotPartitionableError
from reference import averaged as reference
from reference.runs import merge_units
from reference.sums import sum_partitions
from strategies import tables


def rows_of(units):
    """Rows that hold these class counts at 0, 1, 2, ..."""
    unit, label = np.nonzero(units)
    each = units[unit, label].astype(int)
    return np.repeat(unit.astype(float), each), np.repeat(label, each)


def counts_of(draw_seed, n_units, n_classes, size):
    """Class counts whose shares drift along the line."""
    rng = np.random.default_rng(draw_seed)
    shares = rng.dirichlet(np.ones(n_classes), size=2)
    along = np.linspace(0, 1, n_units)[:, None]
    mixed = (1 - along) * shares[0] + along * shares[1]
    units = np.array([rng.multinomial(size, row) for row in mixed]).astype(float)
    units[0] += 1  # no class is absent
    return units


@settings(max_examples=examples(90))
@given(units=tables(max_units=8, max_classes=4))
def test_shares_are_the_mean_over_all_partitions(units):
    expected = sum_partitions(units, log_prior=reference.log_prior(len(units))).shares
    assert averaged_shares(units) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=examples(90))
@given(units=tables(max_units=30, max_classes=3))
def test_cells_end_next_to_quantiles(units):
    found = averaged_cells(space_from_counts(units))
    assert found.starts.tolist() == [*reference.cells(units), len(units)]
    assert np.array_equal(found.counts, merge_units(units, found.starts[:-1].tolist()))
    assert found.shares.sum(axis=1) == pytest.approx(1)


def test_a_long_column_has_128_cells():
    units = np.ones((5000, 2))
    sizes = np.diff(averaged_cells(space_from_counts(units)).starts)
    assert len(sizes) == 128
    assert set(sizes.tolist()) <= {39, 40}


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_parts", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"min_part_size": 60},
        {"min_class_count": 14},
        {"monotonic": "ascending"},
        {"monotonic": "descending", "min_part_size": 50},
        {"monotonic": "peak", "min_class_count": 8},
        {"monotonic": "auto"},
    ],
    ids=str,
)
def test_parts_keep_as_much_of_the_shares_as_any(n_classes, n_parts, limits):
    for seed in range(3):
        units = counts_of(seed, 8, n_classes, 30)
        cells = averaged_cells(space_from_counts(units))
        assert len(cells.shares) == 8
        best = reference.best_summary(cells.rows, units, n_parts, **limits)
        x, y = rows_of(units)
        try:
            p = pt.discretize(x, y, method="averaged", n_parts=n_parts, **limits)
        except NotPartitionableError:
            assert best is None
            continue
        kept = information(p.averaged.class_counts[:n_parts])
        assert kept == pytest.approx(best, abs=1e-9)
        assert p.n_parts == n_parts
        assert p.violations == ()
        starts = np.searchsorted(np.arange(8), p.cuts, side="right")
        rows = merge_units(cells.rows, [0, *starts])
        assert p.shares == pytest.approx(rows / rows.sum(axis=1, keepdims=True))
        assert np.array_equal(p.counts, merge_units(units, [0, *starts]))


@pytest.mark.parametrize("keep", [0.3, 0.8, 0.99, 1.0])
def test_the_fewest_parts_keep_what_is_asked(keep):
    units = counts_of(5, 9, 2, 40)
    cells = averaged_cells(space_from_counts(units))
    whole = information(cells.rows)
    x, y = rows_of(units)
    p = pt.discretize(x, y, method="averaged", method_params={"keep": keep})
    kept = [reference.best_summary(cells.rows, units, k) for k in range(1, 10)]
    wanted = next(k for k, one in enumerate(kept, 1) if one >= keep * whole - 1e-9)
    assert p.n_parts == wanted
    two = pt.discretize(x, y, method="averaged", method_params={"keep": keep}, max_parts=2)
    assert two.n_parts == min(wanted, 2)


def test_as_many_parts_as_are_allowed_where_they_add_something():
    units = counts_of(5, 9, 2, 40)
    x, y = rows_of(units)
    cells = averaged_cells(space_from_counts(units))
    whole = information(cells.rows)
    for most in range(1, 10):
        p = pt.discretize(x, y, method="averaged", max_parts=most)
        kept = [reference.best_summary(cells.rows, units, k) for k in range(1, most + 1)]
        enough = [k for k, one in enumerate(kept, 1) if one >= 0.999 * whole]
        assert p.n_parts == min([*enough, most])


def test_round_cuts_lose_no_more_than_their_budget():
    rng = np.random.default_rng(10)
    x = rng.normal(size=2000) * 37
    y = rng.random(2000) < 1 / (1 + np.exp(-x / 37))
    best = pt.discretize(x, y, method="averaged", n_parts=5)
    for bits in (0.0, 1.0, 4.0):
        p = pt.discretize(x, y, method="averaged", n_parts=5, round_cuts=bits)
        lost = information(best.averaged.class_counts[:5]) - information(
            p.averaged.class_counts[:5]
        )
        assert lost <= bits * math.log(2) + 1e-9
    assert not np.array_equal(p.cuts, best.cuts)


def test_huge_weights_take_no_longer():
    x, y = np.arange(300) % 7, np.arange(300) % 2
    weight = np.where(x == 3, 1e14, 1.0)
    p = pt.discretize(x, y, method="averaged", sample_weight=weight, max_parts=3)
    assert p.shares.sum(axis=1) == pytest.approx(1)


def test_values_that_many_rows_share_are_cells():
    units = np.array([[900, 40], [3, 5], [5, 3], [2, 8], [8, 2], [10, 9]], dtype=float)
    found = averaged_cells(space_from_counts(units))
    assert found.starts.tolist() == [0, 1, 2, 3, 4, 5, 6]


def test_user_cuts_and_candidates_divide_cells():
    rng = np.random.default_rng(2)
    x = rng.normal(size=3000)
    y = rng.random(3000) < 1 / (1 + np.exp(-x))
    p = pt.discretize(x, y, method="averaged", max_parts=4, user_cuts=[0.01234])
    assert 0.01234 in p.cuts
    assert p.n_parts == 4
    p = pt.discretize(x, y, method="averaged", candidate_cuts=[-1, -0.5, 0, 0.5, 1])
    assert set(p.cuts) <= {-1, -0.5, 0, 0.5, 1}
    p = pt.discretize(x, y, method="averaged", user_cuts=[-99, 0.5], n_parts=3)
    assert p.cuts.tolist() == [-99, 0.5]
    assert p.shares[0] == pytest.approx([1 - y.mean(), y.mean()])  # no rows


def test_trends_hold_for_averaged_and_counted_shares_in_every_segment():
    rng = np.random.default_rng(3)
    x = rng.normal(size=4000)
    month = rng.integers(3, size=4000)
    y = rng.random(4000) < 1 / (1 + np.exp(-x - np.sin(3 * x)))
    p = pt.discretize(x, y, method="averaged", monotonic="ascending", by=month, max_parts=6)
    assert p.n_parts > 2
    assert (np.diff(p.shares[:, 1]) >= 0).all()
    for held in (slice(None), *(month == m for m in range(3))):
        counts = p.table(x[held], y[held])
        assert (np.diff(counts["event_rate"][: p.n_parts]) >= 0).all()


@pytest.mark.parametrize("seed", [14, 35, 64, 145, 148])  # counted rates alone would let them fall
def test_trends_hold_for_averaged_shares_with_merged_rows(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=400)
    y = rng.random(400) < 1 / (1 + np.exp(-0.4 * x))
    x[:120] = np.nan
    y[:120] = rng.random(120) < rng.uniform(0.3, 0.7)
    p = pt.discretize(x, y, method="averaged", monotonic="ascending", n_parts=5, missing="merge")
    assert p.missing_part is not None
    assert (np.diff(p.shares[:, 1]) >= 0).all()
    assert (np.diff(p.counts[:, 1] / p.counts.sum(axis=1)) >= 0).all()


@given(seed=st.integers(0, 10_000))
@settings(max_examples=examples(30))
def test_weights_count_as_repeated_rows_in_any_order(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 15, 80).astype(float), rng.integers(0, 3, 80)
    weight = rng.integers(1, 4, 80)
    one = pt.discretize(x, y, method="averaged", sample_weight=weight)
    order = rng.permutation(weight.sum())
    repeated = pt.discretize(
        np.repeat(x, weight)[order], np.repeat(y, weight)[order], method="averaged"
    )
    assert np.array_equal(one.cuts, repeated.cuts)
    assert np.array_equal(one.shares, repeated.shares)


def test_noise_stays_near_the_shares_of_all_rows():
    rng = np.random.default_rng(4)
    lost = {}
    for n_rows in (500, 2000):
        losses = []
        for _ in range(20):
            x, y = rng.normal(size=n_rows), (rng.random(n_rows) < 0.3).astype(int)
            curve = pt.discretize(x, y, method="averaged").curve
            share = curve.shares[curve.assign(rng.normal(size=4000)), 1]
            losses.append(_loss(share) - _loss(y.mean()))
        lost[n_rows] = np.mean(losses)
    assert lost[500] < 0.004  # quintiles lose .0040
    assert lost[2000] < 0.0005


def _loss(share):
    """Compute the expected log-loss of a share where the event has the probability 0.3."""
    return np.mean(-0.3 * np.log(share) - 0.7 * np.log(1 - share))


def test_small_columns():
    one = pt.discretize([1.0, 2.0], [0, 1], method="averaged")
    assert one.n_parts == 1
    assert one.shares.tolist() == [[0.5, 0.5]]
    assert pt.discretize([3.0] * 9, [0] * 9, method="averaged").shares.tolist() == [[1.0]]
    gaps = pt.discretize([math.nan] * 3, [0, 1, 1], method="averaged")
    assert gaps.n_parts == 1
    assert gaps.averaged is None


@pytest.mark.parametrize("keep", [0, 1.5, -1, "all", True])
def test_keep_must_be_a_share(keep):
    assert_refuses(
        lambda: pt.discretize([1.0, 2.0], [0, 1], method="averaged", method_params={"keep": keep}),
        ValueError,
        f"discretize: method_params['keep'] must be a number in (0, 1]; got {keep!r}.",
    )


def test_more_parts_than_cells_are_refused():
    assert_refuses(
        lambda: pt.discretize(np.arange(20.0), [0, 1] * 10, method="averaged", n_parts=6),
        NotPartitionableError,
        "discretize, column 'x': n_parts must be at most the number of cells that are averaged, 5; "
        "got 6. Use max_parts to allow fewer parts.",
    )


def test_other_searches_are_refused():
    assert_refuses(
        lambda: pt.discretize([1.0, 2.0], [0, 1], method="averaged", search="top-down"),
        ValueError,
        "discretize: search for method='averaged' must be 'exact' or 'auto'; got 'top-down'.",
    )
