"""Means of a number at cells of a line, averaged over all partitions of them.

Partitions are as probable as the scores of their parts say: ranks decide where borders lie, so that
outliers do not move them. A part of n rows has the mean (Σy + m) / (n + 1), m that of all rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._search.averaged import KEPT_BY_CURVE, N_CELLS, cell_starts, structure
from partage._search.readings import Reading
from partage._search.score_sums import Spread, sum_scores
from partage._spaces.space import Space
from partage._support.parallel import Cancel
from partage._targets.tally import Tally

Laws = Callable[[Tally], tuple[NDArray[np.float64], NDArray[np.float64]]]
_NEGLIGIBLE = 1e-6  # share of the variance of y that a curve of fewer steps may lose


@dataclass(frozen=True)
class MeanCells:
    """Neighbouring units of a line, joined, and their averaged means.

    Attributes
    ----------
    starts : ndarray of int64, shape (C + 1,)
        First unit of each cell, then the number of units.
    sums : Tally
        Weights and moments of the cells.
    means : ndarray of shape (C,)
        Averaged mean of each cell.
    """

    starts: NDArray[np.int64]
    sums: Tally
    means: NDArray[np.float64]


def averaged_means(
    space: Space, reading: Reading, total: Tally, cancel: Cancel | None = None
) -> MeanCells:
    """Divide a line into cells at quantiles, and average their means over all partitions.

    ``reading`` gives the scores, ``total`` holds all rows, those beside the line too.
    """
    starts = cell_starts(space, N_CELLS)
    blocks = space.sums_of(starts)
    rows = np.add.reduceat(reading.units(space), starts[:-1], axis=0)
    beside = 0.0
    if space.aside is not None and space.aside.held.any():
        apart = reading.numbers(space.aside.class_counts[space.aside.held])
        beside = float(reading.terms(apart)[:, 0].sum())
    spread = Spread(float(total.weight[0]), beside, depth=0.0)
    sums = sum_scores(rows, spread, log_prior=-structure(len(rows)), cancel=cancel)
    target = reading.target
    means, _ = average_parts(sums.parts, blocks, lambda parts: target.laws(parts, total))
    return MeanCells(starts, blocks, means[:, 0])


def average_parts(
    parts: tuple[Any, Any, NDArray[np.float64]], blocks: Tally, laws: Laws
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Average the laws of parts over their probabilities, block by block; means and deviations."""
    first, last, probability = (np.asarray(one) for one in parts)
    assert blocks.moments is not None
    ends = np.concatenate([[0.0], np.cumsum(blocks.weight)])
    sums = np.vstack([np.zeros(blocks.moments.shape[1]), np.cumsum(blocks.moments, axis=0)])
    weight = ends[last] - ends[first]
    held = Tally(weight.astype(np.int64), weight, None, sums[last] - sums[first])
    means, deviations = laws(held)
    whole = np.column_stack([np.ones(len(means)), means, deviations**2 + means**2])
    size = len(blocks) + 1
    steps = np.column_stack(
        [
            np.bincount(first, probability * one, size) - np.bincount(last, probability * one, size)
            for one in whole.T
        ]
    )
    cover, averaged, squares = np.split(np.cumsum(steps, axis=0)[:-1], [1, 1 + means.shape[1]], 1)
    averaged = averaged / cover
    return averaged, np.sqrt(np.maximum(squares / cover - averaged**2, 0.0))


def simplified_means(cells: MeanCells, variance: float) -> MeanCells:
    """Join cells while the curve keeps most of its variance: the fewest that do so.

    ``variance`` is that of the number; a millionth of it may be lost in any case.
    """
    weight = cells.sums.weight
    middle = float((weight * cells.means).sum() / weight.sum())
    losses = _losses(weight, cells.means - middle)
    allowed = max((1.0 - KEPT_BY_CURVE) * losses[0, -1], _NEGLIGIBLE * variance * weight.sum())
    n = len(weight)
    best = losses[0, :]
    back: list[NDArray[np.int64]] = []
    while best[-1] > allowed and len(back) < n - 1:
        # ways[a, b]: the last part starts at cell a and ends behind cell b
        ways = np.append(np.inf, best[:-1])[:, None] + losses
        back.append(np.argmin(ways, axis=0))
        best = ways[back[-1], np.arange(n)]
    places, end = [n], n - 1
    for starts in reversed(back):
        places.append(int(starts[end]))
        end = places[-1] - 1
    chosen = np.array([0, *reversed(places)])
    sums = np.add.reduceat(weight * (cells.means - middle), chosen[:-1])
    pieces = np.add.reduceat(weight, chosen[:-1])
    joined = cells.sums.joined(np.repeat(np.arange(len(pieces)), np.diff(chosen)), len(pieces))
    return replace(cells, starts=cells.starts[chosen], sums=joined, means=middle + sums / pieces)


def _losses(weight: NDArray[np.float64], means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squares that joining cells a to b loses; infinite where b is before a."""
    n, s, q = (
        np.append(0.0, np.cumsum(values)) for values in (weight, weight * means, weight * means**2)
    )
    n, s, q = (one[None, 1:] - one[:-1, None] for one in (n, s, q))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.maximum(q - s * s / n, 0.0)
    return np.where(n > 0.0, found, np.inf)


__all__ = ["MeanCells", "average_parts", "averaged_means", "simplified_means"]
