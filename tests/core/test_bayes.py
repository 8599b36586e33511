"""Kernels of naive Bayes against their slow twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import sweep
from partage import _core
from partage._estimators.bayes.selective import find_largest_area
from partage._search.methods import group_methods
from partage.datasets import make_waveform
from reference.bayes import (
    lift_area,
    naive_bayes,
    posterior_odds,
    selection_prior,
    weighted_cost,
)


def draw(seed, n_rows=60, n_columns=4, n_classes=3, n_parts=3):
    """Codes of columns, the first of them informative, and labels that hold every class."""
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=n_rows)])
    columns = rng.integers(n_parts, size=(n_columns, len(labels)))
    columns[0] = np.where(rng.random(len(labels)) < 0.7, labels % n_parts, columns[0])
    columns[:, :n_parts] = np.arange(n_parts)
    return columns.astype(np.uint32), labels.astype(np.uint16)


def make_posteriors(columns, labels, n_classes=3, n_parts=3, weights=None):
    prior, tables = naive_bayes(columns, labels, n_classes, [n_parts] * len(columns))
    offsets = np.arange(len(columns) + 1) * n_parts
    stacked = np.ascontiguousarray(np.vstack([np.exp(table).T for table in tables]))
    held = _core.Posteriors(columns, offsets, stacked, labels, weights, np.exp(prior))
    return held, prior, tables


def scores_of(prior, tables, columns, taken):
    return prior + sum((tables[k][:, columns[k]].T for k in taken), np.zeros((columns.shape[1], 1)))


def test_lift_area_of_a_curve_worked_by_hand():
    # Two classes of two rows; odds put class 1 first, then a tie of one row each, then class 0.
    odds = np.array([[9.0, 0.1], [1.0, 1.0], [1.0, 1.0], [0.1, 9.0]])
    labels = [1, 1, 0, 0]
    # Either curve: (1/4, 1/2), (3/4, 1), (1, 1): areas 1/16 + 6/16 + 4/16.
    assert lift_area(odds, labels) == pytest.approx(11 / 16)


def test_prior_of_selections_worked_by_hand():
    # Three columns, one taken: log 4 + log C(3, 1).
    assert selection_prior(3, 1.0) == pytest.approx(np.log(12))
    assert _core.selection_prior(3.0, 1.0) == pytest.approx(np.log(12), rel=1e-14)


@given(p=st.integers(1, 2000), eighths=st.integers(0, 400))
def test_prior_of_selections_equals_its_twin(p, eighths):
    assert _core.selection_prior(p, eighths / 8) == pytest.approx(
        selection_prior(p, eighths / 8), rel=1e-12
    )


@pytest.mark.parametrize("n_rows", [20, 400])  # sorted by comparison, and by digits
@pytest.mark.parametrize("n_classes", [1, 2, 3, 5])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_lift_areas_equal_their_twin(n_classes, n_rows, is_weighted):
    columns, labels = draw(n_classes, n_rows=n_rows, n_classes=n_classes)
    weights = np.random.default_rng(0).integers(1, 4, len(labels)) / 2 if is_weighted else None
    held, prior, tables = make_posteriors(columns, labels, n_classes, 3, weights)
    taken = []
    for k in [None, 0, 2]:
        if k is not None:
            held.take(k)
            taken.append(k)
        odds = posterior_odds(scores_of(prior, tables, columns, taken)).round(7)
        assert held.lift_area() == pytest.approx(lift_area(odds, labels, weights), abs=1e-9)
        found = held.lift_areas(np.array([3, 1], dtype=np.uint32), None)
        wanted = []
        for more in (3, 1):
            odds = posterior_odds(scores_of(prior, tables, columns, [*taken, more])).round(7)
            wanted.append(lift_area(odds, labels, weights))
        np.testing.assert_allclose(found, wanted, atol=1e-9)


@given(
    seed=st.integers(0, 10**6),
    n_rows=st.sampled_from([5, 60, 1500]),
    n_classes=st.integers(1, 5),
    is_weighted=st.booleans(),
    n_taken=st.sampled_from([0, 1, 3, 200]),  # so many that odds leave the buckets
)
def test_lift_areas_do_not_exceed_their_bounds(seed, n_rows, n_classes, is_weighted, n_taken):
    columns, labels = draw(seed, n_rows=n_rows, n_classes=n_classes, n_columns=8)
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 4, len(labels)) / 2 if is_weighted else None
    held, _, _ = make_posteriors(columns, labels, n_classes, 3, weights)
    for k in rng.integers(8, size=n_taken):
        held.take(k)
    every = np.arange(8, dtype=np.uint32)
    areas, bounds = held.lift_areas(every, None), held.lift_bounds(every, None)
    assert (areas <= bounds).all()
    columns, labels = columns[:, np.argsort(labels)], np.sort(labels)
    if weights is None and n_taken == 0:  # rows of a class together give the same bounds
        held, _, _ = make_posteriors(np.ascontiguousarray(columns), labels, n_classes)
        np.testing.assert_array_equal(held.lift_bounds(every, None), bounds)


def test_bounds_are_near_the_areas_where_odds_differ():
    X, y = make_waveform(3000, 0)
    columns = np.ascontiguousarray((X.T > 2).astype(np.uint32) + (X.T > 4))
    held, _, _ = make_posteriors(columns, y.astype(np.uint16))
    for k in range(21):
        held.take(k)
    every = np.arange(21, dtype=np.uint32)
    gaps = held.lift_bounds(every, None) - held.lift_areas(every, None)
    assert gaps.min() >= 0
    assert gaps.max() < 2e-3


def test_extreme_tables_have_bounds_that_tell_nothing():
    columns = np.array([[0, 1, 0, 1]], dtype=np.uint32)
    labels = np.array([0, 1, 0, 1], dtype=np.uint16)
    table = np.array([[1 - 1e-9, 1e-9], [1e-9, 1 - 1e-9]])
    held = _core.Posteriors(columns, np.array([0, 2]), table, labels, None, np.array([0.5, 0.5]))
    every = np.zeros(1, dtype=np.uint32)
    assert held.lift_bounds(every, None) == 1.0
    assert held.lift_areas(every, None) == pytest.approx(0.75)


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("seed", sweep(range(4)))
def test_bounds_lead_to_the_column_that_all_areas_lead_to(seed, n_jobs):
    columns, labels = draw(seed, n_rows=300, n_columns=40)
    columns[20:30] = columns[:10]  # copies tie: the first is chosen
    held, _, _ = make_posteriors(columns, labels)
    left = np.arange(40, dtype=np.uint32)
    area = held.lift_area()
    for _ in range(6):
        areas = held.lift_areas(left, None)
        best = int(areas.argmax())
        found = find_largest_area(held, left, area, n_jobs)
        assert found == ((left[best], areas[best]) if areas[best] > area else (None, area))
        assert find_largest_area(held, left, areas[best], n_jobs) == (None, areas[best])
        area = areas[best]
        held.take(int(left[best]))
        left = np.delete(left, best)


def test_lift_area_survives_hundreds_of_columns():
    columns, labels = draw(5, n_columns=1, n_classes=2, n_parts=2)
    held, _, _ = make_posteriors(columns, labels, 2, 2)
    held.take(0)
    once = held.lift_area()
    for _ in range(2000):
        held.take(0)
    assert held.lift_area() == pytest.approx(once, abs=1e-12)  # one part stays ahead


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("seed", sweep(range(3)))
def test_weights_are_priced_as_the_twin_prices_them_and_no_step_helps(seed, is_weighted):
    columns, labels = draw(seed, n_rows=150)
    rows = np.random.default_rng(0).integers(1, 4, len(labels)) / 2 if is_weighted else None
    held, prior, tables = make_posteriors(columns, labels, weights=rows)
    weights = held.weigh(np.arange(4, dtype=np.uint32), 4, 2, None)
    assert weights[0] > 0
    assert ((weights >= 0) & (weights <= 1)).all()

    def cost(w):
        return weighted_cost(w, prior, tables, columns, labels, rows)

    found = held.log_loss() + _core.selection_prior(4.0, float(weights.sum()))
    assert found == pytest.approx(cost(weights), rel=1e-10)
    for k in range(4):
        for step in (-0.25, 0.25):
            moved = weights.copy()
            moved[k] = moved[k] + step
            if 0 <= moved[k] <= 1:
                assert cost(moved) >= found - 1e-6


def test_a_loss_below_the_smallest_number_is_a_sum_of_logarithms():
    columns = np.zeros((1, 2000), dtype=np.uint32)
    labels = np.zeros(2000, dtype=np.uint16)
    labels[0] = 1
    prior = np.array([1e-3, 1 - 1e-3])
    held = _core.Posteriors(columns, np.array([0, 1]), np.ones((1, 2)), labels, None, prior)
    assert held.log_loss() == pytest.approx(-1999 * np.log(1e-3) - np.log(1 - 1e-3), rel=1e-13)


def test_scores_add_the_rows_that_codes_name():
    table = np.arange(8.0).reshape(4, 2)
    scores = np.ones((3, 2))
    _core.add_by_code(scores, np.array([3, 0, 3]), table)
    np.testing.assert_array_equal(scores, [[7, 8], [1, 2], [7, 8]])
    for codes in ([0, 4, 0], [-1, 0, 0]):
        with pytest.raises(ValueError, match="a code has no row in the table"):
            _core.add_by_code(scores, np.array(codes), table)
    np.testing.assert_array_equal(scores, [[7, 8], [1, 2], [7, 8]])


@pytest.mark.parametrize(
    "change",
    [
        {"codes": np.full((4, 63), 3, dtype=np.uint32)},
        {"codes": np.zeros((4, 62), dtype=np.uint32)},
        {"labels": np.full(63, 3, dtype=np.uint16)},
        {"offsets": np.array([0, 3, 6, 9, 13])},
        {"offsets": np.array([0, 6, 3, 9, 12])},
        {"offsets": np.array([], dtype=np.int64)},
        {"weights": np.ones(5)},
        {"prior": np.ones(2)},
    ],
    ids=str,
)
def test_arrays_that_do_not_fit_are_refused(change):
    columns, labels = draw(1)
    arrays = {
        "codes": columns,
        "offsets": np.arange(5) * 3,
        "tables": np.ones((12, 3)),
        "labels": labels,
        "weights": None,
        "prior": np.ones(3),
    }
    with pytest.raises(ValueError, match=r"\w"):
        _core.Posteriors(**(arrays | change))


@pytest.mark.parametrize(
    "method", [name for name in group_methods() if name not in ("none", "khiops11")]
)
def test_columns_grouped_at_once_are_grouped_as_one_by_one(method):
    from partage._data.table import read_categories
    from partage._partitions.find import fit_column
    from partage._search.settings import check_group_settings
    from partage._targets.read import read_target

    rng = np.random.default_rng(2)
    labels = rng.integers(3, size=500).astype(np.uint16)
    rare = rng.zipf(1.6, size=500) % 60  # a garbage group pays
    rare = np.where(rng.random(500) < 0.6, labels, 3 + rare)
    codes = np.vstack([(labels * 2 + rng.integers(4, size=500)) % 7, rare])
    settings = check_group_settings(
        "test", method=method, n_parts=None, max_parts=None, min_part_size=None,
        missing="separate", method_params=None, special_values=None, special="separate",
    )  # fmt: skip
    group_of, n_groups, garbage, _, null = _core.group_columns(
        codes.astype(np.uint32),
        np.array([7, 64]),
        labels,
        None,
        3,
        method,
        list(settings.parameters),
        None,
    )
    assert (garbage[1] >= 0) == (method == "modl")
    target = read_target("test", labels)
    for k, part in enumerate((group_of[:7], group_of[7:])):
        column = read_categories("test", codes[k])
        found = fit_column("test", column, target, settings)
        assert found.n_parts == n_groups[k]
        present = np.unique(codes[k])
        assert set(np.flatnonzero(part < 0)) == set(range(len(part))) - set(present)
        pairs = set(zip(part[present].tolist(), found.assign(present).tolist(), strict=True))
        assert len(pairs) == found.n_parts  # the same groups under other numbers
        if garbage[k] >= 0:
            assert found.garbage in {code for k_, code in pairs if k_ == garbage[k]}
        else:
            assert found.garbage is None
        if method == "modl":
            assert null[k] == pytest.approx(found.null_cost, rel=1e-12)


def test_codes_beyond_the_values_are_refused():
    codes = np.array([[0, 1, 5]], dtype=np.uint32)
    labels = np.array([0, 1, 0], dtype=np.uint16)
    with pytest.raises(ValueError, match="a code is no value, or a label no class"):
        _core.group_columns(codes, np.array([5]), labels, None, 2, "modl", [], None)
