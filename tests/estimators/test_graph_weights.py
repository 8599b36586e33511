"""Weights and named targets of the estimators on graphs: a row of weight w is w equal rows."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.collections import PathCollection

import partage as pt

VARIANTS = [
    {},
    {"balls": "local"},
    {"balls": "trace", "null_prior": "half"},
    {"max_ball_size": 60, "n_centers": 5},
    {"method": "agglomerative"},
    {"method": "agglomerative", "init": "singletons"},
    {"method": "agglomerative", "grouping": "connected"},
    {"method": "agglomerative", "init": "balls", "moves": False},
    {"method": "prototypes"},
    {"scale": "standard"},
    {"metric": "mahalanobis"},
    {"metric": "cityblock", "scale": "minmax"},
]


@pytest.fixture(scope="module")
def weighted():
    """90 points of two classes, some of them at one place, with weights from 0 to 3."""
    rng = np.random.default_rng(4)
    X = rng.random((80, 2)).round(2)
    X = np.vstack([X, X[:10]])
    y = np.where(rng.random(90) < 0.05, X[:, 0] <= 0.5, X[:, 0] > 0.5)
    return X, np.array(["left", "right"])[y.astype(int)], rng.integers(0, 4, 90)


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
@pytest.mark.parametrize("estimator", [pt.GraphPartitioner, pt.GraphPartitionClassifier])
def test_weights_equal_repeated_rows(estimator, settings, weighted):
    X, y, w = weighted
    rows = np.random.default_rng(0).permutation(np.repeat(np.arange(len(X)), w))
    light = estimator(**settings).fit(X, y, sample_weight=w)
    heavy = estimator(**settings).fit(X[rows], y[rows])
    assert light.partition_.n_parts > 1 or settings.get("init") == "singletons"
    assert light.partition_.cost == heavy.partition_.cost
    assert light.partition_.null_cost == heavy.partition_.null_cost
    assert np.array_equal(light.partition_.counts, heavy.partition_.counts)
    new = np.random.default_rng(1).random((200, 2))
    assert np.array_equal(light.predict(new), heavy.predict(new))
    if estimator is pt.GraphPartitioner:
        assert np.array_equal(light.transform(new), heavy.transform(new))
    for row, label in enumerate(light.labels_):
        copies = heavy.labels_[rows == row]
        assert label == (np.bincount(copies).argmax() if w[row] else -1)
    if hasattr(light, "nodes_"):
        for one, other in zip(light.nodes_, heavy.nodes_, strict=True):
            assert (one.n, one.counts, one.split_cost) == (other.n, other.counts, other.split_cost)
            # Rows at one place are told apart by their numbers, which differ.
            assert np.array_equal(X[one.centre], X[rows[other.centre]])
    if hasattr(light, "prototypes_"):
        assert np.array_equal(X[light.prototypes_], X[rows][heavy.prototypes_])


def test_the_graph_is_that_of_the_rows(weighted):
    X, y, w = weighted
    for method in ("bipartition", "prototypes"):
        graph = pt.GraphPartitioner(method=method).fit(X, y, sample_weight=w).graph_
        wanted = np.zeros((90, 90), dtype=bool)
        wanted[np.ix_(w > 0, w > 0)] = pt.gabriel_graph(X[w > 0]).toarray()
        assert np.array_equal(graph.toarray(), wanted)


@pytest.mark.parametrize("method", ["bipartition", "agglomerative"])
def test_weights_of_a_given_graph_are_twins_of_its_nodes(method):
    y = np.array([0] * 20 + [1] * 20)
    edges = [(i, (i + 1) % 40) for i in range(40)] + [(2, 7), (25, 31)]
    w = np.random.default_rng(2).integers(0, 4, 40)
    adjacency = np.zeros((40, 40), dtype=bool)
    for a, b in edges:
        adjacency[a, b] = adjacency[b, a] = True
    rows = np.repeat(np.arange(40), w)
    twins = (adjacency | np.eye(40, dtype=bool))[np.ix_(rows, rows)]
    np.fill_diagonal(twins, False)
    light = pt.GraphPartitioner(method=method, graph=edges).fit(None, y, sample_weight=w)
    heavy = pt.GraphPartitioner(method=method, graph=twins).fit(None, y[rows])
    assert light.partition_.n_parts > 1
    assert light.partition_.cost == pytest.approx(heavy.partition_.cost, abs=1e-9)
    assert np.array_equal(light.partition_.counts, heavy.partition_.counts)
    assert np.array_equal(light.labels_[rows], heavy.labels_)
    links = np.random.default_rng(3).random((40, 40)) < 0.2
    links[:, rows[0]] = True
    assert np.array_equal(
        light.transform(None, links=links), heavy.transform(None, links=links[:, rows])
    )


def test_weights_of_one_are_no_weights(weighted):
    X, y, _ = weighted
    plain = pt.GraphPartitioner().fit(X, y)
    for ones in (np.ones(90), [1] * 90, 1):
        model = pt.GraphPartitioner().fit(X, y, sample_weight=ones)
        assert np.array_equal(model.labels_, plain.labels_)
        assert model.partition_.cost == plain.partition_.cost


def test_rows_without_weight_take_their_class_along():
    X = np.arange(12.0)[:, None]
    y = [0] * 5 + [1] * 5 + [2] * 2
    model = pt.GraphPartitioner().fit(X, y, sample_weight=[3] * 10 + [0] * 2)
    assert model.classes_.tolist() == [0, 1]
    assert model.partition_.counts.tolist() == [[15, 0], [0, 15]]
    assert model.labels_.tolist() == [0] * 5 + [1] * 5 + [-1] * 2
    assert "of 30 objects" in repr(model.partition_)


def test_plots_leave_rows_without_weight_out(weighted):
    X, y, w = weighted
    ax = pt.GraphPartitioner().fit(X, y, sample_weight=w).plot()
    dots = [found for found in ax.collections if isinstance(found, PathCollection)]
    drawn = np.vstack([some.get_offsets() for some in dots])
    assert np.array_equal(np.sort(drawn, axis=0), np.sort(X[w > 0], axis=0))
    plt.close("all")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            [1, 0.5, 2],
            "GraphPartitioner.fit: sample_weight must hold whole numbers, since balls are counted "
            "by their number of objects; got 0.5. Round the weights, or multiply them until they "
            "are whole.",
        ),
        (
            [1e17, 1, 1],
            "GraphPartitioner.fit: sample_weight must sum to at most 2147483648; got 1e+17. "
            "Divide the weights.",
        ),
        ([-1, 1, 1], "GraphPartitioner.fit: sample_weight must not be negative; got -1.0."),
        (
            [1, 2],
            "GraphPartitioner.fit: sample_weight must hold one number for each of the 3 rows; got "
            "the shape (2,).",
        ),
    ],
)
def test_weights_that_cannot_be_are_refused(weights, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.GraphPartitioner().fit([[0.0], [1.0], [2.0]], [0, 1, 1], sample_weight=weights)


@pytest.mark.parametrize("estimator", [pt.GraphPartitioner, pt.GraphPartitionClassifier])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_target_names_a_column(estimator, frame, weighted):
    X, y, w = weighted
    table = frame({"a": X[:, 0], "side": y, "b": X[:, 1]})
    named = estimator().fit(table, target="side", sample_weight=w)
    given = estimator().fit(X, y, sample_weight=w)
    assert list(named.feature_names_in_) == ["a", "b"]
    assert np.array_equal(named.labels_, given.labels_)
    if estimator is pt.GraphPartitioner:
        codes = pt.GraphPartitioner().fit_transform(table, target="side", sample_weight=w)
        assert np.array_equal(codes, given.transform(X))


def test_target_that_is_no_column_is_refused(weighted):
    X, y, _ = weighted
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    for wrong, message in (
        (
            {"target": "c"},
            "GraphPartitioner.fit: target must be a column of X; got 'c', X has 'a', 'b'.",
        ),
        (
            {"target": "a", "y": y},
            "GraphPartitioner.fit: either y or target must be given; got both.",
        ),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            pt.GraphPartitioner().fit(table, **wrong)
    both = table.assign(side=(X[:, 0] > 0.5).astype(int))
    message = (
        "GraphPartitioner.fit: the target must not be among the columns; X holds 'side' too. Drop "
        "it, or pass target='side' instead of y."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pt.GraphPartitioner().fit(both, both["side"])


@pytest.mark.parametrize("grouping", ["any", "connected"])
def test_length_of_weighted_objects_is_that_of_repeated_ones(grouping, weighted):
    X, y, w = weighted
    fitted = pt.GraphPartitioner().fit(X, y, sample_weight=w)
    labels = fitted.labels_
    rows = np.repeat(np.arange(len(X)), w)
    heavy = pt.GraphPartitioner().fit(X[rows], y[rows])
    light = pt.partition_cost(fitted.graph_, labels, y, grouping=grouping, sample_weight=w)
    repeated = pt.partition_cost(heavy.graph_, labels[rows], y[rows], grouping=grouping)
    assert light.cost == pytest.approx(repeated.cost, rel=1e-12)
