"""Messages of graphs, their lengths and their estimators, word for word."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import partage as pt
from helpers import assert_refuses
from partage._support import extras as _memory

SQUARE = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = [0, 0, 1, 1]
PATH = [(0, 1), (1, 2), (2, 3)]
LINKED = csr_array(np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]))


def fit(X=SQUARE, y=Y, **settings):
    """Return a call that fits a partitioner."""
    return lambda: pt.GraphPartitioner(**settings).fit(X, y)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"method": "tree"},
            "method must be 'auto', 'bipartition', 'agglomerative' or 'prototypes'; got 'tree'.",
        ),
        (
            {"graph": "nearest"},
            "graph must be 'gabriel', 'rng', 'knn' or 'delaunay'; got 'nearest'.",
        ),
        ({"balls": "near"}, "balls must be 'global', 'local' or 'trace'; got 'near'."),
        ({"null_prior": 0.5}, "null_prior must be 'paper' or 'half'; got 0.5."),
        (
            {"init": "pairs"},
            "init must be 'all', 'balls', 'classes', 'bipartition' or 'singletons'; got 'pairs'.",
        ),
        ({"grouping": None}, "grouping must be 'any' or 'connected'; got None."),
        ({"max_ball_size": 0}, "max_ball_size must be an integer of at least 1 or None; got 0."),
        ({"n_centers": 2.5}, "n_centers must be an integer of at least 1 or None; got 2.5."),
        ({"n_neighbors": None}, "n_neighbors must be an integer of at least 1; got None."),
        ({"n_jobs": 0}, "n_jobs must be an integer other than 0 or None; got 0."),
        ({"moves": "yes"}, "moves must be True or False; got 'yes'."),
        ({"verbose": "yes"}, "verbose must be True, False or None; got 'yes'."),
        ({"scale": "log"}, "scale must be 'auto', 'minmax', 'standard' or None; got 'log'."),
    ],
)
def test_parameter_out_of_its_rule(settings, message):
    assert_refuses(fit(**settings), ValueError, f"GraphPartitioner: {message}")


def test_classifier_speaks_under_its_own_name():
    assert_refuses(
        lambda: pt.GraphPartitionClassifier(init="pairs").fit(SQUARE, Y),
        ValueError,
        "GraphPartitionClassifier: init must be 'all', 'balls', 'classes', 'bipartition' or "
        "'singletons'; got 'pairs'.",
    )


@pytest.mark.parametrize("metric", ["manhatten", 3])
def test_unknown_metric(metric):
    message = (
        "metric must be a function or a metric of scipy.spatial.distance, such as 'euclidean', "
        f"'cityblock', 'chebyshev', 'cosine' or 'mahalanobis'; got {metric!r}."
    )
    assert_refuses(fit(metric=metric), ValueError, f"GraphPartitioner.fit: {message}")
    assert_refuses(
        lambda: pt.gabriel_graph(SQUARE, metric=metric), ValueError, f"gabriel_graph: {message}"
    )


def test_metric_without_a_distance():
    assert_refuses(
        fit(metric="cosine"),
        ValueError,
        "GraphPartitioner.fit: metric='cosine' must give a distance for every pair of rows; got "
        "NaN, as for a row of zeros. Drop such rows or use another metric.",
    )


def test_gaps_name_the_column_and_how_to_fill_it():
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "pay": [1.0, np.nan, np.nan, 2.0]})
    assert_refuses(
        fit(frame),
        ValueError,
        "GraphPartitioner.fit: Input X contains NaN; column 'pay' holds 2 such value(s), and "
        "distances need all numbers. Fill it first, for instance with "
        "sklearn.impute.SimpleImputer, or drop these rows.",
    )


def test_gaps_of_several_columns_are_named_together():
    frame = pd.DataFrame({"age": [1.0, 2.0, np.nan, 4.0], "pay": [1.0, np.nan, np.nan, 2.0]})
    assert_refuses(
        fit(frame),
        ValueError,
        "GraphPartitioner.fit: Input X contains NaN; column 'age' holds 1 such value(s), column "
        "'pay' holds 2 such value(s), and distances need all numbers. Fill them first, for "
        "instance with sklearn.impute.SimpleImputer, or drop these rows.",
    )


def test_infinity_names_the_column():
    assert_refuses(
        lambda: pt.gabriel_graph([[1.0, 2.0], [np.inf, 3.0]]),
        ValueError,
        "gabriel_graph: Input X contains infinity; column 'x0' holds 1 such value(s), and "
        "distances need all numbers. Replace these values.",
    )


def test_gaps_of_new_objects():
    model = pt.GraphPartitioner().fit(SQUARE, Y)
    with pytest.raises(ValueError, match=r"^GraphPartitioner.predict: Input X contains NaN; "):
        model.predict([[np.nan, 1.0]])


def test_text_columns():
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "city": list("abab")})
    assert_refuses(
        fit(frame),
        TypeError,
        "GraphPartitioner.fit: column 'city' must hold numbers, since distances need them; got "
        "text or other values (an argument must be a string or a number). Drop it, or turn it "
        "into numbers first, for instance with TablePartitioner(output='woe').",
    )


def test_several_text_columns_are_named_together():
    frame = pd.DataFrame({"city": list("abab"), "age": [1.0, 2.0, 3.0, 4.0], "job": list("xyxy")})
    assert_refuses(
        fit(frame),
        TypeError,
        "GraphPartitioner.fit: columns 'city', 'job' must hold numbers, since distances need them; "
        "got text or other values (an argument must be a string or a number). Drop them, or turn "
        "them into numbers first, for instance with TablePartitioner(output='woe').",
    )


def test_dates():
    frame = pd.DataFrame({"day": pd.to_datetime(["2020-01-01"] * 4)})
    assert_refuses(
        fit(frame),
        TypeError,
        "GraphPartitioner.fit: column 'day' holds datetimes; distances need numbers. Convert it "
        "to a number of days or seconds, or drop it.",
    )


def test_lengths_of_table_and_classes():
    with pytest.raises(ValueError, match=r"^GraphPartitioner.fit: .*4.*3"):
        fit(y=[0, 1, 1])()


@pytest.mark.parametrize("settings", [{}, {"metric": "cityblock"}])
def test_delaunay_needs_points_that_fill_the_plane(settings):
    line = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    message = (
        "graph='delaunay' needs metric='euclidean'; got metric='cityblock'."
        if settings
        else "graph='delaunay' needs points that fill the space; these 4 are too few or lie on a "
        "line or plane. Use graph='gabriel', which takes any points."
    )
    assert_refuses(
        fit(line, graph="delaunay", **settings), ValueError, f"GraphPartitioner.fit: {message}"
    )


def test_delaunay_in_many_dimensions():
    assert_refuses(
        fit(np.eye(4), graph="delaunay"),
        ValueError,
        "GraphPartitioner.fit: graph='delaunay' needs 2 or 3 columns; got 4. Use graph='gabriel'.",
    )


@pytest.mark.parametrize(
    ("graph", "error", "message"),
    [
        (
            csr_array((3, 4)),
            ValueError,
            "graph must be square, one row and one column for each object; got the shape (3, 4).",
        ),
        (
            np.zeros((4, 3)),
            ValueError,
            "graph must be square, one row and one column for each object; got the shape (4, 3).",
        ),
        (
            csr_array(np.triu(LINKED.toarray())),
            ValueError,
            "graph must be undirected (a symmetric adjacency); got the edge 0 -> 1 without "
            "1 -> 0. Use graph.maximum(graph.T) if directions do not matter.",
        ),
        (
            nx.DiGraph(PATH),
            ValueError,
            "graph must be undirected; got a directed networkx graph. Use graph.to_undirected() "
            "if directions do not matter.",
        ),
        (
            LINKED[:3, :3],
            ValueError,
            "graph must have one node for each object; got 3 nodes and 4 classes in y.",
        ),
        (
            csr_array(np.where(LINKED.toarray() > 0, np.nan, 0.0)),
            ValueError,
            "graph must hold no NaN; leave absent edges out of the matrix.",
        ),
        ([(0, 1), (2, 4)], ValueError, "edges must name objects from 0 to 3; got 4."),
        ([(0, 1), (2, -1)], ValueError, "edges must name objects from 0 to 3; got -1."),
        (
            [(0, 1), (2, 2.5)],
            ValueError,
            "edges must be pairs of whole object numbers; got fractions.",
        ),
        (
            [("a", "b")],
            TypeError,
            "a list of edges must hold pairs of object numbers, such as [(0, 1), (1, 2)]; got "
            "list of other things.",
        ),
        (
            7,
            TypeError,
            "graph must be 'gabriel', 'rng', 'knn' or 'delaunay', an adjacency (scipy sparse or "
            "array), a networkx graph or a list of edges; got 7.",
        ),
    ],
)
def test_graph_that_is_none(graph, error, message):
    assert_refuses(fit(None, graph=graph), error, f"GraphPartitioner.fit: {message}")
    assert_refuses(
        lambda: pt.partition_cost(graph, [0, 0, 1, 1], Y), error, f"partition_cost: {message}"
    )


def test_prototypes_of_a_graph():
    assert_refuses(
        fit(None, graph=LINKED, method="prototypes"),
        ValueError,
        "GraphPartitioner.fit: method='prototypes' needs points rather than a graph; pass X and "
        "leave graph as it is, or use method='bipartition' or 'agglomerative'.",
    )


def test_new_objects_of_a_graph_need_links():
    model = pt.GraphPartitioner(graph=LINKED).fit(SQUARE, Y)
    for call, name in ((model.predict, "predict"), (model.transform, "transform")):
        assert_refuses(
            lambda call=call: call(SQUARE),
            ValueError,
            f"GraphPartitioner.{name}: a model of your own graph needs the links of the new "
            "objects; pass links=, a matrix with one row for each new object and one column for "
            "each of the 4 training objects.",
        )
    assert_refuses(
        lambda: model.predict(None, links=np.zeros((2, 3))),
        ValueError,
        "GraphPartitioner.predict: links must have one column for each of the 4 training objects; "
        "got the shape (2, 3).",
    )
    assert_refuses(
        lambda: model.predict(None, links=[[0, 1, 0, 0], [0, 0, 0, 0]]),
        ValueError,
        "GraphPartitioner.predict: every new object must be linked with a training object; object "
        "1 has no link.",
    )


def test_links_of_points():
    assert_refuses(
        lambda: pt.GraphPartitioner().fit(SQUARE, Y).predict(SQUARE, links=np.ones((4, 4))),
        ValueError,
        "GraphPartitioner.predict: links are for models of your own graph; this one has "
        "graph='gabriel'. Leave them out.",
    )


def test_labels_of_another_length():
    assert_refuses(
        lambda: pt.partition_cost(PATH, [0, 1, 1], Y),
        ValueError,
        "partition_cost: labels must name one group for each object; got 3 labels and 4 classes "
        "in y.",
    )


def test_ball_outside_the_members():
    assert_refuses(
        lambda: pt.bipartition_cost(PATH, [0, 1, 2], [2, 3], Y),
        ValueError,
        "bipartition_cost: ball must lie inside members; object 3 does not.",
    )


def test_ball_that_is_none():
    assert_refuses(
        lambda: pt.bipartition_cost(PATH, range(4), [0, 3], Y),
        ValueError,
        "bipartition_cost: ball must be a ball of the graph inside members: all objects within "
        "some number of steps of one; these 2 objects are not.",
    )


@pytest.mark.parametrize(
    ("members", "error", "message"),
    [
        ([], ValueError, "members must list at least one object by number; got the shape (0,)."),
        ([0, 4], ValueError, "members must hold object numbers from 0 to 3; got 4."),
        ([0, 0], ValueError, "members must list each object once; some stand twice."),
        (
            np.array([True, False, True, True]),
            TypeError,
            "members must hold object numbers; got bool. Use np.flatnonzero to turn a mask into "
            "numbers.",
        ),
    ],
)
def test_members_that_are_no_set(members, error, message):
    assert_refuses(lambda: pt.count_balls(PATH, members), error, f"count_balls: {message}")


@pytest.mark.parametrize("columns", [(0, 2), "x0", (0,), ("x0", "x9")])
def test_columns_of_a_plot(columns):
    assert_refuses(
        lambda: pt.GraphPartitioner().fit(SQUARE, Y).plot(columns),
        ValueError,
        "GraphPartitioner.plot: columns must name two columns, by name or number; got "
        f"{columns!r}, the table has 'x0', 'x1'.",
    )


def test_balls_beyond_memory_are_refused(monkeypatch):
    n = 3000
    monkeypatch.setattr(_memory, "free_memory", lambda: 50_000_000)
    path = [(i, i + 1) for i in range(n - 1)]
    y = np.arange(n) % 2
    with pytest.raises(MemoryError) as caught:
        pt.GraphPartitioner(graph=path).fit(None, y)
    assert str(caught.value).startswith("GraphPartitioner.fit: the balls of 3000 points, about ")
    assert str(caught.value).endswith(
        "GB are free. Limit them with max_ball_size= and n_centers= of GraphPartitioner, or use "
        "method='prototypes'."
    )
    assert pt.GraphPartitioner(graph=path, max_ball_size=20).fit(None, y).partition_.n_parts >= 1


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"method": "bipartition"}, "the Gabriel graph of 2500 points with about "),
        (
            {"metric": "cityblock", "method": "bipartition"},
            "the distances between 2500 points under metric='cityblock'",
        ),
        (
            {"metric": "cityblock", "method": "prototypes"},
            "the distances of 2500 points from 2000 candidates",
        ),
    ],
)
def test_tables_beyond_memory_are_refused(settings, what, monkeypatch):
    monkeypatch.setattr(_memory, "free_memory", lambda: 1_000_000)
    rng = np.random.default_rng(0)
    with pytest.raises(MemoryError, match=rf"^GraphPartitioner.fit: {what}"):
        pt.GraphPartitioner(**settings).fit(rng.random((2500, 8)), rng.integers(0, 2, 2500))


def test_cliques_beyond_memory_are_refused(monkeypatch):
    model = pt.GraphPartitioner().fit(np.zeros((3000, 1)), np.arange(3000) % 2)
    monkeypatch.setattr(_memory, "free_memory", lambda: 100_000_000)
    with pytest.raises(MemoryError, match=r"^GraphPartitioner.graph_: the adjacency of 3000 "):
        _ = model.graph_


def test_damaged_cells():
    cells = pt.GraphPartitioner().fit(SQUARE, Y).partition_.to_dict()
    with pytest.raises(pt.PartageError, match=r"^from_dict: the data are damaged: "):
        pt.from_dict(cells | {"labels": [0, 0]})
