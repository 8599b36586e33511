"""Where a cut is placed between two neighbouring values: any place there gives the same parts.

Numbers are compared as the decimals that they are written as: a float stands for the shortest one
that reads back to it. Whole numbers of a power of ten hold them exactly.
"""

from __future__ import annotations

import decimal
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.column import EXACT, Kind
from partage._data.cut_times import round_time, simple_time

FACTORS = (5, 2, 1)  # of powers of ten whose multiples are round, the roundest first
_RANK = {1: 0, 2: 1, 5: 2}
_EXACT = decimal.Context(prec=40, traps=[])
_MOST_DECIMALS = 6  # of numbers whose cuts are placed all at once


def place_cut(kind: Kind, low: Any, high: Any, style: str = "midpoint") -> Any:
    """Key of the cut between two neighbouring keys: not below the lower, below the upper one.

    ``"midpoint"`` is the middle. ``"simple"`` is the multiple of the largest power of ten strictly
    between them, nearest the middle, the lower of two as near; between whole numbers it is whole.
    Times are cut where a year, month, day, hour, minute or second starts. Where nothing of that
    kind lies between, the lower key is the cut.
    """
    if style == "midpoint":
        return _middle(low, high) if kind.is_float else low + (high - low) // 2
    if kind.is_time:
        return simple_time(kind, low, high)
    if kind.is_float and (math.isinf(low) or math.isinf(high)):
        return low
    return _Decimals.of(kind, low, high).simple()


def place_cuts(
    kind: Kind, lows: NDArray[Any], highs: NDArray[Any], style: str = "midpoint"
) -> NDArray[Any]:
    """Keys of the cuts between many pairs of neighbouring keys, as ``place_cut`` has them."""
    found = _scaled(np.concatenate([lows, highs])) if kind.is_float and len(lows) > 1 else None
    if found is None:
        pairs = zip(lows.tolist(), highs.tolist(), strict=True)
        return np.array([place_cut(kind, *pair, style) for pair in pairs], dtype=kind.dtype)
    numbers, unit = found
    ends = numbers[: len(lows)], numbers[len(lows) :]
    cuts = (sum(ends) // 2 if style == "midpoint" else _simple_cuts(*ends, unit)) / unit
    return np.where((lows <= cuts) & (cuts < highs), cuts, lows) + 0.0


def _scaled(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], int] | None:
    """Write floats as whole numbers of a unit, with a digit more than they have; None if long.

    Quotients of whole numbers below 2^53 are rounded once, so that a float that is equal to one
    is written as these digits.
    """
    most = float(np.abs(values).max())
    for n_decimals in range(_MOST_DECIMALS + 1):
        unit = 10**n_decimals
        if not most * unit * 20 < EXACT:
            return None
        numbers = np.rint(values * unit)
        if (numbers / unit == values).all():
            return 10 * numbers.astype(np.int64), 10 * unit
    return None


