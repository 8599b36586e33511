"""Finding the parts of a column that was read: one pipeline for every kind of column.

What differs between numbers and categories is in `find_cuts` and `find_values`: how a question is
asked of the space, and which rule the answer makes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import CategoryColumn
from partage._data.column import NumberColumn
from partage._partitions.find_cuts import FindCuts
from partage._partitions.find_granular import find_at_best_granularity, leaves_granularity_open
from partage._partitions.find_values import FindGroups
from partage._partitions.finder import Finder, SearchedParts
from partage._partitions.found import Found
from partage._partitions.partition import Partition
from partage._partitions.rule import check_no_missing
from partage._search.aside import Aside, merge_aside, places_aside, special_of
from partage._search.followed import trend_guard
from partage._search.limits import Limits
from partage._search.question import Question
from partage._search.settings import Settings
from partage._search.summary import averaged_guard
from partage._spaces.make import space_of
from partage._support.parallel import Cancel
from partage._targets.tally import Tally
from partage._targets.target import TargetRows

MOST_NAMED = 5  # segments in a warning


def fit_column(
    who: str,
    column: NumberColumn | CategoryColumn,
    rows: TargetRows,
    settings: Settings,
    *,
    cancel: Cancel | None = None,
    library: str = "pandas",
) -> Partition:
    """Find the partition of one column that was read."""
    column = column.take(rows.kept)
    settings = settings.serving(who, rows.target)
    read = rows.target.for_method(who, settings.method.name, rows)
    if read is not rows:
        rows, settings = read, settings.serving(who, read.target)
    if settings.missing == "error":
        check_no_missing(who, column)
    values = special_of(settings.special_values, column.name)
    kind = finder_of(column)
    kept, special = kind.set_aside(who, column, values)
    place = None
    if special is not None or rows.segments is not None:
        place = places_aside(column.missing_mask(), special)
    space = space_of(kept, rows, None if special is None else place, 1 + len(values))
    if settings.watch is not None:
        settings.watch(kept, space)
    limits = settings.limits.of(column.name)
    finder = kind(who, settings, kept, space, rows, limits.of_rows(rows), cancel)
    wanted = [settings.missing == "merge", *[settings.special == "merge"] * len(values)]
    return find_parts(finder, limits, values, wanted, place=place, library=library)


def find_parts(
    finder: Finder,
    limits: Limits,
    values: tuple[Any, ...],
    wanted: list[bool],
    *,
    place: NDArray[np.int64] | None = None,
    library: str = "pandas",
) -> Partition:
    """Find the parts that a finder is made for.

    ``values`` are the special ones, ``wanted`` says which of the sets beside the parts are to be
    merged, ``place`` which of them each row belongs to.
    """
    if leaves_granularity_open(finder):

        def find(one: Finder) -> Partition:
            return find_parts(one, limits, values, wanted, place=place, library=library)

        return find_at_best_granularity(finder, find)
    settings, space, rows = finder.settings, finder.space, finder.rows
    question = finder.question()
    parts = finder.search(question)
    _warn_of_segments(question.who, parts)
    present = parts.tally
    merge = _merger(finder, question.who, wanted, finder.judge_by(parts))
    beside = merge(present, _guard(finder, question, parts, place))
    costs = finder.costs(present, beside, parts)
    is_optimal, gap = finder.proof(parts, costs[0], beside.has_merged)
    found = Found(
        settings.method.name,
        *costs,
        is_optimal=is_optimal,
        method_params=finder.params,
        price=finder.price(parts, costs[0], merge),
        gap=gap,
        constraints=limits.given() | parts.shape,
    )
    rule = finder.rule(parts, question)
    whole = finder.face(
        rule=rule.with_aside(beside.parts, values),
        found=found,
        tally=beside.around(parts.tally),
        target=rows.target.as_kept() if parts.reading is None else parts.reading.target,
        n_values=space.n_units,
        library=library,
        units=space.without_aside(),
    )
    return finder.with_averages(whole, parts)


def finder_of(column: NumberColumn | CategoryColumn) -> type[Finder]:
    """Choose how the parts of a column are asked for."""
    return FindCuts if isinstance(column, NumberColumn) else FindGroups


def _warn_of_segments(who: str, parts: SearchedParts) -> None:
    """Name the segments that leave a column whole."""
    in_the_way = parts.shape.get("by", ())
    if len(parts.tally) > 1 or not in_the_way:
        return
    named = ", ".join(in_the_way[:MOST_NAMED])
    more = f" and {len(in_the_way) - MOST_NAMED} more" if len(in_the_way) > MOST_NAMED else ""
    warnings.warn(
        f"{who}: one part only, since the trend breaks in {named}{more} of by; leave them out, or "
        "pass by_tolerance=0.95 to let reversals stay that chance explains.",
        stacklevel=2,
    )


def _guard(
    finder: Finder, question: Question, parts: SearchedParts, place: NDArray[np.int64] | None
) -> Callable[[Tally, list[int | None]], bool] | None:
    """Make what says whether rows may join a part under a trend; None without one."""
    aside = finder.space.aside
    if parts.answer is None or aside is None:
        return None
    guard = trend_guard(question, parts.answer, place, aside)
    if guard is None or parts.summary is None:
        return guard
    return averaged_guard(guard, question, parts.summary, aside)


def _merger(finder: Finder, who: str, wanted: list[bool], judge: Any) -> Callable[..., Aside]:
    """Make what merges missing and special rows with parts, where that was asked for."""
    aside = finder.space.aside
    assert aside is not None
    apart = Aside.apart(aside)

    def merge(present: Tally, allows: Any = None) -> Aside:
        return merge_aside(apart, present, wanted, judge, allows, who)

    return merge


__all__ = ["find_parts", "fit_column"]
