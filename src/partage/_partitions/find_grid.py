"""Finding a grid: the columns alone first, then together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from partage._partitions.grid_gaps import anchored, best_homes, joins, with_homes
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
_MOST_TURNS = 4  # of the axes, then of what missing values join
_ROUNDING = 1e-12
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
    solved, homes, entries = _solve_with_gaps(who, own, entries, settings)
    price = 0.0
    if settings.limits():
        free = GridSettings(
            settings.method, settings.search, n_columns=settings.n_columns, n_jobs=settings.n_jobs
        )
        price = (solved.cost - _solve_with_gaps(who, own, entries, free)[0].cost) / BIT
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
    axes = with_homes(axes, _renumbered(homes, solved.axes, axes))
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


def _solve_with_gaps(
    who: str, own: Sequence[Partition], entries: GridRows, settings: GridSettings
) -> tuple[SolvedGrid, list[int | None], GridRows]:
    """Search the grid; the parts that missing values join; the rows with these.

    Missing values first join the parts of the grid that is found without them, or those of the
    columns alone; then axes and homes are searched in turn.
    """
    entries = replace(entries, anchors=())
    wanted = [joins(partition) for partition in own]
    solved = _solve(who, own, entries, settings)
    if not any(wanted):
        return solved, [None] * len(own), entries
    tried = [solved.axes, [parts_of_values(partition) for partition in own]]
    best: tuple[SolvedGrid, list[int | None], GridRows] | None = None
    for parts in tried:
        for _ in range(_MOST_TURNS):
            homes = best_homes(entries, settings.method, settings.n_columns, parts, wanted)
            rows = anchored(entries, parts, homes)
            found = _solve(who, own, rows, settings, parts)
            if best is not None and found.cost >= best[0].cost - _ROUNDING * abs(best[0].cost):
                break
            best = replace(found, is_optimal=False), _homes_of(rows, found.axes), rows
            parts = found.axes
    assert best is not None
    return best


def _homes_of(entries: GridRows, parts: Sequence[NDArray[np.uint32]]) -> list[int | None]:
    """Parts of the values that missing values join."""
    return [
        int(part_of[anchor[0]]) if len(anchor) else None
        for part_of, anchor in zip(parts, entries.anchors, strict=True)
    ]


def _renumbered(
    homes: Sequence[int | None],
    parts: Sequence[NDArray[np.uint32]],
    axes: Sequence[Partition],
) -> list[int | None]:
    """Numbers that parts have on the axes, whose groups are put in order."""
    return [
        None if home is None else int(parts_of_values(axis)[np.flatnonzero(part_of == home)[0]])
        for home, part_of, axis in zip(homes, parts, axes, strict=True)
    ]


def _solve(
    who: str,
    own: Sequence[Partition],
    entries: GridRows,
    settings: GridSettings,
    start: Sequence[NDArray[np.uint32]] | None = None,
) -> SolvedGrid:
    """Search the grid, from the parts of the columns alone or from a start."""
    solved = solve_grid(
        entries,
        settings.method,
        settings.search,
        n_columns=settings.n_columns,
        max_parts=settings.max_parts,
        fixed=[_fixed(who, partition, settings.user_cuts) for partition in own],
        min_cell=settings.min_cell_size,
        own=start or [parts_of_values(partition) for partition in own],
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
    home = axis.rule.missing_part
    held = [
        axis.n_parts if home is None else home,
        *(axis.n_parts + 2 + i for i in range(len(axis.special_values))),
    ]
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
