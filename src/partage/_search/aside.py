"""Rows beside the parts: missing values, and special values that the user names.

They are kept out of the search. Afterwards each kind stays apart, or joins the part where it costs
least.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import MISSING, CategoryColumn, key_of
from partage._data.column import Kind, NumberColumn
from partage._data.keys import keys_like
from partage._data.numbers import column_from_numpy, gaps_among
from partage._search.core import part_length
from partage._support.checks import check_choice, refuse
from partage._support.portable import LOG_2, log
from partage._targets.tally import Tally
from partage._targets.target import TargetRows
from partage.exceptions import NotPartitionableError

MISSING_WAYS = ("separate", "merge", "error")
SPECIAL_WAYS = ("separate", "merge")


SpecialValues = tuple[Any, ...] | Mapping[str, tuple[Any, ...]]


def check_aside(who: str, missing: Any, special_values: Any, special: Any) -> SpecialValues:
    """Check what becomes of missing and special values; the special values of each column."""
    check_choice(who, "missing", missing, MISSING_WAYS)
    check_choice(who, "special", special, SPECIAL_WAYS)
    return _check_special(who, special_values)


def _check_special(who: str, given: Any) -> SpecialValues:
    """Check the special values: a list, or a dict of lists by column."""
    if given is None:
        return ()
    if isinstance(given, Mapping):
        return {
            name: _check_list(who, f"special_values[{name!r}]", values)
            for name, values in given.items()
        }
    return _check_list(who, "special_values", given)


def _check_list(who: str, name: str, values: Any) -> tuple[Any, ...]:
    """Check one list of special values: no gaps, none twice."""
    if isinstance(values, (str, bytes)) or not isinstance(values, (Sequence, np.ndarray)):
        refuse(who, name, "a list of values, a dict of such lists by column, or None", values)
    plain = tuple(map(_plain, values))
    cells = np.empty(len(plain), dtype=object)
    cells[:] = plain
    if gaps_among(cells).any():
        raise ValueError(
            f"{who}: {name} must not hold missing values; `missing` says what becomes of them."
        )
    try:
        n_distinct = len({key_of(value) for value in plain})
    except TypeError:
        refuse(who, name, "a list of single values", values)
    if n_distinct < len(plain):
        raise ValueError(f"{who}: {name} must name every value once; got {list(plain)!r}.")
    return plain


def _plain(value: Any) -> Any:
    """Turn numbers of NumPy into Python's, and times of pandas into NumPy's."""
    if isinstance(value, np.generic) and value.dtype.kind not in "Mm":
        return value.item()
    if getattr(value, "tzinfo", None) is not None and hasattr(value, "to_pydatetime"):
        return value.to_pydatetime(warn=False)
    return value.to_numpy() if hasattr(value, "to_numpy") else value


def special_of(special: SpecialValues, name: str) -> tuple[Any, ...]:
    """Take the special values of one column."""
    return special.get(name, ()) if isinstance(special, Mapping) else special


def special_keys(who: str, name: str, values: tuple[Any, ...], kind: Kind) -> list[Any]:
    """Keys of special values among those of a column; None for a value it cannot hold."""
    found = []
    for value in values:
        try:
            read = column_from_numpy(who, name, _cell(value))
            key = keys_like(who, read, kind).keys[:1]
        except TypeError:
            raise TypeError(
                f"{who}: special_values of column {name!r} must be of its kind; got {value!r}."
            ) from None
        shown, given = kind.values(key)[0], read.kind.values(read.keys)[0]
        found.append(key.tolist()[0] if shown == given else None)
    return found


def _cell(value: Any) -> NDArray[Any]:
    """Make an array of one value."""
    if isinstance(value, datetime.timedelta):
        value = np.timedelta64(value)
    if isinstance(value, (np.timedelta64, np.datetime64)):
        return np.array([value])
    cell = np.empty(1, dtype=object)
    cell[0] = value
    return cell


def codes_of_special(column: NumberColumn, keys: list[Any], kind: Kind) -> NDArray[np.int64]:
    """Which special value each row holds, -1 for none; ``kind`` is that of the keys."""
    codes = np.full(len(column.keys), -1, dtype=np.int64)
    values: Any = column.keys
    wanted = keys
    if column.kind != kind:
        # Other keys: compare what they stand for; Python's numbers compare without rounding.
        values = column.kind.values(column.keys)
        wanted = [
            None if k is None else kind.values(np.array([k], dtype=kind.dtype))[0] for k in keys
        ]
        if values.dtype.kind not in "Mm":
            values = np.array(values.tolist(), dtype=object)
            wanted = [k.item() if isinstance(k, np.generic) else k for k in wanted]
    for i, key in enumerate(wanted):
        if key is not None:
            codes[values == key] = i
    codes[column.missing_mask()] = -1
    return codes


@dataclass(frozen=True)
class Aside:
    """Missing rows, then those of each special value: what they hold, and the parts they joined."""

    tally: Tally
    parts: tuple[int | None, ...]

    @classmethod
    def apart(cls, tally: Tally) -> Aside:
        """Let none of them join a part."""
        return cls(tally, (None,) * len(tally))

    @property
    def counts(self) -> NDArray[np.float64]:
        """Class weights."""
        return self.tally.class_counts

    @property
    def rows(self) -> NDArray[np.int64]:
        """Numbers of rows."""
        return self.tally.rows

    def merged(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Class weights of the parts with the rows that were merged."""
        if not self.has_merged:
            return counts
        out = counts.copy()
        for row, part in zip(self.counts, self.parts, strict=True):
            if part is not None:
                out[part] += row
        return out

    @property
    def has_merged(self) -> bool:
        """Whether some rows were merged with a part."""
        return any(part is not None for part in self.parts)

    @property
    def apart_counts(self) -> NDArray[np.float64]:
        """Class weights of the sets that hold rows and joined no part."""
        is_apart = [part is None for part in self.parts]
        return np.asarray(self.counts[self.tally.held & np.array(is_apart, dtype=bool)])

    @property
    def is_empty(self) -> bool:
        """Whether there are no rows."""
        return not any(self.tally.weight.tolist())

    def naming(self, n_parts: int) -> float:
        """Nats that tell where the rows are: a bit for each set, and the part that it joined."""
        merged = [part is not None for part in self.parts]
        n_merged = int(np.count_nonzero(self.tally.held & np.array(merged, dtype=bool)))
        return float(np.count_nonzero(self.tally.held)) * LOG_2 + n_merged * log(n_parts)

    def cost(self, n_parts: int) -> float:
        """Nats beside a MODL cost: a bit for each, then its own length, or its part's number."""
        cost = 0.0
        if self.is_empty:
            return cost
        for row, part in zip(self.counts, self.parts, strict=True):
            if row.any():
                cost += LOG_2
                cost += part_length(row) if part is None else log(n_parts)
        return cost

    def around(self, present: Tally) -> Tally:
        """Tally the parts with the rows that were merged, then the rows beside them."""
        return present.added(self.tally, self.parts).concat(self.tally)


