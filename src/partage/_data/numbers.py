"""Values of NumPy and of Python become the sortable keys of a column."""

from __future__ import annotations

import datetime
import decimal
import numbers
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.column import EXACT, INT64, SIGN, Kind, NumberColumn
from partage._data.times import times_from_objects
from partage._data.zones import common_zone, is_zone

_DURATIONS = (datetime.timedelta, np.timedelta64)
_MAY_BE_NAN = (float, np.floating, np.datetime64, np.timedelta64)
_NOT_A_TIME = np.iinfo(np.int64).min
_MOST_UNSIGNED = 2**64 - 1


def column_from_numpy(
    who: str,
    name: str,
    values: NDArray[Any],
    missing: NDArray[Any] | None = None,
    wanted: Kind | None = None,
) -> NumberColumn:
    """Read a column of NumPy values; ``missing`` marks gaps that the values do not show.

    ``wanted`` is the kind that the column should be of, where that is known.
    """
    gaps = None if missing is None else np.ascontiguousarray(missing, dtype=np.uint8)
    kind = values.dtype.kind
    if kind == "f":
        keys = np.ascontiguousarray(values, dtype=np.float64)
        if gaps is not None:
            keys = np.where(gaps.astype(bool), np.nan, keys)
        return NumberColumn(name, Kind("number"), keys)
    if kind in "biu":
        return _from_integers(name, values, gaps)
    if kind in "Mm":
        return _from_times(name, values, gaps)
    if kind == "O":
        return _from_objects(who, name, values, gaps, wanted)
    if kind == "c":
        raise ValueError(complex_message(who, name))
    values = values if gaps is None else with_gaps(values, gaps.astype(bool))
    return column_from_text(who, name, values.tolist(), wanted)


def with_gaps(values: NDArray[Any], missing: NDArray[np.bool_]) -> NDArray[Any]:
    """Put a missing value where one is marked: NaN, NaT, or None among objects."""
    if not missing.any():
        return values
    kind = values.dtype.kind
    out = values.copy() if kind in "fMm" else values.astype(object)
    if kind in "Mm":
        out.view(np.int64)[missing] = np.iinfo(np.int64).min  # NaT, of any unit
    else:
        out[missing] = np.nan if kind == "f" else None
    return out


def complex_message(who: str, name: str) -> str:
    """Explain that complex numbers have no order."""
    return (
        f"{who}: Complex data not supported; column {name!r} holds complex numbers. "
        "Pass their real and imaginary parts as two columns."
    )


def text_message(who: str, name: str) -> str:
    """Explain that text is not a number, and what accepts it."""
    remedies = {
        "discretize": "pass it to partage.group",
        "Discretizer": "pass it to Grouper, or the whole table to TablePartitioner",
    }
    remedy = remedies.get(who.split(".")[0], "convert it to numbers")
    return f"{who}: column {name!r} holds text; {remedy}."


def column_from_text(who: str, name: str, values: list[Any], wanted: Kind | None) -> NumberColumn:
    """Read the text of times where these are wanted; refuse any other, but not gaps alone."""
    if all(map(_is_gap, values)):
        return NumberColumn.of_gaps(name, wanted or Kind("number"), len(values))
    if wanted is None or not all(isinstance(value, str) or _is_gap(value) for value in values):
        raise TypeError(text_message(who, name))
    if wanted.name != "datetime":
        raise TypeError(
            f"{who}: column {name!r} must hold {wanted.plural} as in fit; got text. Convert it."
        )
    times: dict[Any, Any] = {}
    for text in dict.fromkeys(value for value in values if isinstance(value, str)):
        try:
            times[text] = datetime.datetime.fromisoformat(text.strip())
        except ValueError:
            raise TypeError(
                f"{who}: column {name!r} must hold dates or times; got the text {text!r}, which is "
                "none as ISO 8601 writes it, such as 2024-01-31. Convert the column, as "
                "pandas.to_datetime does."
            ) from None
    read = [times.get(value) if isinstance(value, str) else None for value in values]
    return _from_time_objects(who, name, read, gaps_among(read).astype(np.uint8))


