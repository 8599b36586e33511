"""``Intervals``: the parts of a numeric column, and which side of a cut a value falls on."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.column import Column, Kind
from partage._data.keys import keys_like
from partage._data.table import read_column
from partage._partitions.partition import Partition, check_no_missing

if TYPE_CHECKING:
    from partage._data.table import Table

_UNITS_OF_PANDAS = ("D", "h", "m", "s", "ms", "us", "ns")


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
        """Readable intervals ``(a, b]``; what is printed is the cut itself.

        Up to the cut -inf lies that value alone, shown as ``{-inf}``; above the cut inf lies
        nothing, shown as ``{}``.
        """
        shown = [_show(cut) for cut in self.cuts]
        lows = ["-inf", *shown]
        ends = [*(f"{cut}]" for cut in shown), "inf)"]
        labels = [f"({low}, {end}" for low, end in zip(lows, ends, strict=True)]
        if shown and shown[0] == "-inf":
            labels[0] = "{-inf}"
        if shown and shown[-1] == "inf":
            labels[-1] = "{}"
        return labels

    def _assign_given(self, who: str, x: Any) -> NDArray[np.int64]:
        return self._assign_column(who, read_column(who, x, self.name, self.kind))

    def _assign_from(self, who: str, table: Table, index: int) -> NDArray[np.int64]:
        return self._assign_column(who, table.column(who, index, self.kind))

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
        from partage._partitions.edit import split_interval

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
        from partage._partitions.edit import set_cuts

        return set_cuts(self, cuts)

    @cached_property
    def _special_keys(self) -> list[Any]:
        """Keys of the special values."""
        from partage._search.aside import special_keys

        return special_keys("Intervals", self.name, self.special_values, self.kind)

    def _assign_column(self, who: str, given: Column) -> NDArray[np.int64]:
        column = keys_like(who, given, self.kind)
        codes = _core.assign_parts(column.keys, self.cut_keys, self.missing_code).view(np.int64)
        if column.is_missing is not None:
            codes[column.is_missing.astype(bool)] = self.missing_code
        if self.missing == "error":
            check_no_missing(who, column)
        if self.special_values:
            from partage._search.aside import codes_of_special

            special = codes_of_special(given, self._special_keys, self.kind)
            held = special >= 0
            codes[held] = np.array(self.special_codes, dtype=np.int64)[special[held]]
        return codes


def _show(cut: Any) -> str:
    """Text of a cut from which it can be read back."""
    if isinstance(cut, np.timedelta64) and np.datetime_data(cut.dtype)[0] in _UNITS_OF_PANDAS:
        import pandas as pd

        try:
            return str(pd.Timedelta(cut))
        except pd.errors.OutOfBoundsTimedelta:
            return str(cut)  # days that are too many to be counted in seconds
    return repr(float(cut)) if isinstance(cut, float) else str(cut)
