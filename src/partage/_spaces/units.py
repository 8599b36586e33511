"""What is kept of a training column so that its partition can be edited and explained.

The class weights of its distinct values are kept, exactly while they fit a budget of memory; beyond
it neighbouring values are joined, and cuts can then be placed between the joined ranges only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._spaces.space import LineSpace, line_from_counts

MOST_BYTES = 32_000_000  # of the units of all columns of a fit together
LEAST_BYTES = 64_000  # of the units of one column
_BYTES_OF_UNIT = 12  # its value and where it starts
_MOST_JOINED = 20_000  # ranges that a long column is joined into
_MOST_SAVED = 2_000  # numbers of a line that a file holds
_MOST_SAVED_OF_GROUPS = 20_000  # a file lists every value anyway


@dataclass(frozen=True, eq=False, repr=False)
class Units:
    """Class weights of the distinct values of a column, or of ranges of them.

    Attributes
    ----------
    line : Line
        Class weights, unit by unit.
    lows, highs : ndarray
        Least and greatest key of each unit; for categories their indices.
    rows : ndarray or None
        Rows of each unit; None where every row has the weight one.
    values : tuple
        The values of the units, for categories.
    is_exact : bool
        Whether every unit is one value.
    """

    line: _core.Line
    lows: NDArray[Any]
    highs: NDArray[Any]
    rows: NDArray[np.int64] | None = None
    values: tuple[Any, ...] = ()
    is_exact: bool = True

    @classmethod
    def of(
        cls, space: LineSpace, rows: NDArray[np.int64] | None = None, values: tuple[Any, ...] = ()
    ) -> Units:
        """Keep the units of a space as they are; rows of weight one need no numbers."""
        if rows is not None and (space.n_units == 0 or np.array_equal(rows, space.unit_weights())):
            rows = None
        return cls(space.line, space.values, space.values, rows, values)

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.line.n_units)

    @property
    def n_bytes(self) -> int:
        """Memory that the units take, about."""
        weighted = self.rows is not None
        return int(self.line.n_entries) * (10 if weighted else 2) + self.n_units * _BYTES_OF_UNIT

    def counts(self, starts: NDArray[Any] | None = None) -> NDArray[np.float64]:
        """Class weights of the units, or of the parts that start at some of them."""
        if starts is None:
            starts = np.arange(self.n_units + 1)
        if self.n_units == 0:
            return np.zeros((len(starts) - 1, int(self.line.n_classes)))
        return np.asarray(self.line.counts(np.ascontiguousarray(starts, dtype=np.uint32)))

    def row_counts(self, starts: NDArray[Any]) -> NDArray[np.int64]:
        """Rows of the parts that start at some units."""
        if self.rows is None:
            return np.asarray(self.counts(starts).sum(axis=1).astype(np.int64))
        ends = np.concatenate([[0], np.cumsum(self.rows)])
        return np.asarray(np.diff(ends[starts]))

    def in_order(self, values: list[Any]) -> Units:
        """Put units of categories into the order of these values."""
        from partage._data.categories import key_of

        place = {key_of(value): i for i, value in enumerate(self.values)}
        order = [place[key_of(value)] for value in values if key_of(value) in place]
        line = line_from_counts(self.counts()[order]).line
        keys = np.arange(len(order))
        rows = None if self.rows is None else self.rows[order]
        return Units(line, keys, keys, rows, tuple(self.values[i] for i in order), self.is_exact)

    def at_most(self, n_bytes: int, cuts: NDArray[Any]) -> Units:
        """Join neighbouring values where the units take more memory; cuts stay between units."""
        if self.n_bytes <= max(n_bytes, LEAST_BYTES) or self.values:
            return self
        n_classes = int(self.line.n_classes)
        wanted = max(n_bytes, LEAST_BYTES) // (8 * n_classes + 2 * _BYTES_OF_UNIT)
        wanted = max(2, min(wanted, self.n_units, _MOST_JOINED))
        even = np.linspace(0, self.n_units, wanted + 1).astype(np.int64)
        starts = np.append(even, np.searchsorted(self.highs, cuts, side="right"))
        starts.sort()
        starts = starts[np.append(True, starts[1:] > starts[:-1])]
        line = line_from_counts(self.counts(starts)).line
        rows = None if self.rows is None else self.row_counts(starts)
        return Units(
            line, self.lows[starts[:-1]], self.highs[starts[1:] - 1], rows, (), is_exact=False
        )

    @property
    def is_saved(self) -> bool:
        """Whether they are few enough for a file."""
        most = _MOST_SAVED_OF_GROUPS if self.values else _MOST_SAVED
        return self.n_units * int(self.line.n_classes) <= most

    def to_plain(self) -> dict[str, Any] | None:
        """Plain data for a file; None where they are too many."""
        if not self.is_saved:
            return None
        return {
            "counts": self.counts().tolist(),
            "lows": _plain(self.lows),
            "highs": None if self.is_exact else _plain(self.highs),
            "rows": None if self.rows is None else self.rows.tolist(),
            "is_exact": self.is_exact,
        }

    @classmethod
    def from_plain(
        cls, plain: dict[str, Any], dtype: Any, values: tuple[Any, ...], n_classes: int
    ) -> Units:
        """Read what `to_plain` gave."""
        lows, highs = (
            np.array([float(v) if isinstance(v, str) else v for v in keys], dtype=dtype)
            for keys in (plain["lows"], plain["highs"] or plain["lows"])
        )
        rows = None if plain["rows"] is None else np.array(plain["rows"], dtype=np.int64)
        counts = np.array(plain["counts"] or np.zeros((0, n_classes)), dtype=np.float64)
        if not len(counts) == len(lows) == len(highs) or (values and len(values) != len(counts)):
            raise ValueError("units do not fit their counts")
        if not (np.isfinite(counts) & (counts >= 0.0)).all():
            raise ValueError("counts of units must be finite and at least 0")
        line = line_from_counts(counts).line
        return cls(line, lows, highs, rows, values, bool(plain["is_exact"]))

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "line": self.counts()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        line = line_from_counts(state["line"]).line
        for name, value in {**state, "line": line}.items():
            object.__setattr__(self, name, value)


def _plain(keys: NDArray[Any]) -> list[Any]:
    """Numbers that JSON can hold; infinities become text."""
    return [repr(k) if isinstance(k, float) and np.isinf(k) else k for k in keys.tolist()]
