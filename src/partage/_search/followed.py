"""The trend of the parts of a column: overall, in segments, and with rows beside it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sized

import numpy as np
from numpy.typing import NDArray

from partage._search.question import Answer, Question
from partage._search.trends import Segments, Series, follows_trend, segments_at
from partage._targets.tally import Tally
from partage._targets.target import Target


def ordered_target(question: Question) -> Target:
    """Target of a trend; one without an order is refused."""
    question.target.target.check_trend(question.who)
    return question.target.target


def _series(target: Target, parts: Tally) -> Series:
    """Weights and sums of scores of parts."""
    return Series(parts.weight, target.score_sums(parts))


def series_of(question: Question, starts: NDArray[np.uint32]) -> list[Series]:
    """Weights and sums of scores of the parts: overall, then by segment."""
    target = ordered_target(question)
    found = [_series(target, question.space.tally(starts))]
    segments = question.segments
    if segments is not None:
        pairs = list(itertools.pairwise(starts.astype(np.int64).tolist()))
        weights, sums = (
            np.array([table[a:b].sum(axis=0) for a, b in pairs]).T
            for table in (segments.weights, segments.scores)
        )
        found.extend(map(Series, weights, sums, segments.margins))
    return found


def trend_of(question: Question, starts: NDArray[np.uint32]) -> str | None:
    """Name the trend that parts follow, the strictest first."""
    asked = question.limits.monotonic
    if asked != "auto":
        return asked
    series = series_of(question, starts)
    names = ("ascending", "descending", "peak", "valley")
    return next((name for name in names if follows_trend(name, series)), None)


def trend_guard(
    question: Question, answer: Answer, place: NDArray[np.int64] | None, beside: Sized
) -> Callable[[Tally, list[int | None]], bool] | None:
    """Say whether parts follow their trend once rows beside them have joined.

    With segments, ``place`` says which rows lie beside.
    """
    trend = answer.trend
    if trend is None or question.target.target.is_constant:
        return None
    target = ordered_target(question)
    by_segment = series_of(question, answer.starts)[1:]
    others = Segments(np.empty((0, 0)), np.empty((0, 0)))
    if by_segment and place is not None:
        others = segments_at(question.target, place, len(beside))

    def allows(merged: Tally, parts: list[int | None]) -> bool:
        series = [_series(target, merged)]
        for s, one in enumerate(by_segment):
            weights, sums = one.weights.copy(), one.scores.copy()
            for i, part in enumerate(parts):
                if part is not None:
                    weights[part] += others.weights[i, s]
                    sums[part] += others.scores[i, s]
            series.append(Series(weights, sums, one.margin))
        return follows_trend(trend, series)

    return allows


__all__ = ["ordered_target", "series_of", "trend_guard", "trend_of"]
