"""Finding the groups of a column that was read."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.categories import Categories, key_of
from partage._partitions.costs import costs_under, garbage_null_structure, group_costs
from partage._partitions.found import Found
from partage._partitions.groups import Groups
from partage._partitions.rule import check_no_missing
from partage._partitions.value_groups import ValueGroups
from partage._search.aside import Beside, count_beside, merge_beside, special_of, take_special
from partage._search.constrained import (
    Answer,
    Question,
    find_under_limits,
    price_in_bits,
    trend_guard,
)
from partage._search.core import explain_limits, part_length, partition_cost
from partage._search.limits import Limits
from partage._search.methods import methods
from partage._search.settings import Settings
from partage._search.trends import segments_at
from partage._spaces.make import space_of
from partage._spaces.space import Space
from partage._support.parallel import Cancel
from partage._targets.tally import Tally
from partage._targets.target import TargetRows
from partage.exceptions import NotPartitionableError


def find_groups(
    who: str,
    column: Categories,
    target: TargetRows,
    settings: Settings,
    cancel: Cancel | None,
    library: str,
) -> Groups:
    """Group the values of one column that was read."""
    column = column.take(target.kept)
    if settings.missing == "error":
        check_no_missing(who, column)
    is_missing = column.missing_mask()
    values = special_of(settings.special_values, column.name)
    column, special = take_special(column, values)
    space = space_of(column, target)
    if settings.watch is not None:
        settings.watch(column, space)
    limits = settings.limits.of(column.name)
    question = _question(f"{who}, column {column.name!r}", space, column, target, limits, cancel)
    found = _find(question, column, settings)
    present = _sum_rows(space, found.group_of, found.n_groups)
    if not column.is_ordered:
        found = found.in_order(target.target.order(Tally.of_counts(present)))
        present = _sum_rows(space, found.group_of, found.n_groups)
    beside = count_beside(target, is_missing, special, len(values))
    guard = None
    if found.answer is not None:
        others = -1 if special is None else np.where(special >= 0, special + 1, -1)
        place = np.where(is_missing, 0, others).astype(np.int64)
        guard = trend_guard(question, found.answer, place, beside.rows)
    beside = _merge(question.who, beside, present, settings, column, guard)
    costs = _costs(space, found, present, beside, column, settings)
    rows = _count_rows(column, target, found, present)
    members: list[list[Any]] = [[] for _ in range(found.n_groups)]
    for value, k in zip(column.values, found.group_of.tolist(), strict=True):
        members[k].append(value)
    rule = ValueGroups(
        column.name,
        settings.missing,
        groups=tuple(map(tuple, members)),
        garbage=found.garbage,
        is_ordered=column.is_ordered,
        absent=_codes_of_absent(column, found.group_of),
    )
    return Groups(
        rule=replace(rule.with_aside(beside.parts), special_values=values),
        found=Found(
            settings.method.name,
            *costs,
            is_optimal=found.is_optimal and not beside.has_merged,
            price=found.price,
            gap=0.0 if found.is_optimal else found.gap,
            constraints=limits.given() | found.trend,
        ),
        tally=beside.around(present, rows),
        target=target.target.as_kept(),
        n_values=len(column.values),
        library=library,
        units=space,
    )


def _count_rows(
    column: Categories, target: TargetRows, found: _Found, present: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count the rows of each group, which without weights are its counts."""
    if target.weights is None and target.rows is None:
        return np.asarray(present.sum(axis=1).astype(np.int64))
    group_of = np.append(found.group_of, found.n_groups)  # missing values last
    return target.count_rows(group_of[column.codes], found.n_groups + 1)[:-1]


def _codes_of_absent(
    column: Categories, group_of: NDArray[np.int64]
) -> tuple[tuple[Any, int], ...]:
    """Give declared values that no row holds the group of the nearer neighbour in rank."""
    if not column.values or len(column.levels) <= len(column.values):
        return ()
    rank = {key_of(level): i for i, level in enumerate(column.levels)}
    ranks = np.array([rank[key_of(value)] for value in column.values])
    absent = [level for level in column.levels if rank[key_of(level)] not in set(ranks.tolist())]
    places = np.array([rank[key_of(level)] for level in absent])
    above = np.searchsorted(ranks, places)
    low = np.maximum(above - 1, 0)
    high = np.minimum(above, len(ranks) - 1)
    # As a cut at the middle: the lower neighbour up to half way.
    lower = (2 * places <= ranks[low] + ranks[high]) & (above > 0)
    codes = np.where(lower, group_of[low], group_of[high])
    return tuple(zip(absent, codes.tolist(), strict=True))


@dataclass(frozen=True)
class _Found:
    """Groups of the values: the group of each, the garbage group, the cost of present rows."""

    group_of: NDArray[np.int64]
    n_groups: int
    garbage: int | None
    cost: float
    is_optimal: bool

    price: float | None = 0.0
    gap: float | None = None
    answer: Answer | None = None  # of ordered values

    @property
    def trend(self) -> dict[str, str]:
        """Trend that was found, where one was asked for."""
        named = None if self.answer is None else self.answer.trend
        return {} if named is None else {"monotonic": named}

    def in_order(self, order: NDArray[np.int64]) -> _Found:
        """Give the groups new numbers."""
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        garbage = None if self.garbage is None else int(place[self.garbage])
        return replace(self, group_of=place[self.group_of], garbage=garbage)


