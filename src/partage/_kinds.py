"""Kinds of columns: how their values become sortable keys, and keys become cuts again.

A key is a 64-bit float where that is exact, else a 64-bit integer. Nothing after this module looks
at a dtype.
"""

from __future__ import annotations

import datetime
import decimal
import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._zones import check_zone, common_zone, is_zone

EXACT = 2**53  # whole numbers up to here are exact as floats
_SIGN = np.uint64(1 << 63)
_INT64 = (-(2**63), 2**63 - 1)
_KINDS = ("number", "integer", "unsigned", "decimal", "datetime", "duration")
_NOT_A_TIME = np.iinfo(np.int64).min


@dataclass(frozen=True)
class Kind:
    """What the keys of a column stand for.

    ``name`` is "number", "integer" or "unsigned" (beyond 2^53), "decimal", "datetime" or
    "duration"; ``unit`` is the time unit, or the number of decimals. Times with a zone are
    instants: their keys count from 1970 in UTC, and ``zone`` is where they are shown.
    """

    name: str
    unit: str = ""
    zone: str = ""

    @property
    def is_float(self) -> bool:
        """Whether keys are floats."""
        return self.name == "number"

    def cut_between(self, low: Any, high: Any) -> Any:
        """Key of the cut between two neighbouring keys: their midpoint, below the upper one."""
        if not self.is_float:
            return low + (high - low) // 2
        middle = (low + high) / 2
        if math.isinf(middle) and not math.isinf(low) and not math.isinf(high):
            middle = low / 2 + high / 2
        return middle if low <= middle < high else low

    def values(self, keys: NDArray[Any]) -> NDArray[Any]:
        """Values of keys as NumPy has them; times of a zone are in UTC."""
        if self.name == "unsigned":
            return keys.view(np.uint64) ^ _SIGN
        if self.name == "datetime":
            return keys.view(f"datetime64[{self.unit}]")
        if self.name == "duration":
            return keys.view(f"timedelta64[{self.unit}]")
        if self.name == "decimal":
            scale = int(self.unit)
            shown = [decimal.Decimal(int(key)).scaleb(-scale) for key in keys]
            return np.array(shown, dtype=object)
        return keys

    def show(self, keys: NDArray[Any]) -> NDArray[Any]:
        """Values as the user knows them: as NumPy has them, or times in their zone."""
        values = self.values(keys)
        if not self.zone:
            return values
        import pandas as pd

        instants = pd.DatetimeIndex(values).tz_localize("UTC")
        return np.asarray(instants.tz_convert(self.zone).astype(object).to_numpy())

    def to_plain(self) -> dict[str, str]:
        """Describe the kind with text only."""
        plain = {"name": self.name, "unit": self.unit}
        return plain | {"zone": self.zone} if self.zone else plain

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Kind:
        """Read a kind; its zone must be one that is known here."""
        kind = cls(str(plain["name"]), str(plain["unit"]), str(plain.get("zone", "")))
        if kind.name not in _KINDS:
            raise ValueError(f"no kind of numbers is called {kind.name!r}")
        if kind.zone and (kind.name != "datetime" or not is_zone(kind.zone)):
            raise ValueError(f"no time zone is called {kind.zone!r}")
        return kind


@dataclass(frozen=True)
class Column:
    """A column ready to be sorted: keys, which rows are missing, and what the keys mean."""

    name: str
    kind: Kind
    keys: NDArray[Any]
    is_missing: NDArray[np.uint8] | None = None

    def missing_mask(self) -> NDArray[np.bool_]:
        """Which rows are missing."""
        mask = np.isnan(self.keys) if self.kind.is_float else np.zeros(len(self.keys), dtype=bool)
        return mask if self.is_missing is None else mask | self.is_missing.astype(bool)

    def take(self, rows: NDArray[np.bool_] | None) -> Column:
        """Keep some rows."""
        if rows is None:
            return self
        missing = None if self.is_missing is None else self.is_missing[rows]
        return Column(self.name, self.kind, self.keys[rows], missing)

    def without(self, rows: NDArray[np.bool_]) -> Column:
        """Mark some rows as missing."""
        if not rows.any():
            return self
        if self.kind.is_float:
            return Column(self.name, self.kind, np.where(rows, np.nan, self.keys), self.is_missing)
        flags = (self.missing_mask() | rows).astype(np.uint8)
        return Column(self.name, self.kind, self.keys, flags)


