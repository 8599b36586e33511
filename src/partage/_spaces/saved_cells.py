"""Units of a number in a file: the cells that each holds rows of, and its sums."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._spaces.unit_sums import KnownSums


def cells_to_plain(line: _core.Line) -> list[list[float]]:
    """Give each unit the cells that it holds, each followed by its weight."""
    codes, weights, starts = line.entries()
    lengths = np.diff(starts.astype(np.int64))
    places = np.repeat(np.arange(len(lengths)), lengths) * line.n_classes + codes
    found, inverse = np.unique(places, return_inverse=True)
    held = np.bincount(inverse, weights, minlength=len(found)).astype(np.float64)
    unit, cell = np.divmod(found, max(line.n_classes, 1))
    pairs = np.column_stack([cell, held])
    ends = np.searchsorted(unit, np.arange(len(lengths) + 1))
    return [pairs[a:b].ravel().tolist() for a, b in itertools.pairwise(ends)]


def counts_from_plain(plain: Any, n_cells: int) -> NDArray[np.float64]:
    """Read the weights of cells of each unit."""
    counts = np.zeros((len(plain), n_cells))
    for unit, row in enumerate(plain):
        pairs = np.array(row, dtype=np.float64).reshape(-1, 2)
        cells = pairs[:, 0].astype(np.int64)
        is_cell = (cells == pairs[:, 0]).all() and ((cells >= 0) & (cells < n_cells)).all()
        if not is_cell or (np.diff(cells) <= 0).any() or not len(cells):
            raise ValueError("units must hold cells of the target, each once")
        if not (np.isfinite(pairs[:, 1]) & (pairs[:, 1] > 0.0)).all():
            raise ValueError("counts of units must be finite and above 0")
        counts[unit, cells] = pairs[:, 1]
    return counts


def sums_from_plain(plain: dict[str, Any], n_units: int, n_read: int) -> KnownSums:
    """Read the sums of units, and their extremes."""
    moments, extremes = (np.array(plain[name], dtype=np.float64) for name in _SUMS)
    if moments.ndim != 2 or len(moments) != n_units or extremes.shape != (n_units, 2):
        raise ValueError("sums of units do not fit them")
    if not (np.isfinite(moments).all() and np.isfinite(extremes).all()):
        raise ValueError("sums of units must be finite")
    return KnownSums(moments, extremes, n_read)


_SUMS = ("moments", "extremes")

__all__ = ["cells_to_plain", "counts_from_plain", "sums_from_plain"]
