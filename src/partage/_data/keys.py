"""Columns of several kinds in the keys of one: new rows as in fit, or pieces of one column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.column import EXACT, INT64, Kind, NumberColumn
from partage._data.table import read_column
from partage._data.times import ATTOSECONDS, keys_in_unit
from partage._data.zones import check_zone, common_zone


def keys_like(who: str, column: NumberColumn, kind: Kind) -> NumberColumn:
    """Express a new column in the keys of the column that was fitted.

    Cuts are compared with ``x > cut``, so a value between two keys goes up to the next one.
    """
    if column.kind == kind:
        return column
    times = ("datetime", "duration")
    mismatch = column.kind.name != kind.name and (column.kind.name in times or kind.name in times)
    if mismatch:
        raise TypeError(
            f"{who}: column {column.name!r} must hold {kind.plural} as in fit; "
            f"got {column.kind.plural}."
        )
    missing = column.missing_mask()
    if kind.name == "datetime":
        check_zone(who, column.name, kind.zone, column.kind.zone)
    if (column.kind.name, column.kind.unit) == (kind.name, kind.unit):
        return replace(column, kind=kind)
    if kind.is_float:
        floats = np.array(column.kind.values(column.keys), dtype=np.float64)
        floats[missing] = np.nan
        return NumberColumn(column.name, kind, floats)
    if column.kind.name in times:
        keys = keys_in_unit(column.keys, column.kind.unit, kind.unit, up=True)
    else:
        shown = column.kind.values(column.keys).tolist()
        keys = np.array(
            [
                0 if gap else _key_above(value, kind)
                for value, gap in zip(shown, missing, strict=True)
            ],
            dtype=np.int64,
        )
    return NumberColumn(
        column.name, kind, keys, missing.astype(np.uint8) if missing.any() else None
    )


def common_keys(who: str, columns: list[NumberColumn]) -> list[NumberColumn]:
    """Express columns in keys of one kind that holds the values of all of them exactly."""
    kinds = {column.kind for column in columns if not column.missing_mask().all()}
    if len(kinds) < 2:
        kind = next(iter(kinds), columns[0].kind)
        return [column.as_gaps_of(kind) for column in columns]
    kind = _common_kind(who, columns, kinds)
    columns = [column.as_gaps_of(kind) for column in columns]
    if kind.is_float:
        return [keys_like(who, column, kind) for column in columns]
    return [_exact_keys(who, column, kind) for column in columns]


def _common_kind(who: str, columns: list[NumberColumn], kinds: set[Kind]) -> Kind:
    """Name the kind that holds the values of several columns."""
    names = {kind.name for kind in kinds}
    if names in ({"datetime"}, {"duration"}):
        finest = ("D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")
        zones = {kind.zone for kind in kinds}
        if "" in zones and len(zones) > 1:
            raise TypeError(
                f"{who}: column {columns[0].name!r} must be of one kind throughout; got times "
                "with a zone and times without one."
            )
        unit = max((kind.unit for kind in kinds), key=finest.index)
        return Kind(names.pop(), unit, common_zone(zones - {""}))
    if names & {"datetime", "duration"}:
        one, two = sorted({kind.plural for kind in kinds})[:2]
        raise TypeError(
            f"{who}: column {columns[0].name!r} must be of one kind throughout; got {one} and "
            f"{two}."
        )
    if any(c.kind.is_float and not _is_whole(c) for c in columns):
        return Kind("number")
    if "decimal" in names:
        return Kind("decimal", str(max(int(k.unit) for k in kinds if k.name == "decimal")))
    return Kind("unsigned" if "unsigned" in names else "integer")


def _is_whole(column: NumberColumn) -> bool:
    """Whether floats are whole numbers that integers hold exactly."""
    keys = column.keys[~column.missing_mask()]
    return bool(((np.abs(keys) <= EXACT) & (keys == np.floor(keys))).all())


def _exact_keys(who: str, column: NumberColumn, kind: Kind) -> NumberColumn:
    """Express a column in integer keys of a kind, without rounding."""
    if column.kind == kind:
        return column
    missing = column.missing_mask()
    if kind.name in ("datetime", "duration"):
        step = ATTOSECONDS[column.kind.unit] // ATTOSECONDS[kind.unit]
        whole = [
            0 if gap else key * step for key, gap in zip(column.keys.tolist(), missing, strict=True)
        ]
    else:
        shown = column.kind.values(column.keys).tolist()
        scale = 10 ** int(kind.unit) if kind.name == "decimal" else 1
        offset = 2**63 if kind.name == "unsigned" else 0
        whole = [
            0 if gap else int(Fraction(value) * scale) - offset
            for value, gap in zip(shown, missing, strict=True)
        ]
    if whole and (min(whole) < INT64[0] or max(whole) > INT64[1]):
        raise ValueError(
            f"{who}: column {column.name!r} holds values that 64 bits cannot hold together; "
            "convert it to floats."
        )
    keys = np.array(whole, dtype=np.int64)
    return NumberColumn(
        column.name, kind, keys, missing.astype(np.uint8) if missing.any() else None
    )


def _key_above(value: Any, kind: Kind) -> int:
    """Lowest key that is not below a number, kept within 64 bits."""
    if isinstance(value, float) and math.isinf(value):
        return INT64[1] if value > 0 else INT64[0]
    exact = Fraction(value)
    if kind.name == "decimal":
        exact *= 10 ** int(kind.unit)
    offset = 2**63 if kind.name == "unsigned" else 0
    return max(INT64[0], min(INT64[1], math.ceil(exact) - offset))


def cut_keys(who: str, name: str, column: str, cuts: Sequence[Any], kind: Kind) -> NDArray[Any]:
    """Keys of cuts ``x <= cut`` among those of a column; they must increase."""
    if len(cuts) == 0:
        return np.empty(0, dtype=kind.dtype)
    try:
        given = read_column(who, list(cuts), name, kind)
    except TypeError:
        raise TypeError(kind_message(who, name, column, cuts, kind)) from None
    times = ("datetime", "duration")
    is_time = kind.name in times
    is_other = (given.kind.name in times) != is_time or bool(given.kind.zone) != bool(kind.zone)
    if given.missing_mask().any() or is_other:
        raise TypeError(kind_message(who, name, column, cuts, kind))
    keys = keys_below(given, kind)
    if (np.diff(keys) <= 0).any():
        raise ValueError(
            f"{who}: {name} of column {column!r} must increase; got {list(cuts)!r}. Sort them, and "
            "leave out repeated ones."
        )
    return keys


def keys_below(cuts: NumberColumn, kind: Kind) -> NDArray[Any]:
    """Keys of cuts ``x <= cut`` that were read: a cut between two keys is the lower one."""
    shown = cuts.kind.values(cuts.keys)
    if kind.is_float:
        return np.array(shown.tolist(), dtype=np.float64) + 0.0
    if kind.is_time:
        return keys_in_unit(cuts.keys, cuts.kind.unit, kind.unit, up=False)
    return np.array([_key_below(value, kind) for value in shown.tolist()], dtype=np.int64)


def kind_message(who: str, name: str, column: str, cuts: Sequence[Any], kind: Kind) -> str:
    """Explain of which kind cuts must be."""
    what = kind.plural
    what += f" with a zone, such as {kind.zone}" if kind.zone else ""
    return (
        f"{who}: {name} of column {column!r} must hold {what}, as the column does; "
        f"got {list(cuts)!r}."
    )


def _key_below(value: Any, kind: Kind) -> int:
    """Highest key that is not above a number, kept within 64 bits."""
    low, high = -(2**63), 2**63 - 1
    if isinstance(value, float) and math.isinf(value):
        return high if value > 0 else low
    exact = Fraction(value)
    if kind.name == "decimal":
        exact *= 10 ** int(kind.unit)
    offset = 2**63 if kind.name == "unsigned" else 0
    return max(low, min(high, math.floor(exact) - offset))


__all__ = ["common_keys", "cut_keys", "keys_below", "keys_like", "kind_message"]