def column_from_numpy(
    who: str,
    name: str,
    values: NDArray[Any],
    missing: NDArray[Any] | None = None,
    wanted: Kind | None = None,
) -> Column:
    """Read a column of NumPy values; ``missing`` marks gaps that the values do not show.

    ``wanted`` is the kind that the column should be of, where that is known.
    """
    gaps = None if missing is None else np.ascontiguousarray(missing, dtype=np.uint8)
    kind = values.dtype.kind
    if kind == "f":
        keys = np.ascontiguousarray(values, dtype=np.float64)
        if gaps is not None:
            keys = np.where(gaps.astype(bool), np.nan, keys)
        return Column(name, Kind("number"), keys)
    if kind in "biu":
        return _from_integers(name, values, gaps)
    if kind in "Mm":
        return _from_times(name, values, gaps)
    if kind == "O":
        return _from_objects(who, name, values, gaps, wanted)
    if kind == "c":
        raise ValueError(complex_message(who, name))
    return column_from_text(who, name, values.tolist(), wanted)


def complex_message(who: str, name: str) -> str:
    """Explain that complex numbers have no order."""
    return (
        f"{who}: Complex data not supported; column {name!r} holds complex numbers. "
        "Pass their real and imaginary parts as two columns."
    )


def text_message(who: str, name: str) -> str:
    """Explain that text is no number, and what takes it."""
    remedies = {
        "discretize": "pass it to partage.group",
        "Discretizer": "pass it to Grouper, or the whole table to TablePartitioner",
    }
    remedy = remedies.get(who.split(".")[0], "convert it to numbers")
    return f"{who}: column {name!r} holds text; {remedy}."


