"""Sums of amounts that have the same bits for any order of the rows, and for any parts of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core

_DIGITS = 51  # bits of a sum that must not be rounded
_LEAST_DIGITS = 16  # bits of an amount, whatever the weights
_MOST_EXACT = 2.0 ** (_DIGITS - _LEAST_DIGITS)  # weight up to which sums are not rounded


def steps_of(highest: float, total: float) -> float:
    """Least step of a grid on which amounts up to a height add up without rounding.

    Weights beyond 3e10 leave sums rounded rather than amounts.
    """
    if not 0.0 < highest < math.inf:
        return 1.0
    height = math.frexp(highest)[1]
    bits = max(_DIGITS - math.frexp(max(total, 1.0))[1], _LEAST_DIGITS)
    return math.ldexp(1.0, max(height - bits, -1000))


def on_grid(amounts: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Give each amount its nearest multiple of a step."""
    return np.asarray(np.rint(amounts / step) * step)


def sums_by_code(
    codes: NDArray[Any],
    amounts: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    n: int,
    scale: tuple[float, float],
) -> NDArray[np.float64]:
    """Sum the amounts of each code from 0 to n - 1, in two columns that add up to the sums.

    Amounts are divided into a coarse and a fine piece, each on a grid on which sums of amounts up
    to the first number of ``scale`` and of weights up to the second are exact: neither the order of
    rows nor how they are put together matters. Real weights and very large ones have no such grid;
    their rows are added in the order of amounts and weights.
    """
    out = np.zeros((n, 2))
    highest, total = scale
    if weights is not None and (total > _MOST_EXACT or (weights != np.floor(weights)).any()):
        order = np.lexsort((weights, amounts))
        codes, amounts, weights = codes[order], amounts[order], weights[order]
    rest = amounts
    for column in range(2):
        step = steps_of(highest, total)
        piece = on_grid(rest, step)
        rest, highest = rest - piece, step
        held = piece if weights is None else piece * weights
        out[:, column] = np.bincount(codes, held, minlength=n)
    return out


def grid_steps(highest: float, total: float) -> list[float]:
    """Give the steps of the coarse and the fine piece of amounts, then of their squares."""
    steps = []
    for height in (highest, highest**2):
        coarse = steps_of(height, total)
        steps += [coarse, steps_of(coarse, total)]
    return steps


def run_sums(
    amounts: NDArray[np.float64],
    edges: NDArray[Any],
    center: float,
    scale: tuple[float, float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum runs of rows of weight one: as `sums_by_code` does, and zeros; then their extremes."""
    edges = np.ascontiguousarray(edges, dtype=np.uint32)
    found: tuple[NDArray[np.float64], NDArray[np.float64]] = _core.run_sums(
        amounts, edges, center, grid_steps(*scale)
    )
    return found


def sums_of_rows(
    amounts: NDArray[np.float64],
    codes: NDArray[Any],
    n: int,
    center: float,
    scale: tuple[float, float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum the rows of weight one of each code from 0 to n - 1, as `run_sums` does."""
    if (codes[1:] < codes[:-1]).any():
        order = np.argsort(codes, kind="stable")
        amounts, codes = amounts[order], codes[order]
    return run_sums(amounts, np.searchsorted(codes, np.arange(n + 1)), center, scale)


def mean_of(amounts: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    """Mean of all rows, the same bits for any order."""
    size = float(len(amounts) if weights is None else weights.sum())
    scale = float(max(amounts.max(), -amounts.min())), size
    if weights is None:
        sums = run_sums(amounts, np.array([0, len(amounts)]), 0.0, scale)[0][0, :2]
    else:
        nowhere = np.zeros(len(amounts), dtype=np.int64)
        sums = sums_by_code(nowhere, amounts, weights, 1, scale)
    return float(sums.sum()) / size


def extremes(amounts: NDArray[np.float64], codes: NDArray[np.int64], n: int) -> NDArray[np.float64]:
    """Least and greatest amount of each code; infinities for a code without rows."""
    found = np.tile([np.inf, -np.inf], (n, 1))
    if not len(codes):
        return found
    if (codes[1:] < codes[:-1]).any():
        order = np.argsort(codes, kind="stable")
        codes, amounts = codes[order], amounts[order]
    first = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    held = codes[first]
    found[held, 0] = np.minimum.reduceat(amounts, first)
    found[held, 1] = np.maximum.reduceat(amounts, first)
    return found


__all__ = [
    "extremes",
    "grid_steps",
    "mean_of",
    "on_grid",
    "run_sums",
    "steps_of",
    "sums_by_code",
    "sums_of_rows",
]
