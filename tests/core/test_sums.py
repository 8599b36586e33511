"""Sums over all partitions against enumeration."""

import math

import numpy as np
import pytest

from helpers import assert_refuses, sweep
from partage import _core
from partage._search.sums import sum_partitions
from reference import sums as slow


def draw_table(seed):
    """Draw up to ten units of two to four classes, weighted every third time."""
    rng = np.random.default_rng(seed)
    n_units, n_classes = rng.integers(1, 11), rng.integers(2, 5)
    shares = rng.dirichlet(np.full(n_classes, 0.5), size=n_units)
    table = np.array([rng.multinomial(rng.integers(1, 15), row) for row in shares], dtype=float)
    if seed % 3 == 0:
        table *= rng.uniform(0.2, 3.0, size=table.shape)
    return table


def assert_equals_enumeration(units, criterion, limits=None, options=None, constraints=None):
    options = options or {}
    given = dict(limits or {})
    wanted = slow.sum_partitions(units, criterion, limits=limits, **options)
    sizes = {name: given[name] for name in ("n_parts", "max_parts") if name in given}
    found = sum_partitions(
        units,
        criterion,
        min_weight=given.get("min_part_size", 0.0),
        constraints=constraints,
        **sizes,
        **options,
    )
    assert found.log_total == pytest.approx(wanted.log_total, rel=1e-12, abs=1e-9)
    n_followed = len(found.n_parts)
    np.testing.assert_allclose(found.n_parts, wanted.n_parts[:n_followed], atol=1e-9)
    assert wanted.n_parts[n_followed:].sum() < 1e-9
    np.testing.assert_allclose(found.cuts, wanted.cuts, atol=1e-9)
    np.testing.assert_allclose(found.shares, wanted.shares, atol=1e-9)
    np.testing.assert_allclose(found.squares, wanted.squares, atol=1e-9)
    parts = np.zeros_like(wanted.parts)
    first, last, probability = found.parts
    parts[first, last] = probability
    np.testing.assert_allclose(parts, wanted.parts, atol=1e-9)
    return wanted


def test_the_twin_on_two_units_worked_by_hand():
    # Two units of one row, of two classes: one part costs log 2 + log 3 + log 2, two parts cost
    # log 2 + log 3 + 2 log 2.
    found = slow.sum_partitions(np.eye(2))
    np.testing.assert_allclose(found.n_parts, [2 / 3, 1 / 3])
    np.testing.assert_allclose(found.cuts, [1 / 3])
    assert found.log_total == pytest.approx(math.log(1 / 12 + 1 / 24))
    np.testing.assert_allclose(found.shares[0], [2 / 3 * 1 / 2 + 1 / 3 * 2 / 3, 4 / 9])
    np.testing.assert_allclose(found.squares[0, 0], 2 / 3 * 6 / 20 + 1 / 3 * 6 / 12)


@pytest.mark.parametrize("seed", sweep(range(0, 500, 50)))
def test_sums_equal_enumeration(seed):
    for one in range(seed, seed + 50):
        criterion = "entropy" if one % 5 == 4 else "modl"
        assert_equals_enumeration(draw_table(one), criterion)


@pytest.mark.parametrize(
    "limits", [{"n_parts": 2}, {"max_parts": 3}, {"min_part_size": 9}, {"n_parts": 1}]
)
def test_sums_within_limits_equal_enumeration(limits):
    for seed in range(40):
        units = draw_table(seed)
        if limits.get("n_parts", 1) > len(units) or units.sum() < limits.get("min_part_size", 0):
            continue
        assert_equals_enumeration(units, "modl", limits)


def test_sums_under_floors_and_fixed_cuts_equal_enumeration():
    for seed in range(60):
        units = draw_table(seed)
        limits, constraints = {}, _core.Constraints()
        if seed % 2:
            limits["min_class_count"] = 1
            constraints.set_min_counts([1.0] * units.shape[1])
            if units.sum(axis=0).min() < 1:
                continue
        elif len(units) > 3:
            limits["user_cuts"] = [2]
            constraints.set_fixed([2], 0)
        assert_equals_enumeration(units, "modl", limits, constraints=constraints)


def test_a_given_prior_of_sizes_and_borders_of_several_places():
    rng = np.random.default_rng(3)
    for seed in range(60):
        units = draw_table(seed)
        n_units = len(units)
        options = {"log_prior": rng.normal(size=rng.integers(1, n_units + 1))}
        if n_units > 1:
            options["log_places"] = np.log(rng.integers(1, 20, size=n_units - 1))
        assert_equals_enumeration(units, "modl", options=options)


