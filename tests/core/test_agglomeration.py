"""Agglomeration on a graph against its slow twin, and what must hold of every result."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt
from helpers import sweep
from reference.graphs import (
    agglomerations,
    clean_balls,
    edges_of,
    gabriel_edges,
    graph_of,
    is_connected,
    matrix_of,
    set_partitions,
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
    found = fit(graph, y, grouping=grouping, init="balls", moves=False).partition_.cost
    assert round(found, 9) in agglomerations(graph, clean_balls(graph, y), y, grouping)


@given(case=labelled_graphs(max_objects=6), grouping=GROUPINGS)
def test_cost_is_the_lowest_that_merging_single_objects_meets(case, grouping):
    graph, y = case
    found = fit(graph, y, grouping=grouping, init="singletons", moves=False).partition_.cost
    assert round(found, 9) in agglomerations(graph, np.arange(len(graph)), y, grouping)


@pytest.mark.parametrize("grouping", ["any", "connected"])
@pytest.mark.parametrize("seed", sweep(range(3)))
def test_merging_the_clean_balls_of_points_with_twins(grouping, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 13)
    points = rng.integers(0, 4, size=(26, 2)) + 5.0 * y[:, None]
    model = pt.GraphPartitioner(
        method="agglomerative", init="balls", moves=False, grouping=grouping
    ).fit(points, y)
    # The twin settles ties by number, the fit by coordinates: number the points that way.
    order = np.lexsort((y, *points.T[::-1]))
    graph, labels = graph_of(26, gabriel_edges(points[order])), y[order]
    found = agglomerations(graph, clean_balls(graph, labels), labels, grouping)
    assert round(model.partition_.cost, 9) in found
    assert model.partition_.n_parts > 1


@pytest.mark.parametrize("init", ["all", "balls", "classes", "bipartition", "singletons"])
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


@pytest.mark.parametrize("seed", sweep(range(6)))
@pytest.mark.parametrize("grouping", ["any", "connected"])
def test_starts_and_moves_never_raise_the_cost(seed, grouping):
    X, y = pt.datasets.make_xor(120, seed, noise=0.05)

    def cost(init, moves):
        model = pt.GraphPartitioner(
            method="agglomerative", grouping=grouping, init=init, moves=moves
        )
        return model.fit(X, y).partition_.cost

    best = cost("all", True)
    for init in ("balls", "classes", "bipartition", "singletons"):
        plain, moved = cost(init, False), cost(init, True)
        assert moved <= plain + 1e-9
        assert init == "singletons" or best <= moved + 1e-9


def shortest(model, points, y, grouping):
    """Lowest cost of the partitions of few points into groups that hang together."""
    graph = model.graph_
    first = np.unique(points, axis=0, return_index=True, return_inverse=True)
    _, place, point_of = first
    links = graph_of(len(place), edges_of(graph[place][:, place]))
    costs = []
    for blocks in set_partitions(range(len(place))):
        if all(is_connected(links, block) for block in blocks):
            block_of = {p: k for k, block in enumerate(blocks) for p in block}
            labels = [block_of[p] for p in point_of.ravel()]
            costs.append(pt.partition_cost(graph, labels, y, grouping=grouping).cost)
    return min(costs)


def test_search_reaches_the_shortest_partition_more_often_than_the_papers():
    n_reached = {True: 0, False: 0}
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.random((7, 2))
        y = np.where(rng.random(7) < 0.25, X[:, 0] <= 0.4, X[:, 0] > 0.4).astype(int)
        rows = np.repeat(np.arange(7), rng.integers(2, 7, 7))
        X, y = X[rows], y[rows]
        ours = pt.GraphPartitioner(method="agglomerative").fit(X, y)
        paper = pt.GraphPartitioner(method="agglomerative", init="balls", moves=False).fit(X, y)
        best = shortest(ours, X, y, "any")
        for is_ours, model in ((True, ours), (False, paper)):
            n_reached[is_ours] += model.partition_.cost <= best + 1e-9
    assert n_reached[True] >= 11
    assert n_reached[False] < n_reached[True]


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


def test_merges_of_many_objects_are_estimated_and_the_result_is_priced():
    rng = np.random.default_rng(3)
    X = rng.random((3_200, 2))
    is_odd = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    y = np.where(rng.random(3_200) < 0.1, ~is_odd, is_odd)
    model = pt.GraphPartitioner(method="agglomerative", scale=None, init="classes").fit(X, y)
    cells = model.partition_
    assert cells.cost == pytest.approx(pt.partition_cost(model.graph_, cells.codes, y).cost)
    assert cells.counts.max(axis=1).sum() / 3_200 > 0.87  # nine in ten follow the squares
    assert cells.n_parts <= 6


def noisy_squares(n, noise, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    is_odd = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    return X, np.where(rng.random(n) < noise, ~is_odd, is_odd)


@pytest.mark.parametrize(("noise", "least", "most"), [(0.1, 3, 4), (0.5, 1, 1)])
def test_smoothed_classes_of_many_objects_lead_to_their_groups(noise, least, most):
    X, y = noisy_squares(3_200, noise, 5)
    model = pt.GraphPartitioner(method="agglomerative", scale=None).fit(X, y)
    cells = model.partition_
    assert least <= cells.n_parts <= most
    assert cells.cost <= cells.null_cost
    assert cells.cost == pytest.approx(pt.partition_cost(model.graph_, cells.codes, y).cost)
    links = graph_of(len(y), edges_of(model.graph_))
    for part in range(cells.n_parts):
        assert is_connected(links, list(np.flatnonzero(cells.codes == part)))


def test_smoothed_classes_cost_about_as_little_as_the_best_other_start():
    X, y = noisy_squares(3_200, 0.1, 6)
    costs = {
        init: pt.GraphPartitioner(method="agglomerative", scale=None, init=init)
        .fit(X, y)
        .partition_.cost
        for init in ("all", "classes", "bipartition")
    }
    assert costs["all"] < 1.03 * min(costs["classes"], costs["bipartition"])
