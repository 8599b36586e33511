"""Special values among numbers: codes such as -1 or 9999 that stand for no measurement."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["find_sentinels"]

_NEGATIVE = {*range(-9, 0), -66, -77, -88, -98, -99, -999, -9998, -9999, -99999, -999999, -9999999}
_POSITIVE = (98, 99, 998, 999, 9998, 9999, 99999, 999999, 9999999, 99999999, 999999999)
_MOST = 4  # different ones in a column
_FEWEST_ROWS = 5
_FEWEST_VALUES = 5  # that measurements have


def find_sentinels(present: pl.Series) -> tuple[list[int], float]:
    """Find values that are no measurements, and their share of the rows.

    Negative codes are those below a column that has no other negative numbers; codes of nines lie
    above all others, by more than these are apart.
    """
    import polars as pl

    numbers = present.cast(pl.Float64).drop_nans()
    numbers = numbers.filter(numbers.is_finite())
    if numbers.n_unique() <= _FEWEST_VALUES:
        return [], 0.0
    negative = numbers.filter(numbers < 0)
    values = negative.unique().sort(descending=True).to_list()
    is_coded = len(values) <= _MOST and set(values) <= _NEGATIVE
    codes = [int(value) for value in values] if is_coded else []
    rest = numbers.filter(numbers >= 0) if codes else numbers
    codes += _nines(rest)
    is_code = numbers.is_in([float(code) for code in codes])
    is_enough = rest.n_unique() >= _FEWEST_VALUES and int(is_code.sum()) >= _FEWEST_ROWS
    return (codes, float(is_code.sum()) / max(len(present), 1)) if is_enough else ([], 0.0)


def _nines(numbers: pl.Series) -> list[int]:
    """Find codes of nines that lie far above all other numbers."""
    values = numbers.unique().sort()
    found: list[int] = []
    for code in sorted(_POSITIVE, reverse=True):
        below = values.filter(values < code)
        if len(below) < _FEWEST_VALUES or values[-1] > code:
            continue
        if values[-1] == code and code - below[-1] > below[-1] - below[0]:
            found.append(code)
            values = below
    return found
