"""``GraphPartitioner`` and ``GraphPartitionClassifier``: what they find, keep and answer."""

import json
import pickle
import re
import subprocess
import sys

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.collections import PathCollection
from matplotlib.contour import ContourSet
from scipy.sparse import coo_matrix, csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import partage as pt

METHODS = ("bipartition", "agglomerative", "prototypes")
VARIANTS = [
    {},
    {"balls": "local"},
    {"balls": "trace"},
    {"null_prior": "half"},
    {"max_ball_size": 40, "n_centers": 5},
    {"method": "agglomerative"},
    {"method": "agglomerative", "init": "singletons"},
    {"method": "agglomerative", "grouping": "connected"},
    {"method": "agglomerative", "init": "balls", "moves": False},
    {"method": "prototypes"},
    {"method": "prototypes", "n_centers": 30},
    {"graph": "rng"},
    {"graph": "knn", "n_neighbors": 4},
    {"graph": "delaunay"},
    {"metric": "cityblock", "scale": "minmax"},
    {"scale": "standard"},
]


@pytest.fixture(scope="module")
def xor():
    """200 points in a square, classes by quadrant with a few wrong, some points twice."""
    rng = np.random.default_rng(5)
    X = rng.random((180, 2)).round(2)
    X = np.vstack([X, X[:20]])
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
    return X, np.where(rng.random(200) < 0.02, 1 - y, y)


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_fitted_attributes_agree(settings, xor):
    X, y = xor
    model = pt.GraphPartitioner(**settings).fit(X, y)
    cells = model.partition_
    assert cells.n_parts > 1
    assert np.array_equal(cells.codes, model.labels_)
    for k, row in enumerate(cells.counts):
        assert np.array_equal(np.bincount(y[model.labels_ == k], minlength=2), row)
    shares = cells.counts[:, -1] / cells.counts.sum(axis=1)
    assert (np.diff(shares) >= 0).all()
    assert cells.level == max(0.0, 1 - cells.cost / cells.null_cost)
    graph = model.graph_
    assert graph.shape == (200, 200)
    assert graph.dtype == bool
    assert (graph != graph.T).nnz == 0
    assert not graph.diagonal().any()


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_row_order_and_threads_change_nothing(settings, xor):
    X, y = xor
    X, first = np.unique(X, axis=0, return_index=True)  # equal rows cannot be told apart
    y = y[first]
    model = pt.GraphPartitioner(**settings).fit(X, y)
    order = np.random.default_rng(0).permutation(len(X))
    other = pt.GraphPartitioner(n_jobs=2, **settings).fit(X[order], y[order])
    assert np.array_equal(other.labels_, model.labels_[order])
    assert other.partition_.cost == model.partition_.cost
    assert (other.graph_.toarray() == model.graph_.toarray()[np.ix_(order, order)]).all()


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_training_objects_keep_their_part(settings, xor):
    X, y = xor
    X, first = np.unique(X, axis=0, return_index=True)
    model = pt.GraphPartitioner(**settings).fit(X, y[first])
    assert np.array_equal(model.transform(X)[:, 0], model.labels_)
    assert np.array_equal(model.predict(X), model.partition_.majority[model.labels_])


@pytest.mark.parametrize("grouping", ["any", "connected"])
def test_cost_is_that_of_partition_cost(grouping, xor):
    X, y = xor
    model = pt.GraphPartitioner(method="agglomerative", grouping=grouping).fit(X, y)
    price = pt.partition_cost(model.graph_, model.labels_, y, grouping=grouping)
    assert model.partition_.cost == pytest.approx(price.cost, abs=1e-9)
    assert model.partition_.null_cost == pytest.approx(price.null_cost, abs=1e-9)
    assert price.cost == pytest.approx(price.balls + price.grouping + price.labels)


@pytest.mark.parametrize("balls", ["global", "local", "trace"])
@pytest.mark.parametrize("null_prior", ["paper", "half"])
def test_nodes_tell_the_recursion(balls, null_prior, xor):
    X, y = xor
    model = pt.GraphPartitioner(balls=balls, null_prior=null_prior, prune=False).fit(X, y)
    nodes = model.nodes_
    assert nodes[0].n == len(y)
    assert nodes[0].counts == tuple(np.bincount(y))
    leaves = [node for node in nodes if not node.accepted]
    assert sorted(node.part for node in leaves) == list(range(model.partition_.n_parts))
    for node in leaves:
        assert np.array_equal(node.counts, model.partition_.counts[node.part])
        assert node.split_cost >= node.null_cost - 1e-6
    for i, node in enumerate(nodes):
        if node.accepted:
            assert node.part == -1
            inside, outside = (child for child in nodes if child.parent == i)
            assert (inside.side, outside.side) == ("inside", "outside")
            assert inside.n == node["size"]
            assert inside.n + outside.n == node.n
            assert node.split_cost < node.null_cost


