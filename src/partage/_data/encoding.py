"""Distinct values of an array, and a code for each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core

_ROWS_AT_ONCE = 2**19  # of objects: the time of so many, and no more, passes before Ctrl-C is heard


def encode(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Distinct values in some order, and the code of each row's; None and NaN count as values."""
    if values.dtype.kind == "O":
        codes, distinct = encode_objects(values)
        gaps = codes < 0
        if gaps.any():
            codes[gaps] = len(distinct)
            distinct = np.append(distinct, values[gaps][:1])
        return distinct, codes
    data = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
    if data.dtype.kind == "f":
        data = data.astype(np.float64, copy=False) + 0.0  # -0.0 becomes 0.0
    whole = _as_whole(data)
    numbered = None if whole is None else _core.number_whole(whole)
    if numbered is not None:
        distinct, codes = numbered
        is_cast = data.dtype.kind == "f"
        distinct = distinct.astype(data.dtype) if is_cast else distinct.view(data.dtype)
    else:
        first, codes = _core.encode_records(data.view(np.uint8).reshape(-1), data.dtype.itemsize)
        distinct = data[first]
    return distinct.astype(values.dtype, copy=False), codes


def encode_objects(values: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Give codes to objects by pandas' hash table, -1 to missing ones; distinct values follow."""
    import pandas as pd

    if len(values) <= _ROWS_AT_ONCE:
        codes, distinct = pd.factorize(values)
        return codes, distinct
    starts = range(0, len(values), _ROWS_AT_ONCE)
    pieces = [pd.factorize(values[start : start + _ROWS_AT_ONCE]) for start in starts]
    places, distinct = pd.factorize(np.concatenate([piece[1] for piece in pieces]))
    # Missing rows, coded -1, take the place behind those of a piece.
    ends = np.cumsum([len(piece[1]) for piece in pieces])[:-1]
    found = [
        np.append(place, -1).take(codes)
        for place, (codes, _) in zip(np.split(places, ends), pieces, strict=True)
    ]
    return np.concatenate(found), distinct


def _as_whole(data: NDArray[Any]) -> NDArray[Any] | None:
    """Take the whole numbers that values are, or that stand for them in their order."""
    if data.dtype.kind in "iu":
        return data
    if data.dtype.kind == "b":
        return data.view(np.uint8)
    if data.dtype.kind in "Mm":
        return data.view(np.int64)
    if data.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            whole = data.astype(np.int64)
        return whole if bool((whole == data).all()) else None
    return None
