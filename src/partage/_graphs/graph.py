"""Proximity graphs of points, and graphs that a user has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._graphs.points import Distinct, Scale, distinct_points, exact_points, lengths
from partage._graphs.repeats import Repeats
from partage._support.checks import listed
from partage._support.extras import check_memory

GRAPHS = ("gabriel", "rng", "knn", "delaunay")
_TABLE_SLACK = 1e-10  # of squared distances in a table
_EUCLIDEAN = ("euclidean", "l2")


@dataclass(frozen=True)
class ObjectsGraph:
    """Who is whose neighbour among distinct points, and the objects that lie at each.

    Objects at one point are adjacent and share their neighbours, so only points are linked here.
    """

    starts: NDArray[np.uint64]
    neighbours: NDArray[np.uint32]
    order: NDArray[np.int64]  # rows by point
    object_starts: NDArray[np.uint32]

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return len(self.order)

    @property
    def n_points(self) -> int:
        """Number of distinct points."""
        return len(self.starts) - 1

    def core(self, codes: NDArray[Any], n_classes: int) -> _core.ObjectGraph:
        """Hand the objects and the classes of their rows to the core."""
        classes = np.ascontiguousarray(codes[self.order], dtype=np.uint32)
        return _core.ObjectGraph(
            self.starts, self.neighbours, self.object_starts, classes, n_classes
        )

    def repeated(self, repeats: Repeats) -> ObjectsGraph:
        """Put as many objects at the point of each row as the row counts; drop empty points."""
        times = repeats.times
        first = np.cumsum(times) - times
        here = self.order[times[self.order] > 0]
        starts, neighbours = self.starts, self.neighbours
        if len(here) < self.n_points:
            number = np.full(self.n_points, -1)
            number[times[self.order] > 0] = np.arange(len(here))
            sources = number[np.repeat(np.arange(self.n_points), lengths(starts))]
            pairs = np.column_stack([sources, number[neighbours]])
            starts, neighbours = _starts_and_neighbours(pairs[(pairs >= 0).all(1)], len(here))
        ends = np.cumsum(times[here])
        within = np.arange(len(repeats.row_of)) - np.repeat(ends - times[here], times[here])
        order = np.repeat(first[here], times[here]) + within
        return ObjectsGraph(starts, neighbours, order, np.append(0, ends).astype(np.uint32))

    def rows(self, repeats: Repeats) -> ObjectsGraph:
        """Put each row once at its point, however often it counts."""
        row = repeats.row_of[self.order]
        is_new = np.ones(len(row), dtype=bool)
        is_new[1:] = row[1:] != row[:-1]  # equal objects stand side by side
        starts = np.append(0, np.cumsum(is_new))[self.object_starts].astype(np.uint32)
        return ObjectsGraph(self.starts, self.neighbours, row[is_new], starts)

    def matrix(self, who: str, n_rows: int | None = None) -> Any:
        """Adjacency of the rows as a symmetric matrix of booleans without a diagonal.

        It has the side ``n_rows`` where some rows have no objects.
        """
        from scipy.sparse import coo_array

        sizes = lengths(self.object_starts)
        sources = np.repeat(np.arange(self.n_points), lengths(self.starts))
        n_links = float(
            (sizes[sources] * sizes[self.neighbours]).sum() + (sizes * (sizes - 1)).sum()
        )
        check_memory(
            who,
            f"the adjacency of {self.n_objects} objects with {n_links / 2:.3g} edges",
            40 * n_links,
            "Drop duplicates first; GraphPartitioner itself needs no such matrix.",
        )
        if self.n_points == self.n_objects:
            rows, columns = self.order[sources], self.order[self.neighbours]
        else:
            rows, columns = self._expanded(sources, sizes)
        side = self.n_objects if n_rows is None else n_rows
        linked = np.ones(len(rows), dtype=bool)
        matrix = coo_array((linked, (rows, columns)), shape=(side, side)).tocsr()
        matrix.sort_indices()
        return matrix

    def _expanded(
        self, sources: NDArray[np.int64], sizes: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Links between objects: those of linked points, and all pairs at one point."""
        twins = np.flatnonzero(sizes > 1)
        sources = np.concatenate([sources, twins])
        targets = np.concatenate([self.neighbours.astype(np.int64), twins])
        n_pairs = sizes[sources] * sizes[targets]
        link = np.repeat(np.arange(len(sources)), n_pairs)
        within = np.arange(len(link)) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
        first, second = np.divmod(within, sizes[targets][link])
        starts = self.object_starts.astype(np.int64)
        rows = self.order[starts[sources[link]] + first]
        columns = self.order[starts[targets[link]] + second]
        apart = rows != columns
        return rows[apart], columns[apart]