def test_a_border_of_several_places_counts_as_often():
    # Splitting units evenly makes places that cost nearly the same; the border stands for both.
    units = np.array([[30.0, 10.0], [10.0, 30.0]])
    once = sum_partitions(units)
    twice = sum_partitions(units, log_places=np.log([2.0]))
    odds = [p / (1 - p) for p in (once.cuts[0], twice.cuts[0])]
    assert odds[1] == pytest.approx(2 * odds[0])


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_stretches_equal_enumeration(level):
    n_found = 0
    for seed in range(60):
        units = draw_table(seed)
        if len(units) < 2:
            continue
        wanted = slow.sum_partitions(units)
        cuts = range(1, len(units))
        (found,) = sum_partitions(units, cuts=cuts, levels=[level]).stretches
        for cut, (low, high) in zip(cuts, found.tolist(), strict=True):
            expected = slow.stretch(wanted, units, cut, level)
            assert (low, high) == (expected or (0, 0))
            n_found += expected is not None
    assert n_found > 20


def test_long_lines_have_probabilities_that_add_up():
    rng = np.random.default_rng(0)
    y = rng.random(300) < np.where(np.arange(300) < 120, 0.2, 0.7)
    units = np.column_stack([~y, y]).astype(float)
    found = sum_partitions(units)
    assert found.n_parts.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1.0)
    mean = (found.n_parts * np.arange(len(found.n_parts))).sum()
    assert found.cuts.sum() == pytest.approx(mean, abs=1e-7)
    backwards = sum_partitions(units[::-1])
    assert backwards.log_total == pytest.approx(found.log_total, rel=1e-12)
    np.testing.assert_allclose(backwards.cuts[::-1], found.cuts, atol=1e-9)


def test_large_costs_keep_their_probabilities():
    # One part costs hundreds of thousands of nats more than three: nothing underflows, even where
    # two parts are asked for.
    units = np.array([[3e5, 1.0], [1.0, 3e5], [3e5, 1.0], [2.9e5, 2.0]])
    found = sum_partitions(units)
    assert found.n_parts[2] > 0.99
    found = sum_partitions(units, n_parts=2)
    assert found.n_parts.tolist() == [0.0, 1.0]
    assert found.cuts.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sum_partitions([[1.0, -1.0]]), ValueError, "counts must be finite and at least 0"),
        (lambda: sum_partitions([[0.0, 0.0]]), ValueError, "every unit must hold rows"),
        (
            lambda: sum_partitions(np.eye(2), "tschuprow"),
            ValueError,
            "the costs of this criterion are no sums",
        ),
        (lambda: sum_partitions(np.eye(2), cuts=[2]), ValueError, "a cut lies outside the line"),
        (
            lambda: sum_partitions(np.eye(2), log_places=np.zeros(3)),
            ValueError,
            "there is one border less than units",
        ),
        (
            lambda: sum_partitions(np.eye(2), log_prior=np.array([np.nan])),
            ValueError,
            "logarithms must be below infinity",
        ),
        (
            lambda: sum_partitions(np.eye(2), n_parts=3),
            _core.NotPossible,
            "no partition satisfies the limits",
        ),
        (lambda: sum_partitions(np.zeros((0, 2))), _core.NotPossible, "the line is empty"),
    ],
)
def test_refuses(call, error, message):
    assert_refuses(call, error, message)


@pytest.mark.parametrize("trend", ["ascending", "descending", "peak", "valley", "auto"])
def test_sums_under_a_trend_equal_enumeration(trend):
    for seed in range(60):
        units = draw_table(seed)[:9]
        constraints = _core.Constraints()
        constraints.set_trend(trend, np.arange(float(units.shape[1])).tolist())
        limits = {"monotonic": trend}
        if seed % 4 == 0:
            limits["max_parts"] = 3
        options = {}
        if seed % 5 == 0 and len(units) > 1:
            options["log_places"] = np.log(np.arange(1.0, len(units)))
        assert_equals_enumeration(units, "modl", limits, options, constraints)


@pytest.mark.parametrize("trend", [None, "peak"])
def test_a_cancel_stops_the_sums(trend):
    units = np.tile(np.eye(2), (60, 1))
    constraints = _core.Constraints()
    if trend is not None:
        constraints.set_trend(trend, [0.0, 1.0])
    cancel = _core.Cancel()
    cancel.ask()
    with pytest.raises(KeyboardInterrupt):
        sum_partitions(units, cancel=cancel, constraints=constraints)
