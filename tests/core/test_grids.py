"""Grids against their slow twin: costs from the formulas, optima by enumeration."""

import numpy as np
import pytest

from helpers import FULL
from partage import _core
from reference import grids as twin

KINDS = {"numbers": (True, True), "mixed": (True, False), "categories": (False, False)}


def solve(columns, labels, is_ordered, *, method="modl", search="auto", weights=None, **more):
    """Call the core with columns of codes; the last value of an axis is aside where asked for."""
    n_aside = more.pop("n_aside", [0] * len(columns))
    n_classes = 1 if labels is None else int(np.max(labels)) + 1
    given = {
        "max_parts": [],
        "fixed": [],
        "min_cell": 0.0,
        "own": [],
        "thresholds": [],
        "n_jobs": 1,
    }
    return _core.solve_grid(
        np.asarray(columns, dtype=np.uint32),
        [int(np.max(c)) + 1 - a for c, a in zip(columns, n_aside, strict=True)],
        n_aside,
        [],
        list(is_ordered),
        None if labels is None else np.asarray(labels, dtype=np.uint16),
        weights,
        n_classes,
        method,
        search,
        2.0 if labels is not None else 1.0,
        1.0,
        **given | more,
    )


def cost(columns, labels, is_ordered, axes, *, method="modl", weights=None, n_aside=None):
    """Cost of a grid by the core."""
    n_aside = n_aside or [0] * len(columns)
    return _core.grid_cost(
        np.asarray(columns, dtype=np.uint32),
        [int(np.max(c)) + 1 - a for c, a in zip(columns, n_aside, strict=True)],
        n_aside,
        [],
        list(is_ordered),
        None if labels is None else np.asarray(labels, dtype=np.uint16),
        weights,
        1 if labels is None else int(np.max(labels)) + 1,
        method,
        2.0 if labels is not None else 1.0,
        1.0,
        [np.asarray(axis, dtype=np.uint32) for axis in axes],
    )


def dense(codes):
    return np.unique(codes, return_inverse=True)[1]


def random_case(rng, is_ordered, n_rows=60, n_values=8, n_classes=2):
    columns = [dense(rng.integers(0, n_values, n_rows)) for _ in is_ordered]
    axes = []
    for column, ordered in zip(columns, is_ordered, strict=True):
        n = column.max() + 1
        parts = rng.integers(0, 3, n)
        axes.append(dense(np.sort(parts)) if ordered else dense(parts))
    return columns, rng.integers(0, n_classes, n_rows), axes


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["modl", "khiops11"])
@pytest.mark.parametrize("supervised", [True, False])
def test_the_cost_of_a_grid_is_that_of_its_formula(kind, method, supervised):
    rng = np.random.default_rng(5)
    formula = twin.modl_cost if method == "modl" else twin.khiops_cost
    for trial in range(17):
        columns, labels, axes = random_case(rng, KINDS[kind], n_classes=2 + trial % 2)
        weights = rng.integers(1, 4, 60).astype(float) if trial % 3 == 0 else np.ones(60)
        labels = labels if supervised else None
        parts = [list(axis[column]) for axis, column in zip(axes, columns, strict=True)]
        plain = [list(column) for column in columns]
        n_classes = 1 if labels is None else int(max(labels)) + 1
        more = {} if method == "modl" else {"n_columns": 2 if supervised else 1}
        wanted = formula(plain, parts, labels, weights, n_classes, KINDS[kind], **more)
        found = cost(columns, labels, KINDS[kind], axes, method=method, weights=weights)
        assert found[0] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("supervised", [True, False])
def test_rows_set_aside_are_parts_that_cost_log_2(kind, supervised):
    rng = np.random.default_rng(6)
    for _ in range(8):
        columns, labels, axes = random_case(rng, KINDS[kind])
        labels = labels if supervised else None
        columns[0] = np.where(rng.random(60) < 0.2, columns[0].max() + 1, columns[0])
        first = np.append(axes[0].astype(int), -1)
        parts = [list(first[columns[0]]), list(axes[1][columns[1]])]
        plain = [list(column) for column in columns]
        n_classes = 1 if labels is None else 2
        wanted = twin.modl_cost(plain, parts, labels, [1.0] * 60, n_classes, KINDS[kind])
        found = cost(columns, labels, KINDS[kind], axes, n_aside=[1, 0])
        assert found[0] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["modl", "khiops11"])
