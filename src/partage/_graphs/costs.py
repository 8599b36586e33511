"""Lengths of partitions of a graph, and the balls they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._graphs.graph import GraphSettings, ObjectsGraph, build_graph, read_graph
from partage._graphs.points import make_scale, read_points
from partage._graphs.repeats import Repeats, repeat_rows
from partage._support.checks import check_choice, check_jobs
from partage._support.extras import check_memory
from partage._support.portable import LOG_2, log
from partage._targets.read import read_target
from partage._targets.target import TargetRows

BALLS = ("global", "local", "trace")
NULL_PRIORS = ("paper", "half")
GROUPINGS = ("any", "connected")
NO_CENTRES = np.empty(0, dtype=np.uint32)
_BYTES_PER_BALL = 80  # while equal balls are being found, without class counts


@dataclass(frozen=True)
class PartitionCost:
    """Length l(π) of a partition, in nats, and its terms.

    Attributes
    ----------
    cost : float
        The whole length, the sum of the three terms.
    balls : float
        Length of the balls that cover the groups.
    grouping : float
        Length of their grouping.
    labels : float
        Length of the classes inside the groups.
    n_balls : int
        Balls that cover the groups, K_B.
    null_cost : float
        Length of one group.
    """

    cost: float
    balls: float
    grouping: float
    labels: float
    n_balls: int
    null_cost: float

    @classmethod
    def of(
        cls, balls: float, grouping: float, labels: float, n_balls: int, null_cost: float
    ) -> PartitionCost:
        """Add up the terms that the core found."""
        return cls(balls + grouping + labels, balls, grouping, labels, n_balls, null_cost)


@dataclass(frozen=True)
class BipartitionCost:
    """Length l(S,B) of cutting a ball off, or l(S,S) of leaving S whole, in nats.

    Attributes
    ----------
    cost : float
        The length.
    n_balls : int
        Distinct balls of the size of B inside S, β.
    """

    cost: float
    n_balls: int


def gabriel_graph(
    X: Any, *, metric: Any = "euclidean", scale: str | None = None, n_jobs: int | None = None
) -> Any:
    """Link the rows of a table that no other row stands between.

    Rows i and j are neighbours unless some row o has L(i,o)² + L(j,o)² < L(i,j)². Equality keeps
    the edge, and equal rows are neighbours. Numbers of few decimals are compared exactly, as
    decimals; others are equal within 1e-10 of L(i,j)². The graph is exact in any dimension.

    Parameters
    ----------
    X : data frame or array of shape (n_rows, n_columns)
        The points: numbers without gaps.
    metric : str or callable, default="euclidean"
        The distance L: a name of ``scipy.spatial.distance`` or a function of two rows. Others than
        Euclid's need a table of all distances.
    scale : {"auto", "minmax", "standard"} or None, default=None
        Bring each column to [0, 1], or to mean 0 and variance 1, first; ``"auto"`` does the latter
        where the ranges of two columns differ by more than three times.
    n_jobs : int, default=None
        Threads; None is one, -1 all cores. The result is the same.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_rows, n_rows)
        Symmetric, of booleans, without a diagonal.

    Examples
    --------
    >>> import partage as pt
    >>> square = [[0, 0], [0, 1], [1, 0], [1, 1]]  # the diagonals are edges: equality keeps them
    >>> pt.gabriel_graph(square).toarray().sum(axis=1)
    array([3, 3, 3, 3])
    >>> pt.gabriel_graph([[0], [1], [3]]).toarray().astype(int)
    array([[0, 1, 0],
           [1, 0, 1],
           [0, 1, 0]])
    """
    who = "gabriel_graph"
    points, _ = read_points(who, X)
    settings = GraphSettings(metric=metric, n_jobs=check_jobs(who, n_jobs))
    objects, _, _ = build_graph(who, points, settings, scale=make_scale(who, scale, points))
    return objects.matrix(who)


def partition_cost(
    graph: Any, labels: Any, y: Any, *, grouping: str = "any", sample_weight: Any = None
) -> PartitionCost:
    """Length l(π) of any partition of a graph, and its terms.

    The groups are covered by balls, the largest first; the length encodes the balls, their grouping
    and the classes inside the groups.

    Parameters
    ----------
    graph : sparse matrix, array, networkx graph or list of edges
        Who is whose neighbour: an undirected graph, connected or not.
    labels : array-like of shape (n_objects,)
        The group of each object; any values.
    y : array-like of shape (n_objects,)
        The class of each object.
    grouping : {"any", "connected"}, default="any"
        How the grouping of balls is encoded: as one among all groupings, as in the paper, or ball
        by ball, each joining a neighbour's group unless it is said to go elsewhere, which is
        shorter where groups are connected.
    sample_weight : array-like of shape (n_objects,), default=None
        How many equal objects each one stands for: whole numbers. One of weight 0 is left out.

    Returns
    -------
    PartitionCost
        ``cost`` and its terms ``balls``, ``grouping`` and ``labels``, in nats.

    Examples
    --------
    >>> import partage as pt
    >>> path = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    >>> found = pt.partition_cost(path, [0, 0, 0, 1, 1, 1], list("aaabbb"))
    >>> round(found.cost, 4), found.n_balls
    (7.3369, 2)
    """
    who = "partition_cost"
    check_choice(who, "grouping", grouping, GROUPINGS)
    rows = read_target(who, y, sample_weight)
    repeats, target = repeat_rows(who, rows)
    objects = read_graph(who, graph, repeats.n_rows).repeated(repeats)
    codes, n_groups = _read_labels(who, labels, repeats)
    core = objects.core(target.codes, target.n_classes)
    check_balls_fit(who, objects, core, target.n_classes, 0, NO_CENTRES)
    groups = np.ascontiguousarray(codes[objects.order], dtype=np.uint32)
    return PartitionCost.of(*_core.partition_cost(core, groups, n_groups, grouping))


def check_balls_fit(
    who: str,
    objects: ObjectsGraph,
    core: _core.ObjectGraph,
    n_classes: int,
    max_ball_size: int,
    centres: NDArray[np.uint32],
) -> None:
    """Refuse graphs whose balls cannot be held in memory."""
    if objects.n_points < 2000:
        return
    per_centre = _core.balls_per_centre(core, max_ball_size, centres, 32)
    check_memory(
        who,
        f"the balls of {objects.n_points} points, about {per_centre:.0f} each",
        per_centre * objects.n_points * (_BYTES_PER_BALL + 8 * n_classes),
        "Limit them with max_ball_size= and n_centers= of GraphPartitioner, or use "
        "method='prototypes'.",
    )


def bipartition_cost(
    graph: Any, members: Any, ball: Any, y: Any, *, balls: str = "global", null_prior: str = "paper"
) -> BipartitionCost:
    """Length l(S,B) of cutting the ball B off the objects S; B = S gives l(S,S).

    Parameters
    ----------
    graph : sparse matrix, array, networkx graph or list of edges
        Who is whose neighbour.
    members : array-like of int
        The objects S, by number.
    ball : array-like of int
        The objects of the ball B, all of them in S.
    y : array-like of shape (n_objects,)
        The class of each object of the graph.
    balls : {"global", "local", "trace"}, default="global"
        Balls of the graph inside S, balls of the graph that S induces, or balls cut down to S.
    null_prior : {"paper", "half"}, default="paper"
        What is encoded first: the size of B among N(S), or one half for no split.

    Returns
    -------
    BipartitionCost
        ``cost`` in nats and ``n_balls``, the number β of balls of that size inside S.

    Examples
    --------
    >>> import partage as pt
    >>> path = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    >>> split = pt.bipartition_cost(path, range(6), [0, 1, 2], list("aaabbb"))
    >>> whole = pt.bipartition_cost(path, range(6), range(6), list("aaabbb"))
    >>> round(split.cost, 4), split.n_balls, round(whole.cost, 4)
    (5.9506, 4, 6.7334)
    """
    who = "bipartition_cost"
    kind = check_choice(who, "balls", balls, BALLS)
    check_choice(who, "null_prior", null_prior, NULL_PRIORS)
    target = read_target(who, y)
    objects = read_graph(who, graph, target.n_rows)
    inside = _read_members(who, "members", members, target.n_rows)
    chosen = _read_members(who, "ball", ball, target.n_rows)
    n_balls = _count_alike(who, objects, target, inside, chosen, kind)
    n = len(inside)
    rest = np.setdiff1d(inside, chosen)
    half = null_prior == "half"
    if len(chosen) == n:
        structure = LOG_2 if half else log(n)
        return BipartitionCost(float(structure + _label_length(target, inside)), n_balls)
    structure = (LOG_2 + log(n - 1) if half else log(n)) + log(n_balls)
    labels = _label_length(target, chosen) + _label_length(target, rest)
    return BipartitionCost(float(structure + labels), n_balls)


def _count_alike(
    who: str,
    objects: ObjectsGraph,
    target: TargetRows,
    inside: NDArray[np.int64],
    chosen: NDArray[np.int64],
    kind: str,
) -> int:
    """Count the balls inside some objects of the size of one, which must be such a ball itself."""
    outside = np.setdiff1d(chosen, inside)
    if len(outside):
        raise ValueError(f"{who}: ball must lie inside members; object {int(outside[0])} does not.")
    core = objects.core(target.codes, target.n_classes)
    counts, is_ball = _core.count_balls(
        core, _places(objects, inside), _places(objects, chosen), kind
    )
    if len(chosen) < len(inside) and not is_ball:
        raise ValueError(
            f"{who}: ball must be a ball of the graph inside members: all objects within some "
            f"number of steps of one; these {len(chosen)} objects are not."
        )
    return int(counts[len(chosen)])


def count_balls(graph: Any, members: Any = None, *, balls: str = "global") -> NDArray[np.int64]:
    """Count the distinct balls of each size inside a set of objects.

    Balls are sets: two centres may give the same one, which counts once.

    Parameters
    ----------
    graph : sparse matrix, array, networkx graph or list of edges
        Who is whose neighbour.
    members : array-like of int, default=None
        The objects, by number; all of them by default.
    balls : {"global", "local", "trace"}, default="global"
        Balls of the graph inside the set, balls of the graph that the set induces, or balls cut
        down to the set.

    Returns
    -------
    ndarray of int64, of shape (n_members + 1,)
        Entry s is the number of balls of s objects.

    Examples
    --------
    >>> import partage as pt
    >>> pt.count_balls([(0, 1), (1, 2), (2, 3)])  # 4 objects in a row: 4 single ones, 2 pairs, ...
    array([0, 4, 2, 2, 1])
    """
    who = "count_balls"
    kind = check_choice(who, "balls", balls, BALLS)
    objects = read_graph(who, graph)
    n_objects = objects.n_objects
    inside = (
        np.arange(n_objects)
        if members is None
        else _read_members(who, "members", members, n_objects)
    )
    core = objects.core(np.zeros(n_objects, dtype=np.uint32), 1)
    counts, _ = _core.count_balls(core, _places(objects, inside), NO_CENTRES, kind)
    return np.asarray(counts).astype(np.int64)


def _places(objects: ObjectsGraph, members: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Numbers of rows in the order of the core."""
    place = np.empty(objects.n_objects, dtype=np.uint32)
    place[objects.order] = np.arange(objects.n_objects, dtype=np.uint32)
    return np.ascontiguousarray(np.sort(place[members]))