def test_first_split_is_priced_as_bipartition_cost(xor):
    X, y = xor
    model = pt.GraphPartitioner().fit(X, y)
    root = model.nodes_[0]
    graph = model.graph_
    inside = [root.centre]
    for _ in range(root.radius):
        inside = sorted({*inside, *graph[inside].nonzero()[1].tolist()})
    assert len(inside) == root.size
    split = pt.bipartition_cost(graph, range(len(y)), inside, y)
    assert split.cost == pytest.approx(root.split_cost, abs=1e-9)
    assert split.n_balls == root.n_balls
    whole = pt.bipartition_cost(graph, range(len(y)), range(len(y)), y)
    assert whole.cost == pytest.approx(root.null_cost, abs=1e-9)


def test_readings_name_the_balls():
    X = [[x, y] for x in range(8) for y in range(4)]
    model = pt.GraphPartitioner().fit(X, [0] * 16 + [1] * 16)
    root = model.nodes_[0]
    table = model.partition_.table()
    unit = "step" if root.radius == 1 else "steps"
    ball = f"within {root.radius} {unit} of object {root.centre}"
    assert sorted(table["reading"]) == sorted([ball, f"not {ball}"])
    assert list(table["count"]) == [16, 16]


def test_noise_stays_whole_with_half_the_prior_on_no_split():
    rng = np.random.default_rng(11)
    n_cut = 0
    for _ in range(20):
        X, y = rng.random((80, 2)), rng.integers(0, 2, 80)
        n_cut += pt.GraphPartitioner(null_prior="half").fit(X, y).partition_.n_parts > 1
    assert n_cut <= 3


@pytest.mark.parametrize("method", METHODS)
def test_one_class_is_one_part(method):
    X = np.random.default_rng(0).random((30, 3))
    model = pt.GraphPartitioner(method=method).fit(X, ["a"] * 30)
    assert model.partition_.n_parts == 1
    assert model.partition_.level == 0
    assert list(model.predict(X[:2])) == ["a", "a"]


@pytest.mark.parametrize("method", METHODS)
def test_one_object_and_equal_objects(method):
    assert pt.GraphPartitioner(method=method).fit([[1.0]], [0]).partition_.n_parts == 1
    model = pt.GraphPartitioner(method=method).fit([[1.0, 2.0]] * 12, [0, 1] * 6)
    assert model.partition_.n_parts == 1
    assert model.graph_.nnz == 12 * 11


def test_many_equal_objects_need_no_clique():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [9.0, 0.0], [10.0, 0.0]], 20_000, axis=0)
    y = np.repeat([0, 0, 1, 1], 20_000)
    model = pt.GraphPartitioner().fit(X, y)
    assert model.partition_.counts.tolist() == [[40_000, 0], [0, 40_000]]


def test_graphs_of_the_user_in_every_form(xor):
    X, y = xor
    X, first = np.unique(X, axis=0, return_index=True)
    y = y[first]
    adjacency = pt.gabriel_graph(X)
    pairs = np.argwhere(np.triu(adjacency.toarray()))
    network = nx.Graph()
    network.add_nodes_from(range(len(X)))
    network.add_edges_from(pairs.tolist())
    forms = [
        adjacency,
        coo_matrix(adjacency.astype(float) * 3),
        adjacency.toarray(),
        adjacency.toarray().astype(int),
        network,
        pairs,
        [tuple(pair) for pair in pairs.tolist()],
    ]
    wanted = pt.GraphPartitioner().fit(X, y)
    for graph in forms:
        model = pt.GraphPartitioner(graph=graph).fit(None, y)
        assert np.array_equal(model.labels_, wanted.labels_)
        assert (model.graph_ != adjacency).nnz == 0


