"""Agglomeration on a graph against its slow twin, and what must hold of every result."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt
from reference.graphs import (
    agglomerations,
    clean_balls,
    gabriel_edges,
    graph_of,
    is_connected,
    matrix_of,
)
from strategies import labelled_graphs

GROUPINGS = st.sampled_from(["any", "connected"])


def fit(graph, y, **options):
    """Agglomerate the objects of a graph."""
    return pt.GraphPartitioner(method="agglomerative", graph=matrix_of(graph), **options).fit(
        None, y
    )


@given(case=labelled_graphs(max_objects=7), grouping=GROUPINGS)
def test_cost_is_the_lowest_that_merging_clean_balls_meets(case, grouping):
    graph, y = case
    found = fit(graph, y, grouping=grouping).partition_.cost
    assert round(found, 9) in agglomerations(graph, clean_balls(graph, y), y, grouping)


@given(case=labelled_graphs(max_objects=6), grouping=GROUPINGS)
def test_cost_is_the_lowest_that_merging_single_objects_meets(case, grouping):
    graph, y = case
    found = fit(graph, y, grouping=grouping, init="singletons").partition_.cost
    assert round(found, 9) in agglomerations(graph, np.arange(len(graph)), y, grouping)


@pytest.mark.parametrize("grouping", ["any", "connected"])
@pytest.mark.parametrize("seed", range(3))
def test_merging_the_clean_balls_of_points_with_twins(grouping, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 13)
    points = rng.integers(0, 4, size=(26, 2)) + 5.0 * y[:, None]
    model = pt.GraphPartitioner(method="agglomerative", grouping=grouping).fit(points, y)
    # The twin settles ties by number, the fit by coordinates: number the points that way.
    order = np.lexsort((y, *points.T[::-1]))
    graph, labels = graph_of(26, gabriel_edges(points[order])), y[order]
    found = agglomerations(graph, clean_balls(graph, labels), labels, grouping)
    assert round(model.partition_.cost, 9) in found
    assert model.partition_.n_parts > 1


@pytest.mark.parametrize("init", ["balls", "singletons"])
@pytest.mark.parametrize("grouping", ["any", "connected"])
@pytest.mark.parametrize("moves", [False, True])
def test_groups_hang_together_and_cost_what_is_said(init, grouping, moves):
    X, y = pt.datasets.make_four_gaussians(60, 3)
    model = pt.GraphPartitioner(
        method="agglomerative", init=init, grouping=grouping, moves=moves
    ).fit(X, y)
    cells = model.partition_
    price = pt.partition_cost(model.graph_, model.labels_, y, grouping=grouping)
    assert cells.cost == pytest.approx(price.cost, rel=1e-9)
    assert cells.null_cost == pytest.approx(price.null_cost, rel=1e-9)
    graph = graph_of(60, gabriel_edges(X))
    assert all(
        is_connected(graph, np.flatnonzero(model.labels_ == k)) for k in range(cells.n_parts)
    )
    np.testing.assert_array_equal(
        cells.counts,
        [np.bincount(y[model.labels_ == k], minlength=4) for k in range(cells.n_parts)],
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("grouping", ["any", "connected"])
def test_moving_balls_never_raises_the_cost(seed, grouping):
    X, y = pt.datasets.make_xor(120, seed, noise=0.05)
    plain, moved = (
        pt.GraphPartitioner(method="agglomerative", grouping=grouping, moves=moves).fit(X, y)
        for moves in (False, True)
    )
    assert moved.partition_.cost <= plain.partition_.cost + 1e-9


def test_labels_that_say_nothing_are_one_group():
    rng = np.random.default_rng(0)
    for n in (2, 10, 40, 100):
        X, y = rng.random((n, 2)), rng.integers(2, size=n)
        assert pt.GraphPartitioner(method="agglomerative").fit(X, y).partition_.n_parts == 1


def test_four_gaussians_are_four_groups():
    X, y = pt.datasets.make_four_gaussians(150, 0)
    model = pt.GraphPartitioner(method="agglomerative").fit(X, y)
    assert model.partition_.n_parts == 4
    assert (model.partition_.majority[model.labels_] == y).mean() > 0.9


def test_the_order_of_the_rows_changes_nothing(iris):
    X, y = iris[0].to_numpy(), iris[1].to_numpy()
    order = np.random.default_rng(1).permutation(len(X))
    first = pt.GraphPartitioner(method="agglomerative").fit(X, y)
    second = pt.GraphPartitioner(method="agglomerative").fit(X[order], y[order])
    assert first.partition_.cost == second.partition_.cost
    np.testing.assert_array_equal(first.labels_[order], second.labels_)
