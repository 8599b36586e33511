"""Partitions: what was found, and how it is applied to new values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._inputs import read_column
from partage._kinds import Column, Kind, keys_like

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from partage._inputs import Table


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
        Distinct values of the training column, missing ones apart.
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

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def n_parts(self) -> int:
        """Number of parts, K."""
        return len(self.counts)

    @property
    def missing_code(self) -> int:
        """Code of missing values: K, or the code of the part they were merged with."""
        return self.n_parts if self.missing_part is None else self.missing_part

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
        """Readable name of each code, missing values last."""
        return [*self.labels(), "missing"]

    def code_counts(self) -> NDArray[np.float64]:
        """Class weights of each code; merged missing values are counted in their part."""
        if self.missing_part is None:
            return np.vstack([self.counts, self.missing_counts])
        return np.vstack([self.counts, self.counts[self.missing_part]])

    def code_rates(self) -> NDArray[np.float64]:
        """Class shares of each code; a code without training rows has the shares of all rows."""
        counts = self.code_counts()
        sizes = counts.sum(axis=1, keepdims=True)
        everything = self.totals()
        prior = everything / max(everything.sum(), np.finfo(float).tiny)
        return np.where(sizes > 0, counts / np.where(sizes > 0, sizes, 1.0), prior)

    def code_woe(self, label: int) -> NDArray[np.float64]:
        """Weight of evidence of each code for one class against the rest.

        Parameters
        ----------
        label : int
            Position of the class in ``classes``.

        Returns
        -------
        ndarray of shape (K + 1,)
            Missing values last; 0 for a code without training rows.
        """
        counts = self.code_counts()
        event = counts[:, label]
        other = counts.sum(axis=1) - event
        everything = self.totals()
        n_event = everything[label]
        n_other = everything.sum() - n_event
        if n_event == 0 or n_other == 0:
            return np.zeros(len(counts))
        woe = np.log((event + 0.5) / n_event) - np.log((other + 0.5) / n_other)
        return np.asarray(np.where(counts.sum(axis=1) > 0, woe, 0.0))

    def totals(self) -> NDArray[np.float64]:
        """Weight of each class over all rows, missing values included."""
        everything = self.counts.sum(axis=0)
        merged = self.missing_part is not None
        return np.asarray(everything if merged else everything + self.missing_counts)

    def table(self) -> Any:
        """One row per part, and one for missing values, as a data frame.

        Returns
        -------
        DataFrame
            Of the library the data came in; pandas for arrays. Columns: ``part``, ``count``
            (training rows), ``weight`` if weights were given, ``share``, then for each class its
            ``count_...`` and ``rate_...``, and ``woe`` for two classes. Missing values that were
            merged stand in the row of their part.
        """
        from partage._tables import partition_table

        return partition_table(self)

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

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold; ``partage.from_dict`` reads it back."""
        from partage._model_file import partition_to_dict

        return partition_to_dict(self)

    def __repr__(self) -> str:
        parts = ", ".join(self.labels()[:6]) + (", ..." if self.n_parts > 6 else "")
        return (
            f"{type(self).__name__}({self.name!r}: {self.n_parts} part"
            f"{'' if self.n_parts == 1 else 's'}, level {self.level:.4f}; {parts})"
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
        """Part code of each value: 0 to K-1, and ``missing_code`` for missing values.

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

    def _assign_column(self, who: str, column: Column) -> NDArray[np.int64]:
        column = keys_like(who, column, self.kind)
        codes = _core.assign_parts(column.keys, self.cut_keys, self.missing_code).view(np.int64)
        if column.is_missing is not None:
            codes[column.is_missing.astype(bool)] = self.missing_code
        if self.missing == "error":
            check_no_missing(who, column)
        return codes


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