@pytest.mark.parametrize("method", ["bipartition", "agglomerative"])
def test_disconnected_graphs_are_legal(method):
    edges = [(i, i + 1) for i in range(19)] + [(i, i + 1) for i in range(20, 39)]
    y = [0] * 20 + [1] * 20
    model = pt.GraphPartitioner(method=method, graph=edges).fit(None, y)
    assert model.partition_.counts.tolist() == [[20, 0], [0, 20]]
    alone = pt.GraphPartitioner(method=method, graph=np.zeros((40, 40))).fit(None, y)
    assert alone.partition_.n_parts == 1


def test_links_send_new_objects_to_their_part():
    edges = [(i, i + 1) for i in range(19)] + [(i, i + 1) for i in range(20, 39)]
    model = pt.GraphPartitionClassifier(graph=edges).fit(None, ["a"] * 20 + ["b"] * 20)
    links = csr_array(([1, 1, 1, 1], ([0, 0, 0, 1], [1, 2, 25, 39])), shape=(2, 40))
    assert list(model.predict(None, links=links)) == ["a", "b"]
    assert list(model.predict(None, links=links.toarray())) == ["a", "b"]
    shares = model.predict_proba(None, links=links)
    np.testing.assert_allclose(shares, [[21 / 22, 1 / 22], [1 / 22, 21 / 22]])


def test_classifier_scores_like_the_partitioner_predicts():
    X, y = load_iris(return_X_y=True)
    model = pt.GraphPartitionClassifier().fit(X, y)
    assert np.array_equal(model.predict(X), pt.GraphPartitioner().fit(X, y).predict(X))
    shares = model.predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert np.array_equal(shares.argmax(axis=1), model.predict(X))
    assert model.score(X, y) == (model.predict(X) == y).mean()
    assert cross_val_score(pt.GraphPartitionClassifier(), X, y).mean() > 0.85


def test_frames_names_and_outputs():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = pt.GraphPartitioner(method="prototypes").fit(X, y)
    assert list(model.feature_names_in_) == list(X.columns)
    assert list(model.get_feature_names_out()) == ["part"]
    out = clone(model).set_output(transform="pandas").fit_transform(X, y)
    assert list(out.columns) == ["part"]
    assert isinstance(model.partition_.table(), pd.DataFrame)
    other = pt.GraphPartitioner(method="prototypes").fit(pl.from_pandas(X), y)
    assert np.array_equal(other.labels_, model.labels_)
    assert isinstance(other.partition_.table(), pl.DataFrame)
    piped = make_pipeline(StandardScaler(), pt.GraphPartitionClassifier()).fit(X, y)
    assert piped.score(X, y) > 0.8


def test_cells_pass_through_json_and_pickle(xor):
    X, y = xor
    model = pt.GraphPartitioner().fit(X, y)
    cells = pt.from_dict(json.loads(json.dumps(model.partition_.to_dict())))
    assert isinstance(cells, pt.Cells)
    assert np.array_equal(cells.codes, model.labels_)
    assert (cells.cost, cells.null_cost) == (model.partition_.cost, model.partition_.null_cost)
    assert cells.readings == model.partition_.readings
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.transform(X), model.transform(X))
    assert (again.graph_ != model.graph_).nnz == 0


def test_limited_balls_are_stated_and_kept(xor):
    X, y = xor
    model = pt.GraphPartitioner(max_ball_size=25).fit(X, y)
    assert model.partition_.family == "balls of at most 25 objects"
    assert max(node.size for node in model.nodes_) <= 25
    wide = pt.GraphPartitioner(max_ball_size=25, n_centers=10).fit(X, y)
    assert wide.partition_.family == "balls of at most 25 objects, and all balls of 10 centres"
    assert pt.GraphPartitioner().fit(X, y).partition_.family == "all balls"
    enough = pt.GraphPartitioner(max_ball_size=len(y)).fit(X, y)
    assert np.array_equal(enough.labels_, pt.GraphPartitioner().fit(X, y).labels_)


def test_prototypes_surround_their_cells():
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal(c, 0.4, (40, 2)) for c in ((0, 0), (3, 0), (0, 3), (3, 3))])
    y = np.repeat([0, 1, 1, 0], 40)
    model = pt.GraphPartitioner(method="prototypes").fit(X, y)
    assert model.partition_.n_parts == 4
    squares = ((X[:, None] - X[model.prototypes_][None]) ** 2).sum(axis=-1)
    assert np.array_equal(squares.argmin(axis=1), model.labels_)
    assert model.predict([[3.1, 0.2], [2.9, 3.2]]).tolist() == [1, 0]


