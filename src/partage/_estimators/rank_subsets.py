"""``rank_subsets``: which columns, taken together, separate the classes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.table import read_table
from partage._estimators.public import public
from partage._graphs.points import read_points
from partage._support.checks import check_jobs, refuse
from partage._support.frames import Frame, make_frame
from partage._support.parallel import Cancel, counting_bar, run_all
from partage._targets.read import check_not_among, read_target, take_target
from partage._targets.target import check_lengths

if TYPE_CHECKING:
    from partage._estimators.graph_partitioner import GraphPartitioner
    from partage._partitions.cells import Cells

_MOST_SUBSETS = 1_000_000


@public
def rank_subsets(
    X: Any,
    y: Any = None,
    *,
    target: str | None = None,
    max_size: int = 2,
    min_size: int = 1,
    partitioner: GraphPartitioner | None = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Frame:
    """Rank subsets of numeric columns by how well they separate the classes together.

    Every subset is partitioned on its own. One group costs the same for all of them, so levels
    compare: the columns of the XOR problem stand first as a pair and last alone.

    Parameters
    ----------
    X : data frame or array of shape (n_rows, n_columns)
        Numeric columns without missing values.
    max_size : int, default=2
        Most columns of a subset; the number of subsets grows fast with it.
    min_size : int, default=1
        Fewest columns of a subset.
    partitioner : GraphPartitioner, default=None
        How each subset is partitioned; it is cloned. By default
        ``GraphPartitioner(method="bipartition", scale="minmax")``; the paper's is agglomerative.

    Returns
    -------
    DataFrame
        Of the library of ``X``; pandas for arrays. One row per subset, highest level first, then
        fewest columns. Columns: ``columns`` (names), ``size``, ``level``, ``parts``, ``cost``,
        ``accuracy`` (share of the largest class of each group) and ``counts`` of each group.

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
    who = "rank_subsets"
    X, y = take_target(who, X, y, target)
    table = read_table(who, X)
    check_not_among(who, table, y)
    subsets = _list_subsets(who, min_size, max_size, len(table.names))
    jobs = _check_jobs(who, n_jobs, verbose)
    points, names = read_points(who, table)
    check_lengths(who, "X", table.n_rows, read_target(who, y))
    model = _check_partitioner(who, partitioner)
    cells = _partition_all(model, points, y, subsets, jobs, verbose)
    return _ranking(names, subsets, cells, table.library)


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


def _partition_all(
    model: GraphPartitioner,
    points: NDArray[np.float64],
    y: Any,
    subsets: Sequence[tuple[int, ...]],
    n_jobs: int,
    verbose: bool,
) -> list[Cells]:
    """Partition the points of every subset."""
    from sklearn.base import clone

    with counting_bar(verbose, "subsets", len(subsets)) as advance:

        def partition(subset: tuple[int, ...], _: Cancel) -> Cells:
            cells: Cells = clone(model).fit(points[:, subset], y).partition_
            advance()
            return cells

        return run_all(partition, subsets, n_jobs)


def _ranking(
    names: Sequence[str], subsets: Sequence[tuple[int, ...]], cells: Sequence[Cells], library: str
) -> Frame:
    """Make the table, best subsets first."""
    # Levels that differ by rounding alone are ties; the sort is stable.
    order = sorted(range(len(subsets)), key=lambda i: (-round(cells[i].level, 9), len(subsets[i])))
    ranked = [(subsets[i], cells[i]) for i in order]
    counts = [found.counts.astype(np.int64) for _, found in ranked]
    return make_frame(
        {
            "columns": [[names[i] for i in subset] for subset, _ in ranked],
            "size": [len(subset) for subset, _ in ranked],
            "level": [found.level for _, found in ranked],
            "parts": [len(rows) for rows in counts],
            "cost": [found.cost for _, found in ranked],
            "accuracy": [float(rows.max(axis=1).sum() / rows.sum()) for rows in counts],
            "counts": [rows.tolist() for rows in counts],
        },
        library,
    )
