"""The search for groups of values that join in any way."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.class_groups import find_class_groups
from partage._search.core import explain_limits, partition_cost, price_in_bits
from partage._search.granular import chosen, pool_of
from partage._search.lengths import garbage_structure, group_structure, part_lengths
from partage._search.limits import Limits
from partage._search.packing import improve, pack
from partage._search.question import Question
from partage._search.readings import Asked, Reading
from partage._support.portable import LOG_2
from partage.exceptions import NotPartitionableError


@dataclass(frozen=True)
class Grouped:
    """Groups of the units: that of each, the garbage group, the cost of present rows, proof."""

    group_of: NDArray[np.int64]
    n_groups: int
    garbage: int | None
    cost: float
    is_optimal: bool
    price: float | None = 0.0
    gap: float | None = None
    reading: Reading | None = None

    def in_order(self, order: NDArray[np.int64]) -> Grouped:
        """Give the groups new numbers."""
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        garbage = None if self.garbage is None else int(place[self.garbage])
        return replace(self, group_of=place[self.group_of], garbage=garbage)


def find_grouping(question: Question) -> Grouped:
    """Group values that join in any way, under limits; what these cost against the free optimum."""
    limits, method = question.limits, question.method
    if method.name == "none":
        return _one_each(question)
    if method.reading is not None:
        return _read(question, method.reading)
    found = _group(question, limits)
    if limits.is_free:
        return found
    if method.has_own_cost:
        return replace(found, price=None)
    free = _group(question, Limits())
    gap = price_in_bits(found.cost, free.cost, method) if free.is_optimal else None
    return replace(found, price=price_in_bits(found.cost, free.cost, method), gap=gap)


def _read(question: Question, reading: Reading) -> Grouped:
    """Group values of which a number is read, in limits."""
    found = _read_in_order(question, reading, question.limits)
    if question.limits.is_free:
        return found
    free = _read_in_order(question, reading, Limits())
    price = price_in_bits(found.cost, free.cost, question.method)
    return replace(found, price=price, gap=price if free.is_optimal else None)


def _read_in_order(question: Question, reading: Reading, limits: Limits) -> Grouped:
    """Group values in the order of their mean scores, of which the best groups are ranges.

    At a slope the cost of a group is concave in its weight and its sum of scores together, so that
    lines through the origin divide the best groups: ranges of the ratio of both. A least weight may
    ask for other groups; then nothing is proven.
    """
    space = question.space
    weight = limits.min_weight(space.total_weight)
    _check_weight(question, weight)
    order = np.lexsort((np.arange(space.n_units), reading.keys(space)))
    asked = Asked(space.at(order), "auto", limits, question.cancel, None, space.n_units)
    try:
        read = reading.search(asked)
    except _core.NotPossible:
        raise NotPartitionableError(explain_limits(question.who, space, limits, weight)) from None
    n_groups = len(read.starts) - 1
    group_of = np.empty(space.n_units, dtype=np.int64)
    group_of[order] = np.repeat(np.arange(n_groups), np.diff(read.starts))
    counts = space.joined(group_of, n_groups).class_counts
    apart = counts[:0] if space.aside is None else space.aside.class_counts[space.aside.held]
    naming = len(apart) * LOG_2
    cost = read.reading.costs(counts, apart, naming, space.n_units)[0]
    is_optimal = read.is_optimal and weight <= 0
    found = Grouped(group_of, n_groups, None, cost, is_optimal, reading=read.reading)
    return _cheapest_of_classes(found, reading, replace(asked, space=space))


def _cheapest_of_classes(found: Grouped, reading: Reading, asked: Asked) -> Grouped:
    """Take groups that tell intervals of ranks where they cost less than ranges of mean scores."""
    classes = reading.as_classes()
    if classes is None or reading.target.is_constant or asked.space.n_units < 2:
        return found
    best = found
    try:
        for group_of, cost, told in find_class_groups(classes, asked):
            if cost < best.cost * (1.0 - 1e-12):
                n_groups = int(group_of.max()) + 1
                best = Grouped(group_of, n_groups, None, cost, False, reading=told)
    except _core.NotPossible:
        return found
    return best


def check_no_order(who: str, limits: Limits) -> None:
    """Refuse limits that need an order."""
    for name in ("min_class_count", "monotonic"):
        if getattr(limits, name) is not None:
            raise ValueError(
                f"{who}: {name} is for numbers and ordered values; these have no order. "
                "Give it with ordered=, or leave it out."
            )


def _group(question: Question, limits: Limits) -> Grouped:
    """Ask the core; under a granularity rare values count as one."""
    granularity = chosen(question.method, question.numbers)
    if not granularity:
        return _group_units(question, limits)
    pool = pool_of(question.space, granularity)
    pooled = question.space.pooled(pool)
    asked = replace(question, space=pooled)
    *given, n_garbage = question.numbers or ()
    found = [_group_units(replace(asked, numbers=(*given, 0.0)), limits)]
    if n_garbage:
        found.insert(0, _group_units(asked, limits))
    # The price of a garbage group is that of its size.
    kept = [one for one in found if not n_garbage or _largest(one) == n_garbage]
    if not kept:
        raise NotPartitionableError(f"{question.who}: no garbage group has this size.")
    costs = [
        partition_cost(
            pooled.joined(one.group_of, one.n_groups).class_counts,
            question.method.criterion,
            question.numbers,
        )
        for one in kept
    ]
    best = int(np.argmin(costs))
    garbage = int(np.argmax(np.bincount(kept[best].group_of))) if n_garbage else None
    return replace(
        kept[best], group_of=kept[best].group_of[pool], cost=costs[best], garbage=garbage
    )


def _largest(found: Grouped) -> int:
    """Values of the group that has most of them."""
    return int(np.bincount(found.group_of).max())


def _group_units(question: Question, limits: Limits) -> Grouped:
    """Ask the core for groups of the units."""
    space = question.space
    weight = limits.min_weight(space.total_weight)
    _check_weight(question, weight)
    try:
        codes, n_groups, garbage, _, cost, is_optimal = _core.group(
            space.line,
            question.method.name,
            list(question.numbers or ()),
            limits.n_parts or 0,
            limits.max_parts or 0,
            weight,
            question.cancel,
        )
    except _core.NotPossible:
        return _packed(question, limits, weight)
    found_garbage = None if garbage < 0 else int(garbage)
    return Grouped(codes.astype(np.int64), int(n_groups), found_garbage, cost, bool(is_optimal))


def _check_weight(question: Question, least: float) -> None:
    """Refuse a least weight that not even one group of all values has."""
    total = question.space.total_weight
    if least > total:
        raise NotPartitionableError(
            f"{question.who}: min_part_size is in the way: every part must weigh at least "
            f"{least:g}; the column weighs {total:g}. Lower it."
        )


def _packed(question: Question, limits: Limits, least: float) -> Grouped:
    """Look for any groups that satisfy the limits, then improve them."""
    space, n_groups = question.space, limits.n_parts or 0
    who = question.who
    if n_groups < 2 or n_groups > space.n_units or n_groups * least > space.total_weight:
        raise NotPartitionableError(explain_limits(who, space, limits, least))
    rows = space.counts()
    found, tried_all = pack(rows.sum(axis=1), n_groups, least)
    if found is None and tried_all:
        raise NotPartitionableError(explain_limits(who, space, limits, least))
    if found is None:
        raise NotPartitionableError(
            f"{who}: no n_parts={n_groups} groups of a weight of at least {least:g} were found out "
            f"of {space.total_weight:g}; there may be some. Lower n_parts or min_part_size."
        )
    group_of = improve(rows, np.array(found), n_groups, least, part_lengths)
    counts = np.zeros((n_groups, rows.shape[1]))
    np.add.at(counts, group_of, rows)
    return Grouped(group_of, n_groups, None, _cost(question, group_of, counts), False)


def _cost(question: Question, group_of: NDArray[np.int64], counts: NDArray[np.float64]) -> float:
    """Cost of given groups under the method."""
    method, space, n_groups = question.method, question.space, len(counts)
    if method.has_own_cost:
        return partition_cost(counts, method.criterion, question.numbers)
    if method.name == "modl":
        structure = garbage_structure(space, group_of, n_groups)
    else:
        structure = group_structure(n_groups, space.n_units)
    return structure + float(part_lengths(counts).sum())


def _one_each(question: Question) -> Grouped:
    """One group for each value; limits that this breaks are refused."""
    n_values = question.space.n_units
    limits = question.limits
    least = limits.min_weight(question.space.total_weight)
    _check_weight(question, least)
    lightest = float(question.space.unit_weights().min()) if n_values else math.inf
    if lightest < least and n_values > 1:
        raise NotPartitionableError(
            f"{question.who}: min_part_size is in the way: method='none' makes one group for each "
            f"value, of which one weighs {lightest:g}; every part must weigh at least {least:g}. "
            "Lower it, or use another method."
        )
    for name, limit in (("n_parts", limits.n_parts), ("max_parts", limits.max_parts)):
        if limit is not None and (limit < n_values or (name == "n_parts" and limit != n_values)):
            raise NotPartitionableError(
                f"{question.who}: method='none' makes one group for each of the {n_values} values; "
                f"got {name}={limit}. Use another method."
            )
    reading = question.method.reading
    return Grouped(np.arange(n_values), n_values, None, math.nan, False, None, reading=reading)


__all__ = ["Grouped", "check_no_order", "find_grouping"]
