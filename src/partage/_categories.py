"""Categories: distinct values as the user sees them, and a code for each row.

Values are told apart by their type and value: the text "1", the number 1 and True are three values.
They are ordered by type, then by number or by their UTF-8 bytes.
"""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._kinds import complex_message, gaps_among

MISSING = -1
_TYPE_ORDER = {"boolean": 0, "number": 1, "text": 2, "bytes": 3}
_PLAIN_TYPES = {bool: "boolean", int: "number", float: "number", str: "text", bytes: "bytes"}


@dataclass(frozen=True)
class Categories:
    """A column of categories: its distinct values in order, and the code of each row."""

    name: str
    values: list[Any]
    codes: NDArray[np.int32]
    is_ordered: bool = False
    levels: tuple[Any, ...] = ()  # declared values in order, where the column is ordered

    def unordered(self) -> Categories:
        """Forget the order of the values."""
        return Categories(self.name, self.values, self.codes)

    def missing_mask(self) -> NDArray[np.bool_]:
        """Which rows are missing."""
        return np.asarray(self.codes < 0)

    def take(self, rows: NDArray[np.bool_] | None) -> Categories:
        """Keep some rows, and of the values those that they hold."""
        if rows is None:
            return self
        codes = self.codes[rows]
        used = np.unique(codes[codes >= 0])
        renumbered = np.full(len(self.values) + 1, MISSING, dtype=np.int32)
        renumbered[used] = np.arange(len(used), dtype=np.int32)
        values = [self.values[i] for i in used]
        return Categories(self.name, values, renumbered[codes], self.is_ordered, self.levels)


def type_of(value: Any) -> str:
    """Name what a value is, as far as it tells values apart."""
    plain = _PLAIN_TYPES.get(type(value))
    if plain is not None:
        return plain
    if isinstance(value, (bool, np.bool_)):
        return "boolean"
    if isinstance(value, numbers.Number):
        return "number"
    if isinstance(value, str):
        return "text"
    return "bytes" if isinstance(value, bytes) else type(value).__name__


def key_of(value: Any) -> tuple[str, Any]:
    """Tell a value from every other."""
    return type_of(value), value


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


def categories_from_numpy(who: str, name: str, values: NDArray[Any]) -> Categories:
    """Read categories from an array of any dtype."""
    if values.dtype.kind == "c":
        raise ValueError(complex_message(who, name))
    if values.dtype.kind == "O":
        return _from_objects(who, name, values)
    if values.dtype.kind in "Mm":
        if np.datetime_data(values.dtype)[0] not in ("ns", "ps", "fs", "as"):
            values = values.astype(f"{values.dtype.kind}8[us]")
        missing = np.isnat(values)
    elif values.dtype.kind == "f":
        values = values.astype(np.float64) + 0.0
        missing = np.isnan(values)
    else:
        missing = np.zeros(len(values), dtype=bool)
    data = np.ascontiguousarray(values)
    first, codes = _core.encode_records(data.view(np.uint8).reshape(-1), data.dtype.itemsize)
    distinct = data[first]
    gone = missing[first]
    if gone.any():
        renumbered = np.where(gone, MISSING, np.cumsum(~gone) - 1).astype(np.int32)
        codes, distinct = renumbered[codes], distinct[~gone]
    order = np.argsort(distinct, kind="stable")
    is_fine = distinct.dtype.kind in "Mm" and np.datetime_data(distinct.dtype)[0] != "us"
    ordered = distinct[order]
    return Categories(name, list(ordered) if is_fine else ordered.tolist(), _renumber(codes, order))


