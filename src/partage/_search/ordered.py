"""The reading of classes with an order: parts tell neighbouring classes as one where that pays.

A part tells which of L joined classes its rows have, as MODL does; all parts together then tell, in
each joined class, which of its classes: once, since it does not depend on the part. With J classes,
N_l rows in a joined class of J_l, the price of joining is log J + log C(J-1, L-1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.lowest import lowest_of_classes
from partage._search.readings import Asked, Read, Reading, cost_of
from partage._spaces.space import Space, line_of
from partage._support.portable import exact_sum, log, logs

_MOST_TURNS = 10
_MOST_STARTS = 12  # ways to divide the classes in two that are tried first


@dataclass(frozen=True, eq=False)
class Joined(Reading):
    """Classes with an order, of which neighbours may be joined."""

    @property
    def n_classes(self) -> int:
        """Number of joined classes."""
        return len(self.target.starts)

    def numbers(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight of each joined class."""
        in_order = counts[..., np.argsort(self.target.places)]
        return np.add.reduceat(in_order, self.target.starts, axis=-1)

    def units(self, space: Space) -> NDArray[np.float64]:
        """Give the same of each unit."""
        return np.ascontiguousarray(self.numbers(space.counts()))

    def weight(self, numbers: NDArray[np.float64]) -> float:
        """Weight of all sets."""
        return float(numbers.sum())

    def keys(self, space: Space) -> NDArray[np.float64]:
        """Mean rank of each unit."""
        return np.asarray(self.target.key(space.tally()))

    def terms(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """MODL's length of the joined classes of each set."""
        return np.asarray(_core.part_lengths(np.ascontiguousarray(numbers)))[:, None]

    def told(self, terms: NDArray[np.float64], n_sets: Any, total: float) -> Any:  # noqa: ARG002
        """Nats of the joined classes of sets; what is told once is the same for all."""
        return terms[..., 0]

    def gains(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what the law of each set saves against that of all rows."""
        rows = self.numbers(counts)
        totals = rows.sum(axis=0)
        shares = totals / max(float(totals.sum()), np.finfo(float).tiny)
        prior = logs(np.where(totals > 0, shares, 1.0))
        return np.asarray(-(rows * prior).sum(axis=1) - self.terms(rows)[:, 0])

    def once(self, totals: NDArray[np.float64]) -> float:
        """Nats that are told once: which classes are joined, and each class inside these."""
        in_order = totals[np.argsort(self.target.places)]
        runs = np.split(in_order, self.target.starts[1:])
        n, size = len(totals), self.n_classes
        lengths = [float(_core.part_lengths(np.ascontiguousarray(run[None]))[0]) for run in runs]
        return log(n) + float(_core.log_binomial(n - 1.0, size - 1.0)) + exact_sum(lengths)

    def costs(
        self,
        parts: NDArray[np.float64],
        apart: NDArray[np.float64],
        naming: float = 0.0,
        n_values: int = 0,
    ) -> tuple[float, float]:
        """Cost and cost of one part, which joins no classes."""
        sets = np.vstack([parts, apart])
        everything = sets.sum(axis=0)
        total = float(everything.sum())
        if total <= 0:
            return 0.0, 0.0
        alone = float(_core.part_lengths(np.ascontiguousarray(everything[None]))[0])
        null = self.places(1, total, n_values) + alone
        if len(sets) == 1:
            return null, null
        cost = self.places(len(parts), float(parts.sum()), n_values) + naming
        cost += float(self.terms(self.numbers(sets)).sum()) + self.once(everything)
        return cost, null

    def level(self, cost: float, null: float, total: float) -> float:  # noqa: ARG002  # of a number
        """Share of the null cost that is saved, as for classes; 0 for rounding."""
        level = 1.0 - cost / null if null > 0 else 0.0
        return min(level, 1.0) if level > 1e-12 else 0.0

    def search(self, asked: Asked) -> Read:
        """Find parts and joined classes in turn, from several starts."""
        size = len(self.target.classes)
        ends = np.array([0, asked.space.n_units], dtype=np.uint32)
        found = [] if asked.constraints is not None else [Read(ends, False, self)]
        if asked.limits.n_parts not in (None, 1):
            found = []
        steps = np.unique(np.linspace(1, max(size - 1, 1), _MOST_STARTS).astype(np.int64))
        starts = [np.arange(size)] + [np.array([0, step]) for step in steps if 0 < step < size]
        for start in starts if size > 1 else []:
            found += self._in_turn(asked, start)
        if not found:
            found = [self._parts(asked)]
        best = min(found, key=lambda read: (cost_of(read, asked), len(read.starts)))
        return best if len(best.starts) > 2 else replace(best, reading=self)

    def lowest(self, asked: Asked, known: float) -> float:
        """Bound them as the parts of so many classes."""
        line = line_of(self.units(asked.space))
        return lowest_of_classes(self, line, asked, known)

    def _in_turn(self, asked: Asked, start: NDArray[Any]) -> list[Read]:
        """Find parts, then the classes that suit them, until nothing changes."""
        found, known = [], None
        for _ in range(_MOST_TURNS):
            if known is not None and np.array_equal(start, known):
                break
            known = start
            read = replace(self, target=self.target.joined_at(start))._parts(asked)
            found.append(read)
            if len(read.starts) < 3:
                break
            start = self._best_starts(self._sets(asked.space, read.starts))
            found.append(replace(read, reading=replace(self, target=self.target.joined_at(start))))
        return found

    def _sets(self, space: Space, starts: NDArray[Any]) -> NDArray[np.float64]:
        """Classes of the parts and of the rows beside them, in their order."""
        counts = space.counts(starts)
        if space.aside is not None:
            counts = np.vstack([counts, space.aside.class_counts[space.aside.held]])
        return np.asarray(counts[:, np.argsort(self.target.places)])

    def _best_starts(self, sets: NDArray[np.float64]) -> NDArray[np.int64]:
        """Find the joined classes that suit some parts best, by a program over their borders."""
        size = sets.shape[1]
        sizes = sets.sum(axis=1)
        before = np.concatenate([np.zeros((len(sets), 1)), np.cumsum(sets, axis=1)], axis=1)
        runs = np.full((size + 1, size + 1), np.inf)
        for last in range(1, size + 1):
            for first in range(last):
                runs[last, first] = _run_cost(before[:, last] - before[:, first], sets, first, last)
        lowest, froms = np.full(size + 1, np.inf), []
        lowest[0] = 0.0
        best, cheapest = np.arange(size), math.inf
        for n in range(1, size + 1):
            values = lowest[None, :] + runs
            from_ = values.argmin(axis=1)
            lowest = values[np.arange(size + 1), from_]
            froms.append(from_)
            laws = sum(float(_core.log_binomial(k + n - 1.0, n - 1.0)) for k in sizes)
            price = lowest[size] + laws + float(_core.log_binomial(size - 1.0, n - 1.0))
            if n > 1 and price < cheapest - 1e-9:
                cheapest, best = price, _path(froms, size)
        return best

    def _parts(self, asked: Asked) -> Read:
        """Find the parts that tell the joined classes best."""
        space, limits = asked.space, asked.limits
        rows = self.units(space)
        constraints = asked.constraints
        if constraints is not None:
            tally = space.tally()
            constraints = constraints.following(
                rows.shape[1],
                np.ascontiguousarray(tally.weight[:, None]),
                np.ascontiguousarray(self.target.score_sums(tally)[:, None]),
            )
        starts, _, _ = _core.search(
            line_of(rows),
            "modl",
            [],
            asked.search,
            limits.n_parts or 0,
            limits.max_parts or 0,
            limits.min_weight(space.total_weight),
            asked.cancel,
            constraints,
            asked.n_values,
        )
        return Read(np.asarray(starts), False, self)


def _run_cost(held: NDArray[np.float64], sets: NDArray[np.float64], first: int, last: int) -> float:
    """Nats of a joined class: which part each of its rows has, and which of its classes."""
    total = float(held.sum())
    cost = _core.log_factorial(total) - sum(_core.log_factorial(n) for n in held.tolist())
    inside = np.ascontiguousarray(sets[:, first:last].sum(axis=0)[None])
    return float(cost) + float(_core.part_lengths(inside)[0])


def _path(froms: list[NDArray[np.int64]], size: int) -> NDArray[np.int64]:
    """Follow a program back from its end."""
    path, place = [], size
    for from_ in reversed(froms):
        place = int(from_[place])
        path.append(place)
    return np.array(path[::-1], dtype=np.int64)


__all__ = ["Joined"]
