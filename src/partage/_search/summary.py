"""The parts that summarise averaged shares, or means, best, under limits.

The loss of a part is the sum over its cells of n KL(shares of the cell || shares of the part): the
entropy criterion on weights times averaged shares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._search.averaged import KEPT_BY_CURVE, Cells, averaged_cells, information
from partage._search.constrained import find_under_limits
from partage._search.limits import Limits
from partage._search.methods import methods
from partage._search.named_cuts import places_of
from partage._search.question import Answer, Question
from partage._search.trends import Segments, Series, follows_trend
from partage._targets.tally import Tally
from partage.exceptions import NotPartitionableError

_COUNTED = object()  # names all rows, counted, among the segments
_ROUNDING = 1e-13  # of the entropy of a row
_TOO_LITTLE = 1e-4  # share of the information that two further parts must add under limits


@dataclass(frozen=True)
class Summary:
    """Parts that summarise averaged shares, or means.

    Attributes
    ----------
    answer : Answer
        The parts, in units of the line.
    present : Tally
        The parts by weights times averaged shares, or by sums of averaged deviations.
    cells : Cells or MeanCells
        What was summarised.
    """

    answer: Answer
    present: Tally
    cells: Any


def summarize(question: Question, keep: float | None) -> Summary:
    """Find the parts that lose least of the averaged shares of a line.

    ``keep`` is the share of the information that the fewest parts keep; by default 0.99, and as
    much as the curve keeps where the most parts are given.
    """
    space = question.space
    cells = averaged_cells(space, question.cancel)
    given = [places_of(question, keys) for keys in (question.user_keys, question.candidate_keys)]
    inside = np.concatenate(given)
    pieces = cells.cut_at(space, inside[(inside > 0) & (inside < space.n_units)])
    on_cells = _on_cells(question, pieces)
    check_cells(question, len(pieces.shares))
    whole = information(on_cells.space.counts())
    slack = _ROUNDING * space.total_weight
    wanted = kept_share(question, keep) * whole - slack
    found = fewest_parts(on_cells, Wanted(wanted, whole, lambda a: information(a.counts)))
    counts = on_cells.counts(found.starts)
    answer = answer_of(question, found, pieces.starts, counts)
    present = replace(Tally.of_counts(found.counts), is_averaged=True)
    return Summary(answer, present, cells)


def check_cells(question: Question, n_cells: int) -> None:
    """Refuse more parts than there are cells."""
    n_parts = question.limits.n_parts
    if n_parts is not None and n_parts > n_cells:
        raise NotPartitionableError(
            f"{question.who}: n_parts must be at most the number of cells that are averaged, "
            f"{n_cells}; got {n_parts}. Use max_parts to allow fewer parts."
        )


def kept_share(question: Question, keep: float | None) -> float:
    """Share of what the curve says that the fewest parts keep, as given or as usual."""
    if keep is not None:
        return keep
    (usual,) = question.method.numbers(question.who, None)
    return usual if question.limits.max_parts is None else KEPT_BY_CURVE


def answer_of(
    question: Question, found: Answer, starts: NDArray[np.int64], counts: NDArray[np.float64]
) -> Answer:
    """Express parts of cells, which start at some units, in units of the line."""
    return replace(
        found,
        starts=starts[found.starts].astype(np.uint32),
        counts=counts,
        is_optimal=False,  # the cost of the result is MODL's
        free_starts=None,
        bound=None,
        is_free=question.limits.is_free,
        in_the_way=_given_segments(question, found),
        reading=question.method.reading,
    )


def averaged_guard(
    allows: Callable[[Tally, list[int | None]], bool],
    question: Question,
    summary: Summary,
    aside: Tally,
) -> Callable[[Tally, list[int | None]], bool]:
    """Say whether averaged shares follow their trend, too, once rows beside them have joined."""
    target, trend = question.target.target, str(summary.answer.trend)
    counted = question.space.tally(summary.answer.starts).concat(aside)
    shares = target.smoothed(aside, counted.total())

    def both(joined: Tally, parts: list[int | None]) -> bool:
        merged = summary.present.added(shares.take(slice(len(parts))), parts)
        series = Series(merged.weight, target.score_sums(merged))
        return allows(joined, parts) and follows_trend(trend, [series])

    return both


def _given_segments(question: Question, found: Answer) -> tuple[Any, ...] | None:
    """Segments of the user that stand in the way of parts."""
    if question.segments is None or found.in_the_way is None:
        return None
    return tuple(name for name in found.in_the_way if name is not _COUNTED)


def _on_cells(question: Question, pieces: Cells) -> Question:
    """Ask for parts of the cells: trends hold for averaged and counted shares, floors for rows."""
    # Nothing is compared with an optimum of the entropy without limits.
    entropy = replace(methods()["entropy"], searches=("exact",))
    scores = question.target.target.scores()
    counted = pieces.counts.sum(axis=1), (pieces.counts * scores).sum(axis=1)
    return replace(
        question,
        space=pieces.space(question.space),
        method=entropy,
        search="exact",
        numbers=entropy.numbers(question.who, None),
        segments=with_counted(question, pieces.starts, *counted),
        held=pieces.counts,
        levels=None if question.levels is None else question.levels[pieces.starts[1:-1] - 1],
    )


def with_counted(
    question: Question,
    starts: NDArray[np.int64],
    weights: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> Segments | None:
    """Put what was counted in cells among the segments that follow a trend, where one is asked."""
    if question.limits.monotonic is None or question.target.target.is_constant:
        return None
    every_weight, every_sum = [weights[:, None]], [sums[:, None]]
    given = question.segments
    if given is not None:
        every_weight.append(np.add.reduceat(given.weights, starts[:-1], axis=0))
        every_sum.append(np.add.reduceat(given.scores, starts[:-1], axis=0))
    names = (_COUNTED, *(() if given is None else given.names))
    margins = (0.0, *(() if given is None else given.margins))
    return Segments(np.hstack(every_weight), np.hstack(every_sum), names, margins)


@dataclass(frozen=True)
class Wanted:
    """How much parts must keep of what the cells say, of which there is so much, as measured."""

    least: float
    whole: float
    kept_by: Callable[[Answer], float]


def fewest_parts(question: Question, wanted: Wanted) -> Answer:
    """Take the fewest parts that keep so much, or those that keep most."""
    limits = question.limits
    if limits.n_parts is not None:
        return find_under_limits(question)
    n_given = 0 if question.user_keys is None else len(question.user_keys)
    most = min(
        limits.max_parts or question.space.n_units + n_given, question.space.n_units + n_given
    )
    is_held = limits.has_shape or limits.min_part_size is not None
    best: Answer | None = None
    kept: list[float] = []
    for n_parts in range(1 + n_given, most + 1):
        found = _with_parts(question, limits, n_parts)
        if found is None:
            break
        kept.append(wanted.kept_by(found))
        if best is None or kept[-1] > max(kept[:-1]):
            best = found
        if kept[-1] >= wanted.least:
            break
        if is_held and _has_stopped(kept, wanted.whole):
            break
    # No number of parts is possible: the message says why.
    return find_under_limits(question) if best is None else best


def _with_parts(question: Question, limits: Limits, n_parts: int) -> Answer | None:
    """Find exactly so many parts; None where the limits do not allow it."""
    asked = replace(limits, n_parts=n_parts, max_parts=None)
    try:
        return find_under_limits(replace(question, limits=asked))
    except NotPartitionableError:
        return None


def _has_stopped(kept: list[float], whole: float) -> bool:
    """Whether the last two parts added next to nothing, as limits may have it."""
    return len(kept) > 2 and max(kept[-2:]) - max(kept[:-2]) < _TOO_LITTLE * whole


__all__ = [
    "Summary",
    "Wanted",
    "answer_of",
    "averaged_guard",
    "check_cells",
    "fewest_parts",
    "kept_share",
    "summarize",
    "with_counted",
]