@dataclass(frozen=True)
class GraphSettings:
    """How points become a graph."""

    kind: str = "gabriel"
    metric: Any = "euclidean"
    n_neighbors: int = 10
    n_jobs: int = 1


@dataclass(frozen=True)
class Metric:
    """A metric of scipy with what it learns from the training points."""

    name: Any
    params: dict[str, Any]

    @property
    def is_euclidean(self) -> bool:
        """Whether a tree of boxes can be used."""
        return isinstance(self.name, str) and self.name in _EUCLIDEAN


def read_metric(who: str, metric: Any, points: NDArray[np.float64]) -> Metric:
    """Take a metric that scipy knows, or a function of two points."""
    if isinstance(metric, str) and metric in _EUCLIDEAN:
        return Metric(metric, {})
    from scipy.spatial.distance import cdist

    if not isinstance(metric, str) and not callable(metric):
        _refuse_metric(who, metric)
    params: dict[str, Any] = {}
    if metric == "seuclidean":
        spread = points.var(axis=0, ddof=1) if len(points) > 1 else np.ones(points.shape[1])
        params["V"] = np.where(spread > 0, spread, 1.0)
    elif metric == "mahalanobis":
        params["VI"] = np.linalg.pinv(np.atleast_2d(np.cov(points.T)))
    try:
        cdist(points[:1], points[:1], metric, **params)
    except ValueError as error:
        if isinstance(metric, str) and "unknown" in str(error).lower():
            _refuse_metric(who, metric)
        raise
    return Metric(metric, params)


def _refuse_metric(who: str, metric: object) -> None:
    """Raise the error of a metric that scipy does not know."""
    raise ValueError(
        f"{who}: metric must be a function or a metric of scipy.spatial.distance, such as "
        f"'euclidean', 'cityblock', 'chebyshev', 'cosine' or 'mahalanobis'; got {metric!r}."
    )


def build_graph(
    who: str,
    rows: NDArray[np.float64],
    settings: GraphSettings,
    *,
    scale: Scale | None = None,
    codes: NDArray[Any] | None = None,
    progress: _core.Progress | None = None,
) -> tuple[ObjectsGraph, Distinct, Metric]:
    """Link rows by proximity; rows with equal coordinates become one point."""
    scaled = rows if scale is None else scale(rows)
    distinct = distinct_points(scaled, codes)
    metric = read_metric(who, settings.metric, scaled)
    if settings.kind == "delaunay":
        starts, neighbours = _delaunay(who, distinct.points, metric)
    elif metric.is_euclidean:
        starts, neighbours = _link_points(who, distinct.points, settings, progress)
    else:
        starts, neighbours = _link_by_table(who, distinct.points, settings, metric, progress)
    objects = ObjectsGraph(starts, neighbours, distinct.order, distinct.starts)
    return objects, distinct, metric


def _link_points(
    who: str,
    points: NDArray[np.float64],
    settings: GraphSettings,
    progress: _core.Progress | None,
) -> tuple[Any, Any]:
    """Link points of a Euclidean space."""
    exact, slack = exact_points(points)
    if settings.kind != "knn" and exact.shape[1] > 3 and len(exact) > 2000:
        degree = _core.gabriel_degree(exact, slack, 32)
        check_memory(
            who,
            f"the Gabriel graph of {len(exact)} points with about {degree:.0f} neighbours each",
            30.0 * degree * len(exact),
            "Use graph='knn', fewer columns or fewer rows.",
        )
    return _core.proximity_graph(
        exact, slack, settings.kind, settings.n_neighbors, settings.n_jobs, progress
    )