def test_without_a_target_one_part_beside_gaps_costs_as_much_as_one_cell(kind, method):
    rng = np.random.default_rng(7)
    columns, _, _ = random_case(rng, KINDS[kind])
    columns[0] = np.where(rng.random(60) < 0.7, columns[0].max() + 1, columns[0])
    one = [np.zeros(columns[0].max(), np.uint32), np.zeros(columns[1].max() + 1, np.uint32)]
    cell, null, _ = cost(columns, None, KINDS[kind], one, method=method, n_aside=[1, 0])
    assert cell == pytest.approx(null, rel=1e-12)


def tiny_table(rng, is_ordered, supervised, n_values=6):
    """Draw a table small enough to enumerate, with a law in two thirds of the cases."""
    n_rows = int(rng.integers(30, 120))
    columns = [rng.integers(0, n_values, n_rows) for _ in is_ordered]
    strength = rng.choice([0.0, 0.6, 0.9])
    law = (columns[0] >= rng.integers(1, n_values)) ^ (columns[1] % 3 == rng.integers(0, 3))
    if supervised:
        labels = np.where(rng.random(n_rows) < strength, law, rng.integers(0, 2, n_rows))
        labels[:2] = 0, 1
        return [dense(c) for c in columns], labels
    follows = rng.random(n_rows) < strength
    columns[1] = np.where(
        follows, (columns[0] * 2 + rng.integers(0, 2, n_rows)) % n_values, columns[1]
    )
    return [dense(c) for c in columns], None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("supervised", [True, False])
def test_few_values_are_solved_to_the_proven_optimum(kind, supervised):
    rng = np.random.default_rng(11)
    for _ in range(2):
        columns, labels = tiny_table(rng, KINDS[kind], supervised, n_values=4)
        plain = [list(map(int, column)) for column in columns]
        n_classes = 1 if labels is None else 2
        wanted, _ = twin.best_by_enumeration(plain, labels, n_classes, KINDS[kind])
        axes, found, null, is_optimal, _ = solve(columns, labels, KINDS[kind])
        del axes
        if not supervised and found >= null - 1e-9:
            assert wanted >= null - 1e-6 or not is_optimal
            continue
        assert found == pytest.approx(wanted, abs=1e-6)
        assert FULL or is_optimal == (all(KINDS[kind]) or not supervised)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("supervised", [True, False])
def test_a_start_from_any_grid_never_raises_the_cost(kind, supervised):
    rng = np.random.default_rng(21)
    for _ in range(4):
        columns, labels, axes = random_case(rng, KINDS[kind], n_rows=200, n_values=30)
        labels = labels if supervised else None
        given = [np.asarray(axis, dtype=np.uint32) for axis in axes]
        found = solve(columns, labels, KINDS[kind], own=given, thresholds=[1.0, 1.0])
        assert found[1] <= cost(columns, labels, KINDS[kind], axes)[0] + 1e-9
        assert found[1] == pytest.approx(cost(columns, labels, KINDS[kind], found[0])[0])


@pytest.mark.parametrize("kind", KINDS)
def test_the_result_is_the_same_on_any_number_of_threads(kind):
    rng = np.random.default_rng(22)
    columns, labels, _ = random_case(rng, KINDS[kind], n_rows=400, n_values=60)
    labels = (columns[0] > 30) ^ (columns[1] % 2 == 0)
    one, two = (solve(columns, labels, KINDS[kind], n_jobs=n) for n in (1, 3))
    assert one[1:] == two[1:]
    assert all(np.array_equal(a, b) for a, b in zip(one[0], two[0], strict=True))


def test_three_columns_are_divided_together_without_a_target():
    rng = np.random.default_rng(23)
    a = rng.integers(0, 6, 900)
    columns = [dense(v) for v in (a, (a + rng.integers(0, 2, 900)) % 6, rng.integers(0, 5, 900))]
    axes, found, null, *_ = solve(columns, None, (True, False, False))
    assert found < null
    assert [axis.max() > 0 for axis in axes] == [True, True, False]
    parts = [list(axis[column]) for axis, column in zip(axes, columns, strict=True)]
    plain = [list(column) for column in columns]
    wanted = twin.modl_cost(plain, parts, None, [1.0] * 900, 1, (True, False, False))
    assert found == pytest.approx(wanted, rel=1e-9)


def test_limits_hold():
    rng = np.random.default_rng(24)
    x = rng.random((2, 600))
    columns = [dense(v) for v in x]
    labels = ((x[0] * 4).astype(int) + (x[1] * 4).astype(int)) % 2
    axes, *_ = solve(columns, labels, (True, True), max_parts=[2, 3])
    assert axes[0].max() + 1 <= 2
    assert axes[1].max() + 1 <= 3
    axes, *_ = solve(columns, labels, (True, True), min_cell=30.0)
    sizes = np.bincount(axes[0][columns[0]] * 100 + axes[1][columns[1]])
    assert sizes[sizes > 0].min() >= 30
    fixed = [np.array([77], dtype=np.uint32), np.empty(0, dtype=np.uint32)]
    axes, *_ = solve(columns, labels, (True, True), fixed=fixed)
    assert axes[0][77] == axes[0][76] + 1


