"""The hierarchy of a grid: its merges down to one cell, and what its parts and values are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.grid import Grid
from partage._partitions.grid_axes import axis_of
from partage._partitions.grid_edits import axis_parts, find_axis, kept_entries, with_axes
from partage._search.grids import grid_merges, grid_rises
from partage._support.checks import check_count, refuse
from partage._support.frames import make_frame


@dataclass(frozen=True)
class Merge:
    """One merge: ``second`` joins ``first`` on an axis; ``information`` is what is left after it.

    Attributes
    ----------
    axis : int
        The axis.
    first, second : int
        Numbers of the parts before the merge; parts behind the second move up by one.
    cost : float
        Cost of the grid after it, in nats.
    information : float
        Share of what the grid saves that is left: 1 before the first merge, 0 for one cell.
    """

    axis: int
    first: int
    second: int
    cost: float
    information: float


def merges_of(who: str, grid: Grid) -> list[Merge]:
    """Merge a grid down to one cell, the cheapest merge first."""
    entries = kept_entries(who, grid)
    steps, costs = grid_merges(entries, grid.method, axis_parts(grid), grid.n_columns)
    gain = grid.null_cost - grid.cost
    left = (grid.null_cost - costs) / gain if gain > 0 else np.zeros(len(costs))
    return [
        Merge(int(a), int(first), int(second), cost, rate)
        for (a, first, second), cost, rate in zip(steps, costs.tolist(), left.tolist(), strict=True)
    ]


def hierarchy_table(grid: Grid) -> Any:
    """One row per merge: which parts join, and what is left."""
    labels = [list(axis.labels()) for axis in grid.axes]
    rows: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    n_left = sum(map(len, labels))
    for merge in merges_of("Grid.hierarchy", grid):
        own = labels[merge.axis]
        rows["axis"].append(grid.names[merge.axis])
        rows["part1"].append(own[merge.first])
        rows["part2"].append(own[merge.second])
        own[merge.first] = _joined(own[merge.first], own[merge.second], grid.axes[merge.axis])
        del own[merge.second]
        n_left -= 1
        rows["parts"].append(n_left)
        rows["cost"].append(merge.cost)
        rows["information"].append(merge.information)
    return make_frame(rows, grid.library)


_COLUMNS = ("axis", "part1", "part2", "parts", "cost", "information")


def _joined(first: str, second: str, axis: Any) -> str:
    """Label of two parts together."""
    if axis.rule.is_measured:
        return f"{first.split(', ')[0]}, {second.split(', ')[1]}"
    return f"{first[:-1]}, {second[1:]}"


def simplify_grid(grid: Grid, information: Any, max_parts: Any) -> Grid:
    """Merge parts as long as enough information is left, or until few parts are."""
    who = "Grid.simplify"
    if (information is None) == (max_parts is None):
        raise ValueError(
            f"{who}: one of information and max_parts must be given; got both or none."
        )
    if information is not None and not (
        isinstance(information, (int, float))
        and not isinstance(information, bool)
        and 0 <= information <= 1
    ):
        refuse(who, "information", "a number from 0 to 1", information)
    most = check_count(who, "max_parts", max_parts)
    parts = axis_parts(grid)
    n_left = [axis.n_parts for axis in grid.axes]
    for merge in merges_of(who, grid):
        if most is not None and max(n_left) <= most:
            break
        if information is not None and merge.information < information:
            break
        own = parts[merge.axis].astype(np.int64)
        own[own == merge.second] = merge.first
        own[own > merge.second] -= 1
        parts[merge.axis] = own.astype(np.uint32)
        n_left[merge.axis] -= 1
    if n_left == list(grid.n_parts):
        return grid
    given = (
        f"information={information!r}" if information is not None else f"max_parts={max_parts!r}"
    )
    axes = tuple(
        axis_of(axis, part_of, 1.0) for axis, part_of in zip(grid.axes, parts, strict=True)
    )
    return with_axes(who, grid, axes, f"simplify({given})")


def interest_table(grid: Grid, axis: Any) -> Any:
    """How much each part of an axis differs from the others, the greatest as 1."""
    who = "Grid.interest"
    a = find_axis(who, grid, axis)
    rises = _rises(who, grid, a, by_value=False)
    n = len(rises)
    mean = rises.sum(axis=1) / max(n - 1, 1)
    top = mean.max(initial=0.0)
    return make_frame(
        {
            "part": grid.axes[a].labels(),
            "count": grid.axes[a].rows,
            "interest": mean / top if top > 0 else np.zeros(n),
        },
        grid.library,
    )


def typicality_table(grid: Grid, axis: Any) -> Any:
    """How typical each value of an axis of categories is of its group, the most typical as 1."""
    who = "Grid.typicality"
    a = find_axis(who, grid, axis)
    own = grid.axes[a]
    kept = kept_entries(who, grid)
    if kept.is_ordered[a] or own.units is None:
        raise ValueError(
            f"{who}: axis must hold values in no order; got {own.name!r}, whose parts are ranges."
        )
    rises = _rises(who, grid, a, by_value=True)
    part_of = axis_parts(grid)[a].astype(np.int64)
    mean = rises.sum(axis=1) / max(rises.shape[1] - 1, 1)
    top = np.full(rises.shape[1], -np.inf)
    np.maximum.at(top, part_of, mean)
    share = np.divide(mean, top[part_of], out=np.zeros(len(mean)), where=top[part_of] > 0)
    weights = own.units.unit_weights()
    order = np.lexsort((-weights, -share, part_of))
    return make_frame(
        {
            "value": [own.units.values[i] for i in order.tolist()],
            "part": part_of[order],
            "weight": weights[order],
            "typicality": share[order],
        },
        grid.library,
    )


def _rises(who: str, grid: Grid, axis: int, *, by_value: bool) -> NDArray[np.float64]:
    """Nats by which the cost rises for each merge or move of an axis."""
    entries = kept_entries(who, grid)
    parts = axis_parts(grid)
    return grid_rises(entries, grid.method, parts, grid.n_columns, axis, by_value=by_value)


__all__ = ["Merge", "hierarchy_table", "interest_table", "simplify_grid", "typicality_table"]
