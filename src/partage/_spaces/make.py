"""Columns with a target as spaces: sorted or counted, the rest set aside."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.categories import CategoryColumn
from partage._data.column import NumberColumn
from partage._spaces.space import Space
from partage._spaces.unit_sums import KnownSums, SortedAmounts
from partage._targets.tally import Tally
from partage._targets.target import TargetRows

_MOST_CELLS = 20_000_000  # of a dense table of counts
_MANY_CLASSES = 16  # from which on rows are sorted at once, not class by class


def space_of(
    column: NumberColumn | CategoryColumn,
    rows: TargetRows,
    aside: NDArray[np.int64] | None = None,
    n_aside: int = 1,
) -> Space:
    """Make the space of a column.

    ``aside`` says which set each row beside the units belongs to, -1 for none: missing values are
    0, special values follow, and both are missing in the column. None where there are no special
    values.
    """
    if isinstance(column, NumberColumn):
        space, missing = _sorted(column, rows)
    else:
        space, missing = _counted(column, rows)
    if aside is None and rows.weights is None and rows.values is None:
        tally = Tally.of_counts(missing[None, :])
    elif aside is None and not column.missing_mask().any():
        tally = rows.target.empty(n_aside)
    else:
        place = np.where(column.missing_mask(), 0, -1) if aside is None else aside
        tally = rows.tally(place, n_aside)
    return _with_aside(space, tally)


def _with_aside(space: Space, aside: Tally) -> Space:
    """Set rows aside; rows of units that each weigh one need no numbers."""
    rows = space.rows
    if rows is not None and (space.n_units == 0 or np.array_equal(rows, space.unit_weights())):
        rows = None
    return space.with_aside(rows, aside)


def _sorted(column: NumberColumn, rows: TargetRows) -> tuple[Space, NDArray[np.float64]]:
    """Sort a column, class by class, into a line of distinct values; counts of missing ones."""
    if rows.weights is None and rows.rows is None and rows.sums_amounts:
        return _sorted_amounts(column, rows), np.zeros(rows.n_classes)
    if rows.values is not None or rows.weights is not None:
        return _sorted_by_weight(column, rows), np.zeros(rows.n_classes)
    if rows.n_classes >= _MANY_CLASSES and column.n_rows > 0:
        return _sorted_whole(column, rows)
    values, offsets, missing = _core.split_by_class(
        column.keys, rows.codes, column.is_missing, rows.n_classes
    )
    # Sorting the keys of one class at a time needs no class beside them: NumPy's fastest sort.
    for j in range(rows.n_classes):
        values[offsets[j] : offsets[j + 1]].sort()
    line, distinct = _core.merge_classes(values, offsets)
    return Space(line, distinct, distinct), missing


def _sorted_whole(column: NumberColumn, rows: TargetRows) -> tuple[Space, NDArray[np.float64]]:
    """Sort all rows at once: lists of so many classes would take long to merge."""
    packed = _core.pack_rows(column.keys, column.is_missing)
    packed.sort()
    line, distinct, _, _ = _core.sort_rows(column.keys, rows.codes, None, packed, rows.n_classes)
    missing = np.zeros(rows.n_classes)
    if len(packed) < column.n_rows:
        gone = rows.codes[column.missing_mask()]
        missing = np.bincount(gone, minlength=rows.n_classes).astype(np.float64)
    return Space(line, distinct, distinct), missing


def _sorted_amounts(column: NumberColumn, rows: TargetRows) -> Space:
    """Sort rows of weight one, of which the target is a number."""
    packed = _core.pack_rows(column.keys, column.is_missing)
    packed.sort()
    line, distinct, amounts, edges = _core.sort_rows(
        column.keys, rows.codes, np.ascontiguousarray(rows.amounts), packed, rows.n_classes
    )
    sums = SortedAmounts(rows.target, amounts, edges)
    return Space(line, distinct, distinct, sums=sums)


def _sorted_by_weight(column: NumberColumn, rows: TargetRows) -> Space:
    """Sort rows with weights; the order of equal rows is settled by their weights."""
    present = ~column.missing_mask()
    keys = column.keys[present] + 0  # -0.0 becomes 0.0
    codes = rows.codes[present]
    weights = None if rows.weights is None else rows.weights[present]
    order = None
    if not _is_sorted(keys, codes):
        order = np.lexsort((codes, keys) if weights is None else (weights, codes, keys))
        keys, codes = keys[order], codes[order]
        weights = None if weights is None else weights[order]
    is_new = np.ones(len(keys), dtype=bool)
    is_new[1:] = keys[1:] != keys[:-1]
    ends = np.append(np.flatnonzero(is_new), len(keys)).astype(np.uint32)
    line = _core.line_from_entries(codes, weights, ends, rows.n_classes)
    unit_rows = (ends[1:] - ends[:-1]).astype(np.int64)
    if rows.rows is not None:
        each = rows.rows[present]
        each = each if order is None else each[order]
        sums = np.concatenate([[0], np.cumsum(each)])
        unit_rows = sums[ends[1:]] - sums[ends[:-1]]
    distinct = keys[ends[:-1]]
    space = Space(line, distinct, distinct, unit_rows)
    if rows.values is None:
        return space
    units = np.repeat(np.arange(len(distinct)), np.diff(ends))
    held = rows.take(present)
    return _with_numbers(space, held if order is None else held.take(order), units)


def _with_numbers(space: Space, rows: TargetRows, units: NDArray[np.int64]) -> Space:
    """Add what units hold of a number, given the unit of each row."""
    sums = rows.target.sums(rows, units, space.n_units)
    return replace(space, sums=KnownSums(*sums, rows.target.n_read))


def _is_sorted(keys: NDArray[Any], codes: NDArray[np.uint16]) -> bool:
    """Whether entries stand by value, then class, each pair once: as contingencies have them."""
    before, after = keys[:-1], keys[1:]
    return bool(((before < after) | ((before == after) & (codes[:-1] < codes[1:]))).all())


def _counted(column: CategoryColumn, rows: TargetRows) -> tuple[Space, NDArray[np.float64]]:
    """Count the classes of each value; those of missing ones."""
    n_values, n_classes = len(column.values), rows.n_classes
    keys = np.arange(n_values)
    unit_rows = None
    if rows.weights is None and n_values * n_classes <= _MOST_CELLS:
        counts = _core.count_classes(column.codes, rows.codes, n_values, n_classes)
        line = _line_of_cells(np.flatnonzero(counts[:-1]), counts.ravel(), n_values, n_classes)
        missing = counts[-1].astype(np.float64)
    else:
        line, missing = _counted_in_cells(column, rows)
    if rows.weights is not None:
        present = column.codes >= 0
        each = None if rows.rows is None else rows.rows[present]
        unit_rows = np.bincount(column.codes[present], each, minlength=n_values).astype(np.int64)
    space = Space(line, keys, keys, unit_rows, tuple(column.values), is_line=column.is_ordered)
    if rows.values is None:
        return space, missing
    present = column.codes >= 0
    return _with_numbers(space, rows.take(present), column.codes[present].astype(np.int64)), missing


def _counted_in_cells(
    column: CategoryColumn, rows: TargetRows
) -> tuple[_core.Line, NDArray[np.float64]]:
    """Count weights, or more cells than a dense table may have."""
    n_values, n_classes = len(column.values), rows.n_classes
    present = column.codes >= 0
    weights = rows.weights
    if present.all():
        pairs = column.codes.astype(np.int64) * n_classes + rows.codes
        missing = np.zeros(n_classes)
    else:
        pairs = column.codes[present].astype(np.int64) * n_classes + rows.codes[present]
        left = None if weights is None else weights[~present]
        missing = np.bincount(rows.codes[~present], left, minlength=n_classes).astype(np.float64)
        weights = None if weights is None else weights[present]
    if n_values * n_classes <= _MOST_CELLS:
        counts = np.bincount(pairs, weights, minlength=n_values * n_classes)
        return _line_of_cells(np.flatnonzero(counts), counts, n_values, n_classes), missing
    cells, place = np.unique(pairs, return_inverse=True)
    amounts = np.bincount(place, weights).astype(np.float64)
    return _line_of_amounts(cells, amounts, n_values, n_classes), missing


def _line_of_cells(
    cells: NDArray[np.int64], counts: NDArray[Any], n_values: int, n_classes: int
) -> _core.Line:
    """Make a line of the cells of a dense table that hold something."""
    return _line_of_amounts(cells, counts[cells].astype(np.float64), n_values, n_classes)


def _line_of_amounts(
    cells: NDArray[np.int64], amounts: NDArray[np.float64], n_values: int, n_classes: int
) -> _core.Line:
    """Make a line of some cells of a table of values by classes."""
    starts = np.searchsorted(cells, np.arange(n_values + 1) * n_classes).astype(np.uint32)
    return _core.line_from_entries(
        (cells % n_classes).astype(np.uint16), amounts, starts, n_classes
    )


__all__ = ["space_of"]
