"""The search for groups of values that join in any way."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.constrained import Question, price_in_bits
from partage._search.core import explain_limits
from partage._search.limits import Limits
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
    found = _group(question, limits)
    if limits.is_free:
        return found
    if method.has_own_cost:
        return replace(found, price=None)
    free = _group(question, Limits())
    gap = price_in_bits(found.cost, free.cost, method) if free.is_optimal else None
    return replace(found, price=price_in_bits(found.cost, free.cost, method), gap=gap)


def check_no_order(who: str, limits: Limits) -> None:
    """Refuse limits that need an order."""
    for name in ("min_class_count", "monotonic"):
        if getattr(limits, name) is not None:
            raise ValueError(
                f"{who}: {name} is for numbers and ordered values; these have no order. "
                "Give it with ordered=, or leave it out."
            )


def _group(question: Question, limits: Limits) -> Grouped:
    """Ask the core."""
    space = question.space
    weight = limits.min_weight(space.total_weight)
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
        raise NotPartitionableError(explain_limits(question.who, space, limits, weight)) from None
    found_garbage = None if garbage < 0 else int(garbage)
    return Grouped(codes.astype(np.int64), int(n_groups), found_garbage, cost, bool(is_optimal))


def _one_each(question: Question) -> Grouped:
    """One group for each value; limits that this breaks are refused."""
    n_values = question.space.n_units
    limits = question.limits
    for name, limit in (("n_parts", limits.n_parts), ("max_parts", limits.max_parts)):
        if limit is not None and (limit < n_values or (name == "n_parts" and limit != n_values)):
            raise NotPartitionableError(
                f"{question.who}: method='none' makes one group for each of the {n_values} values; "
                f"got {name}={limit}. Use another method."
            )
    return Grouped(np.arange(n_values), n_values, None, math.nan, False, None)


__all__ = ["Grouped", "check_no_order", "find_grouping"]
