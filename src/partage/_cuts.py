"""Cuts that a user names, as keys of a column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._inputs import read_column
from partage._kinds import Kind
from partage._time_units import keys_in_unit


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
    shown = given.kind.values(given.keys)
    keys: NDArray[Any]
    if kind.is_float:
        keys = np.array(shown.tolist(), dtype=np.float64) + 0.0
    elif is_time:
        keys = keys_in_unit(given.keys, given.kind.unit, kind.unit, up=False)
    else:
        keys = np.array([_key_below(value, kind) for value in shown.tolist()], dtype=np.int64)
    if (np.diff(keys) <= 0).any():
        raise ValueError(
            f"{who}: {name} of column {column!r} must increase; got {list(cuts)!r}. Sort them, and "
            "leave out repeated ones."
        )
    return keys


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


__all__ = ["cut_keys", "kind_message"]
