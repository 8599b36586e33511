"""Sums over all partitions under scores, whose spread is unknown.

A partition that leaves S of the squares of N scores weighs S^-a times exp(-rest), a = (N - 1) / 2.
That is the mean over slopes t of exp(-t S - rest), t weighing t^(a-1): at each slope costs are sums
over parts, which the core sums over all partitions. In log t the integrand is a mixture of curves
of one shape, of width 1 / sqrt(a), so that even steps give the integral.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.sums import PartitionSums, sum_partitions
from partage._support.portable import exp, exps, log, log_gamma

_MOST_ROUNDS = 60  # that look for the most probable slope
_NEAR, _CLOSE = 0.05, 1e-3  # of a slope, in widths: to step from it, or to take it alone
_FARTHEST = 4.0  # times a plain step
_MOST_STEPS = 400


@dataclass(frozen=True)
class Spread:
    """What scores share beside the parts.

    Attributes
    ----------
    total : float
        Weight of all rows.
    beside : float
        What the sets beside the parts leave of their squares.
    step, depth : float
        Distance of slopes in widths, and nats below the highest that are looked at; a depth of 0
        takes the most probable slope alone.
    """

    total: float
    beside: float = 0.0
    step: float = 0.5
    depth: float = 28.0

    @property
    def power(self) -> float:
        """Power of the slope."""
        return max(self.total - 1.0, 0.0) / 2.0


@dataclass(frozen=True)
class _Node:
    """The sums at a slope: its logarithm, that of its weight, and the squares that are left."""

    place: float
    log_weight: float
    left: float
    sums: PartitionSums


def sum_scores(rows: Any, spread: Spread, **options: Any) -> PartitionSums:
    """Sum over all partitions of units whose weights, scores and squares are known.

    Options are those of ``sum_partitions``; its ``log_prior`` is all that the number of parts
    costs.
    """
    table = np.ascontiguousarray(rows, dtype=np.float64)
    before = np.vstack([np.zeros(table.shape[1]), np.cumsum(table, axis=0)])
    if spread.power == 0.0:
        return sum_partitions(table, "scores", [0.0, 0.0, 0.0, 1.0], **options)

    def solve(place: float) -> _Node:
        slope = exp(place)
        sums = sum_partitions(table, "scores", [slope, 0.0, 0.0, 1.0], **options)
        first, last, probability = sums.parts
        n, s, q = (before[last, i] - before[first, i] for i in range(3))
        left = spread.beside + float((probability * (q - s * s / (n + 1.0))).sum())
        weight = spread.power * place - slope * spread.beside + sums.log_total
        return _Node(place, weight, left, sums)

    nodes = _nodes(solve, spread, _ends(table, spread))
    return nodes[0].sums if len(nodes) == 1 else _mixed(nodes, spread, table, **options)


def _ends(rows: NDArray[np.float64], spread: Spread) -> tuple[float, float]:
    """Logarithms of the slopes of one part, and of one part for each unit."""
    n, s, q = rows[:, 0], rows[:, 1], rows[:, 2]
    left = (
        float(q.sum() - s.sum() ** 2 / (n.sum() + 1.0)),
        float((q - s * s / (n + 1.0)).sum()),
    )
    low, high = (log(spread.power / max(spread.beside + one, 1e-300)) for one in left)
    return low, max(low, high)


def _nodes(
    solve: Callable[[float], _Node], spread: Spread, ends: tuple[float, float]
) -> list[_Node]:
    """Choose slopes around the most probable ones, which are looked for from both ends."""
    width = 1.0 / math.sqrt(spread.power)
    low = _climb(solve, spread, ends[0], width)
    high = _climb(solve, spread, ends[1], width, low)
    best = max(low, high, key=lambda node: node.log_weight)
    if spread.depth == 0.0:
        return [best]
    nodes = {0: best}
    for sign in (-1, 1):
        for i in range(1, _MOST_STEPS):
            node = solve(best.place + sign * i * spread.step * width)
            nodes[sign * i] = node
            is_deep = node.log_weight < best.log_weight - spread.depth
            other = low if sign < 0 else high
            is_past = sign * (node.place - other.place) >= 0.0
            if is_deep and (is_past or other.log_weight < best.log_weight - spread.depth):
                break
    return [nodes[i] for i in sorted(nodes)]


def _climb(
    solve: Callable[[float], _Node],
    spread: Spread,
    place: float,
    width: float,
    known: _Node | None = None,
) -> _Node:
    """Go to a slope that fits the squares that partitions leave at it, or to a known one near it.

    Where steps become shorter, the secant through the last two gives the next.
    """
    close = (_CLOSE if spread.depth == 0.0 else _NEAR) * width
    node = solve(place)
    away = log(spread.power / max(node.left, 1e-300)) - node.place
    step = away
    for _ in range(_MOST_ROUNDS):
        if abs(away) <= close:
            break
        place = node.place + step
        if known is not None and abs(place - known.place) <= close:
            return known
        node, before = solve(place), away
        away = log(spread.power / max(node.left, 1e-300)) - node.place
        is_nearer = abs(away) < abs(before)
        secant = -away * step / (away - before) if is_nearer else away
        step = max(min(secant, _FARTHEST * abs(away)), -_FARTHEST * abs(away))
    return node


def _mixed(
    nodes: list[_Node],
    spread: Spread,
    rows: NDArray[np.float64],
    cuts: Any = (),
    levels: Any = (),
    **_: Any,
) -> PartitionSums:
    """Put the sums at all slopes together."""
    weights = np.array([node.log_weight for node in nodes])
    highest = weights.max()
    shares = exps(weights - highest)
    width = spread.step / math.sqrt(spread.power)
    log_total = highest + log(shares.sum() * width) - log_gamma(spread.power)
    shares /= shares.sum()
    n_parts = np.zeros(max(len(node.sums.n_parts) for node in nodes))
    borders = np.zeros(len(rows) - 1)
    for share, node in zip(shares, nodes, strict=True):
        n_parts[: len(node.sums.n_parts)] += share * node.sums.n_parts
        borders += share * node.sums.cuts
    parts = _mixed_parts(nodes, shares, len(rows))
    stretches = [
        np.asarray(_core.stretches(*parts, np.ascontiguousarray(rows[:, 0]), list(cuts), level))
        for level in levels
    ]
    return replace(
        nodes[0].sums,
        log_total=log_total,
        n_parts=n_parts,
        cuts=borders,
        parts=parts,
        stretches=stretches,
    )


def _mixed_parts(
    nodes: list[_Node], shares: NDArray[np.float64], n_units: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]:
    """Parts in order, each once, with their mean probability."""
    width = n_units + 1
    total = np.zeros(width * width)  # of every part; lines are joined to a few thousand units
    for share, node in zip(shares, nodes, strict=True):
        first, last, probability = node.sums.parts
        total[first.astype(np.int64) * width + last] += share * probability
    found = np.flatnonzero(total)
    starts, ends = np.divmod(found, width)
    return starts.astype(np.uint32), ends.astype(np.uint32), total[found]


__all__ = ["Spread", "sum_scores"]
