"""The search under limits: what they cost against the free optimum, or which is in the way."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.baselines import BASELINES
from partage._search.bounds import trend_bound
from partage._search.core import Found, find_partition
from partage._search.limits import Limits
from partage._search.methods import Method, methods
from partage._search.named_cuts import (
    candidates,
    inside_places,
    n_empty_parts,
    places_of,
    with_given_cuts,
)
from partage._search.readings import Reading
from partage._search.rounding import find_roundest
from partage._search.trends import Segments, Series, follows_trend, segments_at
from partage._spaces.space import Space
from partage._support.parallel import Cancel
from partage._support.portable import LOG_2
from partage._targets.tally import Tally
from partage._targets.target import Target, TargetRows
from partage.exceptions import NotPartitionableError

_MOST_EXACT = 20_000  # units of a column whose free optimum is proven to certify a gap
_PROGRAMS = ("auto", "exact", "coarse")


@dataclass(frozen=True)
class Question:
    """Everything a search under limits is asked about one column."""

    who: str  # the function and the column
    space: Space
    target: TargetRows
    method: Method
    search: str
    numbers: Sequence[float] | None
    limits: Limits
    user_keys: NDArray[Any] | None = None  # user_cuts as keys of the column
    candidate_keys: NDArray[Any] | None = None
    segments: Segments | None = None
    cancel: Cancel | None = None
    levels: NDArray[np.int64] | None = None  # how round the cut after each unit can be, 0 most
    held: NDArray[np.float64] | None = (
        None  # class weights of the units, where the space has others
    )
    known: dict[Any, Any] | None = None  # optima without limits that were found before

    def counts(self, starts: NDArray[Any]) -> NDArray[np.float64]:
        """Class weights of the rows of parts."""
        if self.held is None:
            return self.space.counts(starts)
        sums = np.vstack([np.zeros(self.held.shape[1]), np.cumsum(self.held, axis=0)])
        return np.asarray(np.diff(sums[starts], axis=0))


@dataclass(frozen=True)
class Answer:
    """Parts under limits: where they start, what they hold, which keys cut them."""

    starts: NDArray[np.uint32]  # first unit of each part, then the end; empty parts repeat a start
    counts: NDArray[np.float64]
    is_optimal: bool
    given_keys: list[Any]  # key of each cut, None where it is the midpoint of two units
    trend: str | None  # that the parts follow, where one was asked for
    free_starts: NDArray[np.uint32] | None  # of the optimum without limits
    bound: float | None  # no partition costs less
    is_free: bool = False  # nothing was asked
    in_the_way: tuple[Any, ...] | None = None  # segments that break the best parts without them
    reading: Reading | None = None  # what was read of a number
    free_reading: Reading | None = None


def find_under_limits(question: Question) -> Answer:
    """Partition a line of units under limits."""
    limits = question.limits
    in_the_way = None
    _check_method(question)
    free = None if limits.is_free else _free(question)
    if not limits.has_shape:
        if limits.min_part_size is not None and question.method.name not in BASELINES:
            weight = np.array([question.space.total_weight])
            _check_sizes(question, _totals(question)[None, :], weight, _totals(question))
        found = _search(question, None)
        keys = [None] * (len(found.starts) - 2)
        starts, counts, trend = found.starts, found.counts, None
    else:
        _check_fixed(question)
        constraints = _constraints(question, free)
        try:
            found = _search(question, constraints)
        except NotPartitionableError:
            raise NotPartitionableError(_who_is_in_the_way(question)) from None
        found = _rounded(question, found, free)
        starts, keys = with_given_cuts(question, found.starts)
        counts = question.space.counts(starts)
        trend = _trend_of(question, starts)
        in_the_way = _segments_in_the_way(question, constraints, starts)
    is_optimal = found.is_optimal
    bound = None
    if free is not None:
        is_optimal = is_optimal or (free.is_optimal and np.array_equal(free.starts, starts))
        bound = None if is_optimal else _bound(question, free)
    return Answer(
        starts,
        counts,
        is_optimal,
        keys,
        trend,
        None if free is None else free.starts,
        found.cost if is_optimal else bound,
        limits.is_free,
        in_the_way,
        found.reading,
        None if free is None else free.reading,
    )


def _search(question: Question, constraints: _core.Constraints | None) -> Found:
    """Ask the core; the parts without rows that user cuts make are counted beside those found."""
    limits = question.limits
    n_empty = 0 if constraints is None else n_empty_parts(question)
    fewer = limits
    if n_empty:
        fewer = replace(
            limits,
            n_parts=None if limits.n_parts is None else limits.n_parts - n_empty,
            max_parts=None if limits.max_parts is None else limits.max_parts - n_empty,
        )
    return find_partition(
        question.space,
        question.method,
        question.search,
        fewer,
        question.numbers,
        who=question.who,
        cancel=question.cancel,
        constraints=constraints,
    )


def _rounded(question: Question, found: Found, free: Any) -> Found:
    """Move cuts to rounder places, where that was asked for."""
    bits, levels = question.limits.round_cuts, question.levels
    if bits is None or levels is None:
        return found
    n_parts = len(found.starts) - 1 + n_empty_parts(question)
    as_many = replace(question.limits, n_parts=n_parts, max_parts=None)
    asked = replace(question, limits=as_many)

    def search_among(places: NDArray[np.int64], kept: NDArray[np.int64]) -> Found | None:
        constraints = _constraints(asked, free)
        constraints.set_fixed(kept.tolist(), n_empty_parts(asked))
        constraints.set_borders([0, *places.tolist(), asked.space.n_units])
        try:
            return _search(asked, constraints)
        except NotPartitionableError:
            return None

    fixed = inside_places(question, places_of(question, question.user_keys))
    budget = bits * LOG_2 if question.method.unit == "nats" else bits
    return find_roundest(found, levels, fixed, budget, search_among)


def _free(question: Question) -> Any:
    """Find the optimum without limits, where the method has one."""
    needs_size = question.method.searches == ("exact",)  # more parts are never worse
    if needs_size or not question.method.judges_partitions:
        return None
    known = {} if question.known is None else question.known
    asked = question.who, question.method.name, tuple(question.numbers or ())
    if asked not in known:
        known[asked] = _search(replace(question, limits=Limits(), search="auto"), None)
    return known[asked]


def _bound(question: Question, free: Any) -> float | None:
    """Cost that no partition is below: the free optimum where it is proven, or a trend's bound."""
    bounds = [float(free.cost)] if free.is_optimal else []
    if not free.is_optimal and question.space.n_units <= _MOST_EXACT:
        proven = _search(replace(question, limits=Limits(), search="exact"), None)
        if proven.is_optimal:
            bounds.append(float(proven.cost))
    sign = {"ascending": 1.0, "descending": -1.0}.get(question.limits.monotonic or "")
    rising = question.target.target.trend_sign
    if sign is not None and question.method.is_modl and rising is not None:
        bounds.append(trend_bound(question.space, sign * rising, question.cancel))
    return max(bounds, default=None)