def _link_by_table(
    who: str,
    points: NDArray[np.float64],
    settings: GraphSettings,
    metric: Metric,
    progress: _core.Progress | None,
) -> tuple[Any, Any]:
    """Link points by a table of their distances."""
    from scipy.spatial.distance import pdist, squareform

    n_points = len(points)
    check_memory(
        who,
        f"the distances between {n_points} points under metric={metric.name!r}",
        12.0 * n_points**2,
        "Use metric='euclidean', which needs no table, or fewer rows.",
    )
    distances = np.ascontiguousarray(
        squareform(np.maximum(pdist(points, metric.name, **metric.params), 0.0))
        if n_points > 1
        else np.zeros((n_points, n_points))
    )
    if np.isnan(distances).any():
        raise ValueError(
            f"{who}: metric={metric.name!r} must give a distance for every pair of rows; got NaN, "
            "as for a row of zeros. Drop such rows or use another metric."
        )
    if settings.kind == "knn":
        return _nearest_by_table(distances, settings.n_neighbors)
    return _core.graph_from_distances(
        distances, settings.kind, _TABLE_SLACK, settings.n_jobs, progress
    )


def _nearest_by_table(distances: NDArray[np.float64], n_neighbors: int) -> tuple[Any, Any]:
    """Link each point with its nearest ones; ties go to the smaller point."""
    n_points = len(distances)
    np.fill_diagonal(distances, np.inf)
    nearest = np.argsort(distances, axis=1, kind="stable")[:, : min(n_neighbors, n_points - 1)]
    pairs = np.column_stack([np.repeat(np.arange(n_points), nearest.shape[1]), nearest.reshape(-1)])
    return _starts_and_neighbours(pairs, n_points)


def _delaunay(who: str, points: NDArray[np.float64], metric: Metric) -> tuple[Any, Any]:
    """Link the corners of Delaunay's simplices."""
    from scipy.spatial import Delaunay, QhullError

    if not metric.is_euclidean:
        raise ValueError(
            f"{who}: graph='delaunay' needs metric='euclidean'; got metric={metric.name!r}."
        )
    if points.shape[1] not in (2, 3):
        raise ValueError(
            f"{who}: graph='delaunay' needs 2 or 3 columns; got {points.shape[1]}. "
            "Use graph='gabriel'."
        )
    try:
        simplices = Delaunay(points).simplices
    except (QhullError, ValueError):
        raise ValueError(
            f"{who}: graph='delaunay' needs points that fill the space; these {len(points)} are "
            "too few or lie on a line or plane. Use graph='gabriel', which takes any points."
        ) from None
    n_corners = simplices.shape[1]
    pairs = [simplices[:, [a, b]] for a in range(n_corners) for b in range(a)]
    return _starts_and_neighbours(np.vstack(pairs), len(points))


def _starts_and_neighbours(pairs: NDArray[Any], n_points: int) -> tuple[Any, Any]:
    """Turn pairs, in any order and any number of times, into lists of neighbours."""
    both = np.vstack([pairs, pairs[:, ::-1]]).astype(np.int64)
    keys = np.unique(both[both[:, 0] != both[:, 1]] @ np.array([n_points, 1]))
    sources, targets = np.divmod(keys, max(n_points, 1))
    starts = np.searchsorted(sources, np.arange(n_points + 1)).astype(np.uint64)
    return starts, targets.astype(np.uint32)


def read_graph(who: str, graph: Any, n_objects: int | None = None) -> ObjectsGraph:
    """Take a graph that a user has: sparse or dense adjacency, networkx, or a list of edges."""
    pairs, n_nodes = _read_pairs(who, graph, n_objects)
    if n_objects is not None and n_nodes != n_objects:
        raise ValueError(
            f"{who}: graph must have one node for each object; got {n_nodes} nodes and "
            f"{n_objects} classes in y."
        )
    starts, neighbours = _starts_and_neighbours(pairs, n_nodes)
    order = getattr(graph, "tie_order", None)
    places = np.arange(n_nodes)
    if order is not None:
        return _reordered(starts, neighbours, np.asarray(order, dtype=np.int64))
    return ObjectsGraph(starts, neighbours, places, np.arange(n_nodes + 1, dtype=np.uint32))


