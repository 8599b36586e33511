"""The search under a cost that is concave in one sum over parts: programs at some slopes.

Scores cost (N - 1) / 2 log S + L, where S and L are sums over parts. At a slope, slope S + L is a
sum over parts, which the core minimises. The logarithm lies above each of its chords, so that the
program at the slope of a chord bounds the cost of every partition whose S lies under the chord;
chords are divided at the S that was found until no bound is below the best cost.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._support.portable import log1p

if TYPE_CHECKING:
    from partage._search.readings import Asked, Scores

_MOST_ROUNDS = 8  # slopes that follow each other, before a proof
_FEW_ROUNDS = 1  # the same where joined units gave the slope
_MANY_UNITS = 1500  # beyond them programs are not exact
_N_BLOCKS = 1024
_MOST_CHORDS = 200
_TIE = 1e-9  # of a cost, as the core compares them
_STEEP = 1e6  # slope at which what is left decides


@dataclass(frozen=True)
class _Solved:
    """A partition: its parts, what they leave, what they cost besides, and whether it is proven."""

    starts: NDArray[np.uint32]
    left: float
    rest: float
    is_proven: bool


class _Slopes:
    """Programs on one line."""

    def __init__(self, reading: Scores, asked: Asked) -> None:
        space = asked.space
        self.line = reading.line(asked)
        beside = np.empty((0, 3))
        if space.aside is not None:
            beside = reading.numbers(space.aside.class_counts[space.aside.held])
        whole = self.line.counts(np.array([0, space.n_units], dtype=np.uint32))[0]
        self.asked, self.levels, self.n_beside = asked, reading.levels, len(beside)
        self.beside = float(_core.spreads(np.ascontiguousarray(beside)).sum())
        self.total = float(whole[0] + beside[:, 0].sum())
        self.most = self.beside + float(whole[2])
        self.totals = whole.tolist()

    @property
    def is_long(self) -> bool:
        """Whether the slope is looked for on joined units first."""
        asked = self.asked
        return (
            asked.space.n_units > _MANY_UNITS
            and asked.constraints is None
            and asked.search in ("auto", "coarse")
            and (asked.limits.n_parts or 0) <= _N_BLOCKS // 4
        )

    def joined(self) -> _Slopes:
        """Join units to blocks of even weight."""
        short = copy.copy(self)
        short.line = _core.line_of_amounts(self.line.counts(self.line.quantiles(_N_BLOCKS)))
        return short

    def solve(self, slope: float) -> _Solved:
        """Find the best partition at a slope."""
        asked, limits = self.asked, self.asked.limits
        numbers = [slope, float(self.n_beside), self.levels]
        starts, rows, is_proven = _core.search(
            self.line,
            "scores",
            numbers,
            asked.search,
            limits.n_parts or 0,
            limits.max_parts or 0,
            limits.min_weight(asked.space.total_weight),
            asked.cancel,
            asked.constraints,
            asked.n_values,
        )
        rows = np.ascontiguousarray(rows[:, :3])
        lengths = _core.part_lengths(rows, "scores", [0.0, 0.0, 0.0])
        places = _core.structure_cost(len(rows), self.totals, "scores", numbers, asked.n_values)
        left = self.beside + float(_core.spreads(rows).sum())
        return _Solved(starts, left, float(lengths.sum()) + places, bool(is_proven))

    def log(self, left: float) -> float:
        """Nats of what is left."""
        return float(_core.logs_of_spreads(np.array([left]), self.total)[0])

    def cost(self, found: _Solved) -> float:
        """Cost of a partition, but for what all share."""
        return self.log(found.left) + found.rest

    def tangent(self, left: float) -> float:
        """Slope of the logarithm."""
        return max(self.total - 1.0, 0.0) / (2.0 * left)


def find_by_slopes(reading: Scores, asked: Asked) -> tuple[NDArray[np.uint32], bool]:
    """Find the first unit of each part, then the end, and whether no partition costs less."""
    slopes = _Slopes(reading, asked)
    left = slopes.most
    if slopes.is_long:
        short = slopes.joined()
        left = _proven(short, _follow(short, left, _MOST_ROUNDS))[0].left
    best = _follow(slopes, left, _FEW_ROUNDS if slopes.is_long else _MOST_ROUNDS)
    best, is_proven = _proven(slopes, best)
    return best.starts, is_proven


def _follow(slopes: _Slopes, left: float, n_rounds: int) -> _Solved:
    """Solve at the slope of what the last partition left, until it stays; give the cheapest."""
    best = found = slopes.solve(slopes.tangent(left))
    for _ in range(n_rounds):
        if slopes.tangent(found.left) == slopes.tangent(left):
            break
        left = found.left
        found = slopes.solve(slopes.tangent(left))
        if _is_lower(slopes.cost(found), slopes.cost(best)):
            best = found
        if found.left == left:
            break
    return best


def _is_lower(one: float, other: float) -> bool:
    """Whether a cost is lower than another beyond a tie."""
    return one < other - _TIE * abs(one) - 1e-13


def _proven(slopes: _Slopes, best: _Solved) -> tuple[_Solved, bool]:
    """Divide chords of the logarithm until none lies below the best cost; say whether none does."""
    if not best.is_proven or slopes.total <= 1.0:
        return best, best.is_proven
    low = _least_left(slopes)
    chords = [(low, slopes.most)] if low < slopes.most else []
    for _ in range(_MOST_CHORDS):
        if not chords:
            return best, True
        a, b = chords.pop()
        slope = (slopes.log(b) - slopes.log(a)) / (b - a)
        found = slopes.solve(slope)
        bound = slopes.log(a) + slope * (found.left - a) + found.rest
        if _is_lower(slopes.cost(found), slopes.cost(best)):
            best = found
        # Outside a chord the logarithm lies below its line: the bound is a cost there.
        if a < found.left < b and _is_lower(bound, slopes.cost(best)):
            chords += [(a, found.left), (found.left, b)]
    return best, False


def _least_left(slopes: _Slopes) -> float:
    """Bound from below what any partition leaves: the program in which little else counts.

    Whatever a partition costs besides is at most what one part for each unit does.
    """
    steep = _STEEP * slopes.tangent(slopes.most)
    found = slopes.solve(steep)
    n_units = slopes.asked.space.n_units
    numbers = [0.0, float(slopes.n_beside), slopes.levels]
    most = _core.structure_cost(
        n_units, slopes.totals, "scores", numbers, slopes.asked.n_values
    ) + 0.5 * n_units * log1p(slopes.total)
    slack = (most - found.rest) / steep + 1e-9 * found.left
    return max(found.left - slack, 0.0) or float(np.finfo(float).tiny)


__all__ = ["find_by_slopes"]
