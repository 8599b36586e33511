"""Points of parts: log-odds on a scale, shared among columns, rounded so that sums lose least."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.scorecard.fit import Rows
from partage._estimators.scorecard.weights import Weights
from partage._partitions.partition import Partition

__all__ = ["Scale", "neutral_points", "override_points", "round_points"]

Vector = NDArray[np.float64]

_MOST_BIAS = 0.05  # of the mean error, beyond which no step may go
_POWERS = (2, 8, 24)  # of the errors that are made small, one after the other
_MOST_ROUNDS = 20


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


def round_points(points: Mapping[str, Vector], rows: Rows, places: list[int]) -> dict[str, Vector]:
    """Round the points of parts so that the sums of the rows lose least.

    Each column is first shifted to where its rounded points vary least around the exact ones, which
    the shifts of the others make up for; then single points go up or down by one while that lowers
    the largest errors of the rows.
    """
    exact = list(points.values())
    codes = [rows.codes[i] for i in places]
    shares = rows.sizes / rows.sizes.sum()
    weights = [
        np.bincount(code, shares, minlength=len(p)).astype(np.float64)
        for code, p in zip(codes, exact, strict=True)
    ]
    rounded = [_round_column(p, w) for p, w in zip(exact, weights, strict=True)]
    errors = np.zeros(len(shares))
    for p, r, code in zip(exact, rounded, codes, strict=True):
        errors += (r - p)[code]
    shift = np.round((errors * shares).sum())
    rounded[0] = rounded[0] - shift
    errors -= shift
    for power in _POWERS:
        _settle(rounded, errors, codes, shares, power)
    return {name: r + 0.0 for name, r in zip(points, rounded, strict=True)}


def _round_column(points: Vector, weights: Vector) -> Vector:
    """Whole numbers that differ from the points by nearly the same, and by about 0 on average."""
    edges = np.unique(points - np.floor(points))
    best: tuple[float, Vector] | None = None
    for edge in edges:
        # Fractions up to the edge go down, those above it up.
        found = np.where(points - np.floor(points) <= edge, np.floor(points), np.ceil(points))
        errors = found - points
        mean = float((errors * weights).sum())
        spread = float((weights * (errors - mean) ** 2).sum())
        if best is None or spread < best[0] - 1e-12:
            best = spread, found - np.round(mean)
    assert best is not None
    return best[1]


def _settle(
    rounded: list[Vector],
    errors: Vector,
    codes: list[NDArray[np.int64]],
    shares: Vector,
    power: int,
) -> None:
    """Move single points by one while the sum of a power of the errors falls."""
    members = [
        [np.flatnonzero(code == k) for k in range(len(points))]
        for points, code in zip(rounded, codes, strict=True)
    ]
    bias = float((errors * shares).sum())
    counted = shares if power == 2 else np.full(len(shares), 1.0 / len(shares))
    for _ in range(_MOST_ROUNDS):
        is_still = True
        for points, cells in zip(rounded, members, strict=True):
            for k, cell in enumerate(cells):
                if not len(cell):
                    continue
                here, weight, size = errors[cell], counted[cell], shares[cell].sum()
                now = (weight * np.abs(here) ** power).sum()
                for step in (-1.0, 1.0):
                    new_bias = bias + step * size
                    if abs(new_bias) > max(_MOST_BIAS, abs(bias)):
                        continue
                    if (weight * np.abs(here + step) ** power).sum() < now * (1.0 - 1e-9):
                        points[k] += step
                        errors[cell] += step
                        bias, is_still = float(new_bias), False
                        break
        if is_still:
            return


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