def _check_method(question: Question) -> None:
    """Refuse limits that a method cannot keep."""
    if not question.limits.has_shape:
        return
    sizes = ("n_parts", "max_parts", "min_part_size")
    name = next(n for n in question.limits.given() if n not in sizes)
    searches = question.method.searches
    if "exact" not in searches or question.method.reads_values:
        serving = methods(question.target.target)
        able = [
            repr(m)
            for m, known in serving.items()
            if "exact" in known.searches and not known.reads_values
        ]
        raise ValueError(
            f"{question.who}: {name} needs a method that judges whole partitions: "
            f"{', '.join(able)}; got method={question.method.name!r}."
        )
    if question.search not in _PROGRAMS:
        raise ValueError(
            f"{question.who}: {name} needs search='exact', 'coarse' or 'auto'; "
            f"got {question.search!r}."
        )


# Trends


def _ordered(question: Question) -> Target:
    """Target of a trend; one without an order is refused."""
    question.target.target.check_trend(question.who)
    return question.target.target


def _series(target: Target, parts: Tally) -> Series:
    """Weights and sums of scores of parts."""
    return Series(parts.weight, target.score_sums(parts))


def series_of(question: Question, starts: NDArray[np.uint32]) -> list[Series]:
    """Weights and sums of scores of the parts: overall, then by segment."""
    target = _ordered(question)
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


def _trend_of(question: Question, starts: NDArray[np.uint32]) -> str | None:
    """Name the trend that parts follow, the strictest first."""
    asked = question.limits.monotonic
    if asked != "auto":
        return asked
    series = series_of(question, starts)
    names = ("ascending", "descending", "peak", "valley")
    return next((name for name in names if follows_trend(name, series)), None)


def _segments_in_the_way(
    question: Question, constraints: _core.Constraints, starts: NDArray[np.uint32]
) -> tuple[Any, ...] | None:
    """Name the segments in which the best parts without segments break the trend."""
    segments = question.segments
    if segments is None or question.target.target.is_constant:
        return None
    constraints.clear_segments()
    without = _search(question, constraints).starts
    if np.array_equal(without, starts):
        return ()
    alone = replace(question, segments=None)
    trend = str(_trend_of(alone, without))
    overall, *series = series_of(question, without)
    broken = (not follows_trend(trend, [overall, one]) for one in series)
    return tuple(name for name, is_broken in zip(segments.names, broken, strict=True) if is_broken)


def trend_guard(
    question: Question, answer: Answer, place: NDArray[np.int64] | None, beside: Sized
) -> Callable[[Tally, list[int | None]], bool] | None:
    """Say whether parts follow their trend once rows beside them have joined.

    With segments, ``place`` says which rows lie beside.
    """
    trend = answer.trend
    if trend is None or question.target.target.is_constant:
        return None
    target = _ordered(question)
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


