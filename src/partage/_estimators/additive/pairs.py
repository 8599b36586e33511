"""Pairs of columns: coarse axes, and which pairs pay for being named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage._estimators.additive.cells import CodedColumn
from partage._estimators.additive.choose import that_pay
from partage._estimators.additive.core import HEIGHTS, WALKS, CoreModel

N_COARSE = 12  # cells of an axis of a pair that is fitted
N_SCREENED = 8  # while pairs are looked for
MOST_SCREENED = 200_000  # rows that are looked at for it
_NONE = 255


@dataclass(frozen=True)
class Axis:
    """A column in few cells.

    Attributes
    ----------
    place : ndarray of int64
        Coarse cell of each cell of the column; ``n`` for missing, unseen and special values.
    n : int
        Number of coarse cells.
    is_ordered : bool
        Whether neighbours are alike.
    """

    place: NDArray[np.int64]
    n: int
    is_ordered: bool


@dataclass(frozen=True)
class FoundPair:
    """A pair of columns that pays: their places, axes, and the number of its term in the core."""

    first: int
    second: int
    axes: tuple[Axis, Axis]
    term: int


def make_axis(column: CodedColumn, levels: NDArray[np.float64], n: int) -> Axis:
    """Join cells of numbers to quantiles; keep frequent categories and join the others."""
    n_parts = column.partition.n_parts
    weights = column.weights[:n_parts]
    if n_parts <= n:
        place = np.arange(n_parts)
    elif column.n_ordered:
        middles = (np.cumsum(weights) - weights / 2) / weights.sum()
        place = np.unique(np.minimum((middles * n).astype(np.int64), n - 1), return_inverse=True)[1]
    else:
        frequent = np.sort(np.argsort(-weights, kind="stable")[: n - 1])
        place = np.full(n_parts, n - 1)
        place[frequent] = np.arange(len(frequent))
    size = int(place.max()) + 1
    if not column.n_ordered:
        place = _by_level(place, weights, levels[:n_parts, 0], size)
    beside = np.full(column.n_cells - n_parts, size)
    return Axis(np.concatenate([place, beside]), size, column.n_ordered > 0)


def _by_level(
    place: NDArray[np.int64],
    weights: NDArray[np.float64],
    levels: NDArray[np.float64],
    size: int,
) -> NDArray[np.int64]:
    """Order coarse cells of categories by their mean level, so that cuts divide low from high."""
    held = np.maximum(np.bincount(place, weights, size), np.finfo(float).tiny)
    means = np.bincount(place, weights * levels, size) / held
    rank = np.empty(size, dtype=np.int64)
    rank[np.argsort(means, kind="stable")] = np.arange(size)
    return rank[place]


def rank_pairs(model: CoreModel, known: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
    """Pairs of columns, the strongest first, and how many of them pay for being named."""
    columns = model.columns
    axes = {t: make_axis(columns[t], model.levels(t), N_SCREENED) for t in known}
    usable = [t for t in known if axes[t].n > 1]
    pairs = [(a, b) for i, a in enumerate(usable) for b in usable[i + 1 :]]
    if not pairs:
        return [], 0
    stride = max(1, -(-model.rows.n_rows // MOST_SCREENED))
    codes = np.array(
        [axes[t].place.astype(np.uint8)[columns[t].codes[::stride]] for t in usable], np.uint8
    )
    place = {t: i for i, t in enumerate(usable)}
    shapes = [(axes[a].n, axes[b].n, axes[a].is_ordered, axes[b].is_ordered) for a, b in pairs]
    evidence = model.held.screen(
        np.ascontiguousarray(codes),
        stride,
        np.array([(place[a], place[b]) for a, b in pairs], dtype=np.uint32),
        np.array(shapes, dtype=np.uint32),
        WALKS,
        HEIGHTS,
        model.n_jobs,
    )
    order = np.argsort(-np.asarray(evidence), kind="stable")
    return [pairs[k] for k in order], len(that_pay(np.asarray(evidence)))


def add_pairs(model: CoreModel, pairs: Sequence[tuple[int, int]]) -> list[FoundPair]:
    """Give pairs to the core as terms."""
    found = []
    for a, b in pairs:
        first, second = (make_axis(model.columns[t], model.levels(t), N_COARSE) for t in (a, b))
        if first.is_ordered < second.is_ordered:  # the core is quicker with the ordered axis first
            a, b, first, second = b, a, second, first
        one = first.place[model.columns[a].codes]
        two = second.place[model.columns[b].codes]
        is_none = (one == first.n) | (two == second.n)
        codes = np.where(is_none, first.n * second.n, one * second.n + two).astype(np.uint32)
        model.kept.append(codes)
        term = model.held.add_pair(codes, first.n, second.n, first.is_ordered, second.is_ordered)
        found.append(FoundPair(a, b, (first, second), term))
    return found


__all__ = ["Axis", "FoundPair", "add_pairs", "make_axis", "rank_pairs"]