@pytest.mark.parametrize("method", METHODS)
def test_progress_is_shown_only_if_asked(method, xor, capsys):
    X, y = xor
    quiet = pt.GraphPartitioner(method=method).fit(X, y)
    assert capsys.readouterr() == ("", "")
    shown = pt.GraphPartitioner(method=method, verbose=True).fit(X, y)
    printed = capsys.readouterr()
    assert printed.out == ""
    counts = re.findall(r"(\d+)/(\d+)", printed.err)
    assert counts
    assert all(done == total != "0" for done, total in counts)
    assert np.array_equal(shown.labels_, quiet.labels_)


INTERRUPTED = """
import signal, threading, time
import numpy as np
import partage as pt
rng = np.random.default_rng(0)
y = rng.integers(0, 2, 20_000)
pt.GraphPartitioner().fit(rng.random((50, 2)), y[:50])  # all is imported before the timers
chain = {"graph": [(i, i + 1) for i in range(19_999)], "max_ball_size": 3000}
for X, settings in (rng.random((20_000, 8)), {}), (None, chain):
    threading.Timer(0.7, signal.raise_signal, [signal.SIGINT]).start()
    start = time.process_time()
    try:
        pt.GraphPartitioner(method="bipartition", n_jobs=2, **settings).fit(X, y)
    except KeyboardInterrupt:
        print("interrupted", time.process_time() - start < 20)
"""


def test_interrupt_stops_long_work():
    # In a process of its own: a Ctrl-C that comes late would end the process of the tests.
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["interrupted True"] * 2, done.stderr


def drawn_points(ax):
    """Where the marks of a picture stand."""
    dots = [found for found in ax.collections if isinstance(found, PathCollection)]
    return np.vstack([some.get_offsets() for some in dots])


def test_outlines_part_the_plane_where_the_part_of_a_new_row_changes(xor):
    X, y = xor
    model = pt.GraphPartitioner().fit(X, y)
    ax = model.plot()
    outlines = [found for found in ax.collections if isinstance(found, ContourSet)]
    assert len(outlines) == model.partition_.n_parts
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [name.split(":")[0] for name in names] == [str(k) for k in range(len(outlines))]
    step = np.ptp(X, axis=0).max() / 100
    for path in outlines[0].get_paths():
        for spot in path.vertices[::20]:
            around = spot + step * np.array([[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1]])
            assert len({part == 0 for part in model.transform(around).ravel()}) == 2
    plt.close("all")


@pytest.mark.parametrize("columns", [None, (0, 2), ("petal length (cm)", "sepal width (cm)")])
def test_plot_draws_objects_edges_and_names(columns):
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = pt.GraphPartitioner(method="bipartition", scale=None).fit(X, y)
    ax = model.plot(columns)
    n_drawn = len(drawn_points(ax))
    assert n_drawn == len(y)
    assert len(ax.collections[0].get_segments()) > 400
    if columns == ("petal length (cm)", "sepal width (cm)"):
        assert (ax.get_xlabel(), ax.get_ylabel()) == columns
    plt.close("all")


@pytest.mark.parametrize("settings", [{"method": "prototypes"}, {"method": "agglomerative"}])
def test_plot_of_two_columns_stands_where_the_points_are(settings, xor):
    X, y = xor
    _, ax = plt.subplots()
    assert pt.GraphPartitioner(**settings).fit(X, y).plot(ax=ax) is ax
    drawn = drawn_points(ax)
    assert np.array_equal(np.sort(drawn, axis=0), np.sort(X, axis=0))
    plt.close("all")


def test_components_of_a_picture_are_those_of_scaled_columns():
    X, y = load_iris(return_X_y=True)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    wide = X * [1.0, 1.0, 1.0, 1e4]
    drawn = [
        drawn_points(pt.GraphPartitioner(scale=scale).fit(points, y).plot())
        for points, scale in ((scaled, None), (wide, "auto"))
    ]
    np.testing.assert_allclose(np.sort(drawn[1], axis=0), np.sort(drawn[0], axis=0), atol=1e-9)
    plt.close("all")


def test_plot_lays_out_a_graph_without_points():
    edges = [(i, i + 1) for i in range(29)]
    ax = pt.GraphPartitioner(graph=edges).fit(None, [0] * 15 + [1] * 15).plot()
    assert len(ax.collections[0].get_segments()) == 29
    plt.close("all")