def _reordered(starts: Any, neighbours: Any, order: NDArray[np.int64]) -> ObjectsGraph:
    """Give nodes the numbers of their places in ``order``."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    sources = np.repeat(np.arange(len(order)), lengths(starts))
    pairs = np.column_stack([place[sources], place[neighbours]])
    starts, neighbours = _starts_and_neighbours(pairs.reshape(-1, 2), len(order))
    return ObjectsGraph(starts, neighbours, order, np.arange(len(order) + 1, dtype=np.uint32))


def _read_pairs(who: str, graph: Any, n_objects: int | None) -> tuple[NDArray[np.int64], int]:
    """Pairs of linked nodes, and the number of nodes."""
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        return _from_networkx(who, graph)
    if hasattr(graph, "tocoo"):
        return _from_matrix(who, graph)
    array = _as_numbers(who, graph)
    is_square = array.ndim == 2 and array.shape[0] == array.shape[1]
    if is_square and (array.shape[1] != 2 or array.dtype.kind == "b"):
        from scipy.sparse import coo_array

        return _from_matrix(who, coo_array(array))
    is_small_square = array.shape == (2, 2) and n_objects == 2 and (array == array.T).all()
    if is_small_square and not np.diag(array).any():
        from scipy.sparse import coo_array

        return _from_matrix(who, coo_array(array))
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64), int(n_objects or 0)
    if array.ndim == 2 and array.shape[1] == 2:
        return _from_edges(who, array, n_objects)
    raise ValueError(
        f"{who}: graph must be square, one row and one column for each object; got the shape "
        f"{array.shape}."
    )


def _as_numbers(who: str, graph: Any) -> NDArray[Any]:
    """Make an array of a dense matrix or a list of edges."""
    is_listed = isinstance(graph, (list, tuple, np.ndarray)) or hasattr(graph, "__iter__")
    if isinstance(graph, (str, bytes, dict)) or not is_listed:
        raise TypeError(
            f"{who}: graph must be {listed(GRAPHS)}, an adjacency (scipy sparse or array), a "
            f"networkx graph or a list of edges; got {graph!r}."
        )
    try:
        array = np.asarray(graph if isinstance(graph, np.ndarray) else list(graph))
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"{who}: a list of edges must hold pairs of object numbers, such as [(0, 1), (1, 2)]; "
            f"got {type(graph).__name__} of other things."
        )
    return array


def _from_edges(
    who: str, edges: NDArray[Any], n_objects: int | None
) -> tuple[NDArray[np.int64], int]:
    """Read a list of edges."""
    if (edges != np.floor(edges)).any():
        raise ValueError(f"{who}: edges must be pairs of whole object numbers; got fractions.")
    n_nodes = int(edges.max()) + 1 if n_objects is None else n_objects
    if edges.min() < 0 or edges.max() >= n_nodes:
        bad = edges.min() if edges.min() < 0 else edges.max()
        raise ValueError(f"{who}: edges must name objects from 0 to {n_nodes - 1}; got {int(bad)}.")
    return edges.astype(np.int64), n_nodes


def _from_matrix(who: str, graph: Any) -> tuple[NDArray[np.int64], int]:
    """Read an adjacency; any entry other than zero is an edge."""
    if graph.ndim != 2 or graph.shape[0] != graph.shape[1]:
        raise ValueError(
            f"{who}: graph must be square, one row and one column for each object; got the shape "
            f"{graph.shape}."
        )
    matrix = graph.tocoo()
    values = np.asarray(matrix.data)
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise ValueError(f"{who}: graph must hold no NaN; leave absent edges out of the matrix.")
    linked = values != 0
    rows = np.asarray(matrix.row, dtype=np.int64)[linked]
    columns = np.asarray(matrix.col, dtype=np.int64)[linked]
    n_nodes = int(matrix.shape[0])
    forward = np.unique(rows * n_nodes + columns)
    backward = np.unique(columns * n_nodes + rows)
    if not np.array_equal(forward, backward):
        alone = int(np.setdiff1d(forward, backward)[0])
        a, b = divmod(alone, n_nodes)
        raise ValueError(
            f"{who}: graph must be undirected (a symmetric adjacency); got the edge {a} -> {b} "
            f"without {b} -> {a}. Use graph.maximum(graph.T) if directions do not matter."
        )
    return np.column_stack([rows, columns]), n_nodes


def _from_networkx(who: str, graph: Any) -> tuple[NDArray[np.int64], int]:
    """Read a graph of networkx; its nodes, in their order, are the objects."""
    if graph.is_directed():
        raise ValueError(
            f"{who}: graph must be undirected; got a directed networkx graph. Use "
            "graph.to_undirected() if directions do not matter."
        )
    place = {node: i for i, node in enumerate(graph.nodes)}
    pairs = [(place[a], place[b]) for a, b in graph.edges()]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), len(place)