def check_times(who: str, column: NumberColumn) -> NumberColumn:
    """Refuse a column that was to hold times and holds others."""
    if column.kind.name != "datetime":
        raise TypeError(
            f"{who}: column {column.name!r} must hold dates or times, as kinds says; got "
            f"{column.kind.plural}. Convert it, as pandas.to_datetime does."
        )
    return column


def _from_integers(name: str, values: NDArray[Any], gaps: NDArray[np.uint8] | None) -> NumberColumn:
    """Whole numbers: floats where these are exact, else 64-bit integers."""
    if (
        values.dtype.itemsize < 8
        or not len(values)
        or (int(values.min()) >= -EXACT and int(values.max()) <= EXACT)
    ):
        keys = np.ascontiguousarray(values, dtype=np.float64)
        if gaps is not None:
            keys = np.where(gaps.astype(bool), np.nan, keys)
        return NumberColumn(name, Kind("number"), keys)
    if values.dtype.kind == "u" and int(values.max()) > INT64[1]:
        keys = (np.ascontiguousarray(values, dtype=np.uint64) ^ SIGN).view(np.int64)
        return NumberColumn(name, Kind("unsigned"), keys, gaps)
    return NumberColumn(name, Kind("integer"), np.ascontiguousarray(values, dtype=np.int64), gaps)


def _from_times(name: str, values: NDArray[Any], gaps: NDArray[np.uint8] | None) -> NumberColumn:
    """Dates, times and durations as whole numbers of their unit."""
    letter = values.dtype.kind
    unit, step = np.datetime_data(values.dtype)
    if step != 1 or unit in ("generic", "Y", "M", "W"):
        unit = "s" if unit != "generic" else "us"
        values = values.astype(f"{letter}8[{unit}]")
    keys = np.ascontiguousarray(values).view(np.int64)
    missing = keys == _NOT_A_TIME
    if gaps is not None:
        missing = missing | gaps.astype(bool)
    kind = Kind("datetime" if letter == "M" else "duration", unit)
    return NumberColumn(name, kind, keys, missing.astype(np.uint8) if missing.any() else None)


def gaps_among(values: Iterable[Any]) -> NDArray[np.bool_]:
    """Which Python objects are missing."""
    return np.array([_is_gap(value) for value in values], dtype=bool)


def _is_gap(value: Any) -> bool:
    """None, NaN, NaT, pandas' NA and what NumPy masks are missing."""
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return True
    if isinstance(value, decimal.Decimal):
        return value.is_nan()
    return isinstance(value, _MAY_BE_NAN) and bool(value != value)


def are_measured(values: NDArray[Any]) -> bool:
    """Whether objects are numbers of one kind, other than booleans, times or durations."""
    if any(isinstance(value, (bool, np.bool_)) for value in values):
        return False
    if all(map(_is_time, values)) or all(isinstance(value, _DURATIONS) for value in values):
        return True
    return _are(values, numbers.Real) or _are(values, decimal.Decimal, numbers.Integral)


def _are(values: Iterable[Any], *types: type) -> bool:
    """Whether all are numbers of some types; durations of NumPy pass for such, and are none."""
    return all(isinstance(v, types) and not isinstance(v, np.timedelta64) for v in values)


def _is_time(value: Any) -> bool:
    """Whether an object is a date, a time or a period of pandas."""
    return isinstance(value, (datetime.date, np.datetime64)) or type(value).__name__ == "Period"


