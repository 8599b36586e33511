"""Graphs, balls and lengths of the core against their slow twins."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partage as pt
from partage import _core
from reference.graphs import (
    adjacency_length,
    ball_counts,
    balls_inside,
    edges_of,
    gabriel_edges,
    gabriel_edges_of_integers,
    matrix_of,
    partition_lengths,
    relative_neighbourhood_edges,
    set_partitions,
    split_length,
)
from strategies import labelled_graphs


def circle_of_integers(squared_radius):
    """All points of the integer plane on a circle, which tie in every pair of opposite points."""
    reach = range(-math.isqrt(squared_radius), math.isqrt(squared_radius) + 1)
    return np.array([(a, b) for a in reach for b in reach if a * a + b * b == squared_radius])


def grid(*sides):
    """All points of an integer grid."""
    return np.indices(sides).reshape(len(sides), -1).T.astype(float)


RNG = np.random.default_rng(0)
CLOUDS = {f"cloud in {d} dimensions": RNG.normal(size=(60, d)) for d in range(1, 21)}
SPECIAL = {
    "grid of 8 x 8": grid(8, 8),
    "grid of 4 x 4 x 4": grid(4, 4, 4),
    "grid of 3 in 4 dimensions": grid(3, 3, 3, 3),
    "corners of a cube in 6 dimensions": grid(*[2] * 6),
    "decimal grid": grid(8, 8) * 0.1,
    "decimal grid far from 0": grid(6, 6) * 0.1 + 1234.5,
    "grid with gaps": RNG.permutation(grid(12, 12))[:70],
    "random integers in 2 dimensions": RNG.integers(0, 10, size=(80, 2)).astype(float),
    "random integers in 3 dimensions": RNG.integers(0, 5, size=(80, 3)).astype(float),
    "random decimals": RNG.integers(0, 12, size=(80, 2)) / 10,
    "random decimals in 4 dimensions": RNG.integers(10, 50, size=(80, 4)) / 10,
    "random decimals in 9 dimensions": RNG.integers(1, 11, size=(80, 9)) / 10,
    "circle of 36 points": circle_of_integers(65**2).astype(float),
    "circle of 12 points, decimal": circle_of_integers(25).astype(float) / 10,
    "two circles": np.vstack([circle_of_integers(25), circle_of_integers(50) + 3]).astype(float),
    "circle and its centre": np.vstack([circle_of_integers(25), [[0, 0]]]).astype(float),
    "line in 1 dimension": RNG.permutation(np.arange(30.0))[:, None],
    "decimal line": RNG.permutation(np.arange(30) / 10)[:, None],
    "line in 2 dimensions": np.outer(RNG.permutation(np.arange(30)), [1.0, 2.0]),
    "line in 3 dimensions": np.outer(RNG.permutation(np.arange(30)) / 10, [1.0, 2.0, -1.0]),
    "line with twins": np.repeat(np.arange(10.0), 3)[:, None],
    "one point many times": np.ones((12, 3)),
    "cloud with twins": np.vstack([CLOUDS["cloud in 2 dimensions"][:30]] * 2),
    "grid with twins": RNG.permutation(np.vstack([grid(5, 5), grid(5, 5)])),
    "one point": np.zeros((1, 2)),
    "two points": np.array([[0.0, 0.0], [0.1, 0.3]]),
    "constant column": np.column_stack([np.full(40, 7.0), RNG.normal(size=(40, 2))]),
    "columns of unlike scales": RNG.normal(size=(50, 3)) * [1e-6, 1.0, 1e6],
    "tiny numbers": RNG.normal(size=(40, 2)) * 1e-140,
    "huge numbers": RNG.normal(size=(40, 2)) * 1e140,
}


@pytest.mark.parametrize("points", [*SPECIAL.values(), *CLOUDS.values()], ids=[*SPECIAL, *CLOUDS])
def test_gabriel_edges_are_those_of_the_definition(points):
    assert edges_of(pt.gabriel_graph(points)) == gabriel_edges(points)


@given(
    points=st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=1, max_size=25),
    n_dimensions=st.integers(1, 3),
    unit=st.sampled_from([1, 0.1, 0.01, 3]),
)
def test_gabriel_edges_of_crowded_points_are_those_of_the_definition(points, n_dimensions, unit):
    points = np.round(np.array(points)[:, :n_dimensions] * unit, 2)
    assert edges_of(pt.gabriel_graph(points)) == gabriel_edges(points)


@pytest.mark.parametrize("n_dimensions", [1, 2, 3, 4, 6, 7, 10, 20])
@pytest.mark.parametrize("reach", [12, 30_000])
def test_gabriel_edges_of_many_points_are_those_of_the_definition(n_dimensions, reach):
    rng = np.random.default_rng(n_dimensions)
    points = rng.integers(-reach, reach, size=(300, n_dimensions))
    assert edges_of(pt.gabriel_graph(points)) == gabriel_edges_of_integers(points)


# Cocircular points of whole numbers: 65² = 16² + 63² = 25² + 60² = 33² + 56² = 39² + 52².
_ON_A_CIRCLE = [
    (a * s, b * t)
    for p in ((0, 65), (16, 63), (25, 60), (33, 56), (39, 52))
    for a, b in (p, p[::-1])
    for s in (-1, 1)
    for t in (-1, 1)
]


def _planes():
    """Points of a plane in whole numbers, many enough for several windows of the search."""
    rng = np.random.default_rng(5)
    angles = rng.integers(0, 60, 400) * np.pi / 30
    dense = rng.integers(0, 40, (500, 2))
    return {
        "lattice": np.argwhere(np.ones((24, 24))),
        "line": np.column_stack([rng.permutation(600), np.full(600, 7)]),
        "slanted line": np.outer(rng.permutation(600), [3, -2]),
        "circle": np.rint(5_000 * np.column_stack([np.cos(angles), np.sin(angles)])),
        "circles": np.vstack([k * np.array(_ON_A_CIRCLE) for k in range(1, 40)]),
        "duplicates": rng.integers(0, 12, (700, 2)),
        "dense beside sparse": np.vstack([dense, rng.integers(-30_000, 30_000, (200, 2))]),
        "far clusters": np.vstack([dense, dense + 9_000, dense[:9] - 9_000]),
        "two lines": np.vstack(
            [np.outer(np.arange(300), [1, 0]), np.outer(np.arange(300), [0, 1])]
        ),
    }


@pytest.mark.parametrize("name", _planes())
def test_gabriel_edges_of_a_plane_are_those_of_the_definition(name):
    points = _planes()[name].astype(np.int64)
    expected = gabriel_edges_of_integers(points)
    assert edges_of(pt.gabriel_graph(points)) == expected
    assert edges_of(pt.gabriel_graph(points, n_jobs=2)) == expected


@pytest.mark.parametrize("name", ["grid of 8 x 8", "random decimals", "cloud in 5 dimensions"])
def test_relative_neighbours_are_those_of_the_definition(name):
    points = {**SPECIAL, **CLOUDS}[name]
    model = pt.GraphPartitioner(graph="rng").fit(points, np.arange(len(points)) % 2)
    assert edges_of(model.graph_) == relative_neighbourhood_edges(points)


def test_iris_has_583_edges(iris):
    assert pt.gabriel_graph(iris[0]).nnz == 2 * 583
    assert edges_of(pt.gabriel_graph(iris[0])) == gabriel_edges(iris[0].to_numpy())


FAMILIES = st.sampled_from(["global", "local", "trace"])
PRIORS = st.sampled_from(["paper", "half"])


@given(case=labelled_graphs(), family=FAMILIES, data=st.data())
def test_balls_are_counted_by_size(case, family, data):
    graph, _ = case
    members = data.draw(st.sets(st.integers(0, len(graph) - 1), min_size=1))
    matrix = matrix_of(graph)
    found = pt.count_balls(matrix, sorted(members), balls=family)
    assert found.tolist() == ball_counts(graph, members, family).tolist()
    everything = pt.count_balls(matrix)
    assert everything.tolist() == ball_counts(graph, range(len(graph))).tolist()


@given(case=labelled_graphs(max_objects=8), family=FAMILIES, prior=PRIORS, data=st.data())
def test_lengths_of_bipartitions(case, family, prior, data):
    graph, y = case
    members = data.draw(st.sets(st.integers(0, len(graph) - 1), min_size=1))
    matrix = matrix_of(graph)
    balls = {ball for _, _, ball in balls_inside(graph, members, family)}
    for ball in balls | {frozenset(members)}:
        found = pt.bipartition_cost(
            matrix, sorted(members), sorted(ball), y, balls=family, null_prior=prior
        )
        length, n_balls = split_length(graph, members, ball, y, family, prior)
        assert found.cost == pytest.approx(length, rel=1e-9, abs=1e-9)
        assert found.n_balls == n_balls


@given(case=labelled_graphs(), grouping=st.sampled_from(["any", "connected"]), data=st.data())
def test_lengths_of_partitions(case, grouping, data):
    graph, y = case
    labels = data.draw(st.lists(st.integers(0, 3), min_size=len(graph), max_size=len(graph)))
    found = pt.partition_cost(matrix_of(graph), labels, y, grouping=grouping)
    terms = partition_lengths(graph, labels, y, grouping)
    assert (found.balls, found.grouping, found.labels) == pytest.approx(terms, rel=1e-9, abs=1e-9)
    assert found.cost == pytest.approx(sum(terms), rel=1e-9, abs=1e-9)


@given(case=labelled_graphs(max_objects=6))
def test_code_of_groupings_spends_no_more_than_there_is(case):
    graph, _ = case
    starts = np.cumsum([0, *map(len, graph)]).astype(np.uint64)
    neighbours = np.array([j for near in graph for j in sorted(near)], dtype=np.uint32)
    kraft = 0.0
    for groups in set_partitions(list(range(len(graph)))):
        group_of = np.empty(len(graph), dtype=np.uint32)
        for k, group in enumerate(groups):
            group_of[list(group)] = k
        length = _core.adjacency_grouping_length(starts, neighbours, group_of)
        assert length == pytest.approx(adjacency_length(graph, groups), rel=1e-9, abs=1e-9)
        kraft += math.exp(-length)
    assert kraft == pytest.approx(1)