def count_aside(
    rows: TargetRows, is_missing: NDArray[np.bool_], special: NDArray[np.int64] | None, n: int
) -> Tally:
    """Tally the rows of missing values and of n special values, all apart."""
    return rows.tally(places_aside(is_missing, special), 1 + n)


def places_aside(
    is_missing: NDArray[np.bool_], special: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """Which set each row beside the parts belongs to: 0 missing, then special values, else -1."""
    others = -1 if special is None else np.where(special >= 0, special + 1, -1)
    return np.where(is_missing, 0, others).astype(np.int64)


def merge_aside(
    aside: Aside,
    present: Tally,
    wanted: Sequence[bool],
    judge: Callable[[NDArray[np.float64]], float],
    allows: Callable[[Tally, list[int | None]], bool] | None = None,
    who: str = "merge",
) -> Aside:
    """Merge rows with parts, one kind after the other: lowest cost, the leftmost on a tie.

    ``allows`` says of the tally, and of the parts merged with, whether the limits still hold.
    """
    parts = list(aside.parts)
    merged = present
    if not any(wanted) or not present.held.any():
        return aside
    for i, row in enumerate(aside.counts):
        if not wanted[i] or not row.any():
            continue
        lowest, best = math.inf, None
        for k in range(len(merged)):
            joined = merged.added(aside.tally.take([i]), [k])
            cost = judge(joined.class_counts)
            if cost < lowest and (allows is None or allows(joined, [*parts[:i], k])):
                lowest, best = cost, k
        if best is None:
            raise NotPartitionableError(
                f"{who}: monotonic is in the way: there is no part that "
                f"{'missing' if i == 0 else 'special'} values can join without breaking it; use "
                f"{'missing' if i == 0 else 'special'}='separate'."
            )
        parts[i] = best
        merged = merged.added(aside.tally.take([i]), [best])
    return Aside(aside.tally, tuple(parts))


def levels_with_special(levels: list[Any], values: tuple[Any, ...]) -> list[Any]:
    """Append special values that an order of the values does not name."""
    named = {key_of(level) for level in levels}
    return [*levels, *(value for value in values if key_of(value) not in named)]


def take_special(
    column: CategoryColumn, values: tuple[Any, ...]
) -> tuple[CategoryColumn, NDArray[Any] | None]:
    """Take special values out of a column of categories; which one each row held, or -1."""
    if not values:
        return column, None
    place = {key_of(value): i for i, value in enumerate(values)}
    of_value = np.array([place.get(key_of(v), -1) for v in column.values] + [-1], dtype=np.int64)
    codes = of_value[column.codes]
    if not (codes >= 0).any():
        return column, codes
    kept = of_value[:-1] < 0
    renumbered = np.where(kept, np.cumsum(kept) - 1, MISSING).astype(np.int32)
    rest = CategoryColumn(
        column.name,
        [v for v, is_kept in zip(column.values, kept, strict=True) if is_kept],
        np.append(renumbered, np.int32(MISSING))[column.codes].astype(np.int32),
        column.is_ordered,
        tuple(level for level in column.levels if key_of(level) not in place),
    )
    return rest, codes
