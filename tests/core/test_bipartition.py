"""Recursive bipartition against its slow twin, and what must hold of every result."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt
from reference.graphs import (
    ball_counts,
    best_split,
    class_counts,
    gabriel_edges,
    graph_of,
    matrix_of,
    null_length,
)
from strategies import labelled_graphs

FAMILIES = st.sampled_from(["global", "local", "trace"])
PRIORS = st.sampled_from(["paper", "half"])


def check_splits(model, graph, y, family, prior):
    """Follow the splits of a fitted model; every subset must have its cheapest ball."""
    subsets = []
    for node in model.nodes_:
        if node.parent < 0:
            members = frozenset(range(len(graph)))
        else:
            inside, outside = subsets[node.parent]
            members = inside if node.side == "inside" else outside
        assert node.n == len(members)
        assert list(node.counts) == class_counts(members, y)
        null = null_length(members, y, prior)
        lowest, ties = best_split(graph, members, y, family, prior)
        assert node.null_cost == pytest.approx(null, rel=1e-9, abs=1e-9)
        assert node.split_cost == pytest.approx(lowest, rel=1e-9, abs=1e-9)
        ball = frozenset()
        if ties:
            (ball,) = (b for c, r, b in ties if (c, r) == (node.centre, node.radius))
            assert node.size == len(ball)
            assert node.n_balls == ball_counts(graph, members, family)[len(ball)]
        assert node.accepted == (lowest < null - 1e-9 * abs(null))
        if not node.accepted:
            assert set(model.labels_[list(members)]) == {node.part}
        subsets.append((ball, members - ball))


@given(case=labelled_graphs(max_objects=10), family=FAMILIES, prior=PRIORS)
def test_every_split_is_the_cheapest_there_is(case, family, prior):
    graph, y = case
    model = pt.GraphPartitioner(
        graph=matrix_of(graph), balls=family, null_prior=prior, prune=False
    ).fit(None, y)
    check_splits(model, graph, y, family, prior)


@pytest.mark.parametrize("family", ["global", "local", "trace"])
@pytest.mark.parametrize("prior", ["paper", "half"])
def test_every_split_of_points_with_twins_is_the_cheapest_there_is(family, prior):
    rng = np.random.default_rng(5)
    n_split = 0
    for _ in range(4):
        points = rng.integers(0, 5, size=(40, 2)).astype(float)
        y = (points[:, 0] > 2) ^ (rng.random(40) < 0.05)
        model = pt.GraphPartitioner(balls=family, null_prior=prior, prune=False).fit(points, y)
        check_splits(model, graph_of(40, gabriel_edges(points)), y, family, prior)
        n_split += sum(node.accepted for node in model.nodes_)
    assert n_split > 3


@pytest.fixture(scope="module", params=["global", "local", "trace"])
def family(request):
    return request.param


@pytest.fixture(scope="module")
def rings():
    X, y = pt.datasets.make_rings(300, 0)
    return X.round(2), y  # with ties


def test_the_order_of_the_rows_changes_nothing(rings, family):
    X, y = rings
    order = np.random.default_rng(2).permutation(len(X))
    first = pt.GraphPartitioner(balls=family, prune=False).fit(X, y)
    second = pt.GraphPartitioner(balls=family, prune=False).fit(X[order], y[order])
    assert first.partition_.n_parts > 5
    assert first.partition_.cost == second.partition_.cost
    np.testing.assert_array_equal(first.labels_[order], second.labels_)
    assert [n.split_cost for n in first.nodes_] == [n.split_cost for n in second.nodes_]


def test_the_number_of_threads_changes_nothing(rings, family):
    X, y = rings
    one, two = (pt.GraphPartitioner(balls=family, n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    np.testing.assert_array_equal(one.labels_, two.labels_)
    assert one.nodes_ == two.nodes_


def test_twins_kept_at_one_point_are_those_of_the_whole_graph(rings, family):
    X, y = rings
    X, y = np.vstack([X[:80], X[:60]]), np.concatenate([y[:80], y[:50], 1 - y[50:60]])
    order = np.lexsort((y, *X.T[::-1]))
    X, y = X[order], y[order]
    points = pt.GraphPartitioner(balls=family).fit(X, y)
    graph = pt.GraphPartitioner(balls=family, graph=pt.gabriel_graph(X)).fit(None, y)
    found, expected = (
        [(n.n, n.null_cost, n.split_cost, n.n_balls, n.size, n.accepted) for n in model.nodes_]
        for model in (points, graph)
    )
    assert found == expected
    np.testing.assert_array_equal(points.labels_, graph.labels_)


def test_other_names_of_the_classes_give_the_same_lengths(rings, family):
    X, y = rings
    first = pt.GraphPartitioner(balls=family).fit(X, y)
    second = pt.GraphPartitioner(balls=family).fit(X, np.where(y == 0, "z", "a"))
    assert first.partition_.cost == pytest.approx(second.partition_.cost, rel=1e-12)


def test_limits_of_the_balls_are_kept_and_told(rings):
    X, y = rings
    model = pt.GraphPartitioner(max_ball_size=20).fit(X, y)
    assert max(n.size for n in model.nodes_) <= 20
    assert model.partition_.family == "balls of at most 20 objects"
    free = pt.GraphPartitioner(max_ball_size=20, n_centers=len(X)).fit(X, y)
    np.testing.assert_array_equal(free.labels_, pt.GraphPartitioner().fit(X, y).labels_)
    assert free.partition_.family.startswith("balls of at most 20 objects, and all balls of ")


def test_noise_is_split_less_often_under_the_half_prior():
    n_split = {"paper": 0, "half": 0}
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.random((100, 2)), rng.integers(2, size=100)
        for prior in n_split:
            model = pt.GraphPartitioner(null_prior=prior, prune=False).fit(X, y)
            n_split[prior] += model.partition_.n_parts > 1
    assert n_split["paper"] >= 6 > 2 >= n_split["half"]


def recursive_code(nodes, prior):
    """Cheapest length of each examined subset: whole, or cut into the two behind it."""
    lengths = {}
    for place, node in reversed(list(enumerate(nodes))):
        cut = math.inf
        if node.accepted:
            size = math.log(2 * (node.n - 1)) if prior == "half" else math.log(node.n)
            below = sum(lengths[k] for k, one in enumerate(nodes) if one.parent == place)
            cut = size + math.log(node.n_balls) + below
        lengths[place] = min(cut, node.null_cost)
    return lengths[0]


@given(case=labelled_graphs(max_objects=14), family=FAMILIES, prior=PRIORS)
def test_cuts_that_do_not_pay_are_undone(case, family, prior):
    graph, y = case
    settings = {"graph": matrix_of(graph), "balls": family, "null_prior": prior}
    whole = pt.GraphPartitioner(prune=False, **settings).fit(None, y)
    model = pt.GraphPartitioner(**settings).fit(None, y)
    best = recursive_code(whole.nodes_, prior)
    assert model.partition_.cost == pytest.approx(best, rel=1e-9)
    assert model.partition_.null_cost == whole.nodes_[0].null_cost
    assert model.partition_.cost <= model.partition_.null_cost * (1 + 1e-12)
    # What was kept is as it was, and its leaves hold the objects.
    assert recursive_code(model.nodes_, prior) == pytest.approx(best, rel=1e-9)
    for node in model.nodes_:
        inside = [k for k, part in enumerate(model.labels_) if part == node.part]
        if not node.accepted:
            assert class_counts(inside, y) == list(node.counts)
    assert sum(not node.accepted for node in model.nodes_) == model.partition_.n_parts
