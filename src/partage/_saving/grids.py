"""Grids as plain, versioned data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from partage._partitions.edit import Edit
from partage._partitions.found import Found
from partage._partitions.grid import Grid
from partage._partitions.grid_axes import parts_of_values
from partage._partitions.grid_gaps import anchored, joins
from partage._partitions.grid_rule import GridRule
from partage._saving.checks import EDIT_NOTES, check_grid
from partage._saving.plain import settings_from_plain, settings_to_plain
from partage._search.grids import GRID_METHODS, GridRows
from partage._targets.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable

_FOUND = ("method", "cost", "null_cost", "level", "is_optimal", "price", "gap")


def grid_to_dict(grid: Grid) -> dict[str, Any]:
    """Describe a grid with text, numbers, lists and dicts only."""
    held = np.flatnonzero(grid.tally.rows)
    return {
        "partage": 1,
        "type": "grid",
        **{name: getattr(grid.found, name) for name in _FOUND},
        "constraints": settings_to_plain(_listed(grid.constraints)),
        "library": grid.library,
        "has_target": grid.has_target,
        "column_gains": list(grid.column_gains),
        "granularity": grid.granularity,
        "n_columns": grid.n_columns,
        "axes": [axis.to_dict() for axis in grid.axes],
        "codes": held.tolist(),
        "counts": grid.tally.class_counts[held].tolist(),
        "rows": grid.tally.rows[held].tolist(),
        "entries": _entries_to_plain(grid),
        "history": [
            {
                "action": edit.action,
                "price": edit.price,
                **{name: getattr(edit, name) for name in EDIT_NOTES},
                "before": grid_to_dict(edit.before.without_rows()._with_found(history=())),
            }
            for edit in grid.history
        ],
    }


def _listed(constraints: Any) -> dict[str, Any]:
    """Write limits as lists."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in constraints.items()}


def _entries_to_plain(grid: Grid) -> dict[str, Any] | None:
    """Describe what was counted, if it is not too long, and the values of the axes are known."""
    entries = grid.entries
    is_known = all(axis.units is not None and axis.units.is_saved for axis in grid.axes)
    if entries is None or not entries.is_saved or not is_known:
        return None
    arrays = {"labels": entries.labels, "weights": entries.weights, "rows": entries.n_rows}
    return {
        "codes": entries.codes.tolist(),
        "n_values": list(entries.n_values),
        "n_aside": list(entries.n_aside),
        "is_ordered": list(entries.is_ordered),
        "n_classes": entries.n_classes,
        **{name: None if a is None else a.tolist() for name, a in arrays.items()},
    }


def read_grid(data: dict[str, Any], read: Callable[[dict[str, Any]], Any]) -> Grid:
    """Build a grid; ``read`` builds the partitions of its axes."""
    check_grid(data)
    axes = tuple(read(plain) for plain in data["axes"])
    if len(axes) < 2 or not all(axis.rule.is_of_columns for axis in axes):
        raise ValueError("the axes of a grid must be intervals or groups")
    rule = GridRule(
        " x ".join(axis.name for axis in axes),
        axes[0].missing,
        rules=tuple(axis.rule for axis in axes),
    )
    found = {name: data[name] for name in _FOUND}
    if found["method"] not in GRID_METHODS:
        raise ValueError("no grid has this method")
    constraints = settings_from_plain(data["constraints"])
    if "max_parts" in constraints:
        constraints["max_parts"] = tuple(constraints["max_parts"])
    whole = Grid(
        rule=rule,
        tally=_read_tally(data, rule.n_parts, len(axes[0].classes)),
        target=axes[0].target,
        found=Found(**found, constraints=constraints),
        n_values=int(np.prod([axis.n_values for axis in axes], dtype=np.float64)),
        library=str(data["library"]),
        axes=axes,
        has_target=bool(data["has_target"]),
        column_gains=tuple(map(float, data["column_gains"])),
        granularity=int(data["granularity"]),
        n_columns=int(data["n_columns"]),
        entries=_read_entries(data["entries"], axes),
    )
    if len(whole.column_gains) != len(axes):
        raise ValueError("column_gains must fit the axes")
    history: tuple[Edit, ...] = ()
    for row in data["history"]:
        before = read_grid(row["before"], read)
        before = replace(before._with_found(history=history), entries=whole.entries)
        said = {name: str(row.get(name, "")) for name in EDIT_NOTES}
        history = (*history, Edit(str(row["action"]), float(row["price"]), before, **said))
    return whole._with_found(history=history)


