"""Finding a grid: the columns alone first, then together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.keys import cut_keys
from partage._partitions.costs import BIT
from partage._partitions.found import Found
from partage._partitions.grid import Grid
from partage._partitions.grid_axes import (
    axis_of,
    garbage_threshold,
    parts_of_values,
)
from partage._partitions.grid_rule import GridRule
from partage._partitions.intervals import Intervals
from partage._partitions.joint_columns import JointColumns
from partage._partitions.partition import Partition
from partage._search.core import level_of
from partage._search.grids import GridRows, SolvedGrid, solve_grid
from partage._support.checks import listed
from partage._targets.target import TargetRows
from partage.exceptions import NotPartitionableError

MOST_CODES = 10_000_000  # cells of a grid, those of missing and unseen values included
MOST_ENTRIES = 2_000_000  # rows that a grid keeps for its edits


@dataclass(frozen=True)
class GridSettings:
    """Checked parameters of a grid.

    Attributes
    ----------
    method, search : str
        How grids are judged, and how long they are searched.
    max_parts : tuple of int
        Most parts of each axis, 0 for any number; empty without limits.
    min_cell_size : float
        Least weight of a cell that is not empty.
    user_cuts : mapping
        Cuts that are always made, by column.
    n_columns : int
        Columns among which Khiops 11 chooses.
    n_jobs : int
        Threads.
    """

    method: str = "modl"
    search: str = "auto"
    max_parts: tuple[int, ...] = ()
    min_cell_size: float = 0.0
    user_cuts: Mapping[str, Any] = field(default_factory=dict)
    n_columns: int = 2
    n_jobs: int = 1

    def limits(self) -> dict[str, Any]:
        """Give the limits that were set, by name."""
        found: dict[str, Any] = {}
        if any(self.max_parts):
            found["max_parts"] = tuple(self.max_parts)
        if self.min_cell_size > 0:
            found["min_cell_size"] = self.min_cell_size
        if self.user_cuts:
            found["user_cuts"] = dict(self.user_cuts)
        return found


def find_grid(who: str, joint: JointColumns, places: Sequence[int], settings: GridSettings) -> Grid:
    """Find the grid of some columns whose own partitions are known."""
    for place in places:
        if joint.own[place].n_values == 0:
            raise NotPartitionableError(
                f"{who}: column {joint.own[place].name!r} must hold values; all of them are "
                "missing."
            )
    own, entries = joint.by_value(places)
    has_y, library = joint.has_y, joint.library
    solved = _solve(who, own, entries, settings)
    free = settings.limits() and _solve(
        who,
        own,
        entries,
        GridSettings(
            settings.method, settings.search, n_columns=settings.n_columns, n_jobs=settings.n_jobs
        ),
    )
    price = (solved.cost - free.cost) / BIT if isinstance(free, SolvedGrid) else 0.0
    found = Found(
        settings.method,
        solved.cost,
        solved.null_cost,
        level_of(solved.cost, solved.null_cost),
        is_optimal=solved.is_optimal,
        price=price,
        gap=0.0 if solved.is_optimal else solved.cost / BIT,
        constraints=settings.limits(),
    )
    axes = tuple(
        axis_of(partition, part_of, garbage_threshold(partition))
        for partition, part_of in zip(own, solved.axes, strict=True)
    )
    gains = tuple(max(p.null_cost - p.cost, 0.0) if has_y else 0.0 for p in own)
    return make_grid(
        who,
        axes,
        entries,
        found,
        has_target=has_y,
        column_gains=gains,
        granularity=solved.granularity,
        n_columns=settings.n_columns,
        library=library,
    )


def _solve(
    who: str, own: Sequence[Partition], entries: GridRows, settings: GridSettings
) -> SolvedGrid:
    """Search the grid."""
    solved = solve_grid(
        entries,
        settings.method,
        settings.search,
        n_columns=settings.n_columns,
        max_parts=settings.max_parts,
        fixed=[_fixed(who, partition, settings.user_cuts) for partition in own],
        min_cell=settings.min_cell_size,
        own=[parts_of_values(partition) for partition in own],
        thresholds=[garbage_threshold(partition) for partition in own],
        n_jobs=settings.n_jobs,
    )
    if not solved.axes:
        raise NotPartitionableError(
            f"{who}: no grid satisfies the limits; got {settings.limits()!r}."
        )
    return solved


def _fixed(who: str, partition: Partition, cuts: Mapping[str, Any]) -> NDArray[np.uint32]:
    """First values above the cuts that a user gave."""
    given = cuts.get(partition.name)
    if given is None or partition.units is None:
        return np.empty(0, dtype=np.uint32)
    if not isinstance(partition, Intervals):
        raise TypeError(
            f"{who}: user_cuts are for numbers; column {partition.name!r} holds categories."
        )
    keys = cut_keys(who, "user_cuts", partition.name, given, partition.kind)
    places = np.searchsorted(partition.units.keys, keys, side="right")
    inside = places[(places > 0) & (places < partition.units.n_units)]
    return np.unique(inside).astype(np.uint32)


def make_grid(
    who: str, axes: tuple[Partition, ...], entries: GridRows, found: Found, **more: Any
) -> Grid:
    """Make a grid of axes and the rows they are counted on."""
    names = [axis.name for axis in axes]
    rule = GridRule(" x ".join(names), axes[0].missing, rules=tuple(axis.rule for axis in axes))
    if rule.n_parts > MOST_CODES:
        raise NotPartitionableError(
            f"{who}: a grid must have at most {MOST_CODES:,} cells; the parts of {listed(names)} "
            f"make {rule.n_parts:,}. Set max_parts, or take fewer columns."
        )
    target = axes[0].target
    codes = rule.join_codes([_codes_of(axis, entries, a) for a, axis in enumerate(axes)])
    tally = _counted(target, entries, codes, rule.n_parts)
    kept = entries if entries.codes.shape[1] <= MOST_ENTRIES else None
    n_values = int(np.prod([axis.n_values for axis in axes], dtype=np.float64))
    return Grid(
        rule=rule,
        tally=tally,
        target=target,
        found=found,
        n_values=n_values,
        axes=axes,
        entries=kept,
        **more,
    )


def _codes_of(axis: Partition, entries: GridRows, a: int) -> NDArray[np.int64]:
    """Code on an axis of each entry; those aside follow the parts in their order."""
    part_of = parts_of_values(axis).astype(np.int64)
    held = [axis.n_parts, *(axis.n_parts + 2 + i for i in range(len(axis.special_values)))]
    beside = axis.tally.take(slice(axis.n_parts, None)).weight
    sets = [code for code, weight in zip(held, beside.tolist(), strict=True) if weight > 0]
    codes = np.concatenate([part_of, np.array(sets, dtype=np.int64)])
    return np.asarray(codes[entries.codes[a]])


def _counted(target: Any, entries: GridRows, codes: NDArray[np.int64], n: int) -> Any:
    """Tally the codes."""
    labels = np.zeros(len(codes), np.uint16) if entries.labels is None else entries.labels
    rows = TargetRows(target, labels, entries.weights, rows=entries.n_rows)
    return rows.tally(codes, n)


__all__ = ["GridSettings", "find_grid", "make_grid"]
