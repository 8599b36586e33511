"""Whole points: an offset of each column, chosen jointly so that the sums of rows lose least.

Within a column all points are rounded at one fraction, so that they keep their order and their
errors differ by less than 1. What is left to choose is that fraction, one of as many as a column
has parts; the error of a row is the sum over its columns, and the largest of them is made small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.scorecard.fit import Rows

__all__ = ["round_points"]

Vector = NDArray[np.float64]

_MOST_BIAS = 0.05  # of the mean error, beyond which no step may go
_SHARPNESS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)  # from all errors of the rows to the largest ones
_MOST_STEPS = 100
_MOST_ROWS = 20_000  # whose pairs of parts are counted; more are sampled, and steps checked on all
_ONLY_LARGEST = 4.0  # sharpness from which the rows of the largest errors decide
_MOST_RESTARTS, _RESTARTED_ROWS = 30, 60_000  # so many, as long as rows times restarts are fewer
_LEAST_GAIN = 1e-9  # of the sum that steps make smaller


def round_points(points: Mapping[str, Vector], rows: Rows, places: list[int]) -> dict[str, Vector]:
    """Round the points of parts so that the sums of the rows lose least.

    The sum over the rows of cosh(s error) is made small by changing the fractions of one or of two
    columns at a time, to the best of all such changes, for sharper and sharper s: for small s it
    counts the squares of the errors, for large s the largest one only.
    """
    exact = list(points.values())
    choice = _Choice.of(exact, rows, places)
    picked = choice.start()
    reached = []
    for sharpness in _SHARPNESS:
        picked = _descend(choice, picked, sharpness)
        reached.append(picked)
    best = _restart(choice, min(reached, key=choice.badness))
    found = choice.whole(best)
    return {name: whole + 0.0 for name, whole in zip(points, found, strict=True)}


@dataclass(frozen=True)
class _Choice:
    """Ways to round each column, and the rows that sum them.

    Parts of all columns are numbered one after the other, and so are the ways. A way holds the
    errors of all parts, which are 0 outside of its column.
    """

    ways: Vector  # of shape (n_ways, n_parts), the errors
    whole_points: list[Vector]  # the rounded points of each way
    column: NDArray[np.int64]  # of each way
    parts: NDArray[np.int64]  # of shape (n_columns, n_rows)
    shares: Vector  # of the rows
    means: Vector  # error of each way over the rows

    @classmethod
    def of(cls, exact: list[Vector], rows: Rows, places: list[int]) -> _Choice:
        """List the ways to round each column."""
        sizes = [len(points) for points in exact]
        first = np.cumsum([0, *sizes[:-1]])
        shares = rows.sizes / rows.sizes.sum()
        ways, whole_points, column, means = [], [], [], []
        for k, points in enumerate(exact):
            held = np.bincount(rows.codes[places[k]], shares, len(points)).astype(np.float64)
            for whole in _roundings(points, held):
                way = np.zeros(sum(sizes))
                way[first[k] : first[k] + sizes[k]] = whole - points
                ways.append(way)
                whole_points.append(whole)
                column.append(k)
                means.append(((whole - points) * held).sum())
        parts = rows.codes[places] + first[:, None]
        return cls(np.array(ways), whole_points, np.array(column), parts, shares, np.array(means))

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.parts)

    def start(self) -> NDArray[np.int64]:
        """Give the way of each column whose errors vary least over the rows."""
        picked = []
        for k in range(self.n_columns):
            own = np.flatnonzero(self.column == k)
            errors = self.ways[own][:, self.parts[k]]
            means = (errors * self.shares).sum(axis=1)
            spread = (errors**2 * self.shares).sum(axis=1) - means**2
            picked.append(own[np.argmin(np.round(spread, 12))])
        return np.array(picked)

    def errors(self, picked: NDArray[np.int64]) -> Vector:
        """Errors of the sums of the rows, shifted by a whole number to a mean of nearly 0."""
        of_part = self.ways[picked].sum(axis=0)
        found = np.zeros(self.parts.shape[1])
        for parts in self.parts:
            found += of_part[parts]
        return np.asarray(found - np.round(self.means[picked].sum()))

    def bias(self, picked: NDArray[np.int64]) -> float:
        """Size of the mean error."""
        return float(_off(self.means[picked].sum()))

    def badness(self, picked: NDArray[np.int64]) -> tuple[bool, float]:
        """Give whether the mean error is too large, and the largest error of a row."""
        largest = float(np.abs(self.errors(picked)).max())
        return self.bias(picked) > _MOST_BIAS, round(largest, 12)

    def whole(self, picked: NDArray[np.int64]) -> list[Vector]:
        """Whole points of each column; the columns furthest off take the shift of the sums."""
        means = self.means[picked]
        shift = int(np.round(means.sum()))
        step = float(np.sign(shift))
        moves = np.zeros(self.n_columns)
        moves[np.argsort(-step * means, kind="stable")[: abs(shift)]] = step
        return [self.whole_points[way] - move for way, move in zip(picked, moves, strict=True)]


def _off(mean: Any) -> Any:
    """Distance of mean errors from the nearest whole number, which a shift takes away."""
    return abs(mean - np.round(mean))


def _roundings(points: Vector, held: Vector) -> list[Vector]:
    """Whole numbers that differ from the points by nearly the same, and by about 0 on average."""
    down = np.floor(points)
    fractions = points - down
    found = []
    for edge in np.unique(fractions[held > 0.0]):
        whole = np.where(fractions <= edge, down, down + 1.0)
        found.append(whole - np.round(((whole - points) * held).sum()))
    return found


def _restart(choice: _Choice, best: NDArray[np.int64]) -> NDArray[np.int64]:
    """Change three columns at random, the same for the same card, and go down from there again."""
    rng = np.random.default_rng(0)
    for _ in range(min(_MOST_RESTARTS, _RESTARTED_ROWS // len(choice.shares))):
        picked = best.copy()
        for k in rng.permutation(choice.n_columns)[:3]:
            picked[k] = rng.choice(np.flatnonzero(choice.column == k))
        best = min(best, _descend(choice, picked, _SHARPNESS[-1]), key=choice.badness)
    return best


def _descend(choice: _Choice, picked: NDArray[np.int64], sharpness: float) -> NDArray[np.int64]:
    """Change the way of one or two columns while the sum over the rows falls."""
    errors = choice.errors(picked)
    total = np.cosh(sharpness * errors).sum()
    for _ in range(_MOST_STEPS):
        changed = _best_change(choice, picked, errors, sharpness)
        there = choice.errors(changed)
        lower = np.cosh(sharpness * there).sum()
        mends = choice.bias(changed) <= _MOST_BIAS < choice.bias(picked)
        if not (mends or lower < total * (1.0 - _LEAST_GAIN)):
            break
        picked, errors, total = changed, there, lower
    return picked


def _best_change(
    choice: _Choice, picked: NDArray[np.int64], errors: Vector, sharpness: float
) -> NDArray[np.int64]:
    """Find the ways of one or two columns that lower the sum most.

    A change by d multiplies exp(s error) by exp(s d), so the sums by part, and by pairs of parts,
    give those of every change. To change one column is to leave another as it is.
    """
    parts, errors = _take_rows(choice.parts, errors, sharpness)
    change = choice.ways - choice.ways[picked][choice.column]
    bias, new_bias = _biases(choice, picked)
    shift = np.round(new_bias) - np.round(bias)
    sums = np.zeros(shift.shape)
    for sign in (sharpness, -sharpness):
        weights = np.exp(sign * errors)
        pairs = _count_pairs(parts, weights, choice.ways.shape[1])
        growth = np.expm1(sign * change)
        single = growth @ np.diagonal(pairs)
        both = np.add.outer(single, single) + growth @ pairs @ growth.T
        sums += (weights.sum() + both) * np.exp(-sign * shift)
    stays = np.isin(np.arange(len(choice.ways)), picked)
    is_twice = np.equal.outer(choice.column, choice.column) & ~np.logical_or.outer(stays, stays)
    off = np.where(is_twice, np.inf, _off(new_bias))
    most = _MOST_BIAS if (off <= _MOST_BIAS).any() else _off(bias)
    is_barred = off > most
    # Rounded, so that the last bits of the sums do not decide between equal changes.
    sums = np.where(is_barred, np.inf, np.round(sums / sums[picked[0], picked[0]], 10))
    changed = picked.copy()
    for way in np.unravel_index(int(np.argmin(sums)), sums.shape):
        if not stays[way]:
            changed[choice.column[way]] = way
    return changed


def _biases(choice: _Choice, picked: NDArray[np.int64]) -> tuple[float, Vector]:
    """Give the mean error, and that of every change of two ways, before the shift of the sums."""
    means = choice.means
    bias = float(means[picked].sum())
    moved = means - means[picked][choice.column]
    return bias, bias + np.add.outer(moved, moved)


def _take_rows(
    parts: NDArray[np.int64], errors: Vector, sharpness: float
) -> tuple[NDArray[np.int64], Vector]:
    """Take the rows that are counted: where there are many, those of the largest errors."""
    if len(errors) <= _MOST_ROWS:
        return parts, errors
    by_size = np.argsort(-np.abs(errors), kind="stable")
    step = 1 if sharpness >= _ONLY_LARGEST else len(errors) // _MOST_ROWS
    kept = np.sort(by_size[::step][:_MOST_ROWS])
    return parts[:, kept], errors[kept]


def _count_pairs(parts: NDArray[np.int64], weights: Vector, n_parts: int) -> Vector:
    """Weight of the rows of each pair of parts."""
    found = np.zeros((n_parts, n_parts))
    for k, own in enumerate(parts):
        first, n = int(own.min()), int(np.ptp(own)) + 1
        places = (own - first) * n_parts + parts[k:]
        counted = np.bincount(places.ravel(), np.tile(weights, len(places)), minlength=n * n_parts)
        found[first : first + n] += counted.reshape(n, n_parts)
    return np.asarray(np.triu(found) + np.triu(found, 1).T)
