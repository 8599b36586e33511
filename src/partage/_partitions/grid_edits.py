"""Edits of grids, their prices, and what they explain."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.costs import BIT, repriced
from partage._partitions.edit import Edit, Note, check_part, with_aside
from partage._partitions.edit import merge as merge_axis
from partage._partitions.explain import Explanation
from partage._partitions.find_grid import make_grid
from partage._partitions.grid import Grid
from partage._partitions.grid_axes import parts_of_values
from partage._partitions.grid_gaps import anchored, best_homes, joins, with_homes
from partage._partitions.partition import Partition
from partage._search.core import level_of
from partage._search.grids import GridRows, grid_costs
from partage._support.checks import listed

MOST_MERGES = 12  # that a text names


def find_axis(who: str, grid: Grid, axis: Any) -> int:
    """Find the number of an axis that was named."""
    if axis in grid.names:
        return grid.names.index(axis)
    is_whole = isinstance(axis, (int, np.integer)) and not isinstance(axis, bool)
    if is_whole and 0 <= axis < len(grid.axes):
        return int(axis)
    raise ValueError(
        f"{who}: axis must be a number below {len(grid.axes)} or one of "
        f"{listed(list(grid.names))}; got {axis!r}."
    )


def kept_entries(who: str, grid: Grid) -> GridRows:
    """Take the rows of a grid, which its prices need."""
    if grid.entries is None:
        raise ValueError(
            f"{who}: the rows of {grid.name!r} must be known; none were kept. Find the grid again."
        )
    return grid.entries


def axis_parts(grid: Grid) -> list[NDArray[np.uint32]]:
    """Part of each value of each axis."""
    return [parts_of_values(axis) for axis in grid.axes]


def cost_of(who: str, grid: Grid, parts: list[NDArray[np.uint32]]) -> float:
    """Cost in nats of other parts of the same rows."""
    return grid_costs(kept_entries(who, grid), grid.method, parts, grid.n_columns)[0]


def merge_parts(grid: Grid, given: tuple[Any, ...], note: Note) -> Grid:
    """Merge parts of one axis."""
    who = "Grid.merge"
    if len(given) < 3:
        raise ValueError(
            f"{who}: an axis and at least two of its parts must be named; got {given!r}."
        )
    a = find_axis(who, grid, given[0])
    kept_entries(who, grid)
    axis = grid.axes[a]
    for part in given[1:]:
        check_part(who, axis, part)
    merged = merge_axis(axis, given[1:], note.reason, note.who)
    return _with_axis(who, grid, a, merged, f"merge({', '.join(map(repr, given))})", note)


def set_axis(grid: Grid, given: Any, partition: Any, note: Note) -> Grid:
    """Divide an axis as another partition of its column does."""
    who = "Grid.set_axis"
    a = find_axis(who, grid, given)
    axis = grid.axes[a]
    if not isinstance(partition, Partition) or type(partition) is not type(axis):
        raise TypeError(
            f"{who}: partition must be {type(axis).__name__} of column {axis.name!r}; got "
            f"{type(partition).__name__}."
        )
    kept_entries(who, grid)
    if axis.units is None:
        raise ValueError(
            f"{who}: the values of column {axis.name!r} must be known; none were kept."
        )
    renamed = partition._renamed(axis.name)
    same: Any = renamed.rule
    rule = replace(
        same,
        missing=axis.rule.missing,
        special_values=axis.rule.special_values,
        special_parts=axis.rule.special_parts,
        missing_part=None,  # found again where it is to join a part
    )
    counted = _recounted(who, axis, rule)
    return _with_axis(who, grid, a, counted, f"set_axis({given!r}, {partition!r})", note)


def _recounted(who: str, axis: Any, rule: Any) -> Partition:
    """Count the values of an axis in the parts of another rule."""
    units = axis.units
    shown = rule.shown_values(units.keys) if units.is_line and not units.values else units.values
    try:
        codes = np.array(rule.codes_of(list(shown)), dtype=np.int64)
    except KeyError as error:
        raise ValueError(
            f"{who}: every value of column {axis.name!r} must lie in a part; got "
            f"{error.args[0][1]!r} in none."
        ) from None
    present = units.joined(codes, rule.n_parts)
    changes = with_aside(axis, rule, present, [None] * len(rule.aside_parts))
    found: Partition = repriced(replace(axis, **changes)._with_found(is_optimal=False, gap=None))
    return found


def _with_axis(who: str, grid: Grid, a: int, axis: Partition, action: str, note: Note) -> Grid:
    """Put another axis into a grid, and its price into the history."""
    axes = (*grid.axes[:a], axis._with_found(history=()), *grid.axes[a + 1 :])
    return with_axes(who, grid, axes, action, note)


def with_axes(
    who: str, grid: Grid, axes: tuple[Partition, ...], action: str, note: Note | None = None
) -> Grid:
    """Put other axes into a grid, and their price into the history."""
    entries = replace(kept_entries(who, grid), anchors=())
    parts = [parts_of_values(one) for one in axes]
    wanted = [joins(one) for one in axes]
    if any(wanted):
        homes = best_homes(entries, grid.method, grid.n_columns, parts, wanted)
        axes, entries = with_homes(axes, homes), anchored(entries, parts, homes)
    cost, null_cost, granularity = grid_costs(entries, grid.method, parts, grid.n_columns)
    price = (cost - grid.cost) / BIT
    found = replace(
        grid.found,
        cost=cost,
        level=level_of(cost, null_cost),
        is_optimal=False,
        gap=cost / BIT,
        history=(*grid.history, Edit(action, price, grid, **vars(note or Note()))),
        price=None if grid.price is None else grid.price + price,
    )
    return make_grid(
        who,
        axes,
        entries,
        found,
        has_target=grid.has_target,
        column_gains=grid.column_gains,
        granularity=granularity,
        n_columns=grid.n_columns,
        library=grid.library,
    )


def merge_prices(who: str, grid: Grid) -> list[tuple[str, float]]:
    """Price of each merge of two parts of one axis, in bits, cheapest first."""
    parts = axis_parts(grid)
    found = []
    for a, axis in enumerate(grid.axes):
        n = axis.n_parts
        pairs = (
            itertools.pairwise(range(n))
            if axis.rule.is_line
            else itertools.combinations(range(n), 2)
        )
        for i, j in pairs:
            place = np.arange(n, dtype=np.uint32)
            place[j] = i
            joined = np.unique(place[parts[a]], return_inverse=True)[1].astype(np.uint32)
            cost = cost_of(who, grid, [*parts[:a], joined, *parts[a + 1 :]])
            found.append((f"merge({axis.name!r}, {i}, {j})", (cost - grid.cost) / BIT))
    return sorted(found, key=lambda pair: pair[1])


def explain_grid(grid: Grid) -> Explanation:
    """Say what the columns tell together."""
    merges = merge_prices("Grid.explain", grid) if grid.entries is not None else []
    facts = {
        "cost": grid.cost / BIT,
        "null_cost": grid.null_cost / BIT,
        "gain": grid.gain / BIT,
        "column_gains": [gain / BIT for gain in grid.column_gains],
        "synergy": grid.synergy / BIT,
        "merges": merges,
    }
    return Explanation("\n".join([*_lines(grid), *_merge_lines(merges)]), facts)


def _lines(grid: Grid) -> list[str]:
    """Write what the grid saves."""
    shape = " x ".join(map(str, grid.n_parts))
    names = " and ".join(grid.names)
    proof = "no other grid costs less (proven)" if grid.is_optimal else "not proven optimal"
    n = grid.n_cells
    lines = [
        f"{grid.name}: {shape} parts, {n} cell{'' if n == 1 else 's'} with rows, by "
        f"{grid.method}, level {grid.level:.4f}; {proof}.",
    ]
    if not grid.has_target:
        lines.append(
            f"The cells save {grid.gain / BIT:.1f} bits of what {names} take apart."
            if grid.level > 0
            else f"{names} are best described apart: nothing in these rows says that one depends "
            "on the other."
        )
        return lines
    apart = ", ".join(
        f"{name} {gain / BIT:.1f}" for name, gain in zip(grid.names, grid.column_gains, strict=True)
    )
    lines.append(
        f"Together they save {grid.gain / BIT:.1f} bits of the description of the classes; alone: "
        f"{apart}."
    )
    bits = grid.synergy / BIT
    if bits > 0:
        lines.append(f"Together they tell {bits:.1f} bits more than the sum of both.")
    elif grid.level > 0:
        lines.append(
            f"That is {-bits:.1f} bits less than the sum of both: they repeat each other, or the "
            "cells cost more than what they add."
        )
    return lines


def _merge_lines(merges: list[tuple[str, float]]) -> list[str]:
    """Write the cheapest merges."""
    if not merges:
        return []
    shown = [f"  {action}: {price:+.2f} bits" for action, price in merges[:MOST_MERGES]]
    return ["One part fewer would cost:", *shown]


__all__ = [
    "axis_parts",
    "explain_grid",
    "find_axis",
    "kept_entries",
    "merge_parts",
    "set_axis",
    "with_axes",
]