def _question(
    who: str,
    space: Space,
    column: Categories,
    target: TargetRows,
    limits: Limits,
    cancel: Cancel | None,
) -> Question:
    """Ask for the groups of one column."""
    if not column.is_ordered:
        for name in ("min_class_count", "monotonic"):
            if getattr(limits, name) is not None:
                raise ValueError(
                    f"{who}: {name} is for numbers and ordered values; these have no order. Give "
                    "it with ordered=, or leave it out."
                )
    segments = None
    if limits.monotonic is not None and target.segments is not None and space.n_units > 0:
        target.target.check_trend(who)
        segments = segments_at(target, column.codes.astype(np.int64), space.n_units)
    return Question(
        who,
        space,
        target,
        methods()["modl"],
        "auto",
        None,
        limits,
        segments=segments,
        cancel=cancel,
    )


def _find(question: Question, column: Categories, settings: Settings) -> _Found:
    """Group the values that are not missing."""
    limits, modl = question.limits, question.method
    n_values = len(column.values)
    if n_values == 0 and (limits.n_parts or 1) == 1:
        return _Found(np.empty(0, dtype=np.int64), 1, None, 0.0, True)
    if settings.method.name == "none":
        _check_one_each(question.who, n_values, limits)
        group_of = np.arange(n_values)
        return _Found(group_of, n_values, None, math.nan, False, None)
    if not column.is_ordered:
        found = _find_unordered(question, settings, limits)
        if limits.is_free:
            return found
        if settings.method.has_own_cost:
            return replace(found, price=None)
        free = _find_unordered(question, settings, Limits())
        bound = free.cost if free.is_optimal else None
        gap = None if bound is None else price_in_bits(found.cost, bound, modl)
        return replace(found, price=price_in_bits(found.cost, free.cost, modl), gap=gap)
    answer = find_under_limits(question)
    n_groups = len(answer.counts)
    group_of = np.searchsorted(answer.starts, np.arange(n_values), side="right") - 1
    cost = partition_cost(answer.counts, "modl")
    price, gap = 0.0, None
    if answer.free_counts is not None:
        price = price_in_bits(cost, partition_cost(answer.free_counts, "modl"), modl)
    if answer.bound is not None:
        gap = price_in_bits(cost, answer.bound, modl)
    return _Found(group_of, n_groups, None, cost, answer.is_optimal, price, gap, answer)


def _find_unordered(question: Question, settings: Settings, limits: Limits) -> _Found:
    """Group values that touch each other in any way."""
    space = question.space
    weight = limits.min_weight(space.total_weight)
    try:
        codes, n_groups, garbage, _, cost, is_optimal = _core.group(
            space.line,
            settings.method.name,
            list(settings.parameters),
            limits.n_parts or 0,
            limits.max_parts or 0,
            weight,
            question.cancel,
        )
    except _core.NotPossible:
        raise NotPartitionableError(explain_limits(question.who, space, limits, weight)) from None
    found_garbage = None if garbage < 0 else int(garbage)
    return _Found(codes.astype(np.int64), int(n_groups), found_garbage, cost, bool(is_optimal))


def _check_one_each(who: str, n_values: int, limits: Limits) -> None:
    """Refuse limits that one group for each value breaks."""
    for name, limit in (("n_parts", limits.n_parts), ("max_parts", limits.max_parts)):
        if limit is not None and (limit < n_values or (name == "n_parts" and limit != n_values)):
            raise NotPartitionableError(
                f"{who}: method='none' makes one group for each of the {n_values} values; "
                f"got {name}={limit}. Use another method."
            )


def _sum_rows(space: Space, group_of: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Class weights of groups."""
    out = np.zeros((n_groups, space.n_sums))
    if len(group_of):
        np.add.at(out, group_of, space.counts(np.arange(space.n_units + 1, dtype=np.uint32)))
    return out


def _own_criterion(settings: Settings, column: Categories) -> str | None:
    """Name the criterion whose cost a result carries; None for MODL, which judges ordered ones."""
    is_own = settings.method.has_own_cost and not column.is_ordered
    return settings.method.criterion if is_own else None


def _merge(
    who: str,
    beside: Beside,
    present: NDArray[np.float64],
    settings: Settings,
    column: Categories,
    guard: Any,
) -> Beside:
    """Merge missing and special rows where that was asked for."""
    criterion = _own_criterion(settings, column)

    def judge(counts: NDArray[np.float64]) -> float:
        if criterion is None:
            return sum(map(part_length, counts))
        return partition_cost(counts, criterion)

    merges = [settings.missing == "merge"]
    merges += [settings.special == "merge"] * (len(beside.counts) - 1)
    return merge_beside(beside, present, merges, judge, guard, who)


def _costs(
    space: Space,
    found: _Found,
    present: NDArray[np.float64],
    beside: Beside,
    column: Categories,
    settings: Settings,
) -> tuple[float, float, float]:
    """Cost, cost of one group, and level, which is MODL's whatever the method."""
    n_values = len(column.values)
    pooled = None
    if settings.method.name == "modl" and n_values and not column.is_ordered:
        structure = found.cost - sum(map(part_length, present))
        pooled = structure, garbage_null_structure(space.line, present)
    modl = group_costs(present, beside, n_values, column.is_ordered, pooled)
    return costs_under(_own_criterion(settings, column), None, beside.merged(present), modl)