def _label_length(target: TargetRows, members: NDArray[np.int64]) -> float:
    """Length of the classes of some objects, in nats."""
    counts = np.bincount(target.codes[members], minlength=target.n_classes).astype(np.float64)
    return float(_core.label_length(np.ascontiguousarray(counts.astype(np.uint32))))


def _read_members(who: str, name: str, members: Any, n_objects: int) -> NDArray[np.int64]:
    """Numbers of objects, each once."""
    numbers = np.asarray(list(members) if isinstance(members, (range, set)) else members)
    if numbers.ndim != 1 or not len(numbers):
        raise ValueError(
            f"{who}: {name} must list at least one object by number; got the shape {numbers.shape}."
        )
    if numbers.dtype.kind == "b" or numbers.dtype.kind not in "iu":
        raise TypeError(
            f"{who}: {name} must hold object numbers; got {numbers.dtype}. Use np.flatnonzero to "
            "turn a mask into numbers."
        )
    if numbers.min() < 0 or numbers.max() >= n_objects:
        bad = numbers.min() if numbers.min() < 0 else numbers.max()
        raise ValueError(
            f"{who}: {name} must hold object numbers from 0 to {n_objects - 1}; got {int(bad)}."
        )
    distinct = np.unique(numbers)
    if len(distinct) < len(numbers):
        raise ValueError(f"{who}: {name} must list each object once; some stand twice.")
    return distinct.astype(np.int64)


def _read_labels(who: str, labels: Any, repeats: Repeats) -> tuple[NDArray[np.int64], int]:
    """Turn the groups of objects into numbers from 0 on."""
    from partage._data.encoding import encode
    from partage._data.table import as_vector

    values = as_vector(who, "labels", labels)
    if len(values) != repeats.n_rows:
        raise ValueError(
            f"{who}: labels must name one group for each object; got {len(values)} labels and "
            f"{repeats.n_rows} classes in y."
        )
    distinct, codes = encode(values[repeats.row_of])
    return codes.astype(np.int64), len(distinct)
