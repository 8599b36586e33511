"""Calls to the searches of grids: several columns of codes that are divided together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core

__all__ = [
    "APART",
    "GRID_METHODS",
    "GRID_SEARCHES",
    "GridRows",
    "PairCosts",
    "SolvedGrid",
    "grid_costs",
    "grid_merges",
    "grid_rises",
    "group_cells",
    "refine_pairs",
    "screen_pairs",
    "solve_grid",
]

GRID_METHODS = ("modl", "khiops11")
GRID_SEARCHES = ("auto", "thorough")
APART = np.iinfo(np.uint32).max  # of a set aside that joins no value
_MOST_SAVED = 50_000  # rows of a grid that a file holds


@dataclass(frozen=True, eq=False)
class GridRows:
    """The rows of a grid: a column of codes for each axis, and their classes.

    Attributes
    ----------
    codes : ndarray of shape (D, N)
        Value of each row on each axis, by number; the sets aside (missing, special) come last.
    n_values, n_aside : tuple of int
        Values that may join, and sets aside, of each axis.
    is_ordered : tuple of bool
        Whether the values of an axis have an order.
    labels : ndarray or None
        Class of each row; None without a target.
    weights : ndarray or None
        Weight of each row; None for one each.
    n_classes : int
        Number of classes.
    n_rows : ndarray or None
        Rows that each entry stands for, where equal ones were put together.
    anchors : tuple of ndarray
        Value whose part each set aside of an axis joins, or ``APART``; empty where all are apart.
    """

    codes: NDArray[np.uint32]
    n_values: tuple[int, ...]
    n_aside: tuple[int, ...]
    is_ordered: tuple[bool, ...]
    labels: NDArray[np.uint16] | None
    weights: NDArray[np.float64] | None
    n_classes: int
    n_rows: NDArray[np.int64] | None = None
    anchors: tuple[NDArray[np.uint32], ...] = ()

    def counted(self) -> GridRows:
        """Put equal rows together, where that makes fewer."""
        n_all = [n + aside for n, aside in zip(self.n_values, self.n_aside, strict=True)]
        n_rows = self.codes.shape[1]
        is_sparse = np.prod(np.array(n_all, dtype=np.float64)) > 100.0 * n_rows
        if is_sparse or np.prod(np.array([*n_all, self.n_classes], dtype=np.float64)) > 2.0**62:
            return self  # hardly any rows are equal
        keys = np.zeros(self.codes.shape[1], dtype=np.int64)
        for codes, n in zip(self.codes, n_all, strict=True):
            keys = keys * n + codes
        if self.labels is not None:
            keys = keys * self.n_classes + self.labels
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        if len(first) == len(keys):
            return self
        return replace(
            self,
            codes=np.ascontiguousarray(self.codes[:, first]),
            labels=None if self.labels is None else self.labels[first],
            weights=np.bincount(place, self.weights).astype(np.float64),
            n_rows=np.bincount(place, self.n_rows).astype(np.int64),
        )

    @property
    def is_saved(self) -> bool:
        """Whether a file holds the rows."""
        return bool(self.codes.shape[1] <= _MOST_SAVED)


@dataclass(frozen=True)
class SolvedGrid:
    """A grid that was found: the part of each value of each axis, and what it costs in nats."""

    axes: tuple[NDArray[np.uint32], ...]
    cost: float
    null_cost: float
    is_optimal: bool
    granularity: int


def _arguments(rows: GridRows) -> tuple[Any, ...]:
    """Give the rows as the core takes them."""
    return (
        rows.codes,
        list(rows.n_values),
        list(rows.n_aside),
        list(rows.anchors),
        list(rows.is_ordered),
        rows.labels,
        rows.weights,
        rows.n_classes,
    )


def solve_grid(
    rows: GridRows,
    method: str,
    search: str,
    *,
    n_columns: int = 2,
    max_parts: Sequence[int] = (),
    fixed: Sequence[NDArray[np.uint32]] = (),
    min_cell: float = 0.0,
    own: Sequence[NDArray[np.uint32]] = (),
    thresholds: Sequence[float] = (),
    n_jobs: int = 1,
) -> SolvedGrid:
    """Find the grid of least cost.

    ``own`` are the best parts of each column alone, ``thresholds`` those of their garbage groups,
    ``fixed`` the first values of parts that must start there, ``n_columns`` those among which
    Khiops 11 chooses; 0 in ``max_parts`` is no limit.
    """
    solve: Any = _core.solve_grid
    axes, cost, null_cost, is_optimal, granularity = solve(
        *_arguments(rows),
        method,
        search,
        float(n_columns),
        1.0,
        list(max_parts),
        list(fixed),
        float(min_cell),
        list(own),
        list(thresholds),
        n_jobs,
    )
    return SolvedGrid(tuple(axes), cost, null_cost, is_optimal, granularity)


def group_cells(counts: NDArray[np.float64]) -> NDArray[np.int64]:
    """Group cells by their class weights as MODL groups values; every cell holds rows."""
    cells, labels = np.nonzero(counts)
    group: Any = _core.group_columns
    group_of, *_ = group(
        cells.astype(np.uint32)[None, :],
        np.array([len(counts)], dtype=np.int64),
        labels.astype(np.uint16),
        counts[cells, labels],
        counts.shape[1],
        "modl",
        [],
        None,
    )
    return np.asarray(group_of, dtype=np.int64)


def grid_costs(
    rows: GridRows, method: str, axes: Sequence[NDArray[np.uint32]], n_columns: int = 2
) -> tuple[float, float, int]:
    """Cost of a grid and of one cell, in nats, and the granularity of Khiops 11."""
    price: Any = _core.grid_cost
    cost, null_cost, granularity = price(
        *_arguments(rows),
        method,
        float(n_columns),
        1.0,
        list(axes),
    )
    return float(cost), float(null_cost), int(granularity)


@dataclass(frozen=True)
class PairCosts:
    """What pairs of columns cost, in nats, and their parts.

    Attributes
    ----------
    cost, null_cost : ndarray of shape (P,)
        Cost of each grid, and of one cell.
    n_parts : ndarray of shape (P, 2)
        Parts of both axes.
    n_cells : ndarray of shape (P,)
        Cells that hold rows.
    column_gains : ndarray
        Nats that each column saves alone, at the resolution of a screen; else empty.
    """

    cost: NDArray[np.float64]
    null_cost: NDArray[np.float64]
    n_parts: NDArray[np.int64]
    n_cells: NDArray[np.int64]
    column_gains: NDArray[np.float64]

    @classmethod
    def empty(cls, n: int) -> PairCosts:
        """Make room for so many pairs."""
        whole = np.zeros(n, dtype=np.int64)
        return cls(np.zeros(n), np.zeros(n), np.ones((n, 2), np.int64), whole, np.zeros(0))

    def take(self, order: NDArray[Any]) -> PairCosts:
        """Keep some pairs, in that order."""
        return PairCosts(
            self.cost[order],
            self.null_cost[order],
            self.n_parts[order],
            self.n_cells[order],
            self.column_gains,
        )


def screen_pairs(
    rows: GridRows, pairs: NDArray[np.int64], n_jobs: int = 1, progress: Any = None
) -> PairCosts:
    """Look quickly at pairs of columns, which are coded coarsely."""
    screen: Any = _core.screen_pairs
    found = screen(*_arguments(rows), np.ascontiguousarray(pairs), n_jobs, progress)
    return PairCosts(*map(np.array, found))


def refine_pairs(
    rows: GridRows,
    pairs: NDArray[np.int64],
    method: str,
    n_columns: int,
    own: Sequence[NDArray[np.uint32]],
    thresholds: Sequence[float],
    n_jobs: int = 1,
    progress: Any = None,
) -> PairCosts:
    """Search the grids of pairs of columns; ``own`` and ``thresholds`` as in ``solve_grid``."""
    refine: Any = _core.refine_pairs
    found = refine(
        *_arguments(rows),
        np.ascontiguousarray(pairs),
        method,
        float(n_columns),
        list(own),
        list(thresholds),
        n_jobs,
        progress,
    )
    return PairCosts(*map(np.array, found))


def grid_merges(
    rows: GridRows, method: str, axes: Sequence[NDArray[np.uint32]], n_columns: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Merge a grid down to one cell: axis and both parts of each merge, and the cost after it."""
    merge: Any = _core.grid_merges
    steps, costs = merge(*_arguments(rows), method, float(n_columns), list(axes))
    return np.asarray(steps), np.asarray(costs)


def grid_rises(
    rows: GridRows,
    method: str,
    axes: Sequence[NDArray[np.uint32]],
    n_columns: int,
    axis: int,
    *,
    by_value: bool,
) -> NDArray[np.float64]:
    """Nats by which the cost rises if two parts of an axis merge, or if a value moves."""
    rise: Any = _core.grid_rises
    found = rise(*_arguments(rows), method, float(n_columns), list(axes), axis, by_value)
    return np.asarray(found)
