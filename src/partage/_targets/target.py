"""``Target``: what the statistics of a set of rows mean. ``TargetRows``: the target of a fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._targets.described import Described
from partage._targets.segments import RowSegments
from partage._targets.tally import Tally


class Target(Protocol):
    """What the statistics of a set of rows mean: asked, never identified by its type.

    Attributes
    ----------
    offers : frozenset of str
        Statistics that a tally of it holds: ``"counts"``, ``"moments"`` or both.
    classes : ndarray
        The classes, in the order of the counts; empty where the target has none.
    kind : str
        ``"class"`` or ``"number"``, as users call it.
    noun : str
        What it is called in results.
    code : str
        How parts tell the ranks of a number; empty for classes.
    event : int
        Position of the class whose rate and evidence tables show.
    woe_sign : int
        1 where a high weight of evidence means the event, -1 where it means the other class.
    """

    @property
    def offers(self) -> frozenset[str]: ...
    @property
    def kind(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def noun(self) -> str: ...
    @property
    def described(self) -> str:
        """What a description tells of its rows, in words."""

    @property
    def classes(self) -> NDArray[Any]: ...
    @property
    def event(self) -> int: ...
    @property
    def woe_sign(self) -> int: ...
    @property
    def n_sums(self) -> int:
        """Number of sums that a set of rows has."""

    @property
    def is_constant(self) -> bool:
        """Whether all rows have the same, so that no part differs from another."""

    @property
    def constant(self) -> str:
        """What it has one of only, in words; nothing for a target that varies."""

    @property
    def trend_sign(self) -> float | None:
        """1 or -1 for a target whose rate has a bound under a trend: which way it rises."""

    def tally(self, rows: TargetRows, codes: NDArray[Any], n: int) -> Tally:
        """Sum the rows of each code from 0 to n - 1; rows of a negative code stay out."""

    def sums(
        self, rows: TargetRows, codes: NDArray[Any], n: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Moments and extremes of each code, of a target that is a number."""

    @property
    def n_read(self) -> int:
        """Number of sums that stand behind the others in what a search reads."""

    @property
    def joins(self) -> bool:
        """Whether it has classes with an order, of which parts may tell neighbours as one."""

    def for_method(self, who: str, method: str, rows: TargetRows) -> TargetRows:
        """Give rows of this target what a method reads of them, which may be more than usual."""

    def empty(self, n: int) -> Tally:
        """Make n sets without rows."""

    def expressions(self, column: nw.Expr) -> dict[str, nw.Expr]:
        """Columns, beside its value, by which a query of an engine groups the rows."""

    def check_trend(self, who: str) -> None:
        """Refuse a trend of a target without an order."""

    def scores(self) -> NDArray[np.float64]:
        """Give a score to each of the sums of a set, which a trend follows."""

    def row_scores(self, rows: TargetRows) -> NDArray[np.float64]:
        """Score of each row."""

    def score_sums(self, tally: Tally) -> NDArray[np.float64]:
        """Weighted sum of the scores of each set."""

    def mean_scores(self, tally: Tally) -> NDArray[np.float64]:
        """Mean score of each set, as users know it; none may be empty."""

    def key(self, tally: Tally) -> NDArray[np.float64]:
        """Give each unordered set the number that it is ordered by."""

    def order(self, tally: Tally) -> NDArray[np.int64]:
        """Order of unordered sets, ties by their weight."""

    def strength(self, tally: Tally) -> dict[str, float]:
        """Measures of how much sets tell of the target, by name."""

    def remarks(self, n_parts: int) -> list[str]:
        """Say what an explanation of so many parts should, in lines."""

    def cut_values(self) -> NDArray[np.float64]:
        """Where a number is divided into the intervals that parts tell."""

    def columns(self, tally: Tally, averaged: Tally | None = None) -> dict[str, NDArray[Any]]:
        """Columns of a table: a value for each set, then for all of them together.

        Where averaged shares of the sets are given, rates and evidence come from these.
        """

    def rates(self, tally: Tally, total: Tally) -> NDArray[np.float64]:
        """Class shares of each set, of a target with classes."""

    def woe(self, tally: Tally, total: Tally, label: int) -> NDArray[np.float64]:
        """Weight of evidence of each set for one class, of a target with classes."""

    def smoothed(self, tally: Tally, total: Tally) -> Tally:
        """Draw what each set holds to what all rows hold."""

    def laws(self, tally: Tally, total: Tally) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Give what is expected of each set, given its rows, and the deviations of that."""

    def describe(self, tally: Tally, total: Tally) -> Described:
        """Give what a report shows of sets."""

    def charted(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the counts that a chart of values stacks, of rows counted as in a tally."""

    def quartiles_of(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Quartiles of a number in rows counted as in a tally; none for classes."""

    def law_names(self) -> dict[int, str]:
        """Name the columns of the laws that a picture shows."""

    @property
    def law_range(self) -> tuple[float, float]:
        """Between what the laws lie."""

    def check_output(self, output: str, who: str) -> None:
        """Refuse an output that the target does not have."""

    def output_names(self, output: str, name: str) -> list[str]:
        """Names of the columns of an output that shows the target."""

    def outputs(self, output: str, tally: Tally, total: Tally) -> NDArray[np.float64]:
        """Output of each set, with that of all rows for sets without any."""

    def as_kept(self) -> Target:
        """Give what a partition and its file keep."""

    def as_one_cell(self) -> Target:
        """Leave out what tells the ranks of a number, which a curve of means does not need."""

    def retold(self, tally: Tally) -> Tally:
        """Express what sets hold where ``as_one_cell`` left something out."""

    def in_classes_of(self, other: Target) -> Target:
        """Take the classes of another target; the event stays unless they differ."""

    def marked(self, event: int, woe_sign: int) -> Target:
        """Name the event, and the sign of the evidence."""

    def codes_like(self, who: str, rows: TargetRows, fitted: str) -> TargetRows:
        """Express rows read on their own in this target, which must know all they hold."""

    def codes_of(self, amounts: NDArray[np.float64]) -> NDArray[np.uint16]:
        """Find the cell of each amount, of a target that is a number."""

    def same_as(self, other: Target) -> bool:
        """Whether both mean the same."""

    def to_plain(self) -> dict[str, Any]:
        """Plain data for a file."""


@dataclass(frozen=True)
class TargetRows:
    """The target of the rows of a fit: a class code each, weights, segments, which are kept.

    Attributes
    ----------
    target : Target
        What the codes mean.
    codes : ndarray of uint16
        Class of each row that counts.
    weights : ndarray of float64 or None
        Weight of each row that counts, where weights were given.
    kept : ndarray of bool or None
        Which rows of the table have a positive weight, where some have none.
    rows : ndarray of int64 or None
        Rows that each entry stands for, where they were counted.
    segments : RowSegments or None
        Segment of each row, in each of which a trend must hold.
    values : ndarray of float64 or None
        Number of each row that counts, of a target that is one; the codes are those of its cells.
    exposure : ndarray of float64 or None
        Exposure of each row that counts, over which its number counts events.
    """

    target: Target
    codes: NDArray[np.uint16]
    weights: NDArray[np.float64] | None = None
    kept: NDArray[np.bool_] | None = None
    rows: NDArray[np.int64] | None = None
    segments: RowSegments | None = None
    values: NDArray[np.float64] | None = None
    exposure: NDArray[np.float64] | None = None

    @property
    def amounts(self) -> NDArray[np.float64]:
        """The numbers, of a target that has them."""
        assert self.values is not None
        return self.values

    @property
    def sums_amounts(self) -> bool:
        """Whether the numbers of rows are known, and all that is summed."""
        return self.values is not None and bool(getattr(self.target, "sums_amounts", False))

    @property
    def classes(self) -> NDArray[Any]:
        """The classes, in order."""
        return self.target.classes

    @property
    def n_classes(self) -> int:
        """Number of classes; of a number that of its cells."""
        return self.target.n_sums

    @property
    def event(self) -> int:
        """Position of the event of two classes; nobody asks it of more."""
        return self.target.event

    @property
    def n_rows(self) -> int:
        """Number of rows that count."""
        return len(self.codes)

    @property
    def n_table_rows(self) -> int:
        """Number of rows of the table, those without weight included."""
        return len(self.codes) if self.kept is None else len(self.kept)

    def count_rows(self, codes: NDArray[np.int64], n: int) -> NDArray[np.int64]:
        """Rows behind the entries of each code from 0 to n - 1, regardless of weight."""
        counted = np.bincount(codes, self.rows, minlength=n)  # a float sum is exact to 2^53
        return np.asarray(counted.astype(np.int64))

    def counts(self) -> NDArray[np.float64]:
        """Weight of each class."""
        return np.bincount(self.codes, self.weights, minlength=self.n_classes).astype(np.float64)

    def tally(self, codes: NDArray[Any], n: int) -> Tally:
        """Sum the rows of each code from 0 to n - 1; rows of a negative code stay out."""
        return self.target.tally(self, codes, n)

    def marked(self, event: int, woe_sign: int) -> TargetRows:
        """Name the event, and the sign of the evidence."""
        return replace(self, target=self.target.marked(event, woe_sign))

    def kept_of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Keep what belongs to rows that count, of an array over the table."""
        return values if self.kept is None else values[self.kept]

    def take(self, rows: Any) -> TargetRows:
        """Keep some of the rows that count; which of the table they are is forgotten."""
        return replace(
            self,
            codes=self.codes[rows],
            weights=None if self.weights is None else self.weights[rows],
            kept=None,
            rows=None if self.rows is None else self.rows[rows],
            segments=None if self.segments is None else self.segments.take(rows),
            values=None if self.values is None else self.values[rows],
            exposure=None if self.exposure is None else self.exposure[rows],
        )

    def without(self, is_out: NDArray[np.bool_]) -> TargetRows:
        """Leave rows of the table out; the classes stay."""
        kept = ~is_out if self.kept is None else self.kept & ~is_out
        among = kept if self.kept is None else kept[self.kept]
        left = replace(self.take(among), kept=kept)
        return left if left.segments is None else replace(left, segments=left.segments.used())

    def with_segments(
        self, who: str, codes: NDArray[Any], values: Any, tolerance: float
    ) -> TargetRows:
        """Give each row its segment; missing ones are a segment of their own."""
        n_rows = self.n_table_rows
        if len(codes) != n_rows:
            raise ValueError(
                f"{who}: by and y must have the same number of rows; got {len(codes)} and {n_rows}."
            )
        return replace(self, segments=RowSegments.of(self.kept_of(codes), values, tolerance))

    @property
    def labels(self) -> NDArray[Any]:
        """What tells rows apart: the class codes, or the numbers."""
        return self.codes if self.values is None else self.values

    def with_entries(
        self,
        like: NDArray[np.int64],
        weights: NDArray[np.float64] | None,
        rows: NDArray[np.int64] | None,
    ) -> TargetRows:
        """Make entries of the same target, each with the class or number of one of the rows."""
        values = None if self.values is None else self.values[like]
        return TargetRows(self.target, self.codes[like], weights, None, rows, values=values)


def check_lengths(who: str, name: str, n_rows: int, rows: TargetRows) -> None:
    """Refuse a target of another length than the data."""
    if n_rows != rows.n_table_rows:
        raise ValueError(
            f"{who}: {name} and y must have the same number of rows; got inconsistent numbers of "
            f"samples: [{n_rows}, {rows.n_table_rows}]."
        )


__all__ = ["Target", "TargetRows", "check_lengths"]
