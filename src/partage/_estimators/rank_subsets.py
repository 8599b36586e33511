"""``rank_subsets``: which columns, taken together, separate the classes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.table import read_table
from partage._estimators.grids import check_grid
from partage._estimators.joint import open_joint
from partage._estimators.public import public
from partage._graphs.points import read_points
from partage._partitions.find_grid import GridSettings, find_grid
from partage._search.core import level_of
from partage._support.checks import check_choice, check_jobs, refuse
from partage._support.frames import Frame, make_frame
from partage._support.parallel import Cancel, counting_bar, run_all
from partage._targets.read import check_not_among, read_target, take_target
from partage._targets.target import check_lengths

if TYPE_CHECKING:
    from partage._estimators.graph_partitioner import GraphPartitioner
    from partage._partitions.cells import Cells

_MOST_SUBSETS = 1_000_000
MODELS = ("graph", "grid", "both")


@public
def rank_subsets(
    X: Any,
    y: Any = None,
    *,
    target: str | None = None,
    max_size: int = 2,
    min_size: int = 1,
    model: str = "graph",
    partitioner: GraphPartitioner | None = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Frame:
    """Rank subsets of columns by how well they separate the classes together.

    Every subset is partitioned on its own. One group costs the same for all of them, so levels
    compare: the columns of the XOR problem stand first as a pair and last alone.

    Parameters
    ----------
    X : data frame or array of shape (n_rows, n_columns)
        Columns without missing values: numbers, and categories where ``model="grid"``.
    max_size : int, default=2
        Most columns of a subset; the number of subsets grows fast with it.
    min_size : int, default=1
        Fewest columns of a subset.
    model : {"graph", "grid", "both"}, default="graph"
        What each subset is divided by: parts of any shape of a proximity graph; the intervals of
        one column or the grid of two, which wider subsets do not have; or both, one row for each.
        All are lengths of the same classes, so a grid that costs less than a graph, or the reverse,
        describes them better.
    partitioner : GraphPartitioner, default=None
        How the graph of each subset is partitioned; it is cloned. By default
        ``GraphPartitioner(method="bipartition", scale="minmax")``; the paper's is agglomerative.

    Returns
    -------
    DataFrame
        Of the library of ``X``; pandas for arrays. One row per subset, highest level first, then
        fewest columns. Columns: ``columns`` (names), ``size``, ``model`` (``"graph"`` or
        ``"grid"``), ``level`` (share of the length of one group that is saved), ``parts``,
        ``cost``, ``accuracy`` (share of the largest class of each group) and ``counts`` of each.

    References
    ----------
    S. Ferrandiz, M. Boullé, Supervised evaluation of dataset partitions, 2006, Table 1.

    Examples
    --------
    >>> import partage as pt
    >>> X, y = pt.datasets.make_xor(200, seed=0)
    >>> pt.rank_subsets(X, y)[["columns", "level", "parts"]]
        columns     level  parts
    0  [x0, x1]  0.324913      3
    1      [x0]  0.000000      1
    2      [x1]  0.000000      1
    """
    return _rank(
        "rank_subsets", X, y, target, (min_size, max_size), model, partitioner, n_jobs, verbose
    )


def _rank(
    who: str,
    X: Any,
    y: Any,
    target: str | None,
    sizes: tuple[Any, Any],
    model: str,
    partitioner: GraphPartitioner | None,
    n_jobs: int | None,
    verbose: bool,
) -> Frame:
    """Rank subsets by the parameters of ``rank_subsets``."""
    X, y = take_target(who, X, y, target)
    table = read_table(who, X)
    check_not_among(who, table, y)
    subsets = _list_subsets(who, *sizes, len(table.names))
    jobs = _check_jobs(who, n_jobs, verbose)
    check_choice(who, "model", model, MODELS)
    points = None if model == "grid" else read_points(who, table)[0]
    check_lengths(who, "X", table.n_rows, read_target(who, y))
    grapher = _check_partitioner(who, partitioner)
    found: list[_Row] = []
    if points is not None:
        found += _partition_all(grapher, points, y, subsets, jobs, verbose)
    if model != "graph":
        narrow = [subset for subset in subsets if len(subset) <= 2]
        if not narrow:
            raise ValueError(
                f"{who}: model='grid' divides one or two columns; got min_size={sizes[0]}. Lower "
                "it, or use model='graph'."
            )
        found += _grid_all(who, X, y, narrow, jobs, verbose)
    return _ranking(table.names, found, table.library)


def _check_jobs(who: str, n_jobs: Any, verbose: Any) -> int:
    """Check how the work is done."""
    if not isinstance(verbose, (bool, np.bool_, int)):
        refuse(who, "verbose", "True or False", verbose)
    return check_jobs(who, n_jobs)


def _list_subsets(who: str, min_size: Any, max_size: Any, n_columns: int) -> list[tuple[int, ...]]:
    """List the subsets, once their sizes are checked and how many of them there are."""
    for name, size in (("min_size", min_size), ("max_size", max_size)):
        if isinstance(size, bool) or not isinstance(size, Integral) or size < 1:
            refuse(who, name, "an integer of at least 1", size)
    if min_size > max_size:
        raise ValueError(
            f"{who}: min_size must not exceed max_size; got min_size={min_size} and "
            f"max_size={max_size}."
        )
    if min_size > n_columns:
        raise ValueError(
            f"{who}: min_size must not exceed the number of columns; got min_size={min_size}, "
            f"X has {n_columns}."
        )
    sizes = range(min_size, min(max_size, n_columns) + 1)
    n_subsets = sum(math.comb(n_columns, k) for k in sizes)
    if n_subsets > _MOST_SUBSETS:
        raise ValueError(
            f"{who}: there must be at most {_MOST_SUBSETS} subsets; {n_columns} columns have "
            f"{n_subsets} of {min_size} to {max_size}. Lower max_size, or pass the columns that "
            "matter."
        )
    return [subset for k in sizes for subset in itertools.combinations(range(n_columns), k)]


def _check_partitioner(who: str, partitioner: Any) -> GraphPartitioner:
    """Take the partitioner of the user, or the default one."""
    from partage._estimators.graph_partitioner import GraphPartitioner

    model: GraphPartitioner = partitioner
    if partitioner is None:
        model = GraphPartitioner(method="bipartition", scale="minmax")
    if not isinstance(model, GraphPartitioner):
        refuse(who, "partitioner", "a GraphPartitioner or None", partitioner)
    return model


@dataclass(frozen=True)
class _Row:
    """A subset and how it was divided."""

    subset: tuple[int, ...]
    model: str
    cost: float
    level: float
    counts: NDArray[np.int64]  # one row per group


def _partition_all(
    model: GraphPartitioner,
    points: NDArray[np.float64],
    y: Any,
    subsets: Sequence[tuple[int, ...]],
    n_jobs: int,
    verbose: bool,
) -> list[_Row]:
    """Partition the points of every subset."""
    from sklearn.base import clone

    with counting_bar(verbose, "subsets", len(subsets)) as advance:

        def partition(subset: tuple[int, ...], _: Cancel) -> _Row:
            cells: Cells = clone(model).fit(points[:, subset], y).partition_
            advance()
            counts = cells.counts.astype(np.int64)
            return _Row(subset, "graph", cells.cost, cells.level, counts)

        return run_all(partition, subsets, n_jobs)


def _grid_all(
    who: str,
    X: Any,
    y: Any,
    subsets: Sequence[tuple[int, ...]],
    n_jobs: int,
    verbose: bool,
) -> list[_Row]:
    """Cut the columns of every subset of one or two."""
    used = sorted(set(itertools.chain(*subsets)))
    joint = open_joint(who, check_grid(who, "separate", None), X, y, None, None).fit(used, n_jobs)
    _check_gaps(who, joint.own)
    settings = GridSettings()
    null_cost = joint.own[0].null_cost  # of one group, as that of a graph

    with counting_bar(verbose, "grids", len(subsets)) as advance:

        def divide(subset: tuple[int, ...], _: Cancel) -> _Row:
            places = [used.index(place) for place in subset]
            found: Any = joint.own[places[0]]
            if len(places) == 2:
                found = find_grid(who, joint, places, settings)
            advance()
            cells = np.asarray(found.counts).reshape(-1, found.counts.shape[-1])
            counts = cells[cells.sum(axis=1) > 0].astype(np.int64)
            return _Row(subset, "grid", found.cost, level_of(found.cost, null_cost), counts)

        return run_all(divide, subsets, n_jobs)


def _check_gaps(who: str, columns: Sequence[Any]) -> None:
    """Refuse missing values: subsets without some of the rows do not compare."""
    gaps = {column.name: int(np.sum(column.missing_counts)) for column in columns}
    held = [f"column {name!r} holds {count}" for name, count in gaps.items() if count]
    if held:
        raise ValueError(
            f"{who}: X must hold no missing values, since all subsets are compared on the same "
            f"rows; {', '.join(held)}. Fill them, or drop these rows."
        )


def _ranking(names: Sequence[str], found: Sequence[_Row], library: str) -> Frame:
    """Make the table, best subsets first."""
    # Levels that differ by rounding alone are ties; the sort is stable.
    ranked = sorted(found, key=lambda row: (-round(row.level, 9), len(row.subset)))
    return make_frame(
        {
            "columns": [[names[i] for i in row.subset] for row in ranked],
            "size": [len(row.subset) for row in ranked],
            "model": [row.model for row in ranked],
            "level": [row.level for row in ranked],
            "parts": [len(row.counts) for row in ranked],
            "cost": [row.cost for row in ranked],
            "accuracy": [float(row.counts.max(axis=1).sum() / row.counts.sum()) for row in ranked],
            "counts": [row.counts.tolist() for row in ranked],
        },
        library,
    )
