"""The search under a cost that is concave in one sum over parts: programs at some slopes.

Scores cost (N - 1) / 2 log S + L, where S and L are sums over parts. At a slope, slope S + L is a
sum over parts, which the core minimises. The logarithm lies above each of its chords, so that the
program at the slope of a chord bounds the cost of every partition whose S lies under the chord;
chords are divided at the S that was found until no bound is below the best cost.
"""

from __future__ import annotations

import copy
import functools
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.blocks import divided
from partage._search.lowest import MOST_EXACT

if TYPE_CHECKING:
    from partage._search.readings import Asked, Scores

_MOST_ROUNDS = 8  # slopes that follow each other, before a proof
_FEW_ROUNDS = 1  # the same where joined units gave the slope
_MANY_UNITS = 1500  # beyond them programs are not exact
_MANY_SQUARES, _FEW_PARTS = 6000, 20  # the same of squared errors of so many parts at most
_N_BLOCKS = 512  # joined units on which the slope is looked for
_N_ZOOMS = 2  # times that joined units beside cuts are divided, to so many
_MOST_CHORDS = 200
_MOST_BOUNDS = 24
_TIE = 1e-9  # of a cost, as the core compares them
_STEEPER = 1.6  # than a chord
_NEAR = 0.01  # nats within which the slope of a partition is that of its own program


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
        self.search = "coarse" if self.is_long else asked.search
        self.drawn = 1.0
        self.beside = float(_core.spreads(np.ascontiguousarray(beside)).sum())
        self.total = float(whole[0] + beside[:, 0].sum())
        self.most = self.beside + float(whole[2])
        self.totals = whole.tolist()
        self.lines: list[tuple[float, float]] = []  # slope and height of each program

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

    def joined(self, edges: NDArray[np.uint32]) -> _Slopes:
        """Join units to blocks."""
        short = copy.copy(self)
        short.search, short.lines = "exact", []
        short.line = _core.line_of_amounts(self.line.counts(edges))
        return short

    def solve(self, slope: float) -> _Solved:
        """Find the best partition at a slope."""
        asked, limits = self.asked, self.asked.limits
        numbers = [slope, float(self.n_beside), self.levels, self.drawn]
        starts, rows, is_proven = _core.search(
            self.line,
            "scores",
            numbers,
            self.search,
            limits.n_parts or 0,
            limits.max_parts or 0,
            limits.min_weight(asked.space.total_weight),
            asked.cancel,
            asked.constraints,
            asked.n_values,
        )
        rows = np.ascontiguousarray(rows[:, :3])
        lengths = _core.part_lengths(rows, "scores", [0.0, 0.0, 0.0, 1.0])
        places = _core.structure_cost(len(rows), self.totals, "scores", numbers, asked.n_values)
        left = self.beside + float(_core.spreads(rows).sum())
        rest = float(lengths.sum()) + places
        self.lines.append((slope, slope * left + rest))
        return _Solved(starts, left, rest, bool(is_proven))

    def log(self, left: float) -> float:
        """Nats of what is left."""
        return float(_core.logs_of_spreads(np.array([left]), self.total)[0])

    def cost(self, found: _Solved) -> float:
        """Cost of a partition, but for what all share."""
        return self.log(found.left) + found.rest

    def tangent(self, left: float) -> float:
        """Slope of the logarithm."""
        return max(self.total - 1.0, 0.0) / (2.0 * left)

    def chord(self, a: float, b: float) -> float:
        """Slope of a chord of the logarithm."""
        return (self.log(b) - self.log(a)) / (b - a)

    def bound(self, a: float, b: float) -> float:
        """Bound the cost of partitions that leave from a to b, by the programs solved so far.

        At a slope no partition has less than the program, so that what a partition costs besides
        is above the lines of all slopes; the logarithm plus the highest of some lines is lowest at
        an end or where two of them meet.
        """
        return self.lowest(a, b)[0]

    def lowest(self, a: float, b: float) -> tuple[float, float]:
        """Give that bound, and what a partition leaves that reaches it."""
        lines = self.lines
        meets = [
            (high - low) / (steep - flat)
            for (flat, low), (steep, high) in itertools.combinations(lines, 2)
            if steep != flat
        ]
        places = [a, b, *(place for place in meets if a < place < b)]
        return min(
            (self.log(place) + max(height - slope * place for slope, height in lines), place)
            for place in places
        )

    def is_near(self, one: float, other: float) -> bool:
        """Whether the logarithm lies so little below its tangent that a slope serves both."""
        return self.total / 4.0 * (one / other - 1.0) ** 2 < (_NEAR if self.is_long else 1e-12)

    @functools.cached_property
    def least(self) -> float:
        """What no partition leaves less of.

        Whatever parts units make, q - s² / (n + 1) is at least q - s² / n, which is at least what
        single units have of it, and at least q / (n + 1).
        """
        rows = self.line.counts(np.arange(self.line.n_units + 1, dtype=np.uint32))
        rows = rows[rows[:, 0] > 0]
        within = np.maximum(rows[:, 2] - rows[:, 1] ** 2 / rows[:, 0], 0.0)
        inside = max(float(within.sum()), (self.most - self.beside) / (self.total + 1.0))
        return (self.beside + inside) * (1.0 - 1e-9)


