"""Costs that no partition is below, from which gaps are certified."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._spaces.space import Space
from partage._support.parallel import Cancel

__all__ = ["bound_of_line", "bound_of_rows", "least_growth", "trend_bound"]


def bound_of_line(
    line: _core.Line,
    criterion: str,
    numbers: Sequence[float],
    *,
    n_parts: int | None = None,
    max_parts: int | None = None,
    known: float = np.inf,
) -> float:
    """Cost that no partition of a line is below; ``known`` is the cost of one that was found."""
    most = None if max_parts is None else min(max_parts, line.n_units)
    return float(
        _core.lower_bound(
            line, criterion, list(numbers), n_parts or 0, most or 0, None, None, known
        )
    )


def bound_of_rows(rows: NDArray[np.float64], criterion: str, numbers: Sequence[float]) -> float:
    """Cost that no partition is below, whichever of these rows join."""
    table = np.ascontiguousarray(rows, dtype=np.float64)
    return float(_core.lower_bound_of_rows(table, criterion, list(numbers), 1, max(len(table), 1)))


def least_growth(rows: NDArray[np.float64], criterion: str, numbers: Sequence[float]) -> float:
    """Least that the parts cost more once each of these rows has joined one."""
    table = np.ascontiguousarray(rows, dtype=np.float64)
    return float(np.sum(_core.least_growths(table, criterion, list(numbers))))


def trend_bound(space: Space, sign: float, cancel: Cancel | None) -> float:
    """Cost under MODL that no partition whose rates follow a trend is below."""
    return float(_core.trend_bound(space.line, sign, cancel))
