"""Readings of means: squared errors, and rates of events over an exposure."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.readings import Asked, Classes, Read, Reading, Scores
from partage._spaces.space import Space
from partage._support.portable import log
from partage._targets.numbers import N_MOMENTS

if TYPE_CHECKING:
    from partage._search.limits import Limits


@dataclass(frozen=True, eq=False)
class Grid(Classes):
    """Intervals of the ranks as published: told by the numbers of their rows.

    Their price is log N + log C(N+L-1, L-1), whichever they are.
    """

    is_published = True

    def of_sets(self, n_sets: int) -> float:
        """Price of the intervals, which one set needs not tell."""
        if n_sets < 2:
            return 0.0
        total = float(self.target.cells.weights.sum())
        choices = _core.log_binomial(total + self.n_classes - 1.0, self.n_classes - 1.0)
        return log(total) + float(choices)

    def costs(
        self,
        parts: NDArray[np.float64],
        apart: NDArray[np.float64],
        naming: float = 0.0,
        n_values: int = 0,
    ) -> tuple[float, float]:
        """Cost and cost of one part, which tells the number of intervals too."""
        cost, null = super().costs(parts, apart, naming, n_values)
        named = log(max(float(parts.sum() + apart.sum()), 1.0))
        return cost + (named if len(parts) + len(apart) == 1 else 0.0), null + named


@dataclass(frozen=True, eq=False)
class Mean(Scores):
    """Squares around the mean of each part, with one spread for all and a floor on their size."""

    levels = 0.0

    def numbers(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight, sum of deviations and of their squares."""
        n_cells = len(self.target.cells)
        return self._read(counts[..., :n_cells].sum(axis=-1), counts[..., n_cells:])

    def units(self, space: Space) -> NDArray[np.float64]:
        """Give the same of each unit."""
        assert space.moments is not None
        return self._read(space.unit_weights(), space.moments)

    def _read(
        self, weight: NDArray[np.float64], moments: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        scale = self.target.family.scale
        sums = moments[..., 0] + moments[..., 1], moments[..., 2] + moments[..., 3]
        return np.stack([weight, sums[0] / scale, sums[1] / scale**2], axis=-1)

    def line(self, asked: Asked) -> _core.Line:
        """Make the line of what is read of the units, and of what a trend follows."""
        return _core.line_of_amounts(self._with_trend(asked))

    def search(self, asked: Asked) -> Read:
        """Find the parts; heavy tails ask for larger ones."""
        if self.target.is_constant or asked.space.n_units < 2:
            return _one_part(self, asked)
        if asked.limits.n_parts is not None:
            return self._least_squares(asked)
        return super().search(replace(asked, limits=self._floored(asked.limits, asked.space)))

    def _least_squares(self, asked: Asked) -> Read:
        """Find so many parts of the least squared error; their number has no price then."""
        from partage._search.slopes import find_least_squares

        found = super().search(asked)
        starts = find_least_squares(self, asked, found.starts)
        is_same = np.array_equal(starts, found.starts)
        # Another partition may cost less by the small terms beside the squares.
        return replace(found, starts=starts, is_optimal=found.is_optimal and is_same)

    def _floored(self, limits: Limits, space: Space) -> Limits:
        """Add the floor to the limits."""
        floor = self.target.family.floor
        if limits.min_weight(space.total_weight) >= floor:
            return limits
        if 2.0 * floor > space.total_weight:
            return replace(limits, max_parts=1)
        return replace(limits, min_part_size=floor)


@dataclass(frozen=True, eq=False)
class Rates(Reading):
    """Events over an exposure: a rate for each part, drawn around that of all rows."""

    criterion = "rates"

    @property
    def parameters(self) -> list[float]:
        """Rate of all rows, and dispersion."""
        return [self.target.family.rate, self.target.family.dispersion]

    def numbers(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight, exposure, events, and their likelihood at rates of their own."""
        n_cells = len(self.target.cells)
        return _rates(counts[..., :n_cells].sum(axis=-1), counts[..., n_cells:])

    def units(self, space: Space) -> NDArray[np.float64]:
        """Give the same of each unit."""
        assert space.moments is not None
        return _rates(space.unit_weights(), space.moments)

    def weight(self, numbers: NDArray[np.float64]) -> float:
        """Weight of all sets."""
        return float(numbers[:, 0].sum())

    def keys(self, space: Space) -> NDArray[np.float64]:
        """Rate of each unit."""
        units = self.units(space)
        return np.asarray(units[:, 2] / np.maximum(units[:, 1], np.finfo(float).tiny))

    def gains(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what the rate of each set saves against that of all rows."""
        rows = self.numbers(counts)
        alone = (self._at_one_rate(rows) + rows[:, 3]) / self.target.family.dispersion
        return np.where(rows[:, 0] > 0, alone - self.terms(rows)[:, 0], 0.0)

    def _at_one_rate(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Minus the likelihood of sets at the rate of all rows."""
        rate = self.target.family.rate
        return np.asarray(rate * rows[:, 1] - rows[:, 2] * log(rate))

    def terms(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Length of the events of each set."""
        rows = np.ascontiguousarray(numbers)
        return np.asarray(_core.part_lengths(rows, self.criterion, self.parameters))[:, None]

    def told(self, terms: NDArray[np.float64], n_sets: Any, total: float) -> Any:  # noqa: ARG002
        """Nats of the events of sets."""
        return terms[..., 0]

    def search(self, asked: Asked) -> Read:
        """Find the parts, by a program whose cost is a sum over them."""
        space, limits = asked.space, asked.limits
        if self.target.is_constant or space.n_units < 2:
            return _one_part(self, asked)
        units = self.units(space)
        constraints = asked.constraints
        if constraints is not None:
            # A trend follows means: of events over the exposure; the amounts of a gamma law are its
            # exposure, and their rows its events.
            order = (2, 1) if self.target.family.name == "gamma" else (1, 2)
            columns = (np.ascontiguousarray(units[:, i : i + 1]) for i in order)
            constraints = constraints.following(units.shape[1], *columns)
        starts, _, is_optimal = _core.search(
            _core.line_of_amounts(np.ascontiguousarray(units)),
            self.criterion,
            self.parameters,
            asked.search,
            limits.n_parts or 0,
            limits.max_parts or 0,
            limits.min_weight(space.total_weight),
            asked.cancel,
            constraints,
            asked.n_values,
        )
        return Read(np.asarray(starts), bool(is_optimal), self)


@dataclass(frozen=True, eq=False)
class Amounts(Rates):
    """Amounts that may be zero, over an exposure: a mean for each part."""

    criterion = "tweedie"

    @property
    def parameters(self) -> list[float]:
        """Mean of all rows, dispersion, and exposure of one row."""
        family = self.target.family
        return [family.rate, family.dispersion, family.unit]

    def _at_one_rate(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Minus the quasi-likelihood of sets at the mean of all rows."""
        root = math.sqrt(self.target.family.rate)
        return np.asarray(2.0 * (rows[:, 2] / root + rows[:, 1] * root))


def _rates(weight: NDArray[np.float64], moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put what a rate is made of beside the weight; pieces of sums are added up."""
    pieces = (moments[..., N_MOMENTS + i] + moments[..., N_MOMENTS + i + 1] for i in (0, 2, 4))
    return np.stack([weight, *pieces], axis=-1)


def _one_part(reading: Reading, asked: Asked) -> Read:
    """Take all units as one part; limits that ask for more are refused."""
    wanted = asked.limits.n_parts or 1
    if wanted > 1 and asked.space.n_units < wanted:
        raise _core.NotPossible("more parts are asked for than there are distinct values")
    ends = np.linspace(0, asked.space.n_units, wanted + 1).astype(np.uint32)
    return Read(ends, wanted == 1, reading)


READINGS: dict[str, type[Reading]] = {
    "scores": Scores,
    "classes": Classes,
    "grid": Grid,
    "mean": Mean,
    "poisson": Rates,
    "gamma": Rates,
    "tweedie": Amounts,
}

__all__ = ["READINGS", "Amounts", "Grid", "Mean", "Rates"]
