"""All pairs of columns: which say more together than apart, and which repeat each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.column import NumberColumn
from partage._partitions.grid_axes import Column, garbage_threshold, parts_of_values, value_codes
from partage._partitions.partition import Partition
from partage._search.core import level_of
from partage._search.grids import GridRows, PairCosts, refine_pairs, screen_pairs
from partage._support.portable import log, logs
from partage._targets.target import TargetRows

N_SCREENED = 32  # quantiles of a number while all pairs are looked at
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
        """Put pairs that say most beyond their columns first, or the most dependent ones."""
        score = self.synergy if has_y else self.gain
        order = np.lexsort((self.pairs[:, 1], self.pairs[:, 0], -np.round(score, 9)))
        return self.take(order)

    def take(self, order: NDArray[Any]) -> RankedPairs:
        """Keep some pairs, in that order."""
        return RankedPairs(
            self.pairs[order], self.found.take(order), self.gains[order], self.is_refined[order]
        )


def rank_pairs(
    who: str,
    columns: Sequence[Column],
    own: Sequence[Partition],
    rows: TargetRows,
    pairs: NDArray[np.int64],
    method: str,
    *,
    has_y: bool,
    n_jobs: int,
    progress: Any = None,
) -> RankedPairs:
    """Look at all pairs at few quantiles, then closer at the best."""
    gains = np.array([max(p.null_cost - p.cost, 0.0) if has_y else 0.0 for p in own])
    first = look_at_pairs(
        who, columns, own, rows, pairs, has_y=has_y, n_jobs=n_jobs, progress=progress
    )
    found, coarse = first.found, first.gains
    wanted = _worth_refining(first, has_y)
    if len(wanted) == 0:
        return first.ranked(has_y)
    used = np.unique(pairs[wanted])
    place = np.zeros(len(own), dtype=np.int64)
    place[used] = np.arange(len(used))
    kept = [own[i] for i in used]
    n_fine = N_REFINED if rows.n_rows > LONG else rows.n_rows
    fine = _coded(who, [columns[i] for i in used], kept, rows, has_y, n_fine)
    closer = refine_pairs(
        fine.rows,
        place[pairs[wanted]],
        method,
        len(own),
        [fine.parts_of(i, p) for i, p in enumerate(kept)],
        [garbage_threshold(p) for p in kept],
        n_jobs,
        progress,
    )
    for name in ("cost", "null_cost", "n_parts", "n_cells"):
        getattr(found, name)[wanted] = getattr(closer, name)
    coarse[wanted] = gains[pairs[wanted]]
    first.is_refined[wanted] = True
    return first.ranked(has_y)


def look_at_pairs(
    who: str,
    columns: Sequence[Column],
    own: Sequence[Partition],
    rows: TargetRows,
    pairs: NDArray[np.int64],
    *,
    has_y: bool,
    n_jobs: int,
    progress: Any = None,
) -> RankedPairs:
    """Look at pairs at few quantiles, in the order in which they are given."""
    screened = _coded(who, columns, own, rows, has_y, N_SCREENED)
    found = screen_pairs(screened.rows, pairs, n_jobs, progress)
    alone = found.column_gains[pairs] if has_y else np.zeros((len(pairs), 2))
    return RankedPairs(pairs, found, alone, np.zeros(len(pairs), dtype=bool))


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


@dataclass(frozen=True)
class CodedColumns:
    """Columns in codes of their quantiles or values, and where the cuts between these lie."""

    rows: GridRows
    cuts: tuple[NDArray[Any] | None, ...]  # keys of the cuts of coarse numbers

    def parts_of(self, axis: int, partition: Partition) -> NDArray[np.uint32]:
        """Part of each code of a column in its own partition."""
        cuts = self.cuts[axis]
        of_values = parts_of_values(partition)
        if cuts is None:
            return of_values
        assert partition.units is not None
        last = np.searchsorted(partition.units.keys, cuts, side="right") - 1
        return np.asarray(of_values[np.append(last, len(of_values) - 1)])


def _coded(
    who: str,
    columns: Sequence[Column],
    own: Sequence[Partition],
    rows: TargetRows,
    has_y: bool,
    most: int,
) -> CodedColumns:
    """Code columns by their values, or by quantiles where they have more than that many."""
    codes, n_values, n_aside, cuts = [], [], [], []
    for column, partition in zip(columns, own, strict=True):
        kept = column.take(rows.kept)
        units = partition.units
        assert units is not None
        is_long = isinstance(kept, NumberColumn) and units.n_units > most
        own_cuts = partition._border_places(units) if most > N_SCREENED and is_long else ()
        places = None
        if is_long:
            places = np.unique([*units.quantiles(most)[1:-1], *own_cuts]).astype(np.int64)
        ends = None if places is None else units.keys[places - 1]
        axis, n_sets = value_codes(who, kept, partition, ends)
        codes.append(axis)
        n_values.append(units.n_units if ends is None else len(ends) + 1)
        n_aside.append(n_sets)
        cuts.append(ends)
    joint = GridRows(
        np.ascontiguousarray(np.vstack(codes)),
        tuple(n_values),
        tuple(n_aside),
        tuple(bool(p.units is not None and p.units.is_line) for p in own),
        rows.codes if has_y else None,
        rows.weights,
        rows.n_classes if has_y else 1,
    )
    return CodedColumns(joint, tuple(cuts))


__all__ = [
    "RankedPairs",
    "count_worth_naming",
    "look_at_pairs",
    "naming_price",
    "rank_pairs",
    "worth_naming",
]
