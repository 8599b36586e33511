"""Tables as points: numbers only, on one scale, each distinct point once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.column import NumberColumn
from partage._data.table import Table, read_table
from partage._support.checks import refuse

SCALES = ("auto", "minmax", "standard")
_EVEN = 3.0  # times the least range that the largest may be for columns to stay as they are
_SLACK = 1e-10  # share of a squared length within which squared lengths are equal
_MOST_DECIMALS = 9
_EXACT_SQUARES = 2.0**52


def read_points(who: str, X: Any) -> tuple[NDArray[np.float64], list[str]]:
    """Take a table of finite numbers; the names of its columns beside it."""
    table = read_table(who, X)
    is_masked = isinstance(table.source, np.ma.MaskedArray)
    if isinstance(table.source, np.ndarray) and table.source.dtype.kind in "fiub" and not is_masked:
        points = np.array(table.source, dtype=np.float64, order="C")
    else:
        points = np.column_stack(_all_numbers(who, table))
    _check_finite(who, points, table.names)
    return np.ascontiguousarray(points + 0.0), table.names


def _all_numbers(who: str, table: Table) -> list[NDArray[np.float64]]:
    """Read the columns as floats; those that hold something else are named together."""
    columns, others = [], []
    for index, name in enumerate(table.names):
        try:
            columns.append(table.column(who, index))
        except TypeError:
            others.append(repr(name))
    if others:
        word, them = ("column", "it") if len(others) == 1 else ("columns", "them")
        raise TypeError(
            f"{who}: {word} {', '.join(others)} must hold numbers, since distances need them; got "
            f"text or other values (an argument must be a string or a number). Drop {them}, or "
            f"turn {them} into numbers first, for instance with TablePartitioner(output='woe')."
        )
    return [_numbers(who, column) for column in columns]


def _numbers(who: str, column: NumberColumn) -> NDArray[np.float64]:
    """Read one column as floats."""
    if column.kind.name in ("datetime", "duration"):
        raise TypeError(
            f"{who}: column {column.name!r} holds {column.kind.name}s; distances need numbers. "
            "Convert it to a number of days or seconds, or drop it."
        )
    values = np.array(column.kind.values(column.keys), dtype=np.float64)
    values[column.missing_mask()] = np.nan
    return values


def _check_finite(who: str, points: NDArray[np.float64], names: list[str]) -> None:
    """Refuse gaps and infinities, by the name of their column."""
    for bad, word in ((np.isnan(points), "NaN"), (np.isinf(points), "infinity")):
        if bad.any():
            held = [
                f"column {names[i]!r} holds {int(bad[:, i].sum())} such value(s)"
                for i in np.flatnonzero(bad.any(axis=0))
            ]
            them = "it" if len(held) == 1 else "them"
            advice = (
                f"Fill {them} first, for instance with sklearn.impute.SimpleImputer, or drop "
                "these rows."
                if word == "NaN"
                else "Replace these values."
            )
            raise ValueError(
                f"{who}: Input X contains {word}; {', '.join(held)}, and distances need all "
                f"numbers. {advice}"
            )


@dataclass(frozen=True)
class Scale:
    """What is taken from each column and what it is divided by."""

    low: NDArray[np.float64]
    width: NDArray[np.float64]

    def __call__(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Bring points to the scale."""
        return np.ascontiguousarray((points - self.low) / self.width + 0.0)


def make_scale(who: str, scale: object, points: NDArray[np.float64]) -> Scale | None:
    """Learn a scale; constant columns stay constant."""
    if scale is None:
        return None
    if not isinstance(scale, str) or scale not in SCALES:
        refuse(who, "scale", "'auto', 'minmax', 'standard' or None", scale)
    chosen = choose_scale(str(scale), points)
    if chosen is None:
        return None
    if chosen == "minmax":
        low = points.min(axis=0)
        width = points.max(axis=0) - low
    else:
        ordered = np.sort(points, axis=0)  # sums that do not depend on the order of the rows
        low = ordered.mean(axis=0)
        width = ordered.std(axis=0)
    return Scale(low, np.where(width > 0, width, 1.0))


def choose_scale(scale: str | None, points: NDArray[np.float64]) -> str | None:
    """Leave columns as they are where their ranges are alike, else standardise."""
    if scale != "auto":
        return scale
    ranges = np.ptp(points, axis=0)
    ranges = ranges[ranges > 0]
    return "standard" if len(ranges) and ranges.max() > _EVEN * ranges.min() else None


@dataclass(frozen=True)
class Distinct:
    """Distinct points in the order of their coordinates, and the rows that lie at each.

    ``order`` lists the rows by point, then class; those of point p are ``order[starts[p]]`` to
    ``order[starts[p + 1] - 1]``.
    """

    points: NDArray[np.float64]
    order: NDArray[np.int64]
    starts: NDArray[np.uint32]


def distinct_points(points: NDArray[np.float64], codes: NDArray[Any] | None = None) -> Distinct:
    """Sort rows by their coordinates, then by class, and find equal ones."""
    keys = tuple(points.T[::-1])
    order = np.lexsort(keys if codes is None else (codes, *keys))
    ordered = points[order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.append(np.flatnonzero(is_new), len(order)).astype(np.uint32)
    return Distinct(np.ascontiguousarray(ordered[is_new]), order, starts)


def lengths(starts: NDArray[Any]) -> NDArray[np.int64]:
    """Lengths of pieces from where they start."""
    return np.asarray(starts[1:] - starts[:-1], dtype=np.int64)


def exact_points(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Points whose squared distances are exact, with no slack, where decimals allow it.

    Numbers of few decimals are read as decimals: 0.1 is a tenth, not the float nearest to it. Other
    points stay as they are, with the slack that decides ties.
    """
    for n_decimals in range(_MOST_DECIMALS + 1):
        unit = 10.0**n_decimals
        whole = np.rint(points[:64] * unit)
        if not (whole / unit == points[:64]).all():
            continue
        whole = np.rint(points * unit)
        if not (whole / unit == points).all():
            continue
        whole = whole - whole.min(axis=0)
        if (whole.max(axis=0) ** 2).sum() < _EXACT_SQUARES:
            return np.ascontiguousarray(whole), 0.0
        break
    return points, _SLACK
