"""Missing values that join a part of their axis: where they cost least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.costs import repriced
from partage._partitions.edit import with_aside
from partage._partitions.grid_axes import parts_of_values
from partage._partitions.partition import Partition
from partage._search.grids import APART, GridRows, grid_costs

Parts = Sequence[NDArray[np.uint32]]
_MOST_TURNS = 4  # of all axes, each given the others


def joins(partition: Partition) -> bool:
    """Whether a column has missing values that are to join a part."""
    return bool(partition.rule.missing == "merge" and partition.missing_rows > 0)


def anchored(entries: GridRows, parts: Parts, homes: Sequence[int | None]) -> GridRows:
    """Let missing values, the first set aside, join the part of each axis that is named."""
    anchors = []
    for part_of, home, n_aside in zip(parts, homes, entries.n_aside, strict=True):
        values = np.full(0 if home is None else n_aside, APART, dtype=np.uint32)
        if home is not None:
            values[0] = np.flatnonzero(part_of == home)[0]
        anchors.append(values)
    return replace(entries, anchors=tuple(anchors))


def best_homes(
    entries: GridRows, method: str, n_columns: int, parts: Parts, wanted: Sequence[bool]
) -> list[int | None]:
    """Part of each axis that its missing values join: each the best, the others given."""
    homes: list[int | None] = [None] * len(wanted)

    def cost(axis: int, home: int) -> float:
        given = [*homes[:axis], home, *homes[axis + 1 :]]
        return grid_costs(anchored(entries, parts, given), method, parts, n_columns)[0]

    for _ in range(_MOST_TURNS):
        before = list(homes)
        for axis in np.flatnonzero(wanted).tolist():
            costs = [cost(axis, k) for k in range(int(parts[axis].max()) + 1)]
            homes[axis] = int(np.argmin(costs))
        if homes == before:
            break
    return homes


def with_homes(axes: Sequence[Partition], homes: Sequence[int | None]) -> tuple[Partition, ...]:
    """Put missing values into parts of axes, where one is named."""
    return tuple(
        axis if home is None else _with_home(axis, home)
        for axis, home in zip(axes, homes, strict=True)
    )


def _with_home(axis: Partition, home: int) -> Partition:
    """Put the missing values of an axis into a part."""
    assert axis.units is not None
    present = axis.units.joined(parts_of_values(axis).astype(np.int64), axis.n_parts)
    rule: Any = axis.rule
    changes = with_aside(axis, rule, present, [home, *rule.special_parts])
    found: Partition = repriced(replace(axis, **changes))
    return found


__all__ = ["anchored", "best_homes", "joins", "with_homes"]
