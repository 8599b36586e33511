"""The search for intervals of the ranks of a number, and for parts that tell them like classes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._spaces.space import Space
from partage._targets.numbers import deviations_of

if TYPE_CHECKING:
    from partage._search.readings import Asked, Classes

_BLOCKS, _MORE_BLOCKS = 256, 512  # joined units on which intervals of ranks are looked for
_MANY_UNITS = 20_000
_MOST_TURNS = 10


def find_in_turn(reading: Classes, asked: Asked) -> tuple[NDArray[np.uint32], Any]:
    """Find parts, and the target with the intervals of ranks that go with them.

    Intervals of ranks are first looked for on joined units and without limits; then parts and
    intervals are found in turn, at full resolution, until nothing is cheaper.
    """
    from dataclasses import replace

    from partage._search.readings import Read, cost_of

    space = asked.space
    beside = _beside(space, reading)
    cells, n_grid, _ = _core.find_rank_classes(
        _blocks(space), beside, asked.cancel, reading.is_published
    )
    best: tuple[NDArray[np.uint32], Any] | None = None
    lowest = math.inf
    known = None
    for _ in range(_MOST_TURNS):
        if (tuple(cells), n_grid) == known:
            break
        known = tuple(cells), n_grid
        target = reading.target.told(reading.code, tuple(cells[1:-1]), n_grid)
        told = replace(reading, target=target)
        starts = _best_parts(told, asked, len(beside))
        cost = cost_of(Read(starts, False, told), asked)
        if best is not None and not cost < lowest - 1e-9 * abs(cost):
            break
        best, lowest = (starts, target), cost
        sets = np.vstack([space.counts(starts), beside])
        cells, n_grid, _ = _core.best_rank_classes(
            np.ascontiguousarray(sets), n_grid, reading.is_published
        )
    assert best is not None
    return best


def _beside(space: Space, reading: Classes) -> NDArray[np.float64]:
    """Weights of cells of the sets of rows beside the units."""
    if space.aside is None:
        return np.empty((0, reading.target.n_sums))
    return np.ascontiguousarray(space.aside.class_counts[space.aside.held])


def _blocks(space: Space) -> NDArray[np.float64]:
    """Weights of cells of units joined into blocks of even weight."""
    most = _BLOCKS if space.n_units <= _MANY_UNITS else _MORE_BLOCKS
    if space.n_units <= most:
        return space.counts()
    return space.counts(space.quantiles(most))


def _best_parts(reading: Classes, asked: Asked, n_beside: int) -> NDArray[np.uint32]:
    """Find the parts that tell some intervals of ranks best."""
    space, limits = asked.space, asked.limits
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
    found, _, _ = _core.search(
        line,
        "modl",
        [],
        asked.search,
        limits.n_parts or 0,
        limits.max_parts or 0,
        limits.min_weight(space.total_weight),
        asked.cancel,
        constraints,
        asked.n_values,
        0.0 if reading.is_published else 0.5 * (reading.n_classes - 1),
        float(n_beside),
    )
    return np.asarray(found)


__all__ = ["find_in_turn"]
