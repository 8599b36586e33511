"""Points of parts: log-odds on a scale, shared among columns; those set by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.scorecard.weights import Weights
from partage._partitions.partition import Partition

__all__ = ["Scale", "neutral_points", "override_points"]

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Scale:
    """Points that double the odds against the event, and points at some odds."""

    points_to_double: float
    base: float
    base_odds: float

    @property
    def factor(self) -> float:
        """Points of a unit of log-odds."""
        return self.points_to_double / math.log(2)

    @property
    def cutoff(self) -> float:
        """Points at even odds."""
        return float(self.base - self.factor * math.log(self.base_odds))

    def shared(self, parts: Mapping[str, Vector], intercept: float) -> dict[str, Vector]:
        """Points of log-odds by part; the constant is divided evenly among the columns."""
        share = (self.cutoff - self.factor * intercept) / max(len(parts), 1)
        return {name: share - self.factor * odds for name, odds in parts.items()}


def neutral_points(
    partitions: Mapping[str, Partition],
    weights: Weights,
    points: Mapping[str, Vector],
    scale: Scale,
) -> dict[str, float]:
    """Points of no evidence, of each column: what its parts have on average, without evidence."""
    names = list(partitions)
    found = {}
    for name, of_code in points.items():
        partition = partitions[name]
        held = partition.own_tally().weight
        odds = weights.coef[names.index(name)] * partition.code_woe(partition.event)
        found[name] = float(((of_code + scale.factor * odds) * held).sum() / held.sum())
    return found


def override_points(
    who: str,
    override: Mapping[str, Mapping[Any, float]],
    partitions: Mapping[str, Partition],
    points: dict[str, Vector],
    weights: Weights,
    signs: str | None,
) -> dict[str, Vector]:
    """Set the points of single parts, unless a part of more risk would have more than another."""
    for name, wanted in override.items():
        if name not in points:
            why = weights.reasons.get(name, "it has no weight")
            raise ValueError(
                f"{who}: override must name columns that have points; {name!r} is left out: {why}."
            )
        partition = partitions[name]
        changed = points[name].copy()
        for part, value in wanted.items():
            changed[_code_of(who, partition, part)] = float(value)
        if signs is not None:
            _check_order(who, name, partition, changed, wanted)
        points[name] = changed
    return points


def _code_of(who: str, partition: Partition, part: Any) -> int:
    """Code of a part by its number, or of a row of the table by its name."""
    shown = partition.rule.shown_codes()
    labels = partition.code_labels()
    is_whole = isinstance(part, (int, np.integer)) and not isinstance(part, bool)
    if is_whole and 0 <= part < partition.n_parts:
        return int(part)
    names = {labels[k]: k for k in shown}
    if isinstance(part, str) and part in names:
        return names[part]
    beside = ", ".join(repr(labels[k]) for k in shown if k >= partition.n_parts)
    raise ValueError(
        f"{who}: override[{partition.name!r}] must name parts from 0 to {partition.n_parts - 1}, "
        f"or {beside}; got {part!r}."
    )


def _check_order(
    who: str, name: str, partition: Partition, points: Vector, wanted: Mapping[Any, float]
) -> None:
    """Refuse points that are higher where the event is more likely."""
    held = np.flatnonzero(partition.own_tally().weight > 0)
    risk = partition.woe_sign * partition.code_woe(partition.event)
    labels = partition.code_labels()
    for part, value in wanted.items():
        k = _code_of(who, partition, part)
        for other in held:
            more, less = (k, other) if risk[k] > risk[other] else (other, k)
            if risk[more] > risk[less] and points[more] > points[less]:
                raise ValueError(
                    f"{who}: override[{name!r}][{part!r}] must not give more points to more risk; "
                    f"got {value:g}, so that {labels[more]} has {points[more]:.6g} points and "
                    f"{labels[less]}, of less risk, {points[less]:.6g}. Choose other points, or "
                    "set signs=None."
                )