def _simple_cuts(lows: NDArray[np.int64], highs: NDArray[np.int64], unit: int) -> NDArray[np.int64]:
    """Multiples of the largest powers of ten strictly between; the lower number if there is none.

    Between whole numbers, which are multiples of the unit, powers stay whole.
    """
    cuts, is_open = lows.copy(), np.ones(len(lows), dtype=bool)
    is_whole = (lows % unit == 0) & (highs % unit == 0)
    step = 10 ** len(str(max(int(np.abs(lows).max()), int(np.abs(highs).max()))))
    while step:
        if step < unit:
            is_open &= ~is_whole
        is_here = is_open & (lows // step + 1 <= -(-highs // step) - 1)
        low, high = lows[is_here], highs[is_here]
        cuts[is_here] = -((step - low - high) // (2 * step)) * step
        is_open &= ~is_here
        step //= 10
    return cuts


def round_cut(kind: Kind, low: Any, high: Any) -> tuple[int, Any]:
    """Roundest key from the lower one on and below the upper one, and its level.

    The level of a number grows with its digits: 0 for one digit; 1, 2 and 3 for two digits of which
    the last is 5, even or odd; 4, 5 and 6 for three; and so on. That of a time is 0 at the start of
    a year, 1 of a month, then 2, 3, ... of a day, an hour, a minute, a second and its fractions.
    """
    if kind.is_time:
        return round_time(kind, low, high)
    if kind.is_float and math.isinf(low):
        return 0, low
    if kind.is_float and math.isinf(high):
        high = math.nextafter(low, math.inf)
    return _Decimals.of(kind, low, high).roundest()


def _middle(low: float, high: float) -> float:
    """Middle of the decimals that two floats are written as; the lower one if it is not between."""
    if math.isinf(low) or math.isinf(high):
        return low
    total = _EXACT.add(decimal.Decimal(repr(low)), decimal.Decimal(repr(high)))
    middle = float(_EXACT.divide(total, decimal.Decimal(2)))
    return middle if low <= middle < high else low


@dataclass(frozen=True)
class _Decimals:
    """Two neighbouring keys as whole numbers of a power of ten."""

    kind: Kind
    keys: tuple[Any, Any]
    low: int
    high: int
    exponent: int
    offset: int = 0  # of a key below its number

    @classmethod
    def of(cls, kind: Kind, low: Any, high: Any) -> _Decimals:
        """Read two keys; floats have one digit more, so that there is a number between them."""
        if kind.is_float:
            (one, first), (two, second) = _digits(low), _digits(high)
            exponent = min(first, second) - 1
            one, two = one * 10 ** (first - exponent), two * 10 ** (second - exponent)
            return cls(kind, (low, high), one, two, exponent)
        offset = 2**63 if kind.name == "unsigned" else 0
        exponent = -int(kind.unit) if kind.name == "decimal" else 0
        return cls(kind, (low, high), low + offset, high + offset, exponent, offset)

    @property
    def top(self) -> int:
        """Power of ten above both numbers."""
        return len(str(max(abs(self.low), abs(self.high)))) + self.exponent

    @property
    def is_whole(self) -> bool:
        """Whether both numbers are whole."""
        one: int = 10 ** max(-self.exponent, 0)
        return self.low % one == 0 and self.high % one == 0

    def simple(self) -> Any:
        """Key of the multiple of the largest power of ten strictly between."""
        finest = max(0, self.exponent) if self.is_whole else self.exponent
        for power in range(self.top, finest - 1, -1):
            step = 10 ** (power - self.exponent)
            if self.low // step + 1 <= -(-self.high // step) - 1:
                key = self._key(self._nearest(step))
                return key if self.keys[0] <= key < self.keys[1] else self.keys[0]
        return self.keys[0]

    def roundest(self) -> tuple[int, Any]:
        """Level and key of the multiple of the largest step that is not below the lower number."""
        for power in range(self.top, self.exponent - 1, -1):
            for factor in FACTORS:
                step = factor * 10 ** (power - self.exponent)
                if -(-self.low // step) > (self.high - 1) // step:
                    continue
                number = max(self._nearest(step), -(-self.low // step) * step)
                number = min(number, (self.high - 1) // step * step)
                key = self._key(number)
                if self.keys[0] <= key < self.keys[1]:
                    return self._level(number, power, factor), key
        return self._level(self.low, self.exponent, 1), self.keys[0]

    def _nearest(self, step: int) -> int:
        """Multiple of a step nearest the middle, the lower of two."""
        return -((step - self.low - self.high) // (2 * step)) * step

    def _level(self, number: int, power: int, factor: int) -> int:
        """How many digits a multiple of a step takes."""
        if number == 0:
            return 0
        size = len(str(abs(number))) - 1 + self.exponent
        return max(0, 3 * (size - power) - _RANK[factor])

    def _key(self, number: int) -> Any:
        """Key of a number."""
        if self.kind.is_float:
            return float(f"{number}e{self.exponent}") + 0.0
        return number - self.offset


def _digits(value: float) -> tuple[int, int]:
    """Whole number and power of ten of the shortest decimal that reads back to a float."""
    sign, digits, exponent = decimal.Decimal(repr(value)).as_tuple()
    number = int("".join(map(str, digits)))
    return -number if sign else number, int(exponent)


__all__ = ["FACTORS", "place_cut", "place_cuts", "round_cut"]
