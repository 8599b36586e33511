"""Sums of amounts that have the same bits for any order of the rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DIGITS = 51  # bits of a sum that must not be rounded


def steps_of(highest: float, total: float) -> float:
    """Least step of a grid on which amounts up to a height add up without rounding."""
    if not 0.0 < highest < math.inf:
        return 1.0
    height = math.frexp(highest)[1]
    bits = _DIGITS - math.frexp(max(total, 1.0))[1]
    return math.ldexp(1.0, max(height - bits, -1000))


def on_grid(amounts: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Give each amount its nearest multiple of a step."""
    return np.asarray(np.rint(amounts / step) * step)


def sum_by_code(
    codes: NDArray[Any], amounts: NDArray[np.float64], weights: NDArray[np.float64] | None, n: int
) -> NDArray[np.float64]:
    """Sum the amounts of each code from 0 to n - 1.

    Amounts are divided into a coarse and a fine piece, each on a grid on which sums are exact, so
    that the order of the rows does not matter. Real weights have no such grid: rows are then added
    in the order of their amounts and weights.
    """
    if not len(amounts):
        return np.zeros(n)
    if weights is not None and (weights != np.floor(weights)).any():
        order = np.lexsort((weights, amounts))
        held = (amounts * weights)[order]
        return np.bincount(codes[order], held, minlength=n).astype(np.float64)
    total = float(len(amounts) if weights is None else weights.sum())
    sums = np.zeros(n)
    rest = amounts
    for _ in range(2):
        step = steps_of(float(np.abs(rest).max()), total)
        piece = on_grid(rest, step)
        rest = rest - piece
        held = piece if weights is None else piece * weights
        sums = sums + np.bincount(codes, held, minlength=n)
    return sums


__all__ = ["on_grid", "steps_of", "sum_by_code"]
