"""Categories: distinct values as the user sees them, and a code for each row.

Values are distinguished by type and value: the text "1", the number 1 and True are three values.
They are ordered by type, then by number or by their UTF-8 bytes.
"""

from __future__ import annotations

import datetime
import numbers
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.encoding import encode, encode_objects
from partage._data.numbers import complex_message, gaps_among

MISSING = -1
WIDE = (nw.Int128, nw.UInt128)  # NumPy has no such numbers
_TYPE_ORDER = {"boolean": 0, "number": 1, "text": 2, "bytes": 3}
_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool, np.bool_),
    "timedelta": (datetime.timedelta, np.timedelta64),  # NumPy's pass for numbers
    "number": (numbers.Number,),
    "text": (str,),
    "bytes": (bytes,),
    "datetime": (datetime.datetime, np.datetime64),
}
_DTYPES: tuple[tuple[Any, str], ...] = (
    (nw.Boolean, "boolean"),
    (nw.String, "text"),
    (nw.Categorical, "text"),
    (nw.Enum, "text"),
    (nw.Binary, "bytes"),
    (nw.Datetime, "datetime"),
    (nw.Date, "date"),
    (nw.Time, "time"),
    (nw.Duration, "timedelta"),
)
_PLURALS = {
    "boolean": "booleans",
    "number": "numbers",
    "text": "text",
    "bytes": "bytes",
    "datetime": "dates with times",
    "date": "dates",
    "time": "times of day",
    "timedelta": "durations",
}
_PLAIN_TYPES = {bool: "boolean", int: "number", float: "number", str: "text", bytes: "bytes"}


@dataclass(frozen=True)
class CategoryColumn:
    """A column of categories: its distinct values in order, and the code of each row."""

    name: str
    values: list[Any]
    codes: NDArray[np.int32]
    is_ordered: bool = False
    levels: tuple[Any, ...] = ()  # declared values in order, where the column is ordered

    def unordered(self) -> CategoryColumn:
        """Forget the order of the values."""
        return CategoryColumn(self.name, self.values, self.codes)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def sort_keys(self) -> NDArray[Any]:
        """Numbers that order the rows by their values; those of missing rows mean nothing."""
        return self.codes

    def with_keys(self, keys: NDArray[Any], is_gone: NDArray[np.bool_]) -> CategoryColumn:
        """Make other rows of the same column."""
        return replace(self, codes=np.where(is_gone, MISSING, keys).astype(np.int32))

    def gaps(self, n_rows: int) -> CategoryColumn:
        """Make rows of the same kind of column in which every value is missing."""
        return replace(self, values=[], codes=np.full(n_rows, MISSING, dtype=np.int32))

    def missing_mask(self) -> NDArray[np.bool_]:
        """Which rows are missing."""
        return np.asarray(self.codes < 0)

    def take(self, rows: NDArray[np.bool_] | None) -> CategoryColumn:
        """Keep some rows, and of the values those that they hold."""
        if rows is None:
            return self
        codes = self.codes[rows]
        used = np.unique(codes[codes >= 0])
        renumbered = np.full(len(self.values) + 1, MISSING, dtype=np.int32)
        renumbered[used] = np.arange(len(used), dtype=np.int32)
        values = [self.values[i] for i in used]
        return CategoryColumn(self.name, values, renumbered[codes], self.is_ordered, self.levels)


def type_of(value: Any) -> str:
    """Name the type of a value, as far as it distinguishes values."""
    plain = _PLAIN_TYPES.get(type(value))
    if plain is not None:
        return plain
    for name, types in _TYPES.items():
        if isinstance(value, types):
            return name
    return type(value).__name__


def type_of_dtype(dtype: Any) -> set[str]:
    """Name what the values of a column of a frame are; nothing if its dtype does not say."""
    if dtype.is_numeric():
        return {"number"}
    return {name for known, name in _DTYPES if dtype == known}


def key_of(value: Any) -> tuple[str, Any]:
    """Identify a value; times are the same in every unit."""
    plain = _PLAIN_TYPES.get(type(value))
    if plain is not None:
        return plain, value
    if isinstance(value, (np.datetime64, np.timedelta64)):
        letter = "M" if isinstance(value, np.datetime64) else "m"
        rounded = value.astype(f"{letter}8[us]")
        value = rounded.item() if rounded == value else value
    return type_of(value), value