def _read_tally(data: dict[str, Any], n: int, n_classes: int) -> Tally:
    """Read what the cells hold."""
    codes = np.array(data["codes"], dtype=np.int64)
    held = np.array(data["counts"], dtype=np.float64).reshape(len(codes), n_classes)
    if len(codes) and not (codes.min() >= 0 and codes.max() < n):
        raise ValueError("a code lies in no cell")
    if len(np.unique(codes)) < len(codes):
        raise ValueError("a cell stands twice")
    if not (np.isfinite(held) & (held >= 0)).all():
        raise ValueError("counts must be finite and at least 0")
    counts, rows = np.zeros((n, n_classes)), np.zeros(n, dtype=np.int64)
    counts[codes] = held
    rows[codes] = np.array(data["rows"], dtype=np.int64)
    if (rows < 0).any():
        raise ValueError("rows must be at least 0")
    return Tally.of_counts(counts, rows)


def _read_entries(plain: Any, axes: tuple[Any, ...]) -> GridRows | None:
    """Read what was counted."""
    if plain is None:
        return None
    kinds = {"labels": np.uint16, "weights": np.float64, "rows": np.int64}
    arrays = {
        name: None if plain[name] is None else np.array(plain[name], dtype=kind)
        for name, kind in kinds.items()
    }
    entries = GridRows(
        np.ascontiguousarray(np.array(plain["codes"], dtype=np.uint32)),
        tuple(map(int, plain["n_values"])),
        tuple(map(int, plain["n_aside"])),
        tuple(map(bool, plain["is_ordered"])),
        arrays["labels"],
        arrays["weights"],
        int(plain["n_classes"]),
        arrays["rows"],
    )
    _check_entries(entries, axes)
    if any(axis.units is None for axis in axes):
        return None  # codes without values serve no edit
    homes = [axis.rule.missing_part if joins(axis) else None for axis in axes]
    if all(home is None for home in homes):
        return entries
    return anchored(entries, [parts_of_values(axis) for axis in axes], homes)


def _check_entries(entries: GridRows, axes: tuple[Any, ...]) -> None:
    """Raise unless rows fit their axes and each other."""
    codes, labels, weights, n_rows = entries.codes, entries.labels, entries.weights, entries.n_rows
    if codes.ndim != 2 or len(codes) != len(axes) or not codes.size:
        raise ValueError("rows do not fit the axes")
    if any(a is not None and a.shape != codes.shape[1:] for a in (labels, weights, n_rows)):
        raise ValueError("rows do not fit each other")
    if entries.n_values != tuple(axis.n_values for axis in axes) or not (
        len(entries.n_aside) == len(entries.is_ordered) == len(axes)
    ):
        raise ValueError("values do not fit the axes")
    n_all = np.add(entries.n_values, entries.n_aside)
    if min(entries.n_aside) < 0 or (codes >= n_all[:, None]).any():
        raise ValueError("a code is no value of its axis")
    n_classes = 1 if labels is None else len(axes[0].classes)
    if entries.n_classes != n_classes or (labels is not None and labels.max() >= n_classes):
        raise ValueError("a label is no class")
    if weights is not None and not ((weights > 0) & (weights <= 1e18)).all():
        raise ValueError("weights must be positive")
    if n_rows is not None and (n_rows < 1).any():
        raise ValueError("entries must have rows")


__all__ = ["grid_to_dict", "read_grid"]