def _constraints(question: Question, free: Any) -> _core.Constraints:
    """State the limits to the core."""
    limits, space = question.limits, question.space
    core = _core.Constraints()
    counts = limits.min_counts(_totals(question).tolist())
    if counts is not None:
        core.set_min_counts(counts)
        if question.held is not None:
            core.set_held(question.held)
    fixed = inside_places(question, places_of(question, question.user_keys))
    if question.user_keys is not None:
        core.set_fixed(fixed.tolist(), n_empty_parts(question))
    named = candidates(question)
    if named is not None:
        core.set_borders([0, *np.union1d(named, fixed).tolist(), space.n_units])
    if limits.monotonic is not None and not question.target.target.is_constant:
        core.set_trend(limits.monotonic, _ordered(question).scores().tolist())
        if question.segments is not None:
            segments = question.segments
            core.set_segments(segments.weights, segments.scores, list(segments.margins))
    if free is not None:
        core.set_hint(free.starts.tolist())
    return core


def _totals(question: Question) -> NDArray[np.float64]:
    """Weight of each class in the column."""
    everything = np.array([0, question.space.n_units], dtype=np.uint32)
    return np.asarray(question.counts(everything)[0])


# Limits that no partition satisfies


def _check_fixed(question: Question) -> None:
    """Name the limit that parts between user cuts break, since further cuts do not mend them."""
    limits, who = question.limits, question.who
    totals = _totals(question)
    asked = limits.min_class_count
    if isinstance(asked, tuple) and len(asked) != len(totals):
        raise ValueError(
            f"{who}: min_class_count must hold one number for each of the {len(totals)} classes; "
            f"got {len(asked)}."
        )
    places = places_of(question, question.user_keys)
    starts = np.array([0, *places.tolist(), question.space.n_units], dtype=np.uint32)
    check_user_parts(question, len(starts) - 1)
    parts = question.space.tally(starts)
    _check_sizes(question, question.counts(starts), parts.weight, totals)
    if limits.monotonic is None or question.target.target.is_constant:
        return
    if not follows_trend(limits.monotonic, series_of(question, starts)):
        rates = ", ".join(f"{one:.4g}" for one in _rates(question, parts.take(parts.held)))
        raise NotPartitionableError(
            f"{who}: monotonic={limits.monotonic!r} is in the way: between user_cuts the rates are "
            f"{rates}{' overall' if question.segments is not None else ''}, and no further cut "
            "makes them follow it. Drop one of the two."
        )


def check_user_parts(question: Question, n_parts: int) -> None:
    """Refuse user cuts that make more parts than were asked for."""
    for name in ("n_parts", "max_parts"):
        most = getattr(question.limits, name)
        if most is not None and most < n_parts:
            raise NotPartitionableError(
                f"{question.who}: {name}={most} is in the way: user_cuts make {n_parts} parts. "
                "Raise it, or leave out cuts."
            )


def _rates(question: Question, parts: Tally) -> NDArray[np.float64]:
    """Mean score of each part."""
    return _ordered(question).mean_scores(parts)


def _check_sizes(
    question: Question,
    counts: NDArray[np.float64],
    weights: NDArray[np.float64],
    totals: NDArray[np.float64],
) -> None:
    """Refuse parts between user cuts that are too small."""
    limits, who = question.limits, question.who
    where = "the column" if len(counts) == 1 else "a part between user_cuts"
    weight = limits.min_weight(question.space.total_weight)
    lightest = float(weights.min())
    if lightest < weight:
        raise NotPartitionableError(
            f"{who}: min_part_size is in the way: every part must weigh at least {weight:g}; "
            f"{where} weighs {lightest:g}. Lower it{'' if len(counts) == 1 else ', or move a cut'}."
        )
    least = limits.min_counts(totals.tolist())
    for j, wanted in enumerate(least or []):
        fewest = float(counts[:, j].min())
        if fewest < wanted:
            raise NotPartitionableError(
                f"{who}: min_class_count is in the way: every part must hold at least {wanted:g} "
                f"of class {question.target.classes.tolist()[j]!r}; {where} holds {fewest:g}. "
                f"Lower it{'' if len(counts) == 1 else ', or move a cut'}."
            )


def _who_is_in_the_way(question: Question) -> str:
    """Name the limits without which there is a partition."""
    limits = question.limits
    given = limits.given()
    culprits = []
    for name in given:
        relaxed = replace(
            question,
            limits=replace(limits, **{name: None}),
            user_keys=None if name == "user_cuts" else question.user_keys,
            candidate_keys=None if name == "candidate_cuts" else question.candidate_keys,
        )
        try:
            _search(relaxed, _constraints(relaxed, None))
        except NotPartitionableError:
            continue
        culprits.append(name)
    together = ", ".join(f"{name}={value!r}" for name, value in given.items())
    if not culprits:
        return f"{question.who}: no partition satisfies {together}, nor if one of them is dropped."
    return (
        f"{question.who}: {' or '.join(culprits)} is in the way: no partition satisfies "
        f"{together}, but one does without {' or without '.join(culprits)}."
    )


__all__ = [
    "Answer",
    "Question",
    "check_user_parts",
    "find_under_limits",
    "trend_guard",
]
