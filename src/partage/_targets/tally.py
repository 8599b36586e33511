"""``Tally``: what some sets of rows hold of the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Tally:
    """What each of n sets of rows holds: a part, a code, a distinct value.

    Attributes
    ----------
    rows : ndarray of int64, shape (n,)
        Rows of each set, regardless of weight.
    weight : ndarray of float64, shape (n,)
        Weight of each set.
    counts : ndarray of float64, shape (n, J), or None
        Weight of each class in each set, where the target has classes.
    moments : ndarray of float64, shape (n, m), or None
        Sums of the powers of the target in each set, where it is a number.
    is_averaged : bool
        Whether the sums are weights times averaged shares, to which evidence adds nothing.
    extremes : ndarray of float64, shape (n, 2), or None
        Least and greatest value of the target in each set, where it is a number; infinities
        without rows.
    n_read : int
        Number of the last columns of ``counts`` that are no weights: sums of a number, which
        methods that tell its mean read.
    """

    rows: NDArray[np.int64]
    weight: NDArray[np.float64]
    counts: NDArray[np.float64] | None = None
    moments: NDArray[np.float64] | None = None
    is_averaged: bool = False
    extremes: NDArray[np.float64] | None = None
    n_read: int = 0

    @classmethod
    def of_counts(
        cls,
        counts: NDArray[np.float64],
        rows: NDArray[np.int64] | None = None,
        n_read: int = 0,
    ) -> Tally:
        """Take class weights; without numbers of rows, each row weighs one."""
        weight = _weights(counts, n_read)
        number = weight.astype(np.int64) if rows is None else rows
        return cls(number, weight, counts, n_read=n_read)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def class_counts(self) -> NDArray[np.float64]:
        """The counts, of a target that has them."""
        assert self.counts is not None
        return self.counts

    @property
    def cell_counts(self) -> NDArray[np.float64]:
        """The counts without sums behind them."""
        counts = self.class_counts
        return counts[:, : counts.shape[1] - self.n_read]

    @property
    def held(self) -> NDArray[np.bool_]:
        """Which sets hold some weight."""
        return np.asarray(self.weight > 0)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of each set in the weight."""
        return np.asarray(self.weight / max(self.weight.sum(), np.finfo(float).tiny))

    def __add__(self, other: Tally) -> Tally:
        """Put each set together with that of another tally."""

        def add(one: Any, two: Any) -> Any:
            return None if one is None else one + two

        return self._with_sums(
            self.rows + other.rows,
            self.weight + other.weight,
            add(self.counts, other.counts),
            add(self.moments, other.moments),
            None if self.extremes is None else _wider(self.extremes, other.extremes),
        )

    def take(self, sets: Any) -> Tally:
        """Keep some sets: a slice, a mask or positions."""
        return Tally(
            self.rows[sets],
            self.weight[sets],
            None if self.counts is None else self.counts[sets],
            None if self.moments is None else self.moments[sets],
            self.is_averaged,
            None if self.extremes is None else self.extremes[sets],
            self.n_read,
        )

    def total(self) -> Tally:
        """Put all sets together, as one set."""
        found = self.summed(lambda sums: sums.sum(axis=0)[None])
        return found._spanning(self, np.zeros(len(self), dtype=np.int64))

    def joined(self, groups: NDArray[np.int64], n: int) -> Tally:
        """Put the sets of each group from 0 to n - 1 together."""

        def add(sums: NDArray[Any]) -> NDArray[Any]:
            out = np.zeros((n, *sums.shape[1:]), dtype=sums.dtype)
            np.add.at(out, groups, sums)
            return out

        return self.summed(add)._spanning(self, groups)

    def concat(self, *others: Tally) -> Tally:
        """Put the sets of other tallies behind these."""
        sets: Any = (self, *others)
        return Tally(
            np.concatenate([tally.rows for tally in sets]),
            np.concatenate([tally.weight for tally in sets]),
            None if self.counts is None else np.concatenate([tally.counts for tally in sets]),
            None if self.moments is None else np.concatenate([tally.moments for tally in sets]),
            self.is_averaged,
            None if self.extremes is None else np.concatenate([tally.extremes for tally in sets]),
            self.n_read,
        )

    def added(self, other: Tally, places: Sequence[int | None]) -> Tally:
        """Add the sets of another tally to some of these; a set whose place is None stays out."""
        return self._moved(other, places, 1)

    def removed(self, other: Tally, places: Sequence[int | None]) -> Tally:
        """Take the sets of another tally out of some of these, as `added` put them there."""
        return self._moved(other, places, -1)

    def _moved(self, other: Tally, places: Sequence[int | None], sign: int) -> Tally:
        moved = [(i, place) for i, place in enumerate(places) if place is not None]
        if not moved:
            return self

        def move(mine: Any, theirs: Any) -> Any:
            if mine is None:
                return None
            out = mine.copy()
            for i, place in moved:
                out[place] += sign * theirs[i]
            return out

        return self._with_sums(
            move(self.rows, other.rows),
            move(self.weight, other.weight),
            move(self.counts, other.counts),
            move(self.moments, other.moments),
            self._widened(other, moved) if sign > 0 else self.extremes,
        )

    def _widened(self, other: Tally, moved: list[tuple[int, int]]) -> Any:
        """Give the extremes of sets that those of another tally joined."""
        if self.extremes is None or other.extremes is None:
            return self.extremes
        out = self.extremes.copy()
        for i, place in moved:
            out[place] = _wider(out[place], other.extremes[i])
        return out

    def summed(self, add: Any) -> Tally:
        """Put sets together by a function that does so for each of the sums."""
        found = self._with_sums(
            add(self.rows),
            add(self.weight),
            None if self.counts is None else add(self.counts),
            None if self.moments is None else add(self.moments),
        )
        if self.extremes is None:
            return found
        return replace(found, extremes=np.tile([np.inf, -np.inf], (len(found), 1)))

    def _spanning(self, pieces: Tally, groups: NDArray[np.int64]) -> Tally:
        """Take the extremes of the pieces that were put together."""
        if pieces.extremes is None:
            return self
        low, high = np.full(len(self), np.inf), np.full(len(self), -np.inf)
        np.minimum.at(low, groups, pieces.extremes[:, 0])
        np.maximum.at(high, groups, pieces.extremes[:, 1])
        return replace(self, extremes=np.column_stack([low, high]))

    def scaled(self, factor: float) -> Tally:
        """Multiply all sums, but not the numbers of rows."""
        return self._with_sums(
            self.rows,
            self.weight * factor,
            None if self.counts is None else self.counts * factor,
            None if self.moments is None else self.moments * factor,
            self.extremes,
        )

    def emptied(self, sets: NDArray[np.bool_]) -> Tally:
        """Leave out the rows of some sets, which stay without any."""

        def clear(sums: NDArray[Any]) -> NDArray[Any]:
            out = sums.copy()
            out[sets] = 0
            return out

        cleared = self.summed(clear)
        if self.extremes is None:
            return cleared
        return replace(cleared, extremes=np.where(sets[:, None], [np.inf, -np.inf], self.extremes))

    def empty(self, n: int) -> Tally:
        """Make n sets without rows, of the same sums."""
        return self.summed(lambda sums: np.zeros((n, *sums.shape[1:]), dtype=sums.dtype))

    def frozen(self) -> Tally:
        """Forbid writing to the arrays."""
        for array in (self.rows, self.weight, self.counts, self.moments, self.extremes):
            if array is not None:
                array.flags.writeable = False
        return self

    def same_as(self, other: Tally) -> bool:
        """Whether both hold the same."""
        return self.is_averaged == other.is_averaged and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            if getattr(self, name) is not None and getattr(other, name) is not None
            else getattr(self, name) is getattr(other, name)
            for name in ("rows", "weight", "counts", "moments", "extremes")
        )

    def _with_sums(
        self,
        rows: Any,
        weight: NDArray[Any],
        counts: Any = None,
        moments: Any = None,
        extremes: Any = None,
    ) -> Tally:
        """Make a tally of sums; where there are classes, the weight is that of their sums."""
        if counts is not None:
            # So that a set weighs the same bits however it was put together.
            weight = _weights(counts, self.n_read)
        averaged, read = self.is_averaged, self.n_read
        return Tally(rows, np.asarray(weight), counts, moments, averaged, extremes, read)


def _weights(counts: NDArray[np.float64], n_read: int) -> NDArray[np.float64]:
    """Weight of sets, from the weights of their classes; sums stand behind these."""
    return np.asarray(counts[:, : counts.shape[1] - n_read].sum(axis=1))


def _wider(one: Any, other: Any) -> Any:
    """Least of the least and greatest of the greatest values."""
    return np.stack(
        [np.minimum(one[..., 0], other[..., 0]), np.maximum(one[..., 1], other[..., 1])], axis=-1
    )