def find_by_slopes(reading: Scores, asked: Asked) -> tuple[NDArray[np.uint32], bool]:
    """Find the first unit of each part, then the end, and whether no partition costs less.

    Parts of joined units will do where another code is much cheaper.
    """
    from partage._search.readings import Read, cost_of

    slopes = _Slopes(reading, asked)
    left = slopes.most
    if slopes.is_long:
        edges = np.asarray(slopes.line.quantiles(_N_BLOCKS))
        short = slopes.joined(edges)
        rough = _proven(short, _follow(short, left, _MOST_ROUNDS))[0]
        starts = edges[rough.starts]
        if asked.is_hopeless(cost_of(Read(starts, False, reading), asked)):
            return starts, False
        for _ in range(_N_ZOOMS if len(starts) > 2 else 0):
            edges = divided(edges, rough.starts, _N_BLOCKS)
            rough = slopes.joined(edges).solve(slopes.tangent(rough.left))
        left = rough.left
    best = _follow(slopes, left, _FEW_ROUNDS if slopes.is_long else _MOST_ROUNDS)
    best, is_proven = _proven(slopes, best)
    return best.starts, is_proven


def lowest_by_slopes(reading: Scores, asked: Asked, known: float) -> float:
    """Bound what parts leave and cost besides, from below; minus infinity on long lines.

    Each program is a line under what partitions cost besides, over what they leave. The lowest
    place under the logarithm gets the next one, until none is below what is known.
    """
    slopes = _Slopes(reading, asked)
    if slopes.total <= 1.0 or slopes.line.n_units > MOST_EXACT:
        return -np.inf
    slopes.search = "exact"
    lowest, slope = -np.inf, slopes.tangent(slopes.most)
    for _ in range(_MOST_BOUNDS):
        slopes.solve(slope)
        before = lowest
        lowest, place = slopes.lowest(slopes.least, slopes.most)
        slope = slopes.tangent(place)
        is_solved = any(slope == solved for solved, _ in slopes.lines)
        if lowest >= known or (is_solved and lowest <= before):
            break
    return lowest


def find_least_squares(
    reading: Scores, asked: Asked, known: NDArray[np.uint32] | None = None
) -> NDArray[np.uint32]:
    """Find so many parts as are asked for of the least squared error; known ones if these are."""
    slopes = _Slopes(reading, asked)
    slopes.drawn = 0.0
    is_short = asked.space.n_units <= _MANY_SQUARES and (asked.limits.n_parts or 1) <= _FEW_PARTS
    if asked.search == "auto" and asked.constraints is None and is_short:
        slopes.search = "exact"

    def left(starts: NDArray[np.uint32]) -> float:
        n, s, q = slopes.line.counts(np.asarray(starts, dtype=np.uint32)).T[:3]
        return float((q - s * s / np.where(n > 0, n, 1.0)).sum())

    starts = slopes.solve(1.0).starts
    is_better = known is None or left(starts) < left(known) * (1.0 - 1e-12)
    return starts if known is None or is_better else known


def _follow(slopes: _Slopes, left: float, n_rounds: int) -> _Solved:
    """Solve at the slope of what the last partition left, until it stays; give the cheapest."""
    best = found = slopes.solve(slopes.tangent(left))
    for _ in range(n_rounds):
        if slopes.is_near(found.left, left):
            break
        left = found.left
        found = slopes.solve(slopes.tangent(left))
        if _is_lower(slopes.cost(found), slopes.cost(best)):
            best = found
    return best


def _is_lower(one: float, other: float) -> bool:
    """Whether a cost is lower than another beyond a tie."""
    return one < other - _TIE * abs(one) - 1e-13


def _proven(slopes: _Slopes, best: _Solved) -> tuple[_Solved, bool]:
    """Divide chords of the logarithm until none lies below the best cost; say whether none does."""
    if not best.is_proven or slopes.total <= 1.0:
        return best, best.is_proven
    ends = {slopes.least, best.left, slopes.most}
    if slopes.least < best.left:
        # Steeper than the chord: its line bounds what leaves less than it does.
        ends.add(slopes.solve(_STEEPER * slopes.chord(slopes.least, best.left)).left)
    chords = list(itertools.pairwise(sorted(ends)))
    for _ in range(_MOST_CHORDS):
        if not chords:
            return best, True
        a, b = chords.pop()
        if not _is_lower(slopes.bound(a, b), slopes.cost(best)):
            continue
        slope = slopes.chord(a, b)
        found = slopes.solve(slope)
        bound = slopes.log(a) + slope * (found.left - a) + found.rest
        if _is_lower(slopes.cost(found), slopes.cost(best)):
            best = found
        # Outside a chord the logarithm lies below its line: the bound is a cost there.
        if a < found.left < b and _is_lower(bound, slopes.cost(best)):
            chords += [(a, found.left), (found.left, b)]
    return best, False


__all__ = ["find_by_slopes", "find_least_squares", "lowest_by_slopes"]
