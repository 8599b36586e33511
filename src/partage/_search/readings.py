"""Readings: what a method reads of the ranks of a number, and what parts cost under it.

Costs are lengths in nats. One part of N rows costs log N + log N!, and a partition less by what its
parts tell of the ranks; so all readings compare with each other.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.asked import Asked
from partage._search.lowest import apart_of, lowest_of_classes
from partage._spaces.space import Space
from partage._support.portable import LOG_2, expm1, log, log1p, logs
from partage._targets.numbers import deviations_of

NAMING = LOG_2  # nats that name one of two codes
SUMMED = ("modl", "modl-scores", "modl-classes")  # methods whose costs of all partitions sum up
_NONE = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Read:
    """What a search found: first unit of each part, proof, and the reading that it was found by."""

    starts: NDArray[np.uint32]
    is_optimal: bool
    reading: Reading


@dataclass(frozen=True, eq=False)
class Reading(ABC):
    """How a method reads a number.

    Attributes
    ----------
    target : NumberTarget
        The number, with the code by which its parts are told.
    naming : float
        Nats that name the code, where the method chooses one.
    """

    target: Any
    naming: float = 0.0

    @abstractmethod
    def search(self, asked: Asked) -> Read:
        """Find the parts of a line."""

    @abstractmethod
    def numbers(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what is read of sets, from the weights of their cells."""

    @abstractmethod
    def units(self, space: Space) -> NDArray[np.float64]:
        """Give what is read of each unit."""

    @abstractmethod
    def weight(self, numbers: NDArray[np.float64]) -> float:
        """Weight of all sets, from what is read of them."""

    @abstractmethod
    def gains(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what each set adds to what the parts tell, in nats, about."""

    @abstractmethod
    def terms(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what each set adds to a cost, in one or more kinds."""

    @abstractmethod
    def told(self, terms: NDArray[np.float64], n_sets: Any, total: float) -> Any:
        """Nats of sets of so many rows whose terms have these sums, without their places."""

    def of_sets(self, n_sets: int) -> float:  # noqa: ARG002  # some readings ask
        """Nats that the number of sets costs, beside where they lie."""
        return 0.0

    def log_prior(
        self, most: int, weight: float, n_beside: int, n_empty: int = 0
    ) -> NDArray[np.float64]:
        """Minus the nats of 1, 2, ... parts of so much weight, without what they tell.

        Sets beside them, and parts without rows, are counted with them.
        """
        numbers = range(1 + n_empty, most + n_empty + 1)
        names = [self.naming * (k + n_beside > 1) for k in numbers]
        nats = [self.places(k, weight, 0) + self.of_sets(k + n_beside) for k in numbers]
        return -np.asarray(np.array(nats) + np.array(names))

    def keys(self, space: Space) -> NDArray[np.float64]:
        """Give each unit what the best groups are ranges of."""
        units = self.units(space)
        return np.asarray(units[:, 1] / units[:, 0])

    def as_classes(self) -> Classes | None:
        """Give the reading of intervals of the ranks, where they may be told by such."""
        return None

    @property
    def of_code(self) -> str:
        """Words that say what an optimum is of, where the code was chosen too."""
        return " of its code" if self.naming > 0 or not self.has_spread else ""

    @property
    def has_spread(self) -> bool:
        """Whether costs hold the logarithm of what parts leave, which is no sum over parts."""
        return False

    def places(self, n_parts: int, weight: float, n_values: int) -> float:
        """Nats that tell where the parts of so much weight lie."""
        if weight <= 0:
            return 0.0
        given = [weight, 0.0, 0.0]
        return float(_core.structure_cost(n_parts, given, "scores", list(_NONE), n_values))

    def constant(self, totals: NDArray[np.float64], n_apart: int) -> float:
        """Nats that the costs of all partitions of the same rows have in common.

        Beside what parts tell, their places and their number; ``totals`` are the weights of cells.
        """
        total = self.weight(self.numbers(totals))
        if total <= 0:
            return 0.0
        null = self.places(1, total, 0) + _core.log_factorial(total)
        alone = self.told(self.terms(self.numbers(totals))[0], 1, total)
        return float(null - alone - self.places(1, total, 0)) + n_apart * LOG_2

    def taken(self, parts: NDArray[np.float64], apart: NDArray[np.float64]) -> float:
        """Nats of sets on a line that depend on what the parts are."""
        sets = self.numbers(np.vstack([parts, apart]))
        told = self.told(self.terms(sets).sum(axis=0), len(sets), self.weight(sets))
        return float(told) + self.places(len(parts), self.weight(self.numbers(parts)), 0)

    def lowest(self, asked: Asked, known: float) -> float:  # noqa: ARG002  # some readings ask
        """Nats that no parts of a line take less of, for the code as it is; or minus infinity.

        A bound that reaches those of the parts that are known need not be higher.
        """
        return -np.inf

    def costs(
        self,
        parts: NDArray[np.float64],
        apart: NDArray[np.float64],
        naming: float = 0.0,
        n_values: int = 0,
    ) -> tuple[float, float]:
        """Cost and cost of one part, from the weights of cells.

        Missing and special rows that joined no part are sets of their own; ``naming`` are the nats
        that tell where rows beside the parts are.
        """
        sets = np.vstack([parts, apart])
        everything = sets.sum(axis=0)[None, :]
        total = self.weight(self.numbers(everything))
        if total <= 0:
            return 0.0, 0.0
        null = self.places(1, total, 0) + _core.log_factorial(total)
        if len(sets) == 1:
            return null, null
        cost = (
            self.places(len(parts), self.weight(self.numbers(parts)), n_values)
            + naming
            + self.naming
        )
        cost += self.told(self.terms(self.numbers(sets)).sum(axis=0), len(sets), total)
        alone = self.told(self.terms(self.numbers(everything))[0], 1, total)
        return null + float(cost - alone - self.places(1, total, n_values)), null

    def level(self, cost: float, null: float, total: float) -> float:
        """Share of the squares of scores that the parts explain, as R²; 0 for rounding."""
        if total <= 0:
            return 0.0
        level = -expm1(-2.0 * max(null - cost, 0.0) / total)
        return level if level > 1e-12 else 0.0

    def changes(
        self,
        sets: NDArray[np.float64],
        gone: Sequence[int],
        new: Sequence[NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """Nats by which sets of these numbers cost more where some give way to new ones.

        ``new`` holds the numbers of each new set, one row for each way to change. What tells the
        places of the parts is not in it.
        """
        terms, total = self.terms(sets), self.weight(sets)
        n_then = len(sets) - len(gone) + len(new)
        rest = terms.sum(axis=0) - terms[list(gone)].sum(axis=0)
        then = self.told(rest + sum(self.terms(rows) for rows in new), n_then, total)
        now = self.told(terms.sum(axis=0), len(sets), total)
        names = self.naming * ((n_then > 1) - (len(sets) > 1))
        return np.asarray(then - now + names)


@dataclass(frozen=True, eq=False)
class Scores(Reading):
    """Normal scores of the ranks: a level for each part, one spread for all.

    A part of n rows whose scores add up to s and their squares to q leaves q - s² / (n + 1); a
    partition costs (N - 1) / 2 log of the sum of what is left, ½ log(1 + n) for each level, and
    ½ log of the number of levels, since their mean is known.
    """

    levels = 0.5

    @property
    def has_spread(self) -> bool:
        """Costs hold the logarithm of what parts leave of the squares."""
        return True

    def of_sets(self, n_sets: int) -> float:
        """Half a logarithm of the number of levels, whose mean is known."""
        return self.levels * log(n_sets)

    @property
    def table(self) -> NDArray[np.float64]:
        """Score and squared score of each cell."""
        return np.asarray(self.target.normal_scores)

    def numbers(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight, sum of scores and of their squares."""
        sums = np.einsum("...i,ij->...j", counts, self.table)
        return np.concatenate([counts.sum(axis=-1)[..., None], sums], axis=-1)

    def units(self, space: Space) -> NDArray[np.float64]:
        """Give the same of each unit."""
        return np.asarray(space.line.sums(np.ascontiguousarray(self.table)))

    def weight(self, numbers: NDArray[np.float64]) -> float:
        """Weight of all sets."""
        return float(numbers[:, 0].sum())

    def line(self, asked: Asked) -> _core.Line:
        """Make the line of what is read of the units, and of what a trend follows."""
        if asked.constraints is None:
            return asked.space.line.scored(np.ascontiguousarray(self.table))
        return _core.line_of_amounts(self._with_trend(asked))

    def _with_trend(self, asked: Asked) -> NDArray[np.float64]:
        """Put the sum of deviations, which a trend follows, behind what is read of the units."""
        moments = asked.space.moments
        assert moments is not None
        away = deviations_of(moments)
        return np.ascontiguousarray(np.column_stack([self.units(asked.space), away]))

    def gains(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Share of each set in the squares that levels explain, of what they save."""
        rows = self.numbers(counts)
        explained = rows[:, 1] ** 2 / (rows[:, 0] + 1.0)
        left = max(float(rows[:, 2].sum() - explained.sum()), np.finfo(float).tiny)
        total = max(self.weight(rows) - 1.0, 0.0)
        saved = 0.5 * total * log1p(float(explained.sum()) / left)
        scale = saved / max(float(explained.sum()), np.finfo(float).tiny)
        lengths = np.where(rows[:, 0] > 0, self.terms(rows)[:, 1], 0.0)
        return np.asarray(explained * scale - lengths)

    def terms(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what the level leaves, and what it costs."""
        rows = np.ascontiguousarray(numbers)
        lengths = _core.part_lengths(rows, "scores", list(_NONE))
        return np.column_stack([_core.spreads(rows), lengths])

    def told(self, terms: NDArray[np.float64], n_sets: Any, total: float) -> Any:
        """Nats of the scores of sets."""
        spreads = np.ascontiguousarray(np.atleast_1d(terms[..., 0]))
        found = _core.logs_of_spreads(spreads, total).reshape(terms.shape[:-1])
        return found + terms[..., 1] + self.of_sets(n_sets)

    def search(self, asked: Asked) -> Read:
        """Find the parts: the best of sums at some slopes, proven by chords where these are."""
        from partage._search.slopes import find_by_slopes

        starts, is_optimal = find_by_slopes(self, asked)
        return Read(starts, is_optimal, self)

    def lowest(self, asked: Asked, known: float) -> float:
        """Bound them by lines at several slopes."""
        from partage._search.slopes import lowest_by_slopes

        lengths = float(self.terms(self.numbers(apart_of(asked.space)))[:, 1].sum())
        return lowest_by_slopes(self, asked, known - lengths) + lengths


@dataclass(frozen=True, eq=False)
class Classes(Reading):
    """Intervals of the ranks, which parts tell like classes.

    Those of the target that go with it were chosen among the borders of a grid of even frequency.
    """

    is_published = False

    def as_classes(self) -> Classes | None:
        """Give itself, but for the published code, whose price of intervals is another."""
        return None if self.is_published else self

    @property
    def code(self) -> str:
        """How parts tell the ranks."""
        return "grid" if self.is_published else "classes"

    @functools.cached_property
    def starts(self) -> NDArray[np.int64]:
        """First cell of each interval, then the number of cells."""
        return np.array([0, *self.target.target_cuts, self.target.n_sums], dtype=np.int64)

    @property
    def n_classes(self) -> int:
        """Number of intervals."""
        return len(self.starts) - 1

    def numbers(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight of each interval."""
        return np.add.reduceat(counts, self.starts[:-1], axis=-1)

    def units(self, space: Space) -> NDArray[np.float64]:
        """Give the same of each unit."""
        place = np.repeat(np.arange(self.n_classes), np.diff(self.starts))
        bits = np.ascontiguousarray(np.eye(self.n_classes)[place])
        return np.ascontiguousarray(space.line.sums(bits)[:, 1:])

    def weight(self, numbers: NDArray[np.float64]) -> float:
        """Weight of all sets."""
        return float(numbers.sum())

    def keys(self, space: Space) -> NDArray[np.float64]:
        """Mean score of each unit, for want of an order that is proven."""
        return Scores(self.target).keys(space)

    def terms(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """MODL's length of the intervals of each set."""
        return np.asarray(_core.part_lengths(np.ascontiguousarray(numbers)))[:, None]

    def told(self, terms: NDArray[np.float64], n_sets: Any, total: float) -> Any:  # noqa: ARG002
        """Nats of the laws of sets, and of the intervals."""
        return terms[..., 0] + self.of_sets(int(n_sets))

    def of_sets(self, n_sets: int) -> float:
        """Price of the intervals, which one set needs not tell."""
        if n_sets < 2:
            return 0.0
        return float(_core.price_of_rank_classes(self.target.n_grid, self.n_classes, n_sets))

    def gains(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what the law of each set saves against that of all rows."""
        rows = self.numbers(counts)
        totals = rows.sum(axis=0)
        shares = totals / max(float(totals.sum()), np.finfo(float).tiny)
        prior = logs(np.where(totals > 0, shares, 1.0))
        return np.asarray(-(rows * prior).sum(axis=1) - self.terms(rows)[:, 0])

    def search(self, asked: Asked) -> Read:
        """Find intervals of ranks on joined units, then parts and intervals in turn."""
        from partage._search.rank_classes import find_in_turn, find_rough

        starts, target = find_in_turn(self, asked, find_rough(self, asked))
        return Read(starts, False, replace(self, target=target))

    def lowest(self, asked: Asked, known: float) -> float:
        """Bound them as the parts of so many classes."""
        place = np.repeat(np.arange(self.n_classes), np.diff(self.starts)).astype(np.uint16)
        return lowest_of_classes(self, asked.space.line.joined(place, self.n_classes), asked, known)


@dataclass(frozen=True, eq=False)
class Either(Scores):
    """The cheaper of both codes; costs are those of the scores until a search has chosen."""

    def as_classes(self) -> Classes | None:
        """Give the reading of intervals of the ranks."""
        return Classes(self.target.told("classes"), self.naming)

    def search(self, asked: Asked) -> Read:
        """Find the parts under each code, and take the cheaper; one part where none pays."""
        from partage._search.rank_classes import find_in_turn, find_rough

        classes = Classes(self.target.told("classes"), self.naming)
        rough = None
        if asked.space.n_units > 1 and not self.target.is_constant:
            rough = find_rough(classes, asked)
        # What limits forbid may cost less than all that they allow.
        is_free = rough is not None and asked.is_free
        known = rough.cost if rough is not None and is_free else np.inf
        scores = Scores(self.target.told("scores"), self.naming)
        found = [scores.search(replace(asked, known=known))]
        if rough is not None:
            beside = replace(asked, known=cost_of(found[0], asked) if is_free else np.inf)
            starts, target = find_in_turn(classes, beside, rough)
            found.append(Read(starts, False, replace(classes, target=target)))
        if asked.limits.n_parts in (None, 1) and len(found[0].starts) > 2:
            found += _one_part(asked, found[0].reading)
        best = min(found, key=lambda read: (cost_of(read, asked), len(read.starts)))
        return replace(best, is_optimal=best.is_optimal and len(found) == 1)


def _one_part(asked: Asked, reading: Reading) -> list[Read]:
    """Take all units as one part, where the limits allow it."""
    if asked.constraints is None:
        return [Read(np.array([0, asked.space.n_units], dtype=np.uint32), False, reading)]
    limits = replace(asked.limits, n_parts=None, max_parts=1)
    try:
        return [reading.search(replace(asked, search="auto", limits=limits))]
    except _core.NotPossible:
        return []


def cost_of(read: Read, asked: Asked) -> float:
    """Cost of what was found; missing and special rows are apart."""
    counts, apart = asked.space.counts(read.starts), apart_of(asked.space)
    return read.reading.costs(counts, apart, len(apart) * LOG_2, asked.n_values)[0]


def reading_of(target: Any, method: str) -> Reading:
    """Give what a method reads of a number, by the code that was found where it has one."""
    from partage._search.families import READINGS

    naming = NAMING if method == "modl" else 0.0
    own = method.removeprefix("modl-")
    code = own if own in READINGS else target.code
    if code in READINGS:
        return READINGS[code](target if target.code == code else target.told(code), naming)
    return Either(target, naming)


__all__ = [
    "NAMING",
    "SUMMED",
    "Asked",
    "Classes",
    "Read",
    "Reading",
    "Scores",
    "cost_of",
    "reading_of",
]
