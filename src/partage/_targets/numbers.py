"""``NumberTarget``: an amount, a price, a count; its ranks, its means and its spread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._targets.cells import Cells, interpolate
from partage._targets.shown_number import ShownNumber, moments_of
from partage._targets.sums import extremes, mean_of, run_sums, sums_by_code, sums_of_rows
from partage._targets.tally import Tally
from partage._targets.target import Target, TargetRows

_NO_CLASSES = np.empty(0, dtype=np.float64)
CODES = ("scores", "classes", "grid")  # of ranks
N_MOMENTS = 5  # two columns of deviations, two of their squares, zeros


@dataclass(frozen=True, eq=False)
class NumberTarget(ShownNumber):
    """A number of which parts tell the ranks, and show means.

    Its rows are counted in cells: the distinct values of the target, or at most 1,024 intervals of
    its ranks. A tally holds these counts, and beside them the sums of the deviations from a centre,
    of their squares, and the weight of zeros.

    Attributes
    ----------
    cells : Cells
        Intervals of the ranks of the rows that were read.
    center : float
        What deviations are measured from: the mean of the rows that were read.
    code : str
        How the ranks of parts are told: ``"scores"`` or ``"classes"``; empty before a search.
    target_cuts : tuple of int
        Of ``"classes"``: the cells at which the intervals of the target start, but for the first.
    n_grid : int
        Of ``"classes"``: intervals of equal frequency among which those of the target were chosen.
    """

    cells: Cells
    center: float
    code: str = ""
    target_cuts: tuple[int, ...] = ()
    n_grid: int = 1

    classes = _NO_CLASSES
    joins = False
    event = 1
    woe_sign = 1
    trend_sign = None
    kind = "number"
    noun = "target"
    described = "ranks of the target"

    @property
    def offers(self) -> frozenset[str]:
        """Statistics of a tally of it."""
        return frozenset({"moments"})

    @property
    def n_sums(self) -> int:
        """Number of cells."""
        return len(self.cells)

    @property
    def n_read(self) -> int:
        """Number of sums that stand behind the cells, where what is read is not the ranks."""
        return 0

    @property
    def n_moments(self) -> int:
        """Number of sums beside the cells."""
        return N_MOMENTS

    @property
    def sums_amounts(self) -> bool:
        """Whether the amounts of rows are all that is summed."""
        return True

    @property
    def is_constant(self) -> bool:
        """Whether there is one value only."""
        return len(self.cells) < 2

    @property
    def constant(self) -> str:
        """Words for a single value; nothing for more."""
        return "one value of the target only" if self.is_constant else ""

    @property
    def normal_scores(self) -> NDArray[np.float64]:
        """Mean and mean square of a standard normal on the ranks of each cell."""
        return self.cells.normal_scores

    def tally(self, rows: TargetRows, codes: NDArray[Any], n: int) -> Tally:
        """Sum the rows of each code from 0 to n - 1; rows of a negative code stay out."""
        if len(codes) and codes.min() < 0:
            held = codes >= 0
            rows, codes = rows.take(held), codes[held]
        places = codes.astype(np.int64, copy=False)
        cells = places * self.n_sums + rows.codes
        counts = np.bincount(cells, rows.weights, minlength=n * self.n_sums).astype(np.float64)
        counts = counts.reshape(n, self.n_sums)
        weight = np.asarray(counts.sum(axis=1))
        moments, spans = self.sums(rows, places, n)
        numbers = rows.count_rows(places, n)
        return Tally(numbers, weight, counts, moments, extremes=spans)

    def sums(
        self, rows: TargetRows, codes: NDArray[Any], n: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum deviations, their squares and zeros for each code; give its extremes."""
        if rows.weights is None:
            return sums_of_rows(rows.amounts, codes, n, self.center, self._scale)
        away = rows.amounts - self.center
        highest, total = self._scale
        first = sums_by_code(codes, away, rows.weights, n, (highest, total))
        second = sums_by_code(codes, away * away, rows.weights, n, (highest**2, total))
        zeros = np.bincount(codes, rows.weights * (rows.amounts == 0), minlength=n)
        return np.column_stack([first, second, zeros]), extremes(rows.amounts, codes, n)

    def run_sums(
        self, amounts: NDArray[np.float64], edges: NDArray[Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum runs of rows of weight one, as `sums` does."""
        return run_sums(amounts, edges, self.center, self._scale)

    @property
    def _scale(self) -> tuple[float, float]:
        """Highest deviation and weight of the rows that were read."""
        edges = self.cells.lows[0] - self.center, self.cells.highs[-1] - self.center
        return float(max(map(abs, edges))), float(self.cells.weights.sum())

    def empty(self, n: int) -> Tally:
        """Make n sets without rows."""
        return Tally(
            np.zeros(n, dtype=np.int64),
            np.zeros(n),
            np.zeros((n, self.n_sums)),
            np.zeros((n, N_MOMENTS)),
            extremes=np.tile([np.inf, -np.inf], (n, 1)),
        )

    def expressions(self, column: nw.Expr) -> dict[str, nw.Expr]:
        """Columns, beside its value, by which a query of an engine groups the rows: the number."""
        return {"label": column}

    def for_method(self, who: str, method: str, rows: TargetRows) -> TargetRows:
        """Give rows the law of a method that tells the mean itself."""
        from partage._targets.families import with_family

        return with_family(who, method, rows)

    def check_trend(self, who: str) -> None:
        """Means always have an order."""

    def scores(self) -> NDArray[np.float64]:
        """Score of each number that a search reads of a part: the sum of deviations is the last."""
        return np.array([0.0, 0.0, 0.0, 1.0])

    def row_scores(self, rows: TargetRows) -> NDArray[np.float64]:
        """Deviation of each row."""
        return np.asarray(rows.amounts - self.center)

    def score_sums(self, tally: Tally) -> NDArray[np.float64]:
        """Weighted sum of the deviations of each set."""
        return deviations_of(moments_of(tally))

    def mean_scores(self, tally: Tally) -> NDArray[np.float64]:
        """Mean of each set."""
        return self.key(tally)

    def key(self, tally: Tally) -> NDArray[np.float64]:
        """Mean of each set; sets without weight have that of the rows that were read."""
        held = np.where(tally.weight > 0, tally.weight, 1.0)
        return np.asarray(self.center + deviations_of(moments_of(tally)) / held)

    def order(self, tally: Tally) -> NDArray[np.int64]:
        """Order of unordered sets: by their mean, ties by their weight."""
        return np.lexsort((tally.weight, self.key(tally)))

    def means(self, tally: Tally, total: Tally) -> NDArray[np.float64]:
        """Mean of each set; a set without weight has that of all rows."""
        return np.where(tally.weight > 0, self.key(tally), self.key(total)[0])

    def deviations(self, tally: Tally) -> NDArray[np.float64]:
        """Give the standard deviation of each set, by its weight; NaN without any."""
        weight = np.where(tally.weight > 0, tally.weight, np.nan)
        sums = moments_of(tally)
        squares = sums[:, 2] + sums[:, 3]
        variance = squares / weight - (deviations_of(sums) / weight) ** 2
        return np.sqrt(np.maximum(variance, 0.0))

    def quantiles(self, tally: Tally, shares: tuple[float, ...]) -> NDArray[np.float64]:
        """Values of the target below which these shares of each set lie; exact for single values.

        In a cell of several values ranks are spread evenly between the least and the greatest.
        """
        return interpolate(tally.class_counts, self.cells, shares)

    def cut_values(self) -> NDArray[np.float64]:
        """Middles between the cells that intervals of ranks end and start with."""
        starts = np.array(self.target_cuts, dtype=np.int64)
        return np.asarray(self.cells.highs[starts - 1] / 2 + self.cells.lows[starts] / 2)

    def smoothed(self, tally: Tally, total: Tally) -> Tally:
        """Draw the mean of each set to that of all rows, as if it held one more of these.

        A set of n rows has the mean (Σy + m) / (n + 1), m being the mean of all rows.
        """
        return self.of_means(tally, self.laws(tally, total)[0][:, 0])

    def of_means(self, tally: Tally, means: NDArray[np.float64]) -> Tally:
        """Give sets means that are averaged, in place of their own; they hold nothing else."""
        moments = np.zeros((len(tally), N_MOMENTS))
        moments[:, 0] = tally.weight * (means - self.center)
        return Tally(tally.rows, tally.weight, None, moments, is_averaged=True)

    def laws(self, tally: Tally, total: Tally) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Give the mean of each set, drawn to that of all rows by one more row, and its deviation.

        The row has the mean and the variance of all rows; the deviation is that of a mean.
        """
        whole = self.key(total) - self.center, self.deviations(total)
        sums, size = moments_of(tally), tally.weight + 1.0
        mean = (deviations_of(sums) + whole[0]) / size
        square = (sums[:, 2] + sums[:, 3] + whole[0] ** 2 + whole[1] ** 2) / size
        spread = np.sqrt(np.maximum(square - mean**2, 0.0) / size)
        return (self.center + mean)[:, None], spread[:, None]

    def as_kept(self) -> NumberTarget:
        """Give what a partition and its file keep."""
        return self

    def as_one_cell(self) -> NumberTarget:
        """Leave out the cells: what remains knows means, and no ranks."""
        low, high = self.cells.lows[:1], self.cells.highs[-1:]
        return NumberTarget(Cells(low, high, self.cells.weights.sum()[None]), self.center, "scores")

    def told(self, code: str, target_cuts: tuple[int, ...] = (), n_grid: int = 1) -> NumberTarget:
        """Say how the ranks of parts are told."""
        return replace(self, code=code, target_cuts=target_cuts, n_grid=n_grid)

    def retold(self, tally: Tally) -> Tally:
        """Express what sets hold in the cells of this target, which are those or all in one."""
        counts = tally.class_counts
        if counts.shape[1] == self.n_sums:
            return tally
        return replace(tally, counts=counts.sum(axis=1, keepdims=True))

    def in_classes_of(self, other: Target) -> NumberTarget:
        """Take the cells of another target; how ranks are told stays."""
        theirs = cast("NumberTarget", other)
        if self.cells.same_as(theirs.cells):
            return replace(self, center=theirs.center)
        # Intervals of another target's ranks are not known here: its scores are.
        return theirs.told("scores")

    def marked(self, event: int, woe_sign: int) -> NumberTarget:  # noqa: ARG002  # classes have these
        """Leave it as it is: there is no event."""
        return self

    def codes_like(self, who: str, rows: TargetRows, fitted: str) -> TargetRows:
        """Express rows read on their own in the cells of this target."""
        if "moments" not in rows.target.offers:
            raise ValueError(f"{who}: y must hold numbers, as {fitted} was fitted with.")
        return replace(rows, target=self, codes=self.codes_of(rows.amounts))

    def codes_of(self, amounts: NDArray[np.float64]) -> NDArray[np.uint16]:
        """Find the cell of each amount."""
        return self.cells.codes(amounts)

    def same_as(self, other: Target) -> bool:
        """Whether both mean the same."""
        theirs = cast("NumberTarget", other)
        return (
            other.offers == self.offers
            and self.cells.same_as(theirs.cells)
            and self.center == theirs.center
            and (self.code, self.target_cuts, self.n_grid)
            == (theirs.code, theirs.target_cuts, theirs.n_grid)
        )

    def to_plain(self) -> dict[str, Any]:
        """Give the data of a file."""
        return {
            "cells": self.cells.to_plain(),
            "center": self.center,
            "code": self.code,
            "target_cuts": list(self.target_cuts),
            "n_grid": self.n_grid,
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> NumberTarget:
        """Read what `to_plain` gave."""
        cells = Cells.from_plain(plain["cells"])
        cuts = tuple(int(cut) for cut in plain["target_cuts"])
        center, n_grid = float(plain["center"]), int(plain["n_grid"])
        if plain["code"] not in ("", *CODES) or not np.isfinite(center) or n_grid < 1:
            raise ValueError("a number is told by scores or by classes, around a finite centre")
        if list(cuts) != sorted({*cuts}) or any(not 0 < cut < len(cells) for cut in cuts):
            raise ValueError("cuts of the target must increase inside its cells")
        return cls(cells, center, str(plain["code"]), cuts, n_grid)


def deviations_of(moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the sums of deviations out of those of a number, which hold them in two columns."""
    return np.asarray(moments[:, 0] + moments[:, 1])


def number_rows(
    amounts: NDArray[np.float64],
    weights: NDArray[np.float64] | None = None,
    kept: NDArray[np.bool_] | None = None,
) -> TargetRows:
    """Make the target of rows whose numbers are known; weights are positive."""
    amounts = amounts + 0.0  # -0.0 becomes 0.0
    cells, codes = Cells.of(amounts, weights)
    return TargetRows(
        NumberTarget(cells, mean_of(amounts, weights)), codes, weights, kept, values=amounts
    )


def number_from_plain(plain: dict[str, Any]) -> NumberTarget:
    """Read what `to_plain` gave."""
    if "family" in plain:
        from partage._targets.families import family_from_plain

        return family_from_plain(plain)
    return NumberTarget.from_plain(plain)


__all__ = ["N_MOMENTS", "NumberTarget", "deviations_of", "number_from_plain", "number_rows"]
