"""Series of times of any library, also those whose dtype narwhals does not know."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

_TIMES = (nw.Datetime, nw.Date, nw.Duration)


def times_and_zone(series: nw.Series[Any]) -> tuple[nw.Series[Any], str | None] | None:
    """Series of times, those with a zone in UTC where need be, and the zone; None for others."""
    if series.dtype in _TIMES:
        return series, getattr(series.dtype, "time_zone", None)
    if series.dtype != nw.Unknown or not series.implementation.is_pandas_like():
        return None
    native: Any = series.to_native()
    if str(native.dtype).startswith("period["):
        return nw.from_native(native.dt.to_timestamp(), series_only=True), None
    # Zones such as America/New_York and Etc/GMT+3 hide their dtype from narwhals.
    zone = getattr(getattr(native, "dt", None), "tz", None)
    if zone is None:
        return None
    return nw.from_native(native.dt.tz_convert("UTC"), series_only=True), str(zone)


def dtype_of(series: nw.Series[Any]) -> Any:
    """Dtype of a series; that of its times where narwhals does not know it."""
    found = None if series.dtype != nw.Unknown else times_and_zone(series)
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
    times[missing] = np.datetime64("NaT")
    return times
