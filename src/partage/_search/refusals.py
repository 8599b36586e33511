"""Limits that a method cannot keep, or that no partition satisfies: refusals name the limit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partage._search.followed import ordered_target, series_of
from partage._search.methods import methods
from partage._search.named_cuts import places_of
from partage._search.question import Question
from partage._search.trends import follows_trend
from partage.exceptions import NotPartitionableError

_PROGRAMS = ("auto", "exact", "coarse")


def check_method(question: Question) -> None:
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


def check_fixed(question: Question) -> None:
    """Name the limit that parts between user cuts break, since further cuts do not mend them."""
    limits, who = question.limits, question.who
    totals = question.totals
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
    check_sizes(question, question.counts(starts), parts.weight, totals)
    if limits.monotonic is None or question.target.target.is_constant:
        return
    if not follows_trend(limits.monotonic, series_of(question, starts)):
        means = ordered_target(question).mean_scores(parts.take(parts.held))
        rates = ", ".join(f"{one:.4g}" for one in means)
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


def check_sizes(
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


__all__ = ["check_fixed", "check_method", "check_sizes", "check_user_parts"]
