"""Special values among numbers: codes such as -1 or 9999 that stand for no measurement."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

__all__ = ["find_sentinel_days", "find_sentinels"]

_NEGATIVE = {*range(-9, 0), -66, -77, -88, -98, -99, -999, -9998, -9999, -99999, -999999, -9999999}
_POSITIVE = (
    *(98, 99, 998, 999, 9998, 9999, 99999, 999999, 9999999, 99999999, 999999999),
    *(99.9, 999.9, 9999.9, 99.99, 999.99, 9999.99, 99999.99, 999999.99, 9999999.99),
    *(1e20, 1e30, 1e36, 1e37, 1e38),
)
# Days by which programs say that a date is open, or not known.
_DAYS = (
    *((1, 1, 1), (1582, 10, 15), (1753, 1, 1), (1800, 1, 1), (1899, 12, 30), (1899, 12, 31)),
    *((1900, 1, 1), (1901, 1, 1), (1970, 1, 1), (2079, 6, 6), (2099, 12, 31), (2199, 12, 31)),
    *((2262, 4, 11), (2500, 12, 31), (2999, 12, 31), (3000, 1, 1), (4712, 12, 31)),
    *((7999, 12, 31), (9999, 1, 1), (9999, 12, 30), (9999, 12, 31)),
)
_MOST = 4  # different ones in a column
_FEWEST_ROWS = 5
_FEWEST_VALUES = 5  # that measurements have


def find_sentinels(present: pl.Series) -> tuple[list[int | float], float]:
    """Find values that are no measurements, and their share of the rows.

    Negative codes are those below a column that has no other negative numbers; codes of nines lie
    above all others, by more than these are apart.
    """
    numbers = present.to_numpy().astype(np.float64)
    values, counts = np.unique(numbers[np.isfinite(numbers)], return_counts=True)
    if len(values) <= _FEWEST_VALUES:
        return [], 0.0
    negative = values[values < 0][::-1].tolist()
    is_coded = len(negative) <= _MOST and set(negative) <= _NEGATIVE
    codes: list[int | float] = [int(value) for value in negative] if is_coded else []
    rest = values[values >= 0] if codes else values
    codes += _nines(rest)
    n_rows = int(counts[np.isin(values, codes)].sum())
    is_enough = len(rest) >= _FEWEST_VALUES and n_rows >= _FEWEST_ROWS
    return (codes, n_rows / max(len(present), 1)) if codes and is_enough else ([], 0.0)


def find_sentinel_days(present: pl.Series) -> tuple[list[dt.date], float]:
    """Find days that are none: known ones, away from all others by more than these are apart."""
    import polars as pl

    days = present.cast(pl.Date).unique().sort().to_list()
    known = [dt.date(*day) for day in _DAYS]
    found: list[dt.date] = []
    for end in (0, -1):
        while len(days) > _FEWEST_VALUES and days[end] in known:
            rest = days[1:] if end == 0 else days[:-1]
            if abs(days[end] - rest[end]) <= rest[-1] - rest[0]:
                break
            found.append(days[end])
            days = rest
    n_rows = int(present.cast(pl.Date).is_in(found).sum()) if found else 0
    return (sorted(found), n_rows / len(present)) if n_rows >= _FEWEST_ROWS else ([], 0.0)


def _nines(values: NDArray[np.float64]) -> list[int | float]:
    """Find codes of nines, and powers of ten, far above all other numbers, which are in order."""
    found: list[int | float] = []
    for code in sorted(_POSITIVE, reverse=True):
        below = values[values < code]
        if len(below) < _FEWEST_VALUES or values[-1] != code:
            continue
        if code - below[-1] > below[-1] - below[0]:
            found.append(code)
            values = below
    return found
