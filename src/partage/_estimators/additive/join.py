"""Cells with nearly the same levels joined to parts: the fewest that keep a share of the curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.partition import Partition

MOST_CELLS = 256  # that are joined exactly; more are first joined to as many, by their order


def join_line(
    weights: NDArray[np.float64],
    levels: NDArray[np.float64],
    max_parts: int | None,
    keep: float,
) -> NDArray[np.int64]:
    """Part of each ordered cell: the fewest parts that keep this share of the variance."""
    n = len(weights)
    if n < 2:
        return np.zeros(n, dtype=np.int64)
    losses = _losses(weights, levels)
    whole = losses[0, -1]
    allowed = max((1.0 - keep) * whole, 1e-12 * max(float(weights.sum()), 1e-300))
    best = losses[0].copy()
    back: list[NDArray[np.int64]] = []
    while best[-1] > allowed and len(back) + 1 < min(n, max_parts or n):
        ways = np.append(np.inf, best[:-1])[:, None] + losses
        back.append(np.argmin(ways, axis=0))
        best = ways[back[-1], np.arange(n)]
    starts, end = [], n - 1
    for first in reversed(back):
        starts.append(int(first[end]))
        end = starts[-1] - 1
    place = np.zeros(n, dtype=np.int64)
    place[starts] = 1
    return np.cumsum(place)


def join_values(
    weights: NDArray[np.float64],
    levels: NDArray[np.float64],
    max_parts: int | None,
    keep: float,
) -> NDArray[np.int64]:
    """Part of each value of a column without an order: values with like levels."""
    order = np.argsort(_main_axis(weights, levels), kind="stable")
    pieces = np.arange(len(order))
    if len(order) > MOST_CELLS:
        held = np.cumsum(np.maximum(weights[order], 1e-9))
        pieces = np.minimum((held / held[-1] * MOST_CELLS).astype(np.int64), MOST_CELLS - 1)
        pieces = np.unique(pieces, return_inverse=True)[1]
    n = int(pieces[-1]) + 1 if len(pieces) else 0
    joined, middle = joined_levels(weights[order], levels[order], pieces, n)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = join_line(joined, middle, max_parts, keep)[pieces]
    return place


def joined_levels(
    weights: NDArray[np.float64], levels: NDArray[np.float64], place: NDArray[np.int64], n: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weight and mean level of cells that are joined; cells without rows weigh next to nothing."""
    held = np.maximum(weights, 1e-9)
    total = np.bincount(place, held, n)
    sums = np.array([np.bincount(place, held * level, n) for level in levels.T]).T
    whole = np.bincount(place, weights, n).astype(np.float64)
    return whole, sums.reshape(n, -1) / total[:, None]


def join_parts(partition: Partition, place: Sequence[int]) -> Partition:
    """Give a partition whose parts are joined: ``place`` holds the new number of each."""
    n_parts = max(place) + 1
    beside = len(partition.tally) - partition.n_parts
    groups = np.array([*place, *range(n_parts, n_parts + beside)], dtype=np.int64)
    tally = partition.tally.joined(groups, n_parts + beside)
    return replace(partition, rule=partition.rule.joined(list(place)), tally=tally, units=None)


def code_places(partition: Partition, place: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the new code of each code of a partition whose parts are joined."""
    n_old, n_new = partition.n_parts, int(place.max()) + 1
    beside = np.arange(n_new, n_new + len(partition.code_labels()) - n_old)
    return np.concatenate([place, beside])


def _losses(weights: NDArray[np.float64], levels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squares that joining cells a to b loses; infinite where b is before a."""
    held = np.maximum(weights, 1e-9)
    middle = (held[:, None] * levels).sum(axis=0) / held.sum()
    centred = levels - middle
    n, total = np.append(0.0, np.cumsum(held)), 0.0
    for level in centred.T:
        s, q = (np.append(0.0, np.cumsum(x)) for x in (held * level, held * level**2))
        sums, squares = s[None, 1:] - s[:-1, None], q[None, 1:] - q[:-1, None]
        sizes = n[None, 1:] - n[:-1, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            total = total + np.maximum(squares - sums * sums / sizes, 0.0)
    found: Any = np.where(np.tri(len(held), dtype=bool).T, total, np.inf)
    return np.asarray(found)


def _main_axis(weights: NDArray[np.float64], levels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Place of each value on the line along which levels differ most."""
    if levels.shape[1] == 1:
        return levels[:, 0]
    held = np.sqrt(np.maximum(weights, 1e-9))[:, None]
    axis = np.linalg.svd(held * levels, full_matrices=False)[2][0]
    sign = 1.0 if axis[np.abs(axis).argmax()] > 0 else -1.0
    return np.asarray(levels @ (sign * axis))


__all__ = ["code_places", "join_line", "join_parts", "join_values", "joined_levels"]
