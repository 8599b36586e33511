"""Trends: how the rates of parts go from left to right, overall and in segments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._spaces.space import Space
from partage._support.portable import normal_quantiles
from partage._targets.segments import RowSegments
from partage._targets.target import TargetRows


@dataclass(frozen=True)
class Series:
    """Weights and sums of scores of parts, all rows or those of one segment.

    A rate counts as known to ``margin / sqrt(weight)``.
    """

    weights: NDArray[np.float64]
    scores: NDArray[np.float64]
    margin: float = 0.0

    def follows(self, sign: float, turn: int) -> bool:
        """Whether rates do not fall up to a part and do not rise after it; -1 turns them over."""
        held = np.flatnonzero(self.weights > 0)
        rates = sign * self.scores[held] / self.weights[held]
        margins = self.margin / np.sqrt(self.weights[held])
        slack = margins[1:] + margins[:-1]
        steps = np.diff(rates)
        is_before = held[1:] <= turn
        rises = steps >= -slack if self.margin else steps >= 0
        falls = steps <= slack if self.margin else steps <= 0
        return bool(rises[is_before].all() and falls[~is_before].all())


@dataclass(frozen=True)
class Segments:
    """Weight and sum of scores of each segment at each unit, and of rows beside the units.

    Attributes
    ----------
    names : tuple
        What each segment is called.
    margins : tuple of float
        Margin of each segment at weight 1; 0 where any reversal counts.
    """

    weights: NDArray[np.float64]
    scores: NDArray[np.float64]
    names: tuple[Any, ...] = ()
    margins: tuple[float, ...] = ()


def follows_trend(trend: str, series: Sequence[Series]) -> bool:
    """Whether mean scores follow a trend in every series, with one turn for all."""
    if trend == "auto":
        return follows_trend("peak", series) or follows_trend("valley", series)
    sign = 1.0 if trend in ("ascending", "peak") else -1.0
    n_parts = len(series[0].weights)
    turns = range(n_parts) if trend in ("peak", "valley") else [n_parts]
    return any(all(one.follows(sign, turn) for one in series) for turn in turns)


def segments_of(
    who: str, keys: NDArray[Any], present: NDArray[np.bool_], space: Space, target: TargetRows
) -> Segments | None:
    """Count the rows of each segment at each unit."""
    if target.segments is None:
        return None
    place = np.full(len(keys), -1, dtype=np.int64)
    place[present] = np.searchsorted(space.keys, keys[present])
    target.target.check_trend(who)
    return segments_at(target, place, space.n_units)


def segments_at(target: TargetRows, place: NDArray[np.int64], n_places: int) -> Segments:
    """Count the rows of each segment at each place; rows at -1 are left out."""
    segments = target.segments
    assert segments is not None
    n_segments = len(segments.names)
    beside = place >= 0
    cells = place[beside] * n_segments + segments.codes[beside]
    weights = np.ones(len(place)) if target.weights is None else target.weights
    scores = target.target.row_scores(target)
    shape = (n_places, n_segments)
    weight, score = (
        np.bincount(cells, amount[beside], minlength=n_places * n_segments).reshape(shape)
        for amount in (weights, weights * scores)
    )
    margins = _margins(segments, weights, scores)
    return Segments(
        weight.astype(np.float64), score.astype(np.float64), segments.names, tuple(margins)
    )


def _margins(
    segments: RowSegments, weights: NDArray[np.float64], scores: NDArray[np.float64]
) -> list[float]:
    """Margin of the mean of each segment at weight 1.

    Two rates of equal weight n differ by chance by z sd sqrt(2 / n); half of it goes to each side.
    Of unequal weights the two halves are together less than that, so that what is tolerated is
    never significant.
    """
    n = len(segments.names)
    if segments.tolerance == 0.0:
        return [0.0] * n
    held = np.bincount(segments.codes, weights, minlength=n)
    means = np.bincount(segments.codes, weights * scores, minlength=n) / held
    away = (scores - means[segments.codes]) ** 2
    deviations = np.sqrt(np.bincount(segments.codes, weights * away, minlength=n) / held)
    z = float(normal_quantiles((1.0 + segments.tolerance) / 2.0))
    return [float(z / math.sqrt(2.0) * one) for one in deviations]


__all__ = ["Segments", "Series", "follows_trend", "segments_at", "segments_of"]
