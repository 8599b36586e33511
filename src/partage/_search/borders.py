"""Borders of a long line that sums look at: all of them near the cuts, some of them elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._search.sums import PartitionSums

MOST_EXACT = 2_000  # units between which every border is looked at
MOST_EXACT_OF_TRENDS = 400
_GROWTH = 1.25  # of the steps between borders, away from a cut
_N_NEAR = 8  # borders on either side of a cut before the steps grow


@dataclass(frozen=True)
class Borders:
    """Borders of n units; each stands for the places around it.

    Attributes
    ----------
    starts : ndarray
        First unit of each block between two borders, then n.
    edges : ndarray
        Border i stands for the places from ``edges[i] + 1`` to ``edges[i + 1]``, place p being
        before unit p.
    """

    starts: NDArray[np.int64]
    edges: NDArray[np.int64]

    @classmethod
    def at(cls, places: NDArray[np.int64], n_units: int) -> Borders:
        """Borders at some places; each of the others goes to the nearest."""
        inner = np.unique(places[(places > 0) & (places < n_units)])
        if not len(inner):
            inner = np.arange(1, min(n_units, 2))
        middles = (inner[:-1] + inner[1:]) // 2
        edges = np.concatenate([[0], middles, [n_units - 1]])
        return cls(np.concatenate([[0], inner, [n_units]]), edges[: len(inner) + 1])

    @property
    def n_places(self) -> NDArray[np.int64]:
        """Number of places that each border stands for."""
        return np.diff(self.edges)

    @property
    def is_exact(self) -> bool:
        """Whether every place is a border."""
        return bool((self.n_places == 1).all())

    def border_of(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the border, from 1 on, that stands for each place."""
        return np.searchsorted(self.edges, places, side="left").astype(np.int64)


def sum_at_borders(
    n_units: int, cuts: NDArray[np.int64], most: int, ask: Callable[[Borders], PartitionSums]
) -> tuple[Borders, PartitionSums]:
    """Sum over the partitions of a line, long or not.

    Up to ``most`` units every border is looked at. Beyond, sums over few borders, close to each
    other near the cuts, say where cuts are probable; there borders are added.
    """
    if n_units <= most:
        borders = Borders.at(np.arange(1, n_units), n_units)
        return borders, ask(borders)
    coarse = Borders.at(_coarse_places(n_units, cuts, most // 3), n_units)
    borders = _refined(coarse, ask(coarse).cuts, cuts, n_units, most * 3 // 4)
    return borders, ask(borders)


def _coarse_places(n_units: int, cuts: NDArray[np.int64], n_even: int) -> NDArray[np.int64]:
    """Even steps, and around each cut steps that grow with the distance."""
    step = max(n_units // n_even, 1)
    near: list[int] = []
    offset = 0.0
    while offset < step:
        near.append(int(offset))
        offset = offset + 1.0 if len(near) < _N_NEAR else max(offset * _GROWTH, offset + 1.0)
    offsets = np.array([*(-o for o in near[1:]), *near])
    if len(cuts) * len(offsets) > n_even:
        offsets = offsets[np.abs(offsets) < _N_NEAR]
    around = (cuts[:, None] + offsets[None, :]).ravel()
    return np.concatenate([np.arange(step, n_units, step), around])


def _refined(
    borders: Borders,
    probabilities: NDArray[Any],
    cuts: NDArray[np.int64],
    n_units: int,
    most: int,
) -> Borders:
    """Add borders where cuts are probable."""
    room = borders.n_places - 1
    extra = np.zeros(len(room), dtype=np.int64)
    for _ in range(4):
        left = most - len(room) - int(extra.sum())
        open_ = extra < room
        weight = np.where(open_, probabilities, 0.0)
        if left <= 0 or not weight.sum() > 0.0:
            break
        extra = np.minimum(room, extra + np.floor(left * weight / weight.sum()).astype(np.int64))
    places = [borders.starts[1:-1], cuts]
    for i in np.flatnonzero(extra).tolist():
        low, high = borders.edges[i] + 1, borders.edges[i + 1]
        places.append(np.linspace(low, high, int(extra[i]) + 1).round().astype(np.int64))
    return Borders.at(np.concatenate(places), n_units)


__all__ = ["MOST_EXACT", "MOST_EXACT_OF_TRENDS", "Borders", "sum_at_borders"]