def _from_objects(
    who: str,
    name: str,
    values: NDArray[Any],
    gaps: NDArray[np.uint8] | None,
    wanted: Kind | None = None,
) -> NumberColumn:
    """Python objects that are numbers, decimals or times of one kind."""
    missing = gaps_among(values)
    if gaps is not None:
        missing |= gaps.astype(bool)
    present = [value for value, gap in zip(values, missing, strict=True) if not gap]
    flags = missing.astype(np.uint8) if missing.any() else None
    if _are(present, bool, np.bool_, numbers.Integral):
        return _from_whole_objects(who, name, values, missing, flags)
    if _are(present, decimal.Decimal, numbers.Integral):
        return _from_decimals(who, name, values, missing, flags)
    if _are(present, numbers.Real):
        return _from_floats(name, values, missing)
    if all(map(_is_time, present)):
        filled = [None if gap else value for value, gap in zip(values, missing, strict=True)]
        return _from_time_objects(who, name, filled, flags)
    if all(isinstance(value, _DURATIONS) for value in present):
        filled = [None if gap else value for value, gap in zip(values, missing, strict=True)]
        return _from_times(name, times_from_objects(who, name, filled, "m"), flags)
    if any(isinstance(value, complex) for value in present):
        raise ValueError(complex_message(who, name))
    if all(isinstance(value, (str, bytes)) for value in present):
        return column_from_text(who, name, values.tolist(), wanted)
    kinds = sorted({type(value).__name__ for value in present})
    raise TypeError(
        f"{who}: column {name!r} must hold numbers; got values of the types {', '.join(kinds)} "
        "(an argument must be a string or a number). Convert them, or pass the column to Grouper."
    )


def _from_floats(name: str, values: NDArray[Any], missing: NDArray[np.bool_]) -> NumberColumn:
    """Numbers of any Python type, as floats."""
    keys = [np.nan if gap else float(value) for value, gap in zip(values, missing, strict=True)]
    return NumberColumn(name, Kind("number"), np.array(keys, dtype=np.float64))


def _from_time_objects(
    who: str, name: str, values: list[Any], flags: NDArray[np.uint8] | None
) -> NumberColumn:
    """Dates and times, all of them with a zone or none; a period is when it starts."""
    values = [v.start_time if type(v).__name__ == "Period" else v for v in values]
    zones = [getattr(value, "tzinfo", None) for value in values if value is not None]
    zone = common_zone(str(zone) for zone in zones if zone is not None)
    if zone and None in zones:
        raise TypeError(
            f"{who}: column {name!r} must hold times with a zone or times without one; got both. "
            "Give all of them a zone."
        )
    return with_zone(_from_times(name, times_from_objects(who, name, values, "M"), flags), zone)


def with_zone(column: NumberColumn, zone: str | None) -> NumberColumn:
    """Tell the zone in which the times of a column are shown, or that they have none."""
    if column.kind.name != "datetime":
        return column
    known = "" if not zone else zone if is_zone(zone) else "UTC"
    return replace(column, kind=replace(column.kind, zone=known))


def _from_whole_objects(
    who: str,
    name: str,
    values: NDArray[Any],
    missing: NDArray[np.bool_],
    flags: NDArray[np.uint8] | None,
) -> NumberColumn:
    """Python integers, which may be larger than 64 bits."""
    whole = [0 if gap else int(value) for value, gap in zip(values, missing, strict=True)]
    lowest, highest = min(whole, default=0), max(whole, default=0)
    is_unsigned = highest > INT64[1]
    if (lowest < 0 or highest > _MOST_UNSIGNED) if is_unsigned else lowest < INT64[0]:
        raise ValueError(
            f"{who}: column {name!r} holds integers beyond 64 bits; convert it to floats or divide "
            "it first."
        )
    dtype = np.uint64 if is_unsigned else np.int64
    return _from_integers(name, np.array(whole, dtype=dtype), flags)


def _from_decimals(
    who: str,
    name: str,
    values: NDArray[Any],
    missing: NDArray[np.bool_],
    flags: NDArray[np.uint8] | None,
) -> NumberColumn:
    """Decimals as whole numbers of their last digit."""
    present = [decimal.Decimal(v) for v, gap in zip(values, missing, strict=True) if not gap]
    if any(not value.is_finite() for value in present):
        return _from_floats(name, values, missing)
    # One more digit than the data, so that a midpoint is exact.
    scale = 1 + max((-int(value.as_tuple().exponent) for value in present), default=0)
    scale = max(scale, 1)
    whole = [
        0 if gap else int(decimal.Decimal(value).scaleb(scale))
        for value, gap in zip(values, missing, strict=True)
    ]
    if whole and (min(whole) < INT64[0] or max(whole) > INT64[1]):
        raise ValueError(
            f"{who}: column {name!r} holds decimals of more digits than 64 bits can; convert it to "
            "floats."
        )
    return NumberColumn(name, Kind("decimal", str(scale)), np.array(whole, dtype=np.int64), flags)
