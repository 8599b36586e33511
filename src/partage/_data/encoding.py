"""Distinct values of an array, and a code for each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core


def encode(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Distinct values in some order, and the code of each row's; None and NaN count as values."""
    if values.dtype.kind == "O":
        import pandas as pd

        codes, distinct = pd.factorize(values)
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
