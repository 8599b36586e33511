"""Trends: how the rates of parts go from left to right, overall and in segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._spaces.space import Space
from partage._targets.target import TargetRows


@dataclass(frozen=True)
class Segments:
    """Weight and sum of scores of each segment at each unit, and of rows beside the units."""

    weights: NDArray[np.float64]
    scores: NDArray[np.float64]


def follows_trend(trend: str, series: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> bool:
    """Whether mean scores follow a trend in every series of (weights, sums of scores) by part."""
    if trend == "auto":
        return follows_trend("peak", series) or follows_trend("valley", series)
    sign = 1.0 if trend in ("ascending", "peak") else -1.0
    n_parts = len(series[0][0])
    turns = range(n_parts) if trend in ("peak", "valley") else [n_parts]
    rates = []
    for weights, scores in series:
        held = np.flatnonzero(weights > 0)
        rates.append((held, sign * scores[held] / weights[held]))
    return any(all(_turns_at(turn, *one) for one in rates) for turn in turns)


def _turns_at(turn: int, held: NDArray[np.int64], rates: NDArray[np.float64]) -> bool:
    """Whether rates do not fall up to a part and do not rise after it."""
    steps = np.diff(rates)
    is_before = held[1:] <= turn
    return bool((steps[is_before] >= 0).all() and (steps[~is_before] <= 0).all())


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
    assert target.segments is not None
    n_segments = int(target.segments.max()) + 1
    beside = place >= 0
    cells = place[beside] * n_segments + target.segments[beside]
    weights = np.ones(len(place)) if target.weights is None else target.weights
    shape = (n_places, n_segments)
    weight, score = (
        np.bincount(cells, amount[beside], minlength=n_places * n_segments).reshape(shape)
        for amount in (weights, weights * target.target.row_scores(target))
    )
    return Segments(weight.astype(np.float64), score.astype(np.float64))


__all__ = ["Segments", "follows_trend", "segments_at", "segments_of"]
