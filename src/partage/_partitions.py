"""Partitions: what was found, and how it is applied to new values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._inputs import read_column
from partage._kinds import Column, Kind, keys_like

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from partage._editing import Edit
    from partage._inputs import Table
    from partage._units import Units


@dataclass(frozen=True, eq=False, repr=False)
class Partition:
    """What every partition of one column holds.

    Attributes
    ----------
    name : str
        Name of the column.
    method : str
        Method that found the partition.
    classes : ndarray of shape (J,)
        The classes, in the order of the columns of ``counts``.
    counts : ndarray of shape (K, J)
        Weight of each class in each part.
    missing_counts : ndarray of shape (J,)
        Weight of each class among the missing values, which are no part of the K.
    cost, null_cost : float
        Cost of the partition and of one part, lower is better: in nats for MODL, the method's own
        value for methods that judge whole partitions, MODL's for the others.
    level : float
        ``1 - cost / null_cost`` under MODL, at least 0: 0 is no information on the class.
    is_optimal : bool
        True where the search proves that no partition costs less.
    rows : ndarray of shape (K,)
        Training rows of each part, whatever they weigh.
    missing_rows : int
        Training rows with a missing value.
    n_values : int
        Distinct values of the training column, missing and special ones apart.
    special_values : tuple
        Values that are no values, in the order they were named; S of them.
    special_counts : ndarray of shape (S, J)
        Weight of each class among the rows of each special value.
    special_rows : ndarray of shape (S,)
        Training rows of each special value.
    special_parts : tuple
        Part that each special value was merged with, or None.
    method_params : dict or None
        Parameters of the method, as given.
    history : tuple of Edit
        The edits that led here, each with its ``action`` and its ``price`` in bits.
    constraints : dict
        Limits that the parts satisfy, by name; ``"monotonic"`` is the trend that was found.
    price : float or None
        Bits that the limits, and edits, cost against the optimum without them; the method's own
        unit where that is no code length, None where the method has no optimum.
    gap : float or None
        Bits by which the optimum under the limits may be lower, at most: 0 where it is proven, None
        where nothing is certified.
    event : int
        Position in ``classes`` of the event, whose rate and evidence tables show for two classes.
    woe_sign : int
        1 where a high weight of evidence means the event, -1 where it means the other class.
    exact_counts : bool
        False where an engine counted the values in small intervals away from the cuts; the counts
        of the parts are exact nevertheless.
    loss_bound : float or None
        Most nats by which a partition of the values themselves, of at most one part more, could
        cost less than the best of the intervals that were counted; 0 where the counts are exact,
        None for methods other than MODL.
    """

    name: str
    method: str
    classes: NDArray[Any]
    counts: NDArray[np.float64]
    missing_counts: NDArray[np.float64]
    cost: float
    null_cost: float
    level: float
    is_optimal: bool
    rows: NDArray[np.int64]
    missing_rows: int
    n_values: int = 0
    missing: str = "separate"
    missing_part: int | None = None
    library: str = field(default="pandas")
    special_values: tuple[Any, ...] = ()
    special_counts: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    special_rows: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    special_parts: tuple[int | None, ...] = ()
    method_params: Mapping[str, Any] | None = None
    units: Units | None = None  # counts of the values, for edits
    history: tuple[Edit, ...] = ()
    constraints: Mapping[str, Any] = field(default_factory=dict)
    price: float | None = 0.0
    gap: float | None = None
    event: int = 1
    woe_sign: int = 1
    exact_counts: bool = True
    loss_bound: float | None = 0.0

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def _with_units_of_at_most(self, n_bytes: int) -> Self:
        """Keep no more of the column than fits so much memory."""
        if self.units is None or self.units.n_bytes <= n_bytes:
            return self
        return replace(
            self, units=self.units.at_most(n_bytes, getattr(self, "cut_keys", np.empty(0)))
        )

    @property
    def n_parts(self) -> int:
        """Number of parts, K."""
        return len(self.counts)

    @property
    def missing_code(self) -> int:
        """Code of missing values: K, or the code of the part they were merged with."""
        return self.n_parts if self.missing_part is None else self.missing_part

    @property
    def special_codes(self) -> tuple[int, ...]:
        """Code of each special value: from K + 2 on, or the code of the part it was merged with."""
        first = self.n_parts + 2
        return tuple(
            first + i if part is None else part for i, part in enumerate(self.special_parts)
        )

    @property
    def has_unseen(self) -> bool:
        """Whether the code K + 1 of unseen values stands among the codes."""
        return bool(self.special_values)

    @property
    def is_weighted(self) -> bool:
        """Whether weights other than one row each were given."""
        return bool((self.counts.sum(axis=1) != self.rows).any())

    def labels(self) -> list[str]:
        """Readable name of each part."""
        raise NotImplementedError

    def _assign_from(self, who: str, table: Table, index: int) -> NDArray[np.int64]:
        """Codes of a column of a table."""
        raise NotImplementedError

    def code_labels(self) -> list[str]:
        """Readable name of each code: parts, missing, unseen if it can be, special values."""
        unseen = ["unseen"] if self.has_unseen else []
        special = [f"special {value}" for value in self.special_values]
        return [*self.labels(), "missing", *unseen, *special]

    def code_counts(self) -> NDArray[np.float64]:
        """Class weights of each code; what was merged has those of its part."""
        kept_apart = [(self.missing_part, self.missing_counts)]
        if self.has_unseen:
            kept_apart.append((None, self._unseen_counts()))
        kept_apart.extend(zip(self.special_parts, self.special_counts, strict=True))
        rows = [row if part is None else self.counts[part] for part, row in kept_apart]
        return np.vstack([self.counts, *rows])

    def code_rows(self) -> NDArray[np.int64]:
        """Training rows of each code; what was merged has those of its part."""
        kept_apart = [(self.missing_part, self.missing_rows)]
        if self.has_unseen:
            kept_apart.append((None, 0))
        kept_apart.extend(zip(self.special_parts, self.special_rows.tolist(), strict=True))
        rows = [n if part is None else self.rows[part] for part, n in kept_apart]
        return np.append(self.rows, rows).astype(np.int64)

    def _unseen_counts(self) -> NDArray[np.float64]:
        """Class weights of unseen values."""
        return np.zeros(len(self.classes))

    def code_rates(self) -> NDArray[np.float64]:
        """Class shares of each code; a code without training rows has the shares of all rows."""
        return class_shares(self.code_counts(), self.totals())[0]

    def code_woe(self, label: int) -> NDArray[np.float64]:
        """Weight of evidence of each code for one class against the rest.

        Parameters
        ----------
        label : int
            Position of the class in ``classes``.

        Returns
        -------
        ndarray
            One number for each code; 0 for a code without training rows.
        """
        return self.woe_sign * weight_of_evidence(self.code_counts(), self.totals(), label)

    def totals(self) -> NDArray[np.float64]:
        """Weight of each class over all rows, missing and special values included."""
        everything = self.counts.sum(axis=0)
        if self.missing_part is None:
            everything = everything + self.missing_counts
        for part, row in zip(self.special_parts, self.special_counts, strict=True):
            if part is None:
                everything = everything + row
        return np.asarray(everything)

    def table(
        self, x: Any = None, y: Any = None, *, sample_weight: Any = None, style: str | None = None
    ) -> Any:
        """One row per part, then missing, unseen and special values and the total.

        Parameters
        ----------
        x, y : array-like, default=None
            Other data to count in the same parts; by default the training data.
        sample_weight : array-like, default=None
            Frequency of each row of the other data.
        style : {"html"}, default=None
            Give a table that notebooks show with bars, instead of a data frame.

        Returns
        -------
        DataFrame
            Of the library the data came in; pandas for arrays. Columns: ``part``, ``count``
            (rows), ``weight`` if weights were given, ``share``, for each class its ``count_...``
            and ``rate_...``; for two classes ``event_rate`` (of the second class), ``woe`` and
            ``iv``, for more ``woe_...`` of each against the rest; ``bits``, what the row saves of
            the description of the classes. Other data have ``share_fitted`` and ``psi`` too.
            Missing and special values that were merged stand in the row of their part.
        """
        from partage._notebook import styled
        from partage._tables import partition_table

        frame = partition_table(self, x, y, sample_weight)
        return frame if style is None else styled(f"{type(self).__name__}.table", frame, style)

    def recount(self, x: Any, y: Any, *, sample_weight: Any = None) -> Self:
        """Count the same parts on other data.

        Parameters
        ----------
        x, y : array-like
            The data.
        sample_weight : array-like, default=None
            Frequency of each row.

        Returns
        -------
        Intervals or Groups
            The same parts with counts, cost and level of these data, ready to be edited.
        """
        from partage._new_data import recount

        counted: Self = recount(self, x, y, sample_weight)
        return counted

    def psi(self, x: Any) -> float:
        """Compare the shares of the parts in other data with training: stability index.

        Parameters
        ----------
        x : array-like
            The data.

        Returns
        -------
        float
            0 for the same shares of the parts; above 0.25 is usually called a shift.
        """
        from partage._new_data import psi

        return psi(self, x)

    def level_on(self, x: Any, y: Any, *, sample_weight: Any = None) -> float:
        """Level of the same parts on other data.

        Parameters
        ----------
        x, y : array-like
            The data.
        sample_weight : array-like, default=None
            Frequency of each row.

        Returns
        -------
        float
            0 where the parts tell nothing of these classes.
        """
        from partage._new_data import count_codes, level_on

        who = f"{type(self).__name__}.level_on"
        return level_on(self, count_codes(who, self, x, y, sample_weight))

    def explain(self) -> Any:
        """Say why these parts: what each cut saves, why not one more, what comes next.

        Returns
        -------
        Explanation
            Text for people; ``facts`` holds the numbers.
        """
        from partage._explain import explain

        return explain(self)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw class shares and sizes of the parts with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._plots import plot_partition

        return plot_partition(self, ax)

    def merge(self, *parts: int | str) -> Self:
        """Merge parts into one.

        Parameters
        ----------
        *parts : int or "missing"
            Numbers of the parts: neighbours on a line, any for unordered groups. ``"missing"``
            beside one part puts missing values into it.

        Returns
        -------
        Intervals or Groups
            A new partition; its ``history`` tells the price in bits.
        """
        from partage._editing import merge

        edited: Self = merge(self, parts)
        return edited

    def undo(self, steps: int = 1) -> Self:
        """Take the last edits back.

        Parameters
        ----------
        steps : int, default=1
            How many edits.

        Returns
        -------
        Intervals or Groups
            The partition as it was before them.
        """
        from partage._editing import undo

        before: Self = undo(self, steps)
        return before

    def to_sql(self, dialect: str = "duckdb", column: str | None = None) -> str:
        """Write the code of a value as one expression of SQL.

        Parameters
        ----------
        dialect : {"duckdb", "postgres", "sqlite", "bigquery", "snowflake"}, default="duckdb"
            Whose SQL to write.
        column : str, default=None
            Name of the column in SQL; by default the name it was fitted with.

        Returns
        -------
        str
            A CASE expression equal to ``assign``; NULL for missing values under
            ``missing="error"``.
        """
        from partage._sql import partition_to_sql

        return partition_to_sql(self, dialect, column)

    def to_python(self) -> str:
        """Write the rules as the source of a Python module without partage.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            gives the code under the name of the column.
        """
        from partage._python_source import python_source

        who = f"{type(self).__name__}.to_python"
        return python_source(who, [(self.name, self, None, [self.name])])

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold; ``partage.from_dict`` reads it back."""
        from partage._model_file import partition_to_dict

        return partition_to_dict(self)

    def _repr_html_(self) -> str:
        from partage._notebook import partition_html

        return partition_html(self)

    def __repr__(self) -> str:
        parts = ", ".join(self.labels()[:6]) + (", ..." if self.n_parts > 6 else "")
        price = sum(edit.price for edit in self.history)
        edited = f", edited for {price:+.2f} bits" if self.history else ""
        return (
            f"{type(self).__name__}({self.name!r}: {self.n_parts} part"
            f"{'' if self.n_parts == 1 else 's'}, level {self.level:.4f}{edited}; {parts})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Intervals(Partition):
    """Intervals of one numeric column, as found by ``partage.discretize``.

    A value x lies in part k if ``cuts[k-1] < x <= cuts[k]``.

    Examples
    --------
    >>> import partage as pt
    >>> p = pt.discretize([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], list("aaaaaabbbbbb"))
    >>> p.cuts
    array([6.5])
    >>> p.assign([6, 7, float("nan")])
    array([0, 1, 2])
    >>> p
    Intervals('x': 2 parts, level 0.2472; (-inf, 6.5], (6.5, inf))
    """

    kind: Kind = field(default=Kind("number"))
    cut_keys: NDArray[Any] = field(default_factory=lambda: np.empty(0))

    @property
    def cuts(self) -> NDArray[Any]:
        """Increasing thresholds, K - 1 of them, of the type of the column."""
        return self.kind.show(self.cut_keys)

    def labels(self) -> list[str]:
        """Readable intervals ``(a, b]``; what is printed is the cut itself."""
        shown = [_show(cut) for cut in self.cuts]
        lows = ["-inf", *shown]
        ends = [*(f"{cut}]" for cut in shown), "inf)"]
        return [f"({low}, {end}" for low, end in zip(lows, ends, strict=True)]

    def assign(self, x: Any) -> NDArray[np.int64]:
        """Part code of each value: 0 to K-1, ``missing_code``, or one of ``special_codes``.

        Parameters
        ----------
        x : array-like
            One column: an array, a list, or a series of any library.

        Returns
        -------
        ndarray of int64
            One code for each value.
        """
        who = "Intervals.assign"
        return self._assign_column(who, read_column(who, x, self.name))

    def _assign_from(self, who: str, table: Table, index: int) -> NDArray[np.int64]:
        """Codes of a column of a table."""
        return self._assign_column(who, table.column(who, index))

    def split(self, part: int, at: Any) -> Intervals:
        """Cut a part in two.

        Parameters
        ----------
        part : int
            Number of the part.
        at : number or time
            Where to cut: inside the part.

        Returns
        -------
        Intervals
            A new partition; its ``history`` tells the price in bits.
        """
        from partage._editing import split_interval

        return split_interval(self, part, at)

    def set_cuts(self, cuts: Any) -> Intervals:
        """Cut at these places instead.

        Parameters
        ----------
        cuts : sequence
            Increasing cuts of the column's own type; none makes one part.

        Returns
        -------
        Intervals
            A new partition; its ``history`` tells the price in bits.
        """
        from partage._editing import set_cuts

        return set_cuts(self, cuts)

    @cached_property
    def _special_keys(self) -> list[Any]:
        """Keys of the special values."""
        from partage._beside import special_keys

        return special_keys("Intervals", self.name, self.special_values, self.kind)

    def _assign_column(self, who: str, given: Column) -> NDArray[np.int64]:
        column = keys_like(who, given, self.kind)
        codes = _core.assign_parts(column.keys, self.cut_keys, self.missing_code).view(np.int64)
        if column.is_missing is not None:
            codes[column.is_missing.astype(bool)] = self.missing_code
        if self.missing == "error":
            check_no_missing(who, column)
        if self.special_values:
            from partage._beside import codes_of_special

            special = codes_of_special(given, self._special_keys, self.kind)
            held = special >= 0
            codes[held] = np.array(self.special_codes, dtype=np.int64)[special[held]]
        return codes


def class_shares(
    counts: NDArray[np.float64], totals: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Class shares of each row, and of all rows, which a row without weight has."""
    sizes = counts.sum(axis=1, keepdims=True)
    prior = totals / max(totals.sum(), np.finfo(float).tiny)
    return np.where(sizes > 0, counts / np.where(sizes > 0, sizes, 1.0), prior), prior


def weight_of_evidence(
    counts: NDArray[np.float64], totals: NDArray[np.float64], label: int
) -> NDArray[np.float64]:
    """Weight of evidence of each row for one class against the rest; 0 without weight."""
    event = counts[:, label]
    other = counts.sum(axis=1) - event
    n_event = totals[label]
    n_other = totals.sum() - n_event
    if n_event == 0 or n_other == 0:
        return np.zeros(len(counts))
    woe = np.log((event + 0.5) / n_event) - np.log((other + 0.5) / n_other)
    return np.asarray(np.where(counts.sum(axis=1) > 0, woe, 0.0))


def _show(cut: Any) -> str:
    """Text of a cut from which it can be read back."""
    return repr(float(cut)) if isinstance(cut, float) else str(cut)


def check_no_missing(who: str, column: Column) -> None:
    """Refuse missing values under ``missing="error"``."""
    n_missing = int(column.missing_mask().sum())
    if n_missing:
        raise ValueError(
            f"{who}: column {column.name!r} must hold no missing values with missing='error'; "
            f"got {n_missing}. Fill them, or use missing='separate' or 'merge'."
        )
