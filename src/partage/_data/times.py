"""Times and durations as whole numbers of a unit, without rounding and without overflow."""

from __future__ import annotations

import datetime
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._data.column import INT64

_SECOND = 10**18
ATTOSECONDS = {
    "as": 1,
    "fs": 10**3,
    "ps": 10**6,
    "ns": 10**9,
    "us": 10**12,
    "ms": 10**15,
    "s": _SECOND,
    "m": 60 * _SECOND,
    "h": 3_600 * _SECOND,
    "D": 86_400 * _SECOND,
    "W": 604_800 * _SECOND,
}
_UNITS_OF_OBJECTS = ("us", "ns", "ps", "fs", "as", "ms", "s")  # the first one that is exact
_MICROSECOND = datetime.timedelta(microseconds=1)
_WITHIN_MICROSECONDS = {datetime.datetime, datetime.date, type(None)}


def keys_in_unit(keys: NDArray[np.int64], unit: str, wanted: str, *, up: bool) -> NDArray[np.int64]:
    """Express whole numbers of a unit in another one, rounded up or down, within 64 bits."""
    have, want = ATTOSECONDS[unit], ATTOSECONDS[wanted]
    if have < want:
        whole = keys // (want // have)
        return np.asarray(whole + (whole * (want // have) != keys) if up else whole)
    step = have // want
    most = INT64[1] // step
    inside = np.clip(keys, -most, most)
    finer = np.where(keys > most, INT64[1], inside * step)
    return np.asarray(np.where(keys < -most, INT64[0] + 1, finer))


def times_from_objects(who: str, name: str, values: list[Any], letter: str) -> NDArray[Any]:
    """Make an array of times ("M") or durations ("m"), in the first unit that holds all exactly.

    That is microseconds, or a finer unit where one needs it, or a coarser one for far values.
    """
    if letter == "M" and set(map(type, values)) <= _WITHIN_MICROSECONDS and not _has_zones(values):
        return np.array(values, dtype="M8[us]")
    exact = [None if value is None else _attoseconds(value) for value in values]
    present = [value for value in exact if value is not None]
    unit = next((unit for unit in _UNITS_OF_OBJECTS if _holds(unit, present)), None)
    if unit is None:
        what = "times" if letter == "M" else "durations"
        farthest = max((v for v in values if v is not None), key=lambda v: abs(_attoseconds(v)))
        raise ValueError(
            f"{who}: column {name!r} must hold {what} that 64 bits can count in one unit; got "
            f"{farthest!s}. Replace it by None where it stands for no value, or round all to "
            "seconds."
        )
    keys = [INT64[0] if value is None else value // ATTOSECONDS[unit] for value in exact]
    return np.array(keys, dtype=np.int64).view(f"{letter}8[{unit}]")


def _has_zones(values: list[Any]) -> bool:
    """Whether some times have a zone."""
    return any(getattr(value, "tzinfo", None) is not None for value in values)


def _holds(unit: str, exact: list[int]) -> bool:
    """Whether 64-bit numbers of a unit are exactly these lengths."""
    size = ATTOSECONDS[unit]
    return all(v % size == 0 and INT64[0] < v // size <= INT64[1] for v in exact)


def _attoseconds(value: Any) -> int:
    """Length of a duration, or time since 1970 (in UTC where it has a zone)."""
    if getattr(value, "tzinfo", None) is not None:
        return _attoseconds(value.replace(tzinfo=None)) - _attoseconds(value.utcoffset())
    value = value.to_numpy() if hasattr(value, "to_numpy") else value
    if isinstance(value, datetime.timedelta):
        return value // _MICROSECOND * ATTOSECONDS["us"]
    if isinstance(value, datetime.date):
        value = np.datetime64(value, "us")
    unit, step = np.datetime_data(value.dtype)
    if unit in ("Y", "M"):
        return _attoseconds(value.astype(f"{value.dtype.kind}8[s]"))
    count = int(value.astype(np.int64)) * step
    return count * ATTOSECONDS["us" if unit == "generic" else unit]


_TIMES = (nw.Datetime, nw.Date, nw.Duration)
# What narwhals takes zones such as America/New_York and Etc/GMT+3 of Arrow for, by its version.
_UNSURE = (nw.Unknown, nw.Time)


def times_and_zone(series: nw.Series[Any]) -> tuple[nw.Series[Any], str | None] | None:
    """Series of times, those with a zone in UTC where need be, and the zone; None for others."""
    if series.dtype in _TIMES:
        return series, getattr(series.dtype, "time_zone", None)
    if series.dtype not in _UNSURE or not series.implementation.is_pandas_like():
        return None
    native: Any = series.to_native()
    if str(native.dtype).startswith("period["):
        return nw.from_native(native.dt.to_timestamp(), series_only=True), None
    if str(native.dtype).startswith("date64["):
        return nw.from_native(native.astype("date32[day][pyarrow]"), series_only=True), None
    try:
        zone = native.dt.tz
    except (AttributeError, NotImplementedError):  # no times, or times of a day
        return None
    if zone is None:
        return None
    return nw.from_native(native.dt.tz_convert("UTC"), series_only=True), str(zone)


def dtype_of(series: nw.Series[Any]) -> Any:
    """Dtype of a series; that of its times where narwhals does not know it."""
    found = times_and_zone(series) if series.dtype in _UNSURE else None
    if found is None:
        return series.dtype
    times, zone = found
    return nw.Datetime(getattr(times.dtype, "time_unit", "us"), zone)


def times_of(series: nw.Series[Any]) -> NDArray[Any]:
    """Dates, times (those with a zone in UTC) and durations as NumPy has them."""
    dtype = series.dtype
    unit: Any = getattr(dtype, "time_unit", "us")
    unit = "ms" if unit == "s" else unit
    missing = np.asarray(series.is_null().to_numpy(), dtype=bool)
    if isinstance(dtype, nw.Duration):
        values = np.asarray(series.to_numpy())
        return values.astype(f"m8[{unit}]")
    if dtype == nw.Date:
        series, unit = series.cast(nw.Datetime("us")), "us"
    stamps = series.dt.timestamp(unit).fill_null(0).to_numpy()
    times = np.asarray(stamps).astype(np.int64).view(f"M8[{unit}]").copy()
    times[missing] = np.datetime64("NaT", unit)
    return times