def _renumber(codes: NDArray[np.int32], order: NDArray[np.int64]) -> NDArray[np.int32]:
    """Codes after the values were put in order; missing stays."""
    if (order == np.arange(len(order))).all():
        return codes
    place = np.empty(len(order) + 1, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    place[-1] = MISSING
    return place[codes]


def _from_objects(who: str, name: str, values: NDArray[Any]) -> Categories:
    """Read Python objects; text by pandas' hash table, mixed types one by one."""
    import pandas as pd

    if pd.api.types.infer_dtype(values, skipna=True) in ("string", "empty"):
        codes, distinct = pd.factorize(values)
        found = list(distinct)
    else:
        codes, found = _encode_mixed(who, name, values)
    order = _in_order(found)
    return Categories(name, [found[i] for i in order], _renumber(codes.astype(np.int32), order))


def _encode_mixed(who: str, name: str, values: NDArray[Any]) -> tuple[NDArray[Any], list[Any]]:
    """Give codes to objects of several types."""
    known: dict[tuple[str, Any], int] = {}
    codes = np.empty(len(values), dtype=np.int32)
    missing = gaps_among(values)
    for i, value in enumerate(values):
        if missing[i]:
            codes[i] = MISSING
            continue
        try:
            codes[i] = known.setdefault(key_of(value), len(known))
        except TypeError:
            raise TypeError(
                f"{who}: column {name!r} must hold values with a hash (an argument must be a "
                f"string or a number); got a {type(value).__name__} in row {i}. Convert it to "
                "text, or split it into columns."
            ) from None
    return codes, [value for _, value in known]


def categories_from_series(who: str, name: str, series: nw.Series[Any]) -> Categories:
    """Read categories from a series of any library."""
    dtype = series.dtype
    native = series.to_native()
    if (
        dtype in (nw.Categorical, nw.Enum)
        and hasattr(native, "cat")
        and hasattr(native.cat, "codes")
    ):
        return _from_pandas_categorical(name, native)
    if dtype == nw.Enum:
        levels = list(dtype.categories)  # type: ignore[attr-defined]  # narwhals' Enum has them
        text = categories_from_numpy(who, name, _objects(series.cast(nw.String)))
        return in_given_order(who, text, levels)
    if dtype in (nw.String, nw.Categorical):
        if series.implementation.is_pandas():
            return _from_pandas_text(who, name, native)
        if series.implementation.is_polars():
            return _from_polars_text(name, native)
        return _from_objects(who, name, _objects(series.cast(nw.String)))
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


def _from_pandas_text(who: str, name: str, native: Any) -> Categories:
    """Text of pandas, by its own hash table."""
    if str(native.dtype) == "object":
        return _from_objects(who, name, native.to_numpy())
    codes, distinct = native.factorize()
    found = [str(value) for value in distinct]
    order = _in_order(found)
    return Categories(name, [found[i] for i in order], _renumber(codes.astype(np.int32), order))


def _from_polars_text(name: str, native: Any) -> Categories:
    """Text of polars, which sorts by bytes of UTF-8; no row becomes an object of Python."""
    import polars as pl

    text = native.cast(pl.String)
    values = text.drop_nulls().unique().sort()
    if values.is_empty():
        return Categories(name, [], np.full(len(text), MISSING, dtype=np.int32))
    codes = text.cast(pl.Enum(values)).to_physical().cast(pl.Int32).fill_null(MISSING)
    return Categories(name, values.to_list(), codes.to_numpy())


def _from_pandas_categorical(name: str, native: Any) -> Categories:
    """Categories that pandas has encoded; those that no row holds are left out."""
    levels = native.cat.categories.tolist()
    codes = native.cat.codes.to_numpy().astype(np.int32)
    is_ordered = bool(native.cat.ordered)
    is_used = np.zeros(len(levels) + 1, dtype=bool)
    is_used[codes] = True
    used = np.flatnonzero(is_used[:-1])
    if not is_ordered:
        used = used[_in_order([levels[i] for i in used])]
    if len(used) == len(levels) and (used == np.arange(len(used))).all():
        return Categories(name, levels, codes, is_ordered, tuple(levels) if is_ordered else ())
    place = np.full(len(levels) + 1, MISSING, dtype=np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    declared = tuple(levels) if is_ordered else ()
    return Categories(name, [levels[i] for i in used], place[codes], is_ordered, declared)


def in_given_order(who: str, column: Categories, levels: list[Any]) -> Categories:
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
    return Categories(column.name, values, _renumber(column.codes, order), True, tuple(levels))


def as_kind(who: str, column: Categories, kind: str | None, order: Any = None) -> Categories:
    """Read categories in a given order, as "ordered", as "categorical", or as they come."""
    if order is not None:
        return in_given_order(who, column, list(order))
    if kind == "ordered" and not column.is_ordered:
        return in_given_order(who, column, column.values)
    return column.unordered() if kind == "categorical" else column


def sort_values(column: Categories) -> Categories:
    """Put values in order: by type, then by number or text."""
    values = column.values
    order = np.array(sorted(range(len(values)), key=lambda i: _order_of(values[i])), dtype=np.int64)
    return Categories(column.name, [values[i] for i in order], _renumber(column.codes, order))


def join_categories(who: str, columns: list[Categories]) -> Categories:
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
    joined = sort_values(Categories(first.name, values, np.concatenate(codes)))
    if any(column.is_ordered != first.is_ordered for column in columns):
        raise TypeError(
            f"{who}: column {first.name!r} must be of one kind throughout; got ordered and "
            "unordered categories."
        )
    if not first.is_ordered:
        return joined
    if all(column.levels == first.levels for column in columns):
        return in_given_order(who, joined, list(first.levels))
    if all(list(column.levels) == column.values for column in columns):
        return in_given_order(who, joined, joined.values)  # each in the order of its values
    raise ValueError(
        f"{who}: column {first.name!r} must have one order of its values throughout; got "
        f"{list(first.levels)!r} and another."
    )
