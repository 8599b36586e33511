"""All pairs of columns: which say more together than apart, and which repeat each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.grid_axes import garbage_threshold
from partage._partitions.joint_columns import N_SCREENED, JointColumns
from partage._search.core import level_of
from partage._search.grids import PairCosts, refine_pairs, screen_pairs
from partage._support.portable import log, logs

N_REFINED = 256  # the same of long columns, for the best pairs
LONG = 20_000  # rows beyond which single values are no longer looked at
MOST_REFINED = 50  # pairs that are searched again


@dataclass(frozen=True)
class RankedPairs:
    """What each pair of columns says together, the most first.

    Attributes
    ----------
    pairs : ndarray of shape (P, 2)
        Places of the columns.
    found : PairCosts
        Costs and parts of each pair.
    gains : ndarray of shape (P, 2)
        Nats that each of the columns saves alone, at the resolution of the pair.
    is_refined : ndarray of bool
        Whether the pair was searched again.
    """

    pairs: NDArray[np.int64]
    found: PairCosts
    gains: NDArray[np.float64]
    is_refined: NDArray[np.bool_]

    @property
    def gain(self) -> NDArray[np.float64]:
        """Nats that each pair saves."""
        return np.maximum(self.found.null_cost - self.found.cost, 0.0)

    @property
    def synergy(self) -> NDArray[np.float64]:
        """Nats that each pair saves beyond both columns alone."""
        found = self.gain - self.gains.sum(axis=1)
        rounding = 1e-9 * np.maximum(self.found.null_cost, 1.0)
        return np.asarray(np.where(np.abs(found) < rounding, 0.0, found))

    @property
    def level(self) -> NDArray[np.float64]:
        """Level of each pair."""
        costs = zip(self.found.cost, self.found.null_cost, strict=True)
        return np.array([level_of(*pair) for pair in costs])

    def ranked(self, has_y: bool) -> RankedPairs:
        """Put pairs that say most beyond their columns first, or the most dependent ones.

        Among equal ones those that say most come first.
        """
        gain = -np.round(self.gain, 9)
        score = -np.round(self.synergy, 9) if has_y else gain
        return self.take(np.lexsort((self.pairs[:, 1], self.pairs[:, 0], gain, score)))

    def take(self, order: NDArray[Any]) -> RankedPairs:
        """Keep some pairs, in that order."""
        return RankedPairs(
            self.pairs[order], self.found.take(order), self.gains[order], self.is_refined[order]
        )


def rank_pairs(
    joint: JointColumns,
    pairs: NDArray[np.int64],
    method: str,
    *,
    n_jobs: int,
    progress: Any = None,
) -> RankedPairs:
    """Look at all pairs at few quantiles, then closer at the best."""
    own, has_y = joint.own, joint.has_y
    gains = np.array([max(p.null_cost - p.cost, 0.0) if has_y else 0.0 for p in own])
    first = look_at_pairs(joint, pairs, n_jobs=n_jobs, progress=progress)
    pairs, found, coarse = first.pairs, first.found, first.gains
    wanted = _worth_refining(first, has_y)
    if len(wanted) == 0:
        return first.ranked(has_y)
    n_fine = N_REFINED if joint.n_rows > LONG else joint.n_rows
    for group in joint.groups(pairs[wanted]):
        chosen = wanted[group]
        used, places = np.unique(pairs[chosen], return_inverse=True)
        kept = [own[i] for i in used]
        fine = joint.by_quantile(used.tolist(), n_fine)
        closer = refine_pairs(
            fine.rows,
            places.reshape(-1, 2),
            method,
            len(own),
            [fine.parts_of(i, p) for i, p in enumerate(kept)],
            [garbage_threshold(p) for p in kept],
            n_jobs,
            progress,
        )
        for name in ("cost", "null_cost", "n_parts", "n_cells"):
            getattr(found, name)[chosen] = getattr(closer, name)
    coarse[wanted] = gains[pairs[wanted]]
    first.is_refined[wanted] = True
    return first.ranked(has_y)


def look_at_pairs(
    joint: JointColumns, pairs: NDArray[np.int64], *, n_jobs: int, progress: Any = None
) -> RankedPairs:
    """Look at pairs at few quantiles, in the order in which they are given.

    Pairs with a column that holds no values say nothing and are left out.
    """
    has_values = np.array([p.n_values > 0 for p in joint.own], dtype=bool)
    pairs = pairs[has_values[pairs].all(axis=1)]
    n = len(pairs)
    found = PairCosts.empty(n)
    alone = np.zeros((n, 2))
    for group in joint.groups(pairs) if n else ():
        used, places = np.unique(pairs[group], return_inverse=True)
        places = places.reshape(-1, 2)
        coded = joint.by_quantile(used.tolist(), N_SCREENED)
        looked = screen_pairs(coded.rows, places, n_jobs, progress)
        for name in ("cost", "null_cost", "n_parts", "n_cells"):
            getattr(found, name)[group] = getattr(looked, name)
        if joint.has_y:
            alone[group] = looked.column_gains[places]
    return RankedPairs(pairs, found, alone, np.zeros(n, dtype=bool))


def _worth_refining(first: RankedPairs, has_y: bool) -> NDArray[np.int64]:
    """Places of the pairs that are searched again: the best that are cut on both sides."""
    score = first.synergy if has_y else first.gain
    is_cut = (first.found.n_parts > 1).all(axis=1)
    candidates = np.flatnonzero(is_cut & (first.gain > 0))
    best = candidates[np.argsort(-score[candidates], kind="stable")]
    return np.sort(best[:MOST_REFINED])


def count_worth_naming(saved: NDArray[np.float64], n_known: int) -> tuple[int, float]:
    """Count the first of some that save more than their names take, and price the last name.

    Naming which s of n are informative takes log C(n, s) nats: the more there are, the less each of
    them takes. ``saved`` are the nats that each saves, from the highest on.
    """
    place = np.arange(len(saved))
    prices = logs((n_known - place) / (place + 1))
    n_named = int(np.argmin(np.append(0.0, np.cumsum(prices - saved))))
    return n_named, float(prices[n_named - 1]) if n_named else 0.0


def worth_naming(found: RankedPairs, n_known: int) -> NDArray[np.int64]:
    """Places of the pairs, cut on both sides, that save more than naming them among all takes."""
    is_cut = (found.found.n_parts > 1).all(axis=1)
    places = np.flatnonzero(is_cut & (found.synergy > 0))
    n_named, _ = count_worth_naming(found.synergy[places], n_known)
    return places[:n_named]


def naming_price(n_columns: int) -> float:
    """Nats that it takes to name one pair of columns: what an interaction must be worth."""
    return log(max(math.comb(n_columns, 2), 1))


__all__ = [
    "RankedPairs",
    "count_worth_naming",
    "look_at_pairs",
    "naming_price",
    "rank_pairs",
    "worth_naming",
]
