"""The search for intervals of the ranks of a number, and for parts that tell them like classes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.blocks import divided
from partage._spaces.space import Space, line_of
from partage._targets.numbers import deviations_of

if TYPE_CHECKING:
    from partage._search.readings import Asked, Classes

_BLOCKS = 256  # joined units on which intervals of ranks are looked for
_FEW_BLOCKS = 64  # of them that are kept where those beside cuts are divided
_FEW_PARTS = 16  # up to which blocks beside cuts are divided finely enough
_CLOSE, _VERY_MANY_UNITS = 1e-3, 100_000  # share of so many units that may be in another part
_MANY_UNITS = 1500  # beyond them parts are found from coarse blocks
_MOST_TURNS = 10
_ROWS_OF_INTERVAL = 4.0  # of the finest grid of ranks
_FIRST_GRID, _MOST_GRID = 256, 1024  # intervals of the finest grid, on joined units and at last


@dataclass(frozen=True)
class Rough:
    """Intervals of ranks, and the parts of joined units that they were found with.

    Attributes
    ----------
    cells : list of int
        First cell of each interval, then the number of cells.
    n_grid : int
        Intervals of even frequency they were chosen among.
    starts : ndarray
        First unit of each part, then the number of units.
    edges : ndarray
        First unit of each block of joined units, then the number of units.
    beside : ndarray
        Weights of cells of the sets of rows beside the units.
    cost : float
        Of these parts, whatever limits ask.
    """

    cells: list[int]
    n_grid: int
    starts: NDArray[np.uint32]
    edges: NDArray[np.uint32]
    beside: NDArray[np.float64]
    cost: float


def find_rough(reading: Classes, asked: Asked) -> Rough:
    """Find intervals of ranks on joined units, without limits."""
    from partage._search.readings import Read, cost_of

    beside = _beside(asked.space, reading)
    cells, n_grid, starts, edges = _first_intervals(reading, asked, beside)
    told = _told(reading, cells, n_grid)
    return Rough(cells, n_grid, starts, edges, beside, cost_of(Read(starts, False, told), asked))


def find_in_turn(reading: Classes, asked: Asked, rough: Rough) -> tuple[NDArray[np.uint32], Any]:
    """Find parts, and the target with the intervals of ranks that go with them.

    From the intervals of ranks of joined units, parts and intervals are found in turn, at full
    resolution, until nothing is cheaper; unless another code is much cheaper.
    """
    from partage._search.readings import Read, cost_of

    space, beside = asked.space, rough.beside
    cells, n_grid = rough.cells, rough.n_grid
    if asked.is_hopeless(rough.cost):
        return rough.starts, _told(reading, cells, n_grid).target
    best: tuple[NDArray[np.uint32], Any] | None = None
    lowest = math.inf
    known = zoomed = None
    is_whole = len(rough.starts) == 2
    is_long = _is_free(asked) and space.n_units > _MANY_UNITS
    if is_long and 2 < len(rough.starts) <= _FEW_PARTS + 1:
        cells, n_grid, zoomed = _turn_on_blocks(reading, asked, rough)
    for _ in range(_MOST_TURNS):
        if (tuple(cells), n_grid) == known:
            break
        known = tuple(cells), n_grid
        told = _told(reading, cells, n_grid)
        starts = _best_parts(told, asked, len(beside), is_whole and best is None)
        cost = cost_of(Read(starts, False, told), asked)
        if best is not None and not cost < lowest - 1e-9 * abs(cost):
            break
        best, lowest = (starts, told.target), cost
        if zoomed is not None and _is_close(zoomed, starts):
            break
        zoomed = None
        sets = np.vstack([space.counts(starts), beside])
        cells, n_grid = best_intervals(reading, np.ascontiguousarray(sets), n_grid)
    assert best is not None
    return best


def _turn_on_blocks(
    reading: Classes, asked: Asked, rough: Rough
) -> tuple[list[int], int, NDArray[np.uint32]]:
    """Find parts of blocks that are divided beside the cuts that are known, and their intervals."""
    edges = np.union1d(rough.edges[:: max(len(rough.edges) // _FEW_BLOCKS, 1)], rough.starts)
    edges = divided(edges, np.searchsorted(edges, rough.starts), _BLOCKS)
    counts = np.asarray(asked.space.line.counts(edges))
    told = _told(reading, rough.cells, rough.n_grid)
    line = line_of(told.numbers(counts))
    parts = _parts_of(line, told, replace(asked, search="exact"), len(rough.beside))
    sets = np.vstack([np.add.reduceat(counts, parts[:-1], axis=0), rough.beside])
    cells, n_grid = best_intervals(reading, np.ascontiguousarray(sets), rough.n_grid)
    return cells, n_grid, np.ascontiguousarray(edges[parts])


def _is_close(one: NDArray[np.uint32], other: NDArray[np.uint32]) -> bool:
    """Whether parts are the same but for so few units that they suit the same intervals."""
    if len(one) != len(other):
        return False
    moved = np.abs(one.astype(np.int64) - other.astype(np.int64)).sum()
    return bool(one[-1] > _VERY_MANY_UNITS and moved <= _CLOSE * int(one[-1]))


def _told(reading: Classes, cells: list[int], n_grid: int) -> Classes:
    """Read the ranks by some intervals."""
    return replace(reading, target=reading.target.told(reading.code, tuple(cells[1:-1]), n_grid))


def best_intervals(
    reading: Classes, sets: NDArray[np.float64], n_grid: int
) -> tuple[list[int], int]:
    """Find the cheapest intervals of ranks for some sets, from a grid to finer or coarser ones."""
    most = int(min(float(sets.sum()) / _ROWS_OF_INTERVAL, _MOST_GRID))
    cells, n_grid, _ = _core.climb_rank_classes(sets, n_grid, most, reading.is_published)
    return cells, n_grid


def _beside(space: Space, reading: Classes) -> NDArray[np.float64]:
    """Weights of cells of the sets of rows beside the units."""
    if space.aside is None:
        return np.empty((0, reading.target.n_sums))
    return np.ascontiguousarray(space.aside.class_counts[space.aside.held])


def _first_intervals(
    reading: Classes, asked: Asked, beside: NDArray[np.float64]
) -> tuple[list[int], int, NDArray[np.uint32], NDArray[np.uint32]]:
    """Find intervals of ranks for some partition of units that are joined to blocks, and both.

    Cells are joined too where the finest grid that is tried joins them.
    """
    space, cells = asked.space, reading.target.cells
    most = max(int(cells.weights.sum() / _ROWS_OF_INTERVAL), 2)
    borders = cells.even(min(1 << (most.bit_length() - 1), _FIRST_GRID))
    line = space.line
    if len(borders) <= len(cells):
        place = np.repeat(np.arange(len(borders) - 1), np.diff(borders)).astype(np.uint16)
        line = line.joined(place, len(borders) - 1)
        beside = np.ascontiguousarray(np.add.reduceat(beside, borders[:-1], axis=1))
    edges = np.arange(space.n_units + 1, dtype=np.uint32)
    if space.n_units > _BLOCKS:
        edges = np.asarray(line.quantiles(_BLOCKS))
    found, n_grid, parts = _core.find_rank_classes(
        line.counts(edges), beside, asked.cancel, reading.is_published
    )
    return borders[found].tolist(), n_grid, np.ascontiguousarray(edges[parts]), edges


def _best_parts(
    reading: Classes, asked: Asked, n_beside: int, is_whole: bool
) -> NDArray[np.uint32]:
    """Find the parts that tell some intervals of ranks best; blocks that were one part stay it."""
    space = asked.space
    if is_whole and _is_free(asked):
        return np.array([0, space.n_units], dtype=np.uint32)
    place = np.repeat(np.arange(reading.n_classes), np.diff(reading.starts)).astype(np.uint16)
    line = space.line.joined(place, reading.n_classes)
    constraints = asked.constraints
    if constraints is not None:
        assert space.moments is not None
        constraints = constraints.following(
            reading.n_classes,
            np.ascontiguousarray(space.unit_weights()[:, None]),
            np.ascontiguousarray(deviations_of(space.moments)[:, None]),
        )
    if asked.search == "auto" and constraints is None and space.n_units > _MANY_UNITS:
        asked = replace(asked, search="coarse")
    return _parts_of(line, reading, replace(asked, constraints=constraints), n_beside)


def _parts_of(
    line: _core.Line, reading: Classes, asked: Asked, n_beside: int
) -> NDArray[np.uint32]:
    """Find the parts of a line of classes."""
    limits = asked.limits
    found, _, _ = _core.search(
        line,
        "modl",
        [],
        asked.search,
        limits.n_parts or 0,
        limits.max_parts or 0,
        limits.min_weight(asked.space.total_weight),
        asked.cancel,
        asked.constraints,
        asked.n_values,
        0.0 if reading.is_published else 0.5 * (reading.n_classes - 1),
        float(n_beside),
    )
    return np.asarray(found)


def _is_free(asked: Asked) -> bool:
    """Whether joined units may stand for the units, and nothing asks for parts."""
    is_joined = asked.space.n_units > _BLOCKS and asked.search in ("auto", "coarse")
    return is_joined and asked.constraints is None and asked.limits.n_parts is None


__all__ = ["Rough", "best_intervals", "find_in_turn", "find_rough"]
