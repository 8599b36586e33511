"""Finds the intervals of a column that was read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.column import Kind
from partage._data.keys import cut_keys
from partage._data.table import Column
from partage._partitions.costs import costs_under, line_costs
from partage._partitions.cuts import Cuts
from partage._partitions.found import Found
from partage._partitions.intervals import Intervals
from partage._partitions.rule import check_no_missing
from partage._search.aside import (
    Beside,
    codes_of_special,
    count_beside,
    merge_beside,
    special_keys,
    special_of,
)
from partage._search.constrained import (
    Answer,
    Question,
    find_under_limits,
    price_in_bits,
    trend_guard,
)
from partage._search.core import partition_cost
from partage._search.limits import Limits
from partage._search.settings import Settings
from partage._search.trends import segments_of
from partage._spaces.make import space_of
from partage._spaces.space import Space
from partage._targets.target import TargetRows


def find_intervals(
    who: str,
    column: Column,
    target: TargetRows,
    settings: Settings,
    cancel: _core.Cancel | None,
    library: str,
) -> Intervals:
    """Partition one column that was read."""
    column = column.take(target.kept)
    if settings.missing == "error":
        check_no_missing(who, column)
    values = special_of(settings.special_values, column.name)
    special = _special_codes(who, column, values)
    kept = column if special is None else column.without(special >= 0)
    space = space_of(kept, target)
    if settings.watch is not None:
        settings.watch(column, space)
    limits = settings.limits.of(column.name)
    question = _question(who, kept, space, target, settings, limits, cancel)
    answer = None
    if space.n_units > 0 or (limits.n_parts or 1) > 1:
        answer = find_under_limits(question)
        present = answer.counts
        keys = _keys_of_cuts(column.kind, space, answer)
    else:
        keys = np.empty(0, column.kind.dtype) if question.user_keys is None else question.user_keys
        present = np.zeros((len(keys) + 1, target.n_classes))
    place_beside = _places_beside(column, special, target)
    counted = _beside(column, special, len(values), space, target)
    guard = None if answer is None else trend_guard(question, answer, place_beside, counted.rows)
    beside = _merge(question.who, counted, present, settings, guard)
    costs = _costs(present, beside, settings)
    is_optimal = answer is None or answer.is_optimal
    found = Found(
        settings.method.name,
        *costs,
        is_optimal=is_optimal and (len(present) == 1 or not beside.has_merged),
        method_params=settings.params,
        price=0.0 if answer is None else _price(answer, counted, costs[0], settings),
        gap=0.0 if answer is None else _gap(answer, settings),
        constraints=_constraints_kept(limits, answer),
    )
    rule = Cuts(column.name, settings.missing, kind=column.kind, cut_keys=keys)
    return Intervals(
        rule=replace(rule.with_aside(beside.parts), special_values=values),
        found=found,
        tally=beside.around(present, _rows(kept, keys, present, target)),
        target=target.target.as_kept(),
        n_values=space.n_units,
        library=library,
        units=space,
    )


def _question(
    who: str,
    column: Column,
    space: Space,
    target: TargetRows,
    settings: Settings,
    limits: Limits,
    cancel: _core.Cancel | None,
) -> Question:
    """Ask for the parts of one column."""
    cuts = {
        name: None
        if (given := getattr(limits, name)) is None
        else cut_keys(who, name, column.name, given, column.kind)
        for name in ("user_cuts", "candidate_cuts")
    }
    asker = f"{who}, column {column.name!r}"
    segments = None
    if limits.monotonic is not None and space.n_units > 0:
        present = ~column.missing_mask()
        segments = segments_of(asker, column.keys, present, space, target)
    return Question(
        asker,
        space,
        target,
        settings.method,
        settings.search,
        settings.parameters,
        limits,
        cuts["user_cuts"],
        cuts["candidate_cuts"],
        segments,
        cancel,
    )


def _keys_of_cuts(kind: Kind, space: Space, answer: Answer) -> NDArray[Any]:
    """Keys of the cuts: as they were given, else midpoints."""
    inner = answer.starts[1:-1].tolist()
    keys = [
        kind.cut_between(*space.keys[place - 1 : place + 1].tolist()) if key is None else key
        for place, key in zip(inner, answer.given_keys, strict=True)
    ]
    return np.array(keys, dtype=kind.dtype)


def _places_beside(
    column: Column, special: NDArray[np.int64] | None, target: TargetRows
) -> NDArray[np.int64] | None:
    """Tell rows beside the parts: 0 missing, then special values, -1 no such row."""
    if target.segments is None:
        return None
    others = -1 if special is None else np.where(special >= 0, special + 1, -1)
    return np.where(column.missing_mask(), 0, others).astype(np.int64)


def _price(answer: Answer, beside: Beside, cost: float, settings: Settings) -> float | None:
    """Bits that the limits cost against the free optimum; None where the method has none."""
    if answer.free_counts is None:
        return 0.0 if answer.is_free else None
    free = _merge("", beside, answer.free_counts, settings, None)
    free_cost = _costs(answer.free_counts, free, settings)[0]
    return price_in_bits(cost, free_cost, settings.method)


def _gap(answer: Answer, settings: Settings) -> float | None:
    """Bits by which the optimum may be lower, at most; None where nothing is certified."""
    if answer.is_optimal:
        return 0.0
    if answer.bound is None:
        return None
    judge = settings.method.criterion
    numbers = settings.parameters if settings.method.judges_partitions else None
    cost = partition_cost(answer.counts, judge, numbers)
    return price_in_bits(cost, answer.bound, settings.method)


def _constraints_kept(limits: Limits, answer: Answer | None) -> dict[str, Any]:
    """Limits as the partition remembers them; the trend is the one that was found."""
    kept = limits.given()
    if answer is not None and answer.trend is not None:
        kept["monotonic"] = answer.trend
    return kept


def _special_codes(who: str, column: Column, values: tuple[Any, ...]) -> NDArray[np.int64] | None:
    """Which special value each row holds, -1 for none; None where none is named."""
    if not values:
        return None
    keys = special_keys(who, column.name, values, column.kind)
    return codes_of_special(column, keys, column.kind)


def _beside(
    column: Column,
    special: NDArray[np.int64] | None,
    n_special: int,
    space: Space,
    target: TargetRows,
) -> Beside:
    """Count the missing rows and those of special values."""
    if special is not None or target.weights is not None:
        return count_beside(target, column.missing_mask(), special, n_special)
    assert space.aside is not None
    return Beside(space.aside.class_counts, space.aside.rows, (None,))


def _merge(
    who: str, beside: Beside, present: NDArray[np.float64], settings: Settings, allows: Any
) -> Beside:
    """Merge missing and special rows where that was asked for."""
    judge = settings.method.criterion
    numbers = settings.parameters if settings.method.judges_partitions else None
    merges = [settings.missing == "merge"]
    merges += [settings.special == "merge"] * (len(beside.counts) - 1)
    return merge_beside(
        beside, present, merges, lambda c: partition_cost(c, judge, numbers), allows, who
    )


def _costs(
    present: NDArray[np.float64], beside: Beside, settings: Settings
) -> tuple[float, float, float]:
    """Cost, cost of one part, and level; missing and special rows are described beside."""
    own = settings.method.has_own_cost and present.any()
    criterion = settings.method.criterion if own else None
    modl = line_costs(present, beside)
    return costs_under(criterion, settings.params, beside.merged(present), modl)


def _rows(
    kept: Column, cut_keys: NDArray[Any], present: NDArray[np.float64], target: TargetRows
) -> NDArray[np.int64]:
    """Training rows of each part, whatever they weigh."""
    if target.weights is None:
        return np.asarray(present.sum(axis=1).astype(np.int64))
    codes = np.asarray(_core.assign_parts(kept.keys, cut_keys, 0))
    codes[kept.missing_mask()] = len(present)
    return target.count_rows(codes, len(present) + 1)[:-1]
