"""Cuts between times, where a year, month, day, hour, minute or second starts, and of durations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.column import INT64, Kind
from partage._data.times import ATTOSECONDS

_DAY, _SECOND = ATTOSECONDS["D"], ATTOSECONDS["s"]
_MOST_DAYS = 9  # power of ten of the longest round duration
_STEPS = (
    *(_DAY, ATTOSECONDS["h"], ATTOSECONDS["m"], _SECOND),
    *(_SECOND // 10**k for k in range(1, 19)),
)


@dataclass(frozen=True)
class Rung:
    """One unit of the clock: of so many months, or of so many attoseconds."""

    months: int = 0
    step: int = 0

    def index(self, moment: int) -> int:
        """Place of the unit that holds a moment; moments count attoseconds since 1970."""
        if self.step:
            return moment // self.step
        month = np.datetime64(moment // _DAY, "D").astype("datetime64[M]")
        return int(month.astype(np.int64)) // self.months

    def start(self, index: int) -> int:
        """When a unit starts."""
        if self.step:
            return index * self.step
        day = np.datetime64(index * self.months, "M").astype("datetime64[D]")
        return int(day.astype(np.int64)) * _DAY

    def is_start(self, moment: int) -> bool:
        """Whether a unit starts at a moment."""
        return self.start(self.index(moment)) == moment

    def floors(self, kind: Kind, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Keys of the starts of the units that hold these keys; of times without a zone."""
        unit = ATTOSECONDS[kind.unit]
        if self.step:
            return np.asarray(keys // (self.step // unit) * (self.step // unit))
        letter = "Y" if self.months > 1 else "M"
        starts = keys.view(f"datetime64[{kind.unit}]").astype(f"datetime64[{letter}]")
        return np.asarray(starts.astype(f"datetime64[{kind.unit}]").view(np.int64))


def rungs(kind: Kind) -> list[Rung]:
    """Units in which the times of a column are cut, the longest first."""
    unit = ATTOSECONDS[kind.unit]
    fixed = [Rung(step=step) for step in _STEPS if step % unit == 0]
    if not fixed:
        return [Rung(step=unit)]  # weeks
    if kind.name == "datetime":
        return [Rung(months=12), Rung(months=1), *fixed]
    days = (10**k * _DAY for k in range(_MOST_DAYS, 0, -1))
    return [*(Rung(step=step) for step in days if step // unit <= INT64[1]), *fixed]


def simple_time(kind: Kind, low: int, high: int) -> int:
    """Key of the start of the longest unit strictly between two keys, else the lower one.

    Between two starts of a unit there is none of a shorter one: whole days are cut by a whole day.
    """
    clock = Clock(kind)
    one, two = clock.moment(low), clock.moment(high)
    for rung in rungs(kind):
        key = _nearest(clock, rung, one, two, rung.index(one) + 1)
        if key is not None and low < key < high:
            return key
        if rung.is_start(one) and rung.is_start(two):
            break
    return low


def round_time(kind: Kind, low: int, high: int) -> tuple[int, int]:
    """Level and key of the start of the longest unit from one key on and below another."""
    clock = Clock(kind)
    one, two = clock.moment(low), clock.moment(high)
    level = 0
    for level, rung in enumerate(rungs(kind)):
        first = rung.index(one) + (not rung.is_start(one))
        key = _nearest(clock, rung, one, two, first)
        if key is not None and low <= key < high:
            return level, key
    return level, low


def _nearest(clock: Clock, rung: Rung, one: int, two: int, first: int) -> int | None:
    """Key of the start nearest the middle, of those from the first unit on and before a moment."""
    last = rung.index(two) - rung.is_start(two)
    if first > last:
        return None
    middle = rung.index((one + two) // 2)
    near = (min(max(i, first), last) for i in (middle, middle + 1))
    return clock.key(min(map(rung.start, near), key=lambda start: abs(2 * start - one - two)))


@dataclass(frozen=True)
class Clock:
    """Keys of a column as moments on the clock of its zone, in attoseconds since 1970."""

    kind: Kind

    def moment(self, key: int) -> int:
        """Moment that the clock shows."""
        (shown,) = self.shown(np.array([key], dtype=np.int64)).tolist()
        return int(shown) * ATTOSECONDS[self.kind.unit]

    def shown(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Keys that times without a zone would have, where the clock shows the same."""
        kind = self.kind
        if not kind.zone:
            return keys
        import pandas as pd

        times = pd.DatetimeIndex(keys.view(f"datetime64[{kind.unit}]")).tz_localize("UTC")
        local = times.tz_convert(kind.zone).tz_localize(None).to_numpy()
        return np.asarray(local.astype(f"datetime64[{kind.unit}]").view(np.int64))

    def key(self, moment: int) -> int | None:
        """Key of a moment, or of the next one that the clock shows; None where there is none."""
        kind = self.kind
        whole, rest = divmod(moment, ATTOSECONDS[kind.unit])
        if rest or not kind.zone:
            return None if rest else whole
        import pandas as pd

        clock = np.array([whole], dtype=np.int64).view(f"datetime64[{kind.unit}]")
        local: Any = pd.DatetimeIndex(clock)
        first = np.array([True])  # of two moments at which the clock shows the same
        times = local.tz_localize(kind.zone, ambiguous=first, nonexistent="shift_forward")
        utc = times.tz_convert("UTC").tz_localize(None).to_numpy()
        return int(utc.astype(f"datetime64[{kind.unit}]").view(np.int64)[0])


def levels_of_times(kind: Kind, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Level of the roundest time from each key on and below the next one."""
    shown = Clock(kind).shown(np.ascontiguousarray(keys))
    steps = rungs(kind)
    levels = np.full(max(len(keys) - 1, 0), len(steps) - 1, dtype=np.int64)
    for level, rung in reversed(list(enumerate(steps))):
        floors = rung.floors(kind, shown[1:] - 1)
        levels[(shown[:-1] <= floors) & (floors < shown[1:])] = level  # unless it overflows
    return levels


__all__ = ["Clock", "Rung", "levels_of_times", "round_time", "rungs", "simple_time"]