@pytest.mark.parametrize("supervised", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_the_search_reaches_what_enumeration_finds(kind, supervised):
    """Tables whose optimum is listed: the search without the list reaches nearly all of them."""
    rng = np.random.default_rng(31)
    n = 150 if FULL else 40
    above, missed, thorough = [], 0, 0
    for _ in range(n):
        columns, labels = tiny_table(rng, KINDS[kind], supervised)
        best = solve(columns, labels, KINDS[kind])
        found = solve(columns, labels, KINDS[kind], search="auto, unlisted")
        above.append(found[1] - best[1])
        missed += best[1] < best[2] - 1e-6 and found[1] >= found[2] - 1e-6
        longer = solve(columns, labels, KINDS[kind], search="thorough, unlisted")
        thorough += longer[1] <= best[1] + 1e-6
    n_reached = sum(gap <= 1e-6 for gap in above)
    assert n_reached >= (0.995 if supervised else 0.97) * n - (not FULL)
    assert thorough >= (0.995 if supervised else 0.99) * n - (not FULL)
    assert missed == 0
    assert max(above) <= 2.0 if supervised else True


def hostile(**changes):
    """Call the core with a small table of which something is wrong."""
    given = {
        "codes": np.array([[0, 1, 1, 0], [0, 0, 1, 1]], dtype=np.uint32),
        "n_values": [2, 2],
        "n_aside": [0, 0],
        "anchors": [],
        "is_ordered": [True, False],
        "labels": np.array([0, 1, 0, 1], dtype=np.uint16),
        "weights": None,
        "n_classes": 2,
        "method": "modl",
        "search": "auto",
        "n_columns": 2.0,
        "n_families": 1.0,
        "max_parts": [],
        "fixed": [],
        "min_cell": 0.0,
        "own": [],
        "thresholds": [],
        "n_jobs": 1,
    }
    return _core.solve_grid(**given | changes)


WRONG = [
    {"n_values": [1, 2]},
    {"n_values": [0, 2]},
    {"n_values": [2]},
    {"n_values": [2, 2**40]},
    {"n_aside": [2**40, 0]},
    {"n_classes": 1},
    {"n_classes": 2**40},
    {"labels": np.array([0, 1], dtype=np.uint16)},
    {"weights": np.array([1.0, 0.0, 1.0, 1.0])},
    {"weights": np.array([1.0, np.nan, 1.0, 1.0])},
    {"weights": np.array([1.0, np.inf, 1.0, 1.0])},
    {"codes": np.empty((0, 4), dtype=np.uint32), "n_values": [], "n_aside": [], "is_ordered": []},
    {"codes": np.empty((2, 0), dtype=np.uint32), "labels": None},
    {"anchors": [np.array([0], dtype=np.uint32)] * 2},
    {"anchors": [np.empty(0, dtype=np.uint32)]},
    {
        "n_values": [1, 2],
        "n_aside": [1, 0],
        "anchors": [np.array([1], dtype=np.uint32), np.empty(0, dtype=np.uint32)],
    },
    {"method": "other"},
    {"search": "other"},
    {"n_columns": np.inf},
    {"thresholds": [1.0, np.inf]},
    {"thresholds": [np.nan, 1.0]},
    {"thresholds": [1.0]},
    {"max_parts": [1]},
    {"own": [np.array([0, 5], dtype=np.uint32), np.array([0, 0], dtype=np.uint32)]},
    {"own": [np.array([1, 0], dtype=np.uint32), np.array([0, 0], dtype=np.uint32)]},
    {"own": [np.array([0], dtype=np.uint32), np.array([0, 0], dtype=np.uint32)]},
    {"fixed": [np.array([7], dtype=np.uint32), np.array([], dtype=np.uint32)]},
]


@pytest.mark.parametrize("wrong", WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_arguments_that_do_not_fit_are_refused(wrong):
    assert hostile()[1] > 0
    with pytest.raises(ValueError, match=r"."):
        hostile(**wrong)


@pytest.mark.parametrize("method", ["modl", "khiops11"])
def test_weights_of_any_size_are_taken(method):
    found = hostile(weights=np.array([1e15, 2.0, 1e-3, 1e12]), method=method)
    assert np.isfinite(found[1])
