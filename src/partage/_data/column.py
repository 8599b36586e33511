"""Kinds of columns: what their sortable keys stand for.

A key is a 64-bit float where that is exact, else a 64-bit integer. Nothing after the reading of
values looks at a dtype.
"""

from __future__ import annotations

import decimal
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.zones import is_zone

EXACT = 2**53  # whole numbers up to here are exact as floats
SIGN = np.uint64(1 << 63)
INT64 = (-(2**63), 2**63 - 1)
_KINDS = ("number", "integer", "unsigned", "decimal", "datetime", "duration")
_TIME_UNIT = re.compile("[WDhms]|[munpfa]s")
_UNITS = dict.fromkeys(_KINDS, re.compile("")) | {
    "decimal": re.compile("[0-9]{1,3}"),
    "datetime": _TIME_UNIT,
    "duration": _TIME_UNIT,
}


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
    def plural(self) -> str:
        """Its values in a message."""
        return {"datetime": "dates or times", "duration": "durations"}.get(self.name, "numbers")

    @property
    def is_time(self) -> bool:
        """Whether keys count a unit of time."""
        return self.name in ("datetime", "duration")

    @property
    def is_float(self) -> bool:
        """Whether keys are floats."""
        return self.name == "number"

    @property
    def dtype(self) -> type[np.float64] | type[np.int64]:
        """Type of the keys."""
        return np.float64 if self.is_float else np.int64

    def values(self, keys: NDArray[Any]) -> NDArray[Any]:
        """Values of keys as NumPy has them; times of a zone are in UTC."""
        if self.name == "unsigned":
            return keys.view(np.uint64) ^ SIGN
        if self.name == "datetime":
            return keys.view(f"datetime64[{self.unit}]")
        if self.name == "duration":
            return keys.view(f"timedelta64[{self.unit}]")
        if self.name == "decimal":
            scale = int(self.unit)
            shown = [decimal.Decimal(int(key)).scaleb(-scale) for key in keys]
            return np.array(shown, dtype=object)
        return keys

    def positions(self, keys: NDArray[Any]) -> NDArray[np.float64]:
        """Place keys on an axis: numbers as they are, dates in ms since 1970, durations in s."""
        shown = self.values(np.ascontiguousarray(keys))
        if self.name == "datetime":
            return np.asarray(shown.astype("datetime64[us]").astype(np.int64) / 1000.0)
        if self.name == "duration":
            return np.asarray(shown.astype("timedelta64[us]").astype(np.int64) / 1e6)
        return np.asarray(shown, dtype=np.float64)

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
        if not _UNITS[kind.name].fullmatch(kind.unit):
            raise ValueError(f"{kind.unit!r} is no unit of {kind.plural}")
        if kind.zone and (kind.name != "datetime" or not is_zone(kind.zone)):
            raise ValueError(f"no time zone is called {kind.zone!r}")
        return kind


@dataclass(frozen=True)
class NumberColumn:
    """A column ready to be sorted: keys, which rows are missing, and what the keys mean."""

    name: str
    kind: Kind
    keys: NDArray[Any]
    is_missing: NDArray[np.uint8] | None = None

    @classmethod
    def of_gaps(cls, name: str, kind: Kind, n_rows: int) -> NumberColumn:
        """Make a column in which every value is missing."""
        if kind.is_float:
            return cls(name, kind, np.full(n_rows, np.nan))
        gone = np.ones(n_rows, dtype=np.uint8)
        return cls(name, kind, np.zeros(n_rows, dtype=kind.dtype), gone)

    def as_gaps_of(self, kind: Kind | None) -> NumberColumn:
        """Column of a kind where every value is missing, since gaps have no kind of their own."""
        if kind is None or kind == self.kind or not self.missing_mask().all():
            return self
        return NumberColumn.of_gaps(self.name, kind, len(self.keys))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.keys)

    @property
    def sort_keys(self) -> NDArray[Any]:
        """Numbers that order the rows by their values; those of missing rows mean nothing."""
        return self.keys

    def with_keys(self, keys: NDArray[Any], is_gone: NDArray[np.bool_]) -> NumberColumn:
        """Make other rows of the same column."""
        if self.kind.is_float:
            return replace(self, keys=np.where(is_gone, np.nan, keys), is_missing=None)
        flags = is_gone.astype(np.uint8) if is_gone.any() else None
        return replace(self, keys=keys, is_missing=flags)

    def gaps(self, n_rows: int) -> NumberColumn:
        """Make rows of the same kind of column in which every value is missing."""
        return NumberColumn.of_gaps(self.name, self.kind, n_rows)

    def missing_mask(self) -> NDArray[np.bool_]:
        """Which rows are missing."""
        mask = np.isnan(self.keys) if self.kind.is_float else np.zeros(len(self.keys), dtype=bool)
        return mask if self.is_missing is None else mask | self.is_missing.astype(bool)

    def assign(self, cut_keys: NDArray[Any], missing: int) -> NDArray[np.int64]:
        """Count the cuts below each key, of the kind of the column; missing rows have a code."""
        codes = _core.assign_parts(self.keys, cut_keys, missing).view(np.int64)
        if self.is_missing is not None:
            codes[self.is_missing.astype(bool)] = missing
        return codes

    def take(self, rows: NDArray[np.bool_] | None) -> NumberColumn:
        """Keep some rows."""
        if rows is None:
            return self
        missing = None if self.is_missing is None else self.is_missing[rows]
        return NumberColumn(self.name, self.kind, self.keys[rows], missing)

    def without(self, rows: NDArray[np.bool_]) -> NumberColumn:
        """Mark some rows as missing."""
        if not rows.any():
            return self
        if self.kind.is_float:
            return NumberColumn(
                self.name, self.kind, np.where(rows, np.nan, self.keys), self.is_missing
            )
        flags = (self.missing_mask() | rows).astype(np.uint8)
        return NumberColumn(self.name, self.kind, self.keys, flags)
