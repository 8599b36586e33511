"""The search under limits: what they cost against the free optimum, or which is in the way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.baselines import BASELINES
from partage._search.bounds import trend_bound
from partage._search.core import Found, find_partition
from partage._search.followed import ordered_target, series_of, trend_of
from partage._search.limits import Limits
from partage._search.named_cuts import (
    candidates,
    inside_places,
    n_empty_parts,
    places_of,
    with_given_cuts,
)
from partage._search.question import Answer, Question
from partage._search.refusals import check_fixed, check_method, check_sizes
from partage._search.rounding import find_roundest
from partage._search.trends import follows_trend
from partage._support.portable import LOG_2
from partage.exceptions import NotPartitionableError

_MOST_EXACT = 20_000  # units of a column whose free optimum is proven to certify a gap


def find_under_limits(question: Question) -> Answer:
    """Partition a line of units under limits."""
    limits = question.limits
    in_the_way = None
    check_method(question)
    free = None if limits.is_free else _free(question)
    if not limits.has_shape:
        if limits.min_part_size is not None and question.method.name not in BASELINES:
            weight = np.array([question.space.total_weight])
            check_sizes(question, question.totals[None, :], weight, question.totals)
        found = _search(question, None)
        keys = [None] * (len(found.starts) - 2)
        starts, counts, trend = found.starts, found.counts, None
    else:
        check_fixed(question)
        constraints = _constraints(question, free)
        try:
            found = _search(question, constraints)
        except NotPartitionableError:
            raise NotPartitionableError(_who_is_in_the_way(question)) from None
        found = _rounded(question, found, free)
        starts, keys = with_given_cuts(question, found.starts)
        counts = question.space.counts(starts)
        trend = trend_of(question, starts)
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
    trend = str(trend_of(alone, without))
    overall, *series = series_of(question, without)
    broken = (not follows_trend(trend, [overall, one]) for one in series)
    return tuple(name for name, is_broken in zip(segments.names, broken, strict=True) if is_broken)


def _constraints(question: Question, free: Any) -> _core.Constraints:
    """State the limits to the core."""
    limits, space = question.limits, question.space
    core = _core.Constraints()
    counts = limits.min_counts(question.totals.tolist())
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
        core.set_trend(limits.monotonic, ordered_target(question).scores().tolist())
        if question.segments is not None:
            segments = question.segments
            core.set_segments(segments.weights, segments.scores, list(segments.margins))
    if free is not None:
        core.set_hint(free.starts.tolist())
    return core


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


__all__ = ["find_under_limits"]