def column_from_text(who: str, name: str, values: list[Any], wanted: Kind | None) -> Column:
    """Read the text of times where these are wanted; refuse any other."""
    if wanted is None or not all(isinstance(value, str) or _is_gap(value) for value in values):
        raise TypeError(text_message(who, name))
    if wanted.name != "datetime":
        raise TypeError(
            f"{who}: column {name!r} must hold {_plural(wanted)} as in fit; got text. Convert it."
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


def check_times(who: str, column: Column) -> Column:
    """Refuse a column that was to hold times and holds others."""
    if column.kind.name != "datetime":
        raise TypeError(
            f"{who}: column {column.name!r} must hold dates or times, as kinds says; got "
            f"{_plural(column.kind)}. Convert it, as pandas.to_datetime does."
        )
    return column


def _from_integers(name: str, values: NDArray[Any], gaps: NDArray[np.uint8] | None) -> Column:
    """Whole numbers: floats where these are exact, else 64-bit integers."""
    if (
        values.dtype.itemsize < 8
        or not len(values)
        or (int(values.min()) >= -EXACT and int(values.max()) <= EXACT)
    ):
        keys = np.ascontiguousarray(values, dtype=np.float64)
        if gaps is not None:
            keys = np.where(gaps.astype(bool), np.nan, keys)
        return Column(name, Kind("number"), keys)
    if values.dtype.kind == "u" and int(values.max()) > _INT64[1]:
        keys = (np.ascontiguousarray(values, dtype=np.uint64) ^ _SIGN).view(np.int64)
        return Column(name, Kind("unsigned"), keys, gaps)
    return Column(name, Kind("integer"), np.ascontiguousarray(values, dtype=np.int64), gaps)


def _from_times(name: str, values: NDArray[Any], gaps: NDArray[np.uint8] | None) -> Column:
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
    return Column(name, kind, keys, missing.astype(np.uint8) if missing.any() else None)


def gaps_among(values: Iterable[Any]) -> NDArray[np.bool_]:
    """Which Python objects are missing."""
    return np.array([_is_gap(value) for value in values], dtype=bool)


def _is_gap(value: Any) -> bool:
    """None, NaN, NaT and pandas' NA are missing."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating, decimal.Decimal)) and value != value


def are_measured(values: NDArray[Any]) -> bool:
    """Whether objects are numbers of one kind, other than booleans, or times."""
    if any(isinstance(value, (bool, np.bool_)) for value in values):
        return False
    of_one_kind = ((numbers.Real,), (decimal.Decimal, numbers.Integral))
    return all(map(_is_time, values)) or any(
        all(isinstance(value, types) for value in values) for types in of_one_kind
    )


def _is_time(value: Any) -> bool:
    """Whether an object is a date, a time or a period of pandas."""
    return isinstance(value, (datetime.date, np.datetime64)) or type(value).__name__ == "Period"


def _from_objects(
    who: str,
    name: str,
    values: NDArray[Any],
    gaps: NDArray[np.uint8] | None,
    wanted: Kind | None = None,
) -> Column:
    """Python objects that are numbers, decimals or times of one kind."""
    missing = gaps_among(values)
    if gaps is not None:
        missing |= gaps.astype(bool)
    present = [value for value, gap in zip(values, missing, strict=True) if not gap]
    flags = missing.astype(np.uint8) if missing.any() else None
    if all(isinstance(value, (bool, np.bool_, numbers.Integral)) for value in present):
        return _from_whole_objects(who, name, values, missing, flags)
    if all(isinstance(value, (decimal.Decimal, numbers.Integral)) for value in present):
        return _from_decimals(who, name, values, missing, flags)
    if all(isinstance(value, numbers.Real) for value in present):
        return _from_floats(name, values, missing)
    if all(map(_is_time, present)):
        filled = [None if gap else value for value, gap in zip(values, missing, strict=True)]
        return _from_time_objects(who, name, filled, flags)
    if any(isinstance(value, complex) for value in present):
        raise ValueError(complex_message(who, name))
    if all(isinstance(value, (str, bytes)) for value in present):
        return column_from_text(who, name, values.tolist(), wanted)
    kinds = sorted({type(value).__name__ for value in present})
    raise TypeError(
        f"{who}: column {name!r} must hold numbers; got values of the types {', '.join(kinds)} "
        "(an argument must be a string or a number). Convert them, or pass the column to Grouper."
    )


def _from_floats(name: str, values: NDArray[Any], missing: NDArray[np.bool_]) -> Column:
    """Numbers of any Python type, as floats."""
    keys = [np.nan if gap else float(value) for value, gap in zip(values, missing, strict=True)]
    return Column(name, Kind("number"), np.array(keys, dtype=np.float64))


def _from_time_objects(
    who: str, name: str, values: list[Any], flags: NDArray[np.uint8] | None
) -> Column:
    """Dates and times, all of them with a zone or none; a period is when it starts."""
    values = [v.start_time if type(v).__name__ == "Period" else v for v in values]
    zones = [getattr(value, "tzinfo", None) for value in values if value is not None]
    zone = common_zone(str(zone) for zone in zones if zone is not None)
    if zone and None in zones:
        raise TypeError(
            f"{who}: column {name!r} must hold times with a zone or times without one; got both. "
            "Give all of them a zone."
        )
    if zone:
        values = [v and v.astimezone(datetime.UTC).replace(tzinfo=None) for v in values]
    unit = "ns" if any(getattr(value, "nanosecond", 0) for value in values) else "us"
    plain = [v.to_datetime64() if hasattr(v, "to_datetime64") else v for v in values]
    return with_zone(_from_times(name, np.array(plain, dtype=f"M8[{unit}]"), flags), zone)


def with_zone(column: Column, zone: str | None) -> Column:
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
) -> Column:
    """Python integers, which may be larger than 64 bits."""
    whole = [0 if gap else int(value) for value, gap in zip(values, missing, strict=True)]
    if whole and (min(whole) < _INT64[0] or max(whole) > _INT64[1]):
        raise ValueError(
            f"{who}: column {name!r} holds integers beyond 64 bits; convert it to floats or divide "
            "it first."
        )
    return _from_integers(name, np.array(whole, dtype=np.int64), flags)


def _from_decimals(
    who: str,
    name: str,
    values: NDArray[Any],
    missing: NDArray[np.bool_],
    flags: NDArray[np.uint8] | None,
) -> Column:
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
    if whole and (min(whole) < _INT64[0] or max(whole) > _INT64[1]):
        raise ValueError(
            f"{who}: column {name!r} holds decimals of more digits than 64 bits can; convert it to "
            "floats."
        )
    return Column(name, Kind("decimal", str(scale)), np.array(whole, dtype=np.int64), flags)


def keys_like(who: str, column: Column, kind: Kind) -> Column:
    """Express a new column in the keys of the column that was fitted.

    Cuts are compared with ``x > cut``, so a value between two keys goes up to the next one.
    """
    if column.kind == kind:
        return column
    times = ("datetime", "duration")
    mismatch = column.kind.name != kind.name and (column.kind.name in times or kind.name in times)
    if mismatch:
        raise TypeError(
            f"{who}: column {column.name!r} must hold {_plural(kind)} as in fit; "
            f"got {_plural(column.kind)}."
        )
    missing = column.missing_mask()
    if kind.name == "datetime" and not missing.all():
        check_zone(who, column.name, kind.zone, column.kind.zone)
    if (column.kind.name, column.kind.unit) == (kind.name, kind.unit):
        return replace(column, kind=kind)
    if kind.is_float:
        floats = np.array(column.kind.values(column.keys), dtype=np.float64)
        floats[missing] = np.nan
        return Column(column.name, kind, floats)
    if column.kind.name in times:
        keys = _times_in_unit(column, kind)
    else:
        shown = column.kind.values(column.keys).tolist()
        keys = np.array(
            [
                0 if gap else _key_above(value, kind)
                for value, gap in zip(shown, missing, strict=True)
            ],
            dtype=np.int64,
        )
    return Column(column.name, kind, keys, missing.astype(np.uint8) if missing.any() else None)


def common_keys(who: str, columns: list[Column]) -> list[Column]:
    """Express columns in keys of one kind that holds the values of all of them exactly."""
    kinds = {column.kind for column in columns if not column.missing_mask().all()}
    if len(kinds) < 2:
        kind = next(iter(kinds), columns[0].kind)
        return [c if c.kind == kind else _all_missing(c, kind) for c in columns]
    kind = _common_kind(who, columns, kinds)
    if kind.is_float:
        return [keys_like(who, column, kind) for column in columns]
    return [_exact_keys(who, column, kind) for column in columns]


def _all_missing(column: Column, kind: Kind) -> Column:
    """Make a column of gaps in keys of another kind."""
    n = len(column.keys)
    if kind.is_float:
        return Column(column.name, kind, np.full(n, np.nan))
    return Column(column.name, kind, np.zeros(n, dtype=np.int64), np.ones(n, dtype=np.uint8))


def _common_kind(who: str, columns: list[Column], kinds: set[Kind]) -> Kind:
    """Name the kind that holds the values of several columns."""
    names = {kind.name for kind in kinds}
    if names in ({"datetime"}, {"duration"}):
        finest = ("D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")
        zones = {kind.zone for kind in kinds}
        if "" in zones and len(zones) > 1:
            raise TypeError(
                f"{who}: column {columns[0].name!r} must be of one kind throughout; got times "
                "with a zone and times without one."
            )
        unit = max((kind.unit for kind in kinds), key=finest.index)
        return Kind(names.pop(), unit, common_zone(zones - {""}))
    if names & {"datetime", "duration"}:
        one, two = sorted({_plural(kind) for kind in kinds})[:2]
        raise TypeError(
            f"{who}: column {columns[0].name!r} must be of one kind throughout; got {one} and "
            f"{two}."
        )
    if any(c.kind.is_float and not _is_whole(c) for c in columns):
        return Kind("number")
    if "decimal" in names:
        return Kind("decimal", str(max(int(k.unit) for k in kinds if k.name == "decimal")))
    return Kind("unsigned" if "unsigned" in names else "integer")


def _is_whole(column: Column) -> bool:
    """Whether floats are whole numbers that integers hold exactly."""
    keys = column.keys[~column.missing_mask()]
    return bool(((np.abs(keys) <= EXACT) & (keys == np.floor(keys))).all())


def _exact_keys(who: str, column: Column, kind: Kind) -> Column:
    """Express a column in integer keys of a kind, without rounding."""
    if column.kind == kind:
        return column
    missing = column.missing_mask()
    if kind.name in ("datetime", "duration"):
        # The stubs of NumPy know units as literals only.
        step = np.timedelta64(1, column.kind.unit) // np.timedelta64(1, kind.unit)  # type: ignore[call-overload]
        whole = [
            0 if gap else key * int(step)
            for key, gap in zip(column.keys.tolist(), missing, strict=True)
        ]
    else:
        shown = column.kind.values(column.keys).tolist()
        scale = 10 ** int(kind.unit) if kind.name == "decimal" else 1
        offset = 2**63 if kind.name == "unsigned" else 0
        whole = [
            0 if gap else int(Fraction(value) * scale) - offset
            for value, gap in zip(shown, missing, strict=True)
        ]
    if whole and (min(whole) < _INT64[0] or max(whole) > _INT64[1]):
        raise ValueError(
            f"{who}: column {column.name!r} holds values that 64 bits cannot hold together; "
            "convert it to floats."
        )
    keys = np.array(whole, dtype=np.int64)
    return Column(column.name, kind, keys, missing.astype(np.uint8) if missing.any() else None)


def _plural(kind: Kind) -> str:
    """Name a kind in a message."""
    return {"datetime": "dates or times", "duration": "durations"}.get(kind.name, "numbers")


def _key_above(value: Any, kind: Kind) -> int:
    """Lowest key that is not below a number, kept within 64 bits."""
    if isinstance(value, float) and math.isinf(value):
        return _INT64[1] if value > 0 else _INT64[0]
    exact = Fraction(value)
    if kind.name == "decimal":
        exact *= 10 ** int(kind.unit)
    offset = 2**63 if kind.name == "unsigned" else 0
    return max(_INT64[0], min(_INT64[1], math.ceil(exact) - offset))


def _times_in_unit(column: Column, kind: Kind) -> NDArray[np.int64]:
    """Express times in another unit, rounded up."""
    letter = "M" if kind.name == "datetime" else "m"
    times = column.keys.view(f"{letter}8[{column.kind.unit}]")
    rounded = times.astype(f"{letter}8[{kind.unit}]")
    is_above = times > rounded
    return np.asarray(rounded.view(np.int64) + is_above)
