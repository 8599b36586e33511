"""The parts that summarise averaged shares best, under limits.

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
from partage._search.constrained import Answer, Question, find_under_limits
from partage._search.limits import Limits
from partage._search.methods import methods
from partage._search.named_cuts import places_of
from partage._search.trends import Segments, Series, follows_trend
from partage._targets.tally import Tally
from partage.exceptions import NotPartitionableError

_COUNTED = object()  # names all rows, counted, among the segments
_ROUNDING = 1e-13  # of the entropy of a row
_TOO_LITTLE = 1e-4  # share of the information that two further parts must add under limits


@dataclass(frozen=True)
class Summary:
    """Parts that summarise averaged shares.

    Attributes
    ----------
    answer : Answer
        The parts, in units of the line.
    rows : ndarray of shape (K, J)
        Weight of each part, divided by its averaged shares.
    cells : Cells
        What was summarised.
    """

    answer: Answer
    rows: NDArray[np.float64]
    cells: Cells


def summarize(question: Question, keep: float | None) -> Summary:
    """Find the parts that lose least of the averaged shares of a line.

    ``keep`` is the share of the information that the fewest parts keep; by default 0.99, and as
    much as the curve keeps where the most parts are given.
    """
    space, limits = question.space, question.limits
    cells = averaged_cells(space, question.cancel)
    given = [places_of(question, keys) for keys in (question.user_keys, question.candidate_keys)]
    inside = np.concatenate(given)
    pieces = cells.cut_at(space, inside[(inside > 0) & (inside < space.n_units)])
    n_pieces = len(pieces.shares)
    if limits.n_parts is not None and limits.n_parts > n_pieces:
        raise NotPartitionableError(
            f"{question.who}: n_parts must be at most the number of cells that are averaged, "
            f"{n_pieces}; got {limits.n_parts}. Use max_parts to allow fewer parts."
        )
    on_cells = _on_cells(question, pieces)
    if keep is None:
        (usual,) = question.method.numbers(question.who, None)
        keep = usual if limits.max_parts is None else KEPT_BY_CURVE
    found = _fewest_parts(on_cells, keep)
    starts = pieces.starts[found.starts]
    answer = replace(
        found,
        starts=starts.astype(np.uint32),
        counts=on_cells.counts(found.starts),
        is_optimal=False,  # the cost of the result is MODL's
        free_starts=None,
        bound=None,
        is_free=limits.is_free,
        in_the_way=_given_segments(question, found),
    )
    return Summary(answer, found.counts, cells)


def averaged_guard(
    allows: Callable[[Tally, list[int | None]], bool],
    question: Question,
    summary: Summary,
    aside: Tally,
) -> Callable[[Tally, list[int | None]], bool]:
    """Say whether averaged shares follow their trend, too, once rows beside them have joined."""
    target, trend = question.target.target, str(summary.answer.trend)
    present = Tally.of_counts(summary.rows)
    counted = Tally.of_counts(summary.answer.counts).concat(aside)
    shares = target.smoothed(aside, counted.total())

    def both(joined: Tally, parts: list[int | None]) -> bool:
        merged = present.added(shares.take(slice(len(parts))), parts)
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
    segments = None
    if question.limits.monotonic is not None and not question.target.target.is_constant:
        scores = question.target.target.scores()
        weights, sums = (
            [pieces.counts.sum(axis=1)[:, None]],
            [(pieces.counts * scores).sum(axis=1)[:, None]],
        )
        given = question.segments
        if given is not None:
            firsts = pieces.starts[:-1]
            weights.append(np.add.reduceat(given.weights, firsts, axis=0))
            sums.append(np.add.reduceat(given.scores, firsts, axis=0))
        names = (_COUNTED, *(() if given is None else given.names))
        margins = (0.0, *(() if given is None else given.margins))
        segments = Segments(np.hstack(weights), np.hstack(sums), names, margins)
    return replace(
        question,
        space=pieces.space(question.space),
        method=entropy,
        search="exact",
        numbers=entropy.numbers(question.who, None),
        segments=segments,
        held=pieces.counts,
        levels=None if question.levels is None else question.levels[pieces.starts[1:-1] - 1],
    )


def _fewest_parts(question: Question, keep: float) -> Answer:
    """Take the fewest parts that keep so much of the information, or those that keep most."""
    limits = question.limits
    if limits.n_parts is not None:
        return find_under_limits(question)
    whole = information(question.space.counts())
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
        kept.append(information(found.counts))
        if best is None or kept[-1] > max(kept[:-1]):
            best = found
        if kept[-1] >= keep * whole - _ROUNDING * question.space.total_weight:
            break
        if is_held and _has_stopped(kept, whole):
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


__all__ = ["Summary", "averaged_guard", "summarize"]
