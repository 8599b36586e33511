"""What units hold of a number beside its ranks: sums, and least and greatest value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Sums = tuple[NDArray[np.float64], NDArray[np.float64]]


class UnitSums(Protocol):
    """The moments and the extremes of units, and of runs of them.

    ``n_read`` of the moments stand behind the counts of cells too.
    """

    @property
    def n_read(self) -> int: ...

    def runs(self, starts: NDArray[Any]) -> Sums:
        """Sum the units from each start to the next."""

    def take(self, order: NDArray[np.int64]) -> UnitSums:
        """Take units in another order."""


@dataclass(frozen=True, eq=False)
class KnownSums:
    """Sums that are known of each unit."""

    moments: NDArray[np.float64]
    extremes: NDArray[np.float64]
    n_read: int = 0

    def runs(self, starts: NDArray[Any]) -> Sums:
        """Sum the units from each start to the next."""
        return _run_sums(starts, self.moments), _run_extremes(starts, self.extremes)

    def take(self, order: NDArray[np.int64]) -> KnownSums:
        """Take units in another order."""
        return KnownSums(self.moments[order], self.extremes[order], self.n_read)


@dataclass(frozen=True, eq=False)
class SortedAmounts:
    """Rows of weight one in the order of the units, summed when they are asked for.

    Attributes
    ----------
    target : Target
        Sums runs of amounts.
    amounts : ndarray of float64
        Number of each row.
    edges : ndarray of uint32
        First row of each unit, then the number of rows.
    """

    target: Any
    amounts: NDArray[np.float64]
    edges: NDArray[np.uint32]

    @property
    def n_read(self) -> int:
        """Number of sums behind the cells."""
        return int(self.target.n_read)

    def runs(self, starts: NDArray[Any]) -> Sums:
        """Sum the units from each start to the next."""
        found: Sums = self.target.run_sums(self.amounts, self.edges[starts])
        return found

    def take(self, order: NDArray[np.int64]) -> KnownSums:
        """Take units in another order."""
        known = KnownSums(*self.runs(np.arange(len(self.edges))), self.n_read)
        return known.take(order)


def _run_sums(starts: NDArray[Any], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum runs of rows, some of which may be empty."""
    edges = np.asarray(starts, dtype=np.int64)
    out = np.zeros((len(edges) - 1, sums.shape[1]))
    held = np.flatnonzero(np.diff(edges))
    if len(held):
        out[held] = np.add.reduceat(sums[: edges[-1]], edges[held], axis=0)
    return out


def _run_extremes(starts: NDArray[Any], extremes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least and greatest value of runs of rows, some of which may be empty."""
    edges = np.asarray(starts, dtype=np.int64)
    out = np.tile([np.inf, -np.inf], (len(edges) - 1, 1))
    held = np.flatnonzero(np.diff(edges))
    if len(held):
        inside = extremes[: edges[-1]]
        out[held, 0] = np.minimum.reduceat(inside[:, 0], edges[held])
        out[held, 1] = np.maximum.reduceat(inside[:, 1], edges[held])
    return out


__all__ = ["KnownSums", "SortedAmounts", "Sums", "UnitSums"]