def check_types(who: str, name: str, fitted: set[str], given: set[str]) -> None:
    """Refuse a column none of whose values is of a type that was fitted."""
    if not fitted or not given or fitted & given:
        return
    wanted, got = (" and ".join(map(_plural, sorted(types))) for types in (fitted, given))
    raise ValueError(
        f"{who}: column {name!r} must hold {wanted} as in fit; got {got}, which would all be "
        f"unseen values. Cast the column to {wanted}, or fit again."
    )


def _plural(name: str) -> str:
    """Name values of a type in a message."""
    return _PLURALS.get(name, f"values of type {name}")


def _order_of(value: Any) -> tuple[int, str, Any]:
    """Order of a value among all: by type, then by number or text."""
    kind = type_of(value)
    comparable = value if kind in _TYPE_ORDER else str(value)
    return _TYPE_ORDER.get(kind, len(_TYPE_ORDER)), kind, comparable


def _in_order(values: list[Any]) -> NDArray[np.int64]:
    """Sort values as they are ordered among all; text alone sorts itself in the same order."""
    key = values.__getitem__
    if set(map(type, values)) != {str}:
        keys = [_order_of(value) for value in values]
        key = keys.__getitem__
    return np.array(sorted(range(len(values)), key=key), dtype=np.int64)


def categories_from_numpy(who: str, name: str, values: NDArray[Any]) -> CategoryColumn:
    """Read categories from an array of any dtype."""
    if values.dtype.kind == "c":
        raise ValueError(complex_message(who, name))
    if values.dtype.kind == "O":
        return _from_objects(who, name, values)
    is_time = values.dtype.kind in "Mm"
    if is_time and np.datetime_data(values.dtype)[0] not in ("ns", "ps", "fs", "as"):
        values = values.astype(f"{values.dtype.kind}8[us]")
    distinct, codes = encode(values)
    codes = codes.astype(np.int32, copy=False)
    gone = np.zeros(len(distinct), dtype=bool)
    if distinct.dtype.kind in "fMm":
        gone = np.isnan(distinct) if distinct.dtype.kind == "f" else np.isnat(distinct)
    if gone.any():
        renumbered = np.where(gone, MISSING, np.cumsum(~gone) - 1).astype(np.int32)
        codes, distinct = renumbered.take(codes), distinct[~gone]
    order = np.argsort(distinct, kind="stable")
    is_fine = is_time and np.datetime_data(distinct.dtype)[0] != "us"
    ordered = distinct[order]
    return CategoryColumn(
        name, list(ordered) if is_fine else ordered.tolist(), _renumber(codes, order)
    )


