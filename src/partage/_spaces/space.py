"""Columns as spaces: which units there are, what they hold, and which of them touch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.table import Categories, Column
from partage._targets.target import TargetRows

_MOST_CELLS = 20_000_000  # of a dense table of counts


@dataclass(frozen=True)
class LineSpace:
    """A column as a line: its distinct values in order, and the classes at each."""

    line: _core.Line
    values: NDArray[Any]
    missing_counts: NDArray[np.float64]
    unit_rows: NDArray[np.int64] | None = None  # where rows have weights

    @property
    def n_units(self) -> int:
        """Number of distinct values."""
        return int(self.line.n_units)

    @property
    def is_float(self) -> bool:
        """Whether the values are floating-point numbers."""
        return self.values.dtype.kind == "f"

    @property
    def total_weight(self) -> float:
        """Weight of the rows that are not missing."""
        return float(self.line.total_weight)

    def counts(self, starts: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Class weights of the parts that start at these units; the last entry ends them."""
        return np.asarray(self.line.counts(np.ascontiguousarray(starts, dtype=np.uint32)))

    def unit_weights(self) -> NDArray[np.float64]:
        """Weight of each unit."""
        return np.asarray(self.counts(np.arange(self.n_units + 1, dtype=np.uint32)).sum(axis=1))


Watch = Callable[[Column | Categories, LineSpace], None]


def ordered_space(column: Column, target: TargetRows) -> LineSpace:
    """Sort a column, class by class, into a line of distinct values."""
    if target.weights is not None:
        return _weighted_line(column, target)
    values, offsets, missing = _core.split_by_class(
        column.keys, target.codes, column.is_missing, target.n_classes
    )
    # Sorting the keys of one class at a time needs no class beside them: NumPy's fastest sort.
    for j in range(target.n_classes):
        values[offsets[j] : offsets[j + 1]].sort()
    line, distinct = _core.merge_classes(values, offsets)
    return LineSpace(line, distinct, missing)


def _weighted_line(column: Column, target: TargetRows) -> LineSpace:
    """Sort rows with weights; the order of equal rows is settled by their weights."""
    assert target.weights is not None
    present = ~column.missing_mask()
    keys = column.keys[present] + 0  # -0.0 becomes 0.0
    codes = target.codes[present]
    weights = target.weights[present]
    missing = np.bincount(
        target.codes[~present], target.weights[~present], minlength=target.n_classes
    )
    order = None
    if not _is_sorted(keys, codes):
        order = np.lexsort((weights, codes, keys))
        keys, codes, weights = keys[order], codes[order], weights[order]
    is_new = np.ones(len(keys), dtype=bool)
    is_new[1:] = keys[1:] != keys[:-1]
    ends = np.append(np.flatnonzero(is_new), len(keys)).astype(np.uint32)
    line = _core.line_from_entries(codes, weights, ends, target.n_classes)
    unit_rows = (ends[1:] - ends[:-1]).astype(np.int64)
    if target.rows is not None:
        rows = target.rows[present]
        rows = rows if order is None else rows[order]
        sums = np.concatenate([[0], np.cumsum(rows)])
        unit_rows = sums[ends[1:]] - sums[ends[:-1]]
    return LineSpace(line, keys[ends[:-1]], missing.astype(np.float64), unit_rows)


def _is_sorted(keys: NDArray[Any], codes: NDArray[np.uint16]) -> bool:
    """Whether entries stand by value, then class, each pair once: as contingencies have them."""
    before, after = keys[:-1], keys[1:]
    return bool(((before < after) | ((before == after) & (codes[:-1] < codes[1:]))).all())


def line_from_counts(counts: Any, values: Any = None) -> LineSpace:
    """Make a line of the rows of a table of class weights; values default to 0, 1, 2, ..."""
    table = np.asarray(counts, dtype=np.float64)
    unit, label = np.nonzero(table)
    n_units, n_classes = table.shape
    starts = np.append(0, np.cumsum(np.bincount(unit, minlength=n_units))).astype(np.uint32)
    line = _core.line_from_entries(
        label.astype(np.uint16), np.ascontiguousarray(table[unit, label]), starts, n_classes
    )
    keys = np.arange(n_units, dtype=np.float64) if values is None else np.asarray(values)
    return LineSpace(line, keys, np.zeros(n_classes))


def _counted_line(counts: NDArray[np.int64]) -> LineSpace:
    """Make a line of rows of class counts, of which the last is that of missing values."""
    n_values, n_classes = len(counts) - 1, counts.shape[1]
    cells = np.flatnonzero(counts[:-1])
    starts = np.searchsorted(cells, np.arange(n_values + 1) * n_classes).astype(np.uint32)
    amounts = counts.ravel()[cells].astype(np.float64)
    labels = (cells % n_classes).astype(np.uint16)
    line = _core.line_from_entries(labels, amounts, starts, n_classes)
    return LineSpace(line, np.arange(n_values), counts[-1].astype(np.float64))


def unordered_space(column: Categories, target: TargetRows) -> LineSpace:
    """Count the classes of each value; the values touch each other in any way."""
    n_values, n_classes = len(column.values), target.n_classes
    if target.weights is None and n_values * n_classes <= _MOST_CELLS:
        return _counted_line(_core.count_classes(column.codes, target.codes, n_values, n_classes))
    present = column.codes >= 0
    weights = target.weights
    if present.all():
        pairs = column.codes.astype(np.int64) * n_classes + target.codes
        missing = np.zeros(n_classes)
    else:
        pairs = column.codes[present].astype(np.int64) * n_classes + target.codes[present]
        left = None if weights is None else weights[~present]
        missing = np.bincount(target.codes[~present], left, minlength=n_classes).astype(np.float64)
        weights = None if weights is None else weights[present]
    if n_values * n_classes <= _MOST_CELLS:
        counts = np.bincount(pairs, weights, minlength=n_values * n_classes)
        cells = np.flatnonzero(counts)
        amounts = counts[cells].astype(np.float64)
    else:
        cells, place = np.unique(pairs, return_inverse=True)
        amounts = np.bincount(place, weights).astype(np.float64)
    starts = np.searchsorted(cells, np.arange(n_values + 1) * n_classes).astype(np.uint32)
    line = _core.line_from_entries(
        (cells % n_classes).astype(np.uint16), amounts, starts, n_classes
    )
    unit_rows = None
    if target.weights is not None:
        rows = None if target.rows is None else target.rows[present]
        unit_rows = np.bincount(column.codes[present], rows, minlength=n_values).astype(np.int64)
    return LineSpace(line, np.arange(n_values), missing, unit_rows)
