"""The text of a cut: one formatter for tables, labels, pages, plots, SQL, source and rules."""

from __future__ import annotations

import datetime
import decimal
import re
from typing import Any

import numpy as np

_UNITS_OF_PANDAS = ("D", "h", "m", "s", "ms", "us", "ns")
_COARSE = ("W", "D", "h", "m")
_ZEROS = re.compile(r"(\.\d*?)0+(?=$|[+-])")
_POINT = re.compile(r"\.(?=$|[+-])")


def cut_text(cut: Any) -> str:
    """Write a cut with the fewest letters from which it can be read back.

    Numbers are the shortest decimal of their float, whole ones without a point. Times without a
    fraction end with their second, times of midnight without a zone with their day.
    """
    if isinstance(cut, float):
        return repr(float(cut)).removesuffix(".0")
    if isinstance(cut, decimal.Decimal):
        return _without_zeros(format(cut, "f"))
    if isinstance(cut, np.datetime64):
        fine = cut.astype("datetime64[s]") if np.datetime_data(cut.dtype)[0] in _COARSE else cut
        return _without_zeros(str(fine).replace("T", " ")).removesuffix(" 00:00:00")
    if isinstance(cut, datetime.datetime):
        text = _without_zeros(str(cut))
        return text if cut.tzinfo is not None else text.removesuffix(" 00:00:00")
    if isinstance(cut, (np.timedelta64, datetime.timedelta)):
        return _duration_text(np.timedelta64(cut))
    return str(cut)


def cut_source(cut: Any) -> str:
    """Write a cut as an argument of a call: a number as it is, others as text."""
    text = cut_text(cut)
    is_number = isinstance(cut, (int, float, np.number)) and not isinstance(cut, np.timedelta64)
    return text if is_number else repr(text)


def _without_zeros(text: str) -> str:
    """Drop the zeros that end a fraction, before an offset of a zone too."""
    return _POINT.sub("", _ZEROS.sub(r"\1", text)) if "." in text else text


def _duration_text(cut: np.timedelta64) -> str:
    """Write a duration as pandas does, in days and hours."""
    if np.datetime_data(cut.dtype)[0] in _UNITS_OF_PANDAS:
        import pandas as pd

        try:
            return _without_zeros(str(pd.Timedelta(cut)))
        except pd.errors.OutOfBoundsTimedelta:
            pass  # days that are too many to be counted in seconds
    return str(cut)


__all__ = ["cut_source", "cut_text"]
