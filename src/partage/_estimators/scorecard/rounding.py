"""Whole points: an offset of each column, chosen jointly so that the sums of rows lose least.

Within a column all points are rounded at one fraction, so that they keep their order and their
errors differ by less than 1. What is left to choose is that fraction, one of as many as a column
has parts; the error of a row is the sum over its columns, and the largest of them is made small.
To round each part on its own would lower no error noticeably: among all roundings of a column,
those at one fraction are the ones whose errors can vary least.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._estimators.scorecard.fit import Rows

__all__ = ["round_points"]

Vector = NDArray[np.float64]

_MOST_BIAS = 0.05  # of the mean error, beyond which no step may go
_MOST_PROPOSALS, _PROPOSED_ROWS = 1_000_000, 1_000_000_000  # so many, or fewer for many rows


def round_points(points: Mapping[str, Vector], rows: Rows, places: list[int]) -> dict[str, Vector]:
    """Round the points of parts so that the sums of the rows lose least."""
    shares = rows.sizes / rows.sizes.sum()
    columns = [
        _Column.of(exact, rows.codes[place], shares)
        for exact, place in zip(points.values(), places, strict=True)
    ]
    ups = _core.round_points(
        np.concatenate([column.fractions for column in columns]),
        np.cumsum([len(column.fractions) for column in columns]),
        np.array([column.units[rows.codes[i]] for column, i in zip(columns, places, strict=True)]),
        shares,
        _MOST_BIAS,
        min(_MOST_PROPOSALS, _PROPOSED_ROWS // len(shares)),
    )
    whole = [column.whole(n_up) for column, n_up in zip(columns, ups.tolist(), strict=True)]
    return dict(zip(points, _share_shifts(columns, whole), strict=True))


@dataclass(frozen=True)
class _Column:
    """The points of a column, and the fractions at which they can be rounded.

    Parts of the same fraction are one unit; units of rows are numbered by descending fractions.
    A part that no row holds goes with the unit next below it.
    """

    exact: Vector
    held: Vector  # share of the rows of each part
    fractions: Vector  # of the units
    units: NDArray[np.int32]  # of the parts

    @classmethod
    def of(cls, exact: Vector, codes: NDArray[np.int64], shares: Vector) -> _Column:
        """List the fractions of a column."""
        held = np.bincount(codes, shares, len(exact)).astype(np.float64)
        own = exact - np.floor(exact)
        fractions = np.unique(own[np.bincount(codes, minlength=len(exact)) > 0])[::-1]
        units = np.searchsorted(-fractions, -own).clip(max=len(fractions) - 1)
        return cls(exact, held, fractions.copy(), units.astype(np.int32))

    def whole(self, n_up: int) -> Vector:
        """Whole points if so many units are rounded up, those of the largest fractions first."""
        n_units = len(self.fractions)
        return np.asarray(np.floor(self.exact) + (n_up - 1 - self.units) // n_units + 1.0)

    def mean_error(self, whole: Vector) -> float:
        """Mean error over the rows."""
        return float(((whole - self.exact) * self.held).sum())


def _share_shifts(columns: list[_Column], whole: list[Vector]) -> list[Vector]:
    """Keep the sums of rows, and let every column be as near to its exact points as they allow."""
    means = np.array([c.mean_error(w) for c, w in zip(columns, whole, strict=True)])
    shifts = np.round(means)
    rest = int(shifts.sum())
    step = float(np.sign(rest))
    furthest = np.argsort(step * (means - shifts), kind="stable")
    shifts[furthest[: abs(rest)]] -= step
    return [w - shift + 0.0 for w, shift in zip(whole, shifts, strict=True)]
