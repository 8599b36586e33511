"""``Space``: the distinct values of a column, which of them may join, and what each holds.

A space is what a search works on. It is kept with the partition, so that parts can be edited and
explained: exactly while it fits a budget of memory; beyond it neighbouring values are joined, and
cuts can then be placed between the joined ranges only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.categories import CategoryColumn, key_of
from partage._data.column import NumberColumn
from partage._spaces.saved_cells import cells_to_plain, counts_from_plain, sums_from_plain
from partage._spaces.unit_sums import KnownSums, UnitSums
from partage._targets.tally import Tally
from partage._targets.target import Target

MOST_BYTES = 32_000_000  # of the spaces of all columns of a fit together
LEAST_BYTES = 64_000  # of the space of one column
_BYTES_OF_UNIT = 12  # its value and where it starts
_MOST_JOINED = 20_000  # ranges that a long column is joined into
_MOST_SAVED = 2_000  # numbers of a line that a file holds
_MOST_SAVED_OF_GROUPS = 20_000  # a file lists every value anyway
_MOST_SAVED_OF_NUMBERS = 20_000  # a file lists the cells of the target anyway
_SUMS_OF_UNIT = 8  # numbers that a file holds of a unit beside its cells


@dataclass(frozen=True, eq=False, repr=False)
class Space:
    """The distinct values of a column, or ranges of them: the units that a search joins.

    Attributes
    ----------
    line : Line
        Class weights, unit by unit.
    lows, highs : ndarray
        Least and greatest key of each unit; for categories their positions.
    rows : ndarray or None
        Rows of each unit; None where every row has the weight one.
    values : tuple
        The values of the units, for categories.
    is_exact : bool
        Whether every unit is one value.
    is_line : bool
        Whether neighbours join only; else any units do.
    aside : Tally or None
        Rows beside the units: missing values, then special ones.
    sums : UnitSums or None
        What the units hold of a target that is a number.
    """

    line: _core.Line
    lows: NDArray[Any]
    highs: NDArray[Any]
    rows: NDArray[np.int64] | None = None
    values: tuple[Any, ...] = ()
    is_exact: bool = True
    is_line: bool = True
    aside: Tally | None = None
    sums: UnitSums | None = None

    @property
    def moments(self) -> NDArray[np.float64] | None:
        """Sums of the target in each unit, where it is a number."""
        return None if self.sums is None else self.sums.runs(np.arange(self.n_units + 1))[0]

    @cached_property
    def value_keys(self) -> list[tuple[str, Any]]:
        """What tells the values of categories apart, in their order."""
        return [key_of(value) for value in self.values]

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.line.n_units)

    @property
    def n_sums(self) -> int:
        """Number of sums that each unit has."""
        return int(self.line.n_classes)

    @property
    def keys(self) -> NDArray[Any]:
        """Key of each unit."""
        return self.highs

    @property
    def is_float(self) -> bool:
        """Whether the keys are floating-point numbers."""
        return self.highs.dtype.kind == "f"

    @property
    def total_weight(self) -> float:
        """Weight of the rows that are not set aside."""
        return float(self.line.total_weight)

    @property
    def n_bytes(self) -> int:
        """Memory that the units take, about."""
        of_entry = (10 if self.rows is not None else 2) + (8 if self.sums is not None else 0)
        return int(self.line.n_entries) * of_entry + self.n_units * _BYTES_OF_UNIT

    @property
    def line_bytes(self) -> int:
        """Memory that the units take without their keys, about."""
        return self.n_bytes - 8 * self.n_units

    def without_keys(self) -> Space:
        """Forget the values; where each stood is kept."""
        nothing = np.zeros(self.n_units, dtype=np.int8)
        return replace(self, lows=nothing, highs=nothing, aside=None)

    def counts(self, starts: NDArray[Any] | None = None) -> NDArray[np.float64]:
        """Class weights of the units, or of the parts that start at some of them."""
        if starts is None:
            starts = np.arange(self.n_units + 1)
        if self.n_units == 0:
            return np.zeros((len(starts) - 1, self.n_sums))
        counts = np.asarray(self.line.counts(np.ascontiguousarray(starts, dtype=np.uint32)))
        if self.n_read:
            assert self.sums is not None
            counts[:, -self.n_read :] = self.sums.runs(starts)[0]
        return counts

    def cell_counts(self, starts: NDArray[Any]) -> NDArray[np.float64]:
        """Give the counts alone of parts, without sums that stand behind them."""
        counts = self.counts(starts)
        return np.asarray(counts[:, : counts.shape[1] - self.n_read])

    @property
    def n_read(self) -> int:
        """Number of sums that stand behind the counts of cells."""
        return 0 if self.sums is None else self.sums.n_read

    def _weights(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weight of sets, from their counts."""
        return np.asarray(counts[:, : counts.shape[1] - self.n_read].sum(axis=1))

    def row_counts(self, starts: NDArray[Any]) -> NDArray[np.int64]:
        """Rows of the parts that start at some units."""
        if self.rows is None:
            return np.asarray(self._weights(self.counts(starts)).astype(np.int64))
        ends = np.concatenate([[0], np.cumsum(self.rows)])
        return np.asarray(np.diff(ends[starts]))

    def tally(self, starts: NDArray[Any] | None = None) -> Tally:
        """Tally the units, or the parts that start at some of them."""
        if starts is None:
            starts = np.arange(self.n_units + 1)
        counts = self.counts(starts)
        weights = self._weights(counts)
        rows = weights.astype(np.int64) if self.rows is None else self.row_counts(starts)
        if self.sums is None:
            return Tally(rows, weights, counts)
        moments, extremes = self.sums.runs(starts)
        return Tally(rows, weights, counts, moments, extremes=extremes, n_read=self.n_read)

    def sums_of(self, starts: NDArray[Any]) -> Tally:
        """Tally the weights and moments of runs of units, without the cells of a number."""
        assert self.sums is not None
        ends = np.concatenate([[0.0], np.cumsum(self.unit_weights())])
        weights = np.diff(ends[np.asarray(starts, dtype=np.int64)])
        rows = weights.astype(np.int64) if self.rows is None else self.row_counts(starts)
        return Tally(rows, weights, None, self.sums.runs(starts)[0])

    def joined(self, group_of: NDArray[np.int64], n: int) -> Tally:
        """Tally groups of units."""
        if self.sums is None:
            return self.tally().joined(group_of, n)
        # Cells of a number are many: units are put together before these are laid out.
        order = np.argsort(group_of, kind="stable")
        starts = np.searchsorted(group_of[order], np.arange(n + 1))
        return self.at(order).tally(starts)

    def unit_weights(self) -> NDArray[np.float64]:
        """Weight of each unit."""
        if self.sums is not None:
            return np.asarray(self.line.unit_weights())
        return np.asarray(self.counts().sum(axis=1))

    def quantiles(self, n: int) -> NDArray[np.int64]:
        """First units of blocks between the borders nearest to n - 1 quantiles, then the end."""
        return np.asarray(self.line.quantiles(n)).astype(np.int64)

    def at(self, order: NDArray[np.int64]) -> Space:
        """Take units in another order, of which any may join."""
        codes, weights, starts = self.line.entries()
        lengths = np.diff(starts.astype(np.int64))[order]
        ends = np.append(0, np.cumsum(lengths))
        entries = np.repeat(starts[order].astype(np.int64) - ends[:-1], lengths)
        entries += np.arange(ends[-1])
        line = _core.line_from_entries(
            codes[entries],
            None if weights is None else weights[entries],
            ends.astype(np.uint32),
            self.n_sums,
        )
        keys = np.arange(len(order))
        return replace(
            self,
            line=line,
            lows=keys,
            highs=keys,
            rows=None if self.rows is None else self.rows[order],
            sums=None if self.sums is None else self.sums.take(order),
            values=tuple(self.values[i] for i in order.tolist()) if self.values else (),
        )

    def without_aside(self) -> Space:
        """Forget the rows beside the units."""
        return self.with_aside(self.rows, None)

    def with_aside(self, rows: NDArray[np.int64] | None, aside: Tally | None) -> Space:
        """Set rows aside, and number those of the units."""
        return Space(
            self.line,
            self.lows,
            self.highs,
            rows,
            self.values,
            self.is_exact,
            self.is_line,
            aside,
            self.sums,
        )

    def in_order(self, values: list[Any]) -> Space:
        """Put units of categories into the order of these values."""
        place = {key_of(value): i for i, value in enumerate(self.values)}
        order = [place[key_of(value)] for value in values if key_of(value) in place]
        if self.sums is not None:
            return self.at(np.array(order, dtype=np.int64))
        return self._with_units(
            self.counts()[order],
            None if self.rows is None else self.rows[order],
            tuple(self.values[i] for i in order),
        )

    def with_empty(self, absent: list[Any]) -> Space:
        """Append values of categories that no row holds."""
        if not absent:
            return self
        none = np.zeros(len(absent), np.int64)
        return self._with_units(
            np.vstack([self.counts(), np.zeros((len(absent), self.n_sums))]),
            None if self.rows is None else np.append(self.rows, none),
            (*self.values, *absent),
        )

    def pooled(self, unit_of: NDArray[np.int64]) -> Space:
        """Put values of categories together; the first of each stands for all."""
        n = int(unit_of.max()) + 1 if len(unit_of) else 0
        first = np.unique(unit_of, return_index=True)[1]
        tally = self.joined(unit_of, n)
        rows = None if self.rows is None else tally.rows
        values = tuple(self.values[i] for i in first.tolist()) if self.values else ()
        return self._with_units(tally.class_counts, rows, values)

    def with_counts(self, counts: NDArray[np.float64]) -> Space:
        """Give the units other class weights."""
        return replace(self, line=line_of(counts))

    def _with_units(
        self,
        counts: NDArray[np.float64],
        rows: NDArray[np.int64] | None,
        values: tuple[Any, ...],
    ) -> Space:
        """Replace the units of categories."""
        keys = np.arange(len(counts))
        return replace(self, line=line_of(counts), lows=keys, highs=keys, rows=rows, values=values)

    def at_most(self, n_bytes: int, cuts: NDArray[Any]) -> Space:
        """Join neighbouring values where the units take more memory; cuts stay between units."""
        if self.n_bytes <= max(n_bytes, LEAST_BYTES) or self.values:
            return self
        wanted = max(n_bytes, LEAST_BYTES) // (8 * self.n_sums + 2 * _BYTES_OF_UNIT)
        wanted = max(2, min(wanted, self.n_units, _MOST_JOINED))
        even = np.linspace(0, self.n_units, wanted + 1).astype(np.int64)
        starts = np.append(even, np.searchsorted(self.highs, cuts, side="right"))
        starts.sort()
        starts = starts[np.append(True, starts[1:] > starts[:-1])]
        return self.joined_at(starts)

    def joined_at(self, starts: NDArray[np.int64]) -> Space:
        """Join the units between some of them, then the end."""
        return replace(
            self,
            line=line_of(self.line.counts(starts.astype(np.uint32))),
            lows=self.lows[starts[:-1]],
            highs=self.highs[starts[1:] - 1],
            rows=None if self.rows is None else self.row_counts(starts),
            is_exact=False,
            sums=None if self.sums is None else KnownSums(*self.sums.runs(starts), self.n_read),
        )

    @property
    def is_saved(self) -> bool:
        """Whether the units are few enough for a file."""
        if self.sums is not None:
            held = 2 * int(self.line.n_entries) + _SUMS_OF_UNIT * self.n_units
            return held <= _MOST_SAVED_OF_NUMBERS
        most = _MOST_SAVED_OF_GROUPS if self.values else _MOST_SAVED
        return self.n_units * self.n_sums <= most

    def to_plain(self) -> dict[str, Any] | None:
        """Plain data for a file; None where the units are too many."""
        if not self.is_saved:
            return None
        plain = {
            "counts": self.counts().tolist() if self.sums is None else cells_to_plain(self.line),
            "lows": _plain(self.lows),
            "highs": None if self.is_exact else _plain(self.highs),
            "rows": None if self.rows is None else self.rows.tolist(),
            "is_exact": self.is_exact,
        }
        if self.sums is not None:
            moments, extremes = self.sums.runs(np.arange(self.n_units + 1))
            plain |= {"moments": moments.tolist(), "extremes": extremes.tolist()}
        return plain

    @classmethod
    def from_plain(
        cls, plain: dict[str, Any], dtype: Any, values: tuple[Any, ...], target: Target
    ) -> Space:
        """Read what `to_plain` gave."""
        n_sums, is_number = target.n_sums, "moments" in plain
        lows, highs = (
            np.array([float(v) if isinstance(v, str) else v for v in keys], dtype=dtype)
            for keys in (plain["lows"], plain["highs"] or plain["lows"])
        )
        rows = None if plain["rows"] is None else np.array(plain["rows"], dtype=np.int64)
        if is_number:
            counts = counts_from_plain(plain["counts"], n_sums)
        else:
            counts = np.array(plain["counts"] or np.zeros((0, n_sums)), dtype=np.float64)
        if not len(counts) == len(lows) == len(highs) or (values and len(values) != len(counts)):
            raise ValueError("units do not fit their counts")
        if not (np.isfinite(counts) & (counts >= 0.0)).all():
            raise ValueError("counts of units must be finite and at least 0")
        sums = sums_from_plain(plain, len(counts), target.n_read) if is_number else None
        is_exact = bool(plain["is_exact"])
        return cls(line_of(counts), lows, highs, rows, values, is_exact, sums=sums)

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name != "value_keys"}
        return {**kept, "line": (*self.line.entries(), self.n_sums)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in {**state, "line": _core.line_from_entries(*state["line"])}.items():
            object.__setattr__(self, name, value)


Watch = Callable[[NumberColumn | CategoryColumn, Space], None]


def line_of(counts: Any) -> _core.Line:
    """Make a line of the rows of a table of class weights."""
    table = np.asarray(counts, dtype=np.float64)
    unit, label = np.nonzero(table)
    n_units, n_classes = table.shape
    starts = np.append(0, np.cumsum(np.bincount(unit, minlength=n_units))).astype(np.uint32)
    return _core.line_from_entries(
        label.astype(np.uint16), np.ascontiguousarray(table[unit, label]), starts, n_classes
    )


def space_from_counts(counts: Any, keys: Any = None) -> Space:
    """Make a space of the rows of a table of class weights; keys default to 0, 1, 2, ..."""
    line = line_of(counts)
    n_units = int(line.n_units)
    found = np.arange(n_units, dtype=np.float64) if keys is None else np.asarray(keys)
    return Space(line, found, found)


def _plain(keys: NDArray[Any]) -> list[Any]:
    """Numbers that JSON can hold; infinities become text."""
    return [repr(k) if isinstance(k, float) and np.isinf(k) else k for k in keys.tolist()]


__all__ = ["MOST_BYTES", "Space", "Watch", "line_of", "space_from_counts"]
