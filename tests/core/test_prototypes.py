"""Choice of prototypes against its slow twin, and what must hold of every result."""

import numpy as np
import pytest

import partage as pt
from helpers import sweep
from reference.graphs import cells_around, prototype_deletions, prototypes_length


@pytest.mark.parametrize("seed", sweep(range(12), 5))
def test_cost_is_the_lowest_that_deleting_prototypes_meets(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(9, 1 + seed % 3))
    y = rng.integers(0, 2 + seed % 2, size=9) if seed < 6 else (points[:, 0] > 0).astype(int)
    found = pt.GraphPartitioner(method="prototypes").fit(points, y).partition_.cost
    assert round(found, 9) in prototype_deletions(points, y)


@pytest.mark.parametrize("n_dimensions", [1, 2, 8])
def test_cells_are_those_of_the_prototypes_and_cost_what_is_said(n_dimensions):
    rng = np.random.default_rng(n_dimensions)
    points = rng.normal(size=(200, n_dimensions))
    y = (points[:, 0] > 0.2).astype(int) + (points[:, 0] > 1)
    model = pt.GraphPartitioner(method="prototypes").fit(points, y)
    chosen = model.prototypes_
    assert len(chosen) == model.partition_.n_parts > 1
    np.testing.assert_array_equal(chosen[model.labels_], cells_around(points, chosen.tolist()))
    length = prototypes_length(points, frozenset(chosen.tolist()), y)
    assert model.partition_.cost == pytest.approx(length, rel=1e-9)
    null = prototypes_length(points, frozenset([0]), y)
    assert model.partition_.null_cost == pytest.approx(null, rel=1e-9)
    assert model.partition_.level == pytest.approx(1 - length / null)


def test_new_rows_belong_to_the_nearest_prototype():
    X, y = pt.datasets.make_four_gaussians(300, 0)
    new, _ = pt.datasets.make_four_gaussians(500, 1)
    model = pt.GraphPartitioner(method="prototypes").fit(X, y)
    square = ((new[:, None, :] - X[None, model.prototypes_, :]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(model.transform(new).ravel(), square.argmin(axis=1))


def test_labels_that_say_nothing_have_one_prototype():
    n_split = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        model = pt.GraphPartitioner(method="prototypes").fit(
            rng.random((100, 3)), rng.integers(2, size=100)
        )
        n_split += model.partition_.n_parts > 1
    assert n_split == 0


def test_the_order_of_the_rows_changes_nothing():
    X, y = pt.datasets.make_rings(400, 0)
    order = np.random.default_rng(3).permutation(len(X))
    first = pt.GraphPartitioner(method="prototypes").fit(X, y)
    second = pt.GraphPartitioner(method="prototypes", n_jobs=2).fit(X[order], y[order])
    assert first.partition_.cost == second.partition_.cost
    np.testing.assert_array_equal(first.labels_[order], second.labels_)
