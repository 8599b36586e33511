"""Limits: what a user may ask of the parts, for every column or for single ones."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from partage._support.checks import check_choice, check_count, check_size, refuse
from partage._targets.target import TargetRows

TRENDS = ("ascending", "descending", "peak", "valley", "auto")
RULES = (
    "n_parts",
    "max_parts",
    "min_part_size",
    "min_class_count",
    "monotonic",
    "user_cuts",
    "candidate_cuts",
    "round_cuts",
)


@dataclass(frozen=True)
class Limits:
    """What the partition of one column must satisfy.

    ``min_part_size`` and ``min_class_count`` below 1 are fractions: of the weight of all rows, and
    of the weight of each class in the column. ``min_class_count`` may be one number for each class.
    ``round_cuts`` is what round cuts may cost, in bits.
    """

    n_parts: int | None = None
    max_parts: int | None = None
    min_part_size: float | None = None
    min_class_count: float | tuple[float, ...] | None = None
    monotonic: str | None = None
    user_cuts: tuple[Any, ...] | None = None
    candidate_cuts: tuple[Any, ...] | None = None
    round_cuts: float | None = None

    @cached_property
    def has_shape(self) -> bool:
        """Whether more is asked than sizes, so that only programs can obey."""
        return any(
            value is not None
            for value in (
                self.min_class_count,
                self.monotonic,
                self.user_cuts,
                self.candidate_cuts,
                self.round_cuts,
            )
        )

    @cached_property
    def is_free(self) -> bool:
        """Whether nothing is asked."""
        return not self.given()

    def given(self) -> dict[str, Any]:
        """Limits that are given, by name."""
        return {name: value for name in RULES if (value := getattr(self, name)) is not None}

    def of_rows(self, target: TargetRows) -> Limits:
        """Turn a share of all rows, missing and special ones included, into a weight."""
        if self.min_part_size is None or self.min_part_size >= 1:
            return self
        return replace(self, min_part_size=self.min_weight(float(target.counts().sum())))

    def min_weight(self, total: float) -> float:
        """Least weight of a part."""
        return 0.0 if self.min_part_size is None else _least(self.min_part_size, total)

    def min_counts(self, totals: Sequence[float]) -> list[float] | None:
        """Least weight of each class in a part, from the weight of each class in the column."""
        if self.min_class_count is None:
            return None
        asked = self.min_class_count
        each = asked if isinstance(asked, tuple) else (asked,) * len(totals)
        return [_least(size, total) for size, total in zip(each, totals, strict=True)]


def _least(size: float, total: float) -> float:
    """Least weight that reaches a size; below 1 it is a fraction of the total."""
    return size * total * (1.0 - 1e-12) if size < 1 else size  # the slack forgives 0.1 * 30


@dataclass(frozen=True)
class LimitsByColumn:
    """Limits for every column, or for single ones by their name."""

    given: Mapping[str, Any]

    @cached_property
    def _names(self) -> set[str]:
        """Columns that are named."""
        return {
            name for value in self.given.values() if isinstance(value, Mapping) for name in value
        }

    @cached_property
    def _of_others(self) -> Limits:
        """Limits of a column that is not named."""
        return self._of("")

    def _of(self, name: str) -> Limits:
        found = {
            key: value.get(name) if isinstance(value, Mapping) else value
            for key, value in self.given.items()
        }
        return Limits(**found)

    def of(self, name: str) -> Limits:
        """Limits of one column."""
        return self._of(name) if name in self._names else self._of_others

    def asks(self, name: str) -> bool:
        """Whether a limit is given, for every column or for one."""
        return any(getattr(limits, name) is not None for limits in self.all())

    def for_unordered(self) -> LimitsByColumn:
        """Leave out what is asked of every column, and only those with an order can have."""
        asked = {name: self.given.get(name) for name in ("monotonic", "min_class_count")}
        left = {name: None for name, value in asked.items() if not isinstance(value, Mapping)}
        return LimitsByColumn({**self.given, **left})

    def all(self) -> list[Limits]:
        """Limits of every column that is named, and of a column that is not."""
        return [*map(self.of, sorted(self._names)), self._of_others]


def check_limits(who: str, **given: Any) -> LimitsByColumn:
    """Check limits; a dict gives them by column name."""
    checks = {
        "n_parts": check_count,
        "max_parts": check_count,
        "min_part_size": check_size,
        "min_class_count": _check_class_count,
        "monotonic": _check_trend,
        "user_cuts": _check_cuts,
        "candidate_cuts": _check_cuts,
        "round_cuts": _check_budget,
    }
    checked: dict[str, Any] = {}
    for name, value in given.items():
        check: Any = checks[name]
        if isinstance(value, Mapping):
            checked[name] = {
                column: check(who, f"{name}[{column!r}]", one) for column, one in value.items()
            }
        else:
            checked[name] = check(who, name, value)
    rules = LimitsByColumn(checked)
    for limits in rules.all():
        if limits.n_parts and limits.max_parts and limits.n_parts > limits.max_parts:
            raise ValueError(
                f"{who}: n_parts must not exceed max_parts; got n_parts={limits.n_parts} and "
                f"max_parts={limits.max_parts}."
            )
        if limits.round_cuts is not None and limits.candidate_cuts is not None:
            raise ValueError(
                f"{who}: round_cuts and candidate_cuts exclude each other: the candidates say "
                "which cuts there may be. Leave one of the two out."
            )
    return rules


def check_by(who: str, rules: LimitsByColumn) -> None:
    """Refuse segments without a trend that should hold in them."""
    if not any(limits.monotonic for limits in rules.all()):
        raise ValueError(
            f"{who}: by needs monotonic: the rates are monotonic in each of its segments."
        )


def check_tolerance(who: str, value: Any) -> float:
    """Take how sure a reversal in a segment must be to count."""
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not is_number or not 0 <= value < 1:
        refuse(who, "by_tolerance", "a number from 0 (any reversal counts) to below 1", value)
    return float(value)


def _check_trend(who: str, name: str, value: Any) -> str | None:
    """Take a trend or None."""
    return None if value is None else check_choice(who, name, value, TRENDS)


def _check_budget(who: str, name: str, value: Any) -> float | None:
    """Take a number of bits, or None."""
    if value is None:
        return None
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not is_number or not 0 <= value < math.inf:
        refuse(who, name, "a number of bits of at least 0, or None", value)
    return float(value)


def _check_class_count(who: str, name: str, value: Any) -> float | tuple[float, ...] | None:
    """Take a size, one size for each class, or None."""
    if value is None or isinstance(value, numbers.Real):
        return check_size(who, name, value)
    if isinstance(value, (str, bytes)) or not isinstance(value, (Sequence, np.ndarray)):
        refuse(who, name, "a number, one number for each class, or None", value)
    sizes = []
    for size in value:
        is_number = isinstance(size, numbers.Real) and not isinstance(size, bool)
        if not is_number or not 0 <= size < math.inf:
            refuse(who, name, "a number, one number for each class, or None", value)
        sizes.append(float(size))
    return tuple(sizes)


def _check_cuts(who: str, name: str, value: Any) -> tuple[Any, ...] | None:
    """Take a list of cuts or None; their order is checked where the column is known."""
    if value is None:
        return None
    if isinstance(value, (str, bytes)) or not (
        isinstance(value, Sequence) or hasattr(value, "__array__")
    ):
        refuse(who, name, "a list of increasing cuts, or None", value)
    return tuple(np.asarray(value) if hasattr(value, "__array__") else value)


__all__ = [
    "RULES",
    "TRENDS",
    "Limits",
    "LimitsByColumn",
    "check_by",
    "check_limits",
    "check_tolerance",
]
