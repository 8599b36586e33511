"""How round the cut between two neighbouring values can be, for all values of a column at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partage._data.column import SIGN, Kind
from partage._data.cut_places import FACTORS, round_cut
from partage._data.cut_times import levels_of_times

_RANK = {1: 0, 2: 1, 5: 2}
_EXACT_POWER = 22  # largest power of ten that is exact as a float
_MOST = 1e15  # whole numbers up to here are exact, and so is their neighbour
_POWERS = np.array([float(f"1e{k}") for k in range(-323, 309)])
_WHOLE_POWERS = np.array([10**k for k in range(20)], dtype=np.uint64)


def levels_between(kind: Kind, keys: NDArray[np.generic]) -> NDArray[np.int64]:
    """Level of the roundest cut between neighbouring keys, as ``round_cut`` gives it."""
    if len(keys) < 2:
        return np.empty(0, dtype=np.int64)
    if kind.is_time:
        return levels_of_times(kind, np.asarray(keys, dtype=np.int64))
    if kind.is_float:
        return _levels_of_floats(kind, np.asarray(keys, dtype=np.float64))
    return _levels_of_whole(kind, np.asarray(keys, dtype=np.int64))


def _levels_of_floats(kind: Kind, keys: NDArray[np.float64]) -> NDArray[np.int64]:
    """Levels between floats; what float arithmetic cannot tell is left to exact numbers."""
    lows, highs = keys[:-1], keys[1:]
    levels = np.full(len(lows), -1, dtype=np.int64)
    largest = np.abs(keys[np.isfinite(keys)]).max(initial=1.0)
    top = int(np.searchsorted(_POWERS, largest, side="right")) - 323
    near = np.maximum(np.abs(lows), np.abs(highs))
    left = np.flatnonzero(near < 10.0 ** (_EXACT_POWER + 1))
    zero = (lows[left] <= 0.0) & (highs[left] > 0.0)
    levels[left[zero]] = 0
    left = left[~zero]
    for power in range(min(top, _EXACT_POWER), -_EXACT_POWER - 1, -1):
        # Multiples that are not exact any more are left to exact numbers.
        left = left[near[left] < _MOST * 10.0**power]
        for factor in FACTORS if len(left) else ():
            found = _multiples(lows[left], highs[left], power, factor)
            inside = ~np.isnan(found)
            size = np.searchsorted(_POWERS, np.abs(found[inside]), side="right") - 324
            levels[left[inside]] = np.maximum(0, 3 * (size - power) - _RANK[factor])
            left = left[~inside]
    for i in np.flatnonzero(levels < 0).tolist():
        levels[i] = round_cut(kind, float(lows[i]), float(highs[i]))[0]
    return levels


def _multiples(
    lows: NDArray[np.float64], highs: NDArray[np.float64], power: int, factor: int
) -> NDArray[np.float64]:
    """Multiple of a step not below each low and below each high, NaN where there is none."""
    scale = 10.0 ** abs(power)
    ratio = lows / scale if power >= 0 else lows * scale
    first = np.ceil(ratio / factor)
    found = np.full(len(lows), np.nan)
    for shift in (1.0, 0.0, -1.0):
        whole = (first + shift) * factor
        number = whole * scale if power >= 0 else whole / scale
        is_inside = (lows <= number) & (number < highs)
        found[is_inside] = number[is_inside]
    return found


def _levels_of_whole(kind: Kind, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Levels between whole numbers of 64 bits: integers, or decimals in their last digit."""
    values = keys.view(np.uint64) ^ SIGN if kind.name == "unsigned" else keys
    lows, highs = values[:-1], values[1:]
    one = values.dtype.type(1)
    levels = np.full(len(lows), -1, dtype=np.int64)
    levels[(lows <= 0) & (highs > 0)] = 0
    for power in range(19 if kind.name == "unsigned" else 18, -1, -1):
        for factor in FACTORS:
            if factor * 10**power > np.iinfo(values.dtype).max:
                continue
            step = values.dtype.type(factor * 10**power)
            floors = (highs - one) // step * step
            inside = (levels < 0) & (lows <= floors) & (floors < highs)  # unless it overflows
            sizes = floors[inside].astype(np.uint64)
            sizes = np.where(floors[inside] < 0, np.uint64(0) - sizes, sizes)
            size = np.searchsorted(_WHOLE_POWERS, sizes, side="right") - 1
            levels[inside] = np.maximum(0, 3 * (size - power) - _RANK[factor])
    return levels


__all__ = ["levels_between"]
