"""Columns whose gaps lie in the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._report.facts import Summary

_MOST_COLUMNS = 40  # those with the most gaps, that are compared with each other
_ALIKE = 0.95  # share of the rows with a gap in one of two columns that have it in both


def find_gaps(summary: Summary, frame: Any) -> list[list[str]]:
    """Group the columns whose gaps lie in the same rows."""
    names = sorted((c for c in summary.columns if c.missing), key=lambda c: -c.missing)
    masks = {c.name: _is_missing(frame[c.name]) for c in names[:_MOST_COLUMNS]}
    groups: list[list[str]] = []
    for name, mask in masks.items():
        for group in groups:
            other = masks[group[0]]
            if (mask & other).sum() >= _ALIKE * (mask | other).sum():
                group.append(name)
                break
        else:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def _is_missing(column: Any) -> NDArray[np.bool_]:
    """Mark the rows without a value."""
    found = column.is_null()
    if column.dtype.is_float():
        found = found | column.is_nan().fill_null(False)
    return np.asarray(found.to_numpy())
