"""A number as the target of graphs: intervals of its ranks, and what telling them costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._partitions.cells import Cells
from partage._support.portable import expm1, log, log_gamma
from partage._targets.target import TargetRows

_GRIDS = (2, 4, 8, 16)  # intervals of even frequency that are tried
_ROWS_OF_INTERVAL = 4  # fewest rows of one
_MOST_TURNS = 3
_FACTOR = 2  # between a grid and those tried next to it


@dataclass(frozen=True)
class Told:
    """Parts that tell intervals of the ranks of a number like classes.

    Attributes
    ----------
    target : Target
        The number, with its intervals.
    cells : Cells
        The parts, whose classes are the intervals.
    gain : float
        Nats that they save, the intervals paid; 0 for one part.
    """

    target: Any
    cells: Cells
    gain: float


def find_told(rows: TargetRows, divide: Callable[[NDArray[np.int64]], Cells]) -> Told:
    """Find parts and intervals of ranks in turn; ``divide`` gives the parts of rows by interval.

    The parts save what they save of the intervals as classes, less the price of the intervals: the
    code that discretization calls ``"classes"``, by the price of ``_core.price_of_rank_classes``.
    """
    number: Any = rows.target
    n_rows = float(number.cells.weights.sum())

    def tell(starts: NDArray[np.int64], n_grid: int) -> Told:
        inside = tuple(starts[1:-1].tolist())
        cells = divide(np.searchsorted(starts[1:-1], rows.codes, side="right").astype(np.int64))
        price = _core.price_of_rank_classes(n_grid, len(inside) + 1, cells.n_parts)
        gain = cells.null_cost - cells.cost - price if cells.n_parts > 1 else 0.0
        return Told(number.told("classes", inside, n_grid), cells, gain)

    best = tell(np.array([0, len(number.cells)]), 1)
    for n_grid in (n for n in _GRIDS if n * _ROWS_OF_INTERVAL <= n_rows):
        starts = number.cells.even(n_grid)
        if len(starts) > 2:
            best = max(best, tell(starts, n_grid), key=lambda told: told.gain)
    for _ in range(_MOST_TURNS):
        if best.gain <= 0:
            break
        starts, n_grid = _best_intervals(rows, best, n_rows)
        if tuple(starts[1:-1]) == best.target.target_cuts:
            break
        found = tell(np.array(starts), n_grid)
        if found.gain <= best.gain:
            break
        best = found
    return best


def _best_intervals(rows: TargetRows, told: Told, n_rows: float) -> tuple[list[int], int]:
    """Find the cheapest intervals for some parts, on their grid or one finer or coarser."""
    parts = rows.kept_of(told.cells.codes)
    sets = np.ascontiguousarray(rows.tally(parts, told.cells.n_parts).class_counts)
    n_grid = told.target.n_grid
    grids = (n_grid // _FACTOR, n_grid, n_grid * _FACTOR)
    most = max(n_rows, n_grid * _ROWS_OF_INTERVAL)
    tried = [n for n in grids if n > 1 and n * _ROWS_OF_INTERVAL <= most]
    starts, n_grid, _ = _core.best_rank_classes(sets, tried)
    return starts, n_grid


def priced(told: Told, n_rows: float) -> Cells:
    """Give parts the length of the ranks of all rows that they and their intervals leave.

    One part takes log N + log N!; the level is that of Linfoot, 1 - exp(-2 gain / N), on the scale
    of R².
    """
    null_cost = log(n_rows) + log_gamma(n_rows + 1.0)
    level = max(-expm1(-2.0 * told.gain / n_rows), 0.0)
    found = told.cells.found.priced(null_cost - told.gain, null_cost, level)
    return replace(told.cells, found=found)