def _renumber(codes: NDArray[np.int32], order: NDArray[np.int64]) -> NDArray[np.int32]:
    """Codes after the values were put in order; missing stays."""
    if (order == np.arange(len(order))).all():
        return codes
    place = np.empty(len(order) + 1, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    place[-1] = MISSING
    return np.asarray(place.take(codes))


def _from_objects(who: str, name: str, values: NDArray[Any]) -> CategoryColumn:
    """Read Python objects; text by pandas' hash table, mixed types one by one."""
    import pandas as pd

    if pd.api.types.infer_dtype(values, skipna=True) in ("string", "empty"):
        codes, distinct = encode_objects(values)
        found = list(distinct)
    else:
        codes, found = _encode_mixed(who, name, values)
    order = _in_order(found)
    return CategoryColumn(name, [found[i] for i in order], _renumber(codes.astype(np.int32), order))


def _encode_mixed(who: str, name: str, values: NDArray[Any]) -> tuple[NDArray[Any], list[Any]]:
    """Give codes to objects of several types."""
    known: dict[tuple[str, Any], int] = {}
    shown: list[Any] = []
    codes = np.empty(len(values), dtype=np.int32)
    missing = gaps_among(values)
    for i, value in enumerate(values):
        if missing[i]:
            codes[i] = MISSING
            continue
        if isinstance(value, (complex, np.complexfloating)):
            raise ValueError(complex_message(who, name))
        try:
            code = known.setdefault(key_of(value), len(known))
        except TypeError:
            raise TypeError(
                f"{who}: column {name!r} must hold values with a hash (an argument must be a "
                f"string or a number); got a {type(value).__name__} in row {i}. Convert it to "
                "text, or split it into columns."
            ) from None
        codes[i] = code
        if code == len(shown):
            shown.append(value)
        elif isinstance(value, int) and not isinstance(shown[code], int):
            shown[code] = value  # 1 rather than 1.0, whichever comes first
    return codes, shown


def categories_from_series(who: str, name: str, series: nw.Series[Any]) -> CategoryColumn:
    """Read categories from a series of any library."""
    dtype = series.dtype
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return _from_text(who, name, series)
    if dtype in WIDE:
        return _from_objects(who, name, _objects(series))
    if dtype == nw.Boolean or dtype.is_integer():
        if series.is_null().any():
            return _from_objects(who, name, _objects(series))
        return categories_from_numpy(who, name, np.asarray(series.to_numpy()))
    has_zone = getattr(dtype, "time_zone", None) is not None
    if dtype.is_float() or (dtype == nw.Datetime and not has_zone):
        return categories_from_numpy(who, name, np.asarray(series.to_numpy()))
    return _from_objects(who, name, _objects(series))


def _objects(series: nw.Series[Any]) -> NDArray[Any]:
    """Values as Python objects."""
    out = np.empty(len(series), dtype=object)
    out[:] = series.to_list()
    return out


def _from_text(who: str, name: str, series: nw.Series[Any]) -> CategoryColumn:
    """Text, and what a library has encoded; where it can, no row becomes an object of Python."""
    dtype, native = series.dtype, series.to_native()
    library = series.implementation
    if dtype != nw.String and hasattr(getattr(native, "cat", None), "codes"):
        levels, codes = native.cat.categories.tolist(), native.cat.codes.to_numpy()
        return _from_codes(name, levels, codes, bool(native.cat.ordered))
    if library.is_polars():
        column = _from_polars_text(name, native)
    elif library.is_pyarrow():
        column = _from_arrow_text(who, name, native)
    elif library.is_pandas() and str(native.dtype) == "object":
        column = _from_objects(who, name, native.to_numpy())
    elif library.is_pandas():
        codes, distinct = native.factorize()
        column = _from_codes(name, [str(value) for value in distinct], codes)
    else:
        column = _from_objects(who, name, _objects(series.cast(nw.String)))
    if dtype != nw.Enum:
        return column
    levels = list(dtype.categories)  # type: ignore[attr-defined]  # narwhals' Enum has them
    return in_given_order(who, column, levels)


def _from_polars_text(name: str, native: Any) -> CategoryColumn:
    """Text and categories of polars, by the numbers it has for them."""
    import polars as pl

    if native.dtype == pl.String:
        has_gaps = native.null_count() > 0
        distinct = native.unique().sort()[1 if has_gaps else 0 :]
        numbers = native.cast(pl.Enum(distinct)).to_physical()
        if has_gaps:
            numbers = numbers.cast(pl.Int32).fill_null(MISSING)
        return _from_codes(name, distinct.to_list(), numbers.to_numpy())
    physical = native.to_physical()
    found = native.drop_nulls().unique()
    # Numbers of categories are those of all columns of a process, so that there may be gaps.
    place = np.full(int(physical.max() or 0) + 1, MISSING, dtype=np.int32)
    place[found.to_physical().to_numpy()] = np.arange(len(found), dtype=np.int32)
    codes = place.take(physical.fill_null(0).to_numpy())
    codes[native.is_null().to_numpy()] = MISSING
    return _from_codes(name, found.cast(pl.String).to_list(), codes)


def _from_arrow_text(who: str, name: str, native: Any) -> CategoryColumn:
    """Text and dictionaries of pyarrow, whose chunks may have dictionaries that differ."""
    import pyarrow as pa

    if not native.num_chunks:
        return _from_codes(name, [], np.empty(0, dtype=np.int32))
    if not pa.types.is_dictionary(native.type):
        is_view = str(native.type) == "string_view"  # which old versions do not know
        native = (native.cast(pa.large_string()) if is_view else native).dictionary_encode()
    whole = native.unify_dictionaries().combine_chunks()
    levels = whole.dictionary.to_pylist()
    if gaps_among(levels).any() or len(set(levels)) < len(levels):
        cells = np.empty(len(whole), dtype=object)
        cells[:] = whole.to_pylist()
        return _from_objects(who, name, cells)
    return _from_codes(name, levels, whole.indices.fill_null(MISSING).to_numpy())


def _from_codes(
    name: str, levels: list[Any], given: NDArray[Any], is_ordered: bool = False
) -> CategoryColumn:
    """Categories that a library has encoded; those that no row holds are left out."""
    codes, is_used = _core.read_codes(np.ascontiguousarray(given), len(levels))
    used = np.flatnonzero(is_used)
    if not is_ordered:
        used = used[_in_order([levels[i] for i in used])]
    declared = tuple(levels) if is_ordered else ()
    if len(used) == len(levels) and (used == np.arange(len(used))).all():
        return CategoryColumn(name, levels, codes, is_ordered, declared)
    place = np.full(len(levels) + 1, MISSING, dtype=np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    return CategoryColumn(name, [levels[i] for i in used], place.take(codes), is_ordered, declared)


def in_given_order(who: str, column: CategoryColumn, levels: list[Any]) -> CategoryColumn:
    """Put categories in an order that was given."""
    rank = {key_of(level): i for i, level in enumerate(levels)}
    if len(rank) < len(levels):
        twice = next(v for i, v in enumerate(levels) if rank[key_of(v)] != i)
        raise ValueError(
            f"{who}: the order of column {column.name!r} must name every value once; "
            f"{twice!r} stands more than once."
        )
    absent = [value for value in column.values if key_of(value) not in rank]
    if absent:
        raise ValueError(
            f"{who}: the order of column {column.name!r} must name every value; "
            f"{absent[0]!r} is not in it."
        )
    places = [rank[key_of(value)] for value in column.values]
    order = np.argsort(np.array(places, dtype=np.int64), kind="stable")
    values = [column.values[i] for i in order]
    return CategoryColumn(column.name, values, _renumber(column.codes, order), True, tuple(levels))


def as_kind(
    who: str, column: CategoryColumn, kind: str | None, order: Any = None
) -> CategoryColumn:
    """Read categories in a given order, as "ordered", as "categorical", or as they come."""
    if order is not None:
        return in_given_order(who, column, list(order))
    if kind == "ordered" and not column.is_ordered:
        return in_given_order(who, column, column.values)
    return column.unordered() if kind == "categorical" else column


def sort_values(column: CategoryColumn) -> CategoryColumn:
    """Put values in order: by type, then by number or text."""
    values = column.values
    order = np.array(sorted(range(len(values)), key=lambda i: _order_of(values[i])), dtype=np.int64)
    return CategoryColumn(column.name, [values[i] for i in order], _renumber(column.codes, order))


def join_categories(who: str, columns: list[CategoryColumn]) -> CategoryColumn:
    """Put columns of categories one after the other."""
    known: dict[tuple[str, Any], int] = {}
    values: list[Any] = []
    codes = []
    for column in columns:
        place = np.full(len(column.values) + 1, MISSING, dtype=np.int32)
        for i, value in enumerate(column.values):
            place[i] = known.setdefault(key_of(value), len(known))
            if place[i] == len(values):
                values.append(value)
        codes.append(place[column.codes])
    first = columns[0]
    joined = sort_values(CategoryColumn(first.name, values, np.concatenate(codes)))
    if any(column.is_ordered != first.is_ordered for column in columns):
        raise TypeError(
            f"{who}: column {first.name!r} must be of one kind throughout; got ordered and "
            "unordered categories."
        )
    if not first.is_ordered:
        return joined
    if all(column.levels == first.levels for column in columns):
        return in_given_order(who, joined, list(first.levels))
    if all(list(column.levels) == sort_values(column).values for column in columns):
        return in_given_order(who, joined, joined.values)  # each in the order of its values
    raise ValueError(
        f"{who}: column {first.name!r} must have one order of its values throughout; got "
        f"{list(first.levels)!r} and another."
    )
