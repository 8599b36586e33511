"""The calls of the compiled searches and criteria."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._search.baselines import BASELINES, find_baseline
from partage._search.granular import chosen, quantile_places
from partage._search.limits import Limits
from partage._search.methods import Method, methods
from partage._search.readings import Asked, Reading
from partage._spaces.space import Space
from partage._support.parallel import Cancel
from partage._support.portable import LOG_2, log
from partage.exceptions import NotPartitionableError


@dataclass(frozen=True)
class Found:
    """What a search found: first unit of each part (then the end), their class weights, proof.

    ``reading`` is what was read of a number.
    """

    starts: NDArray[np.uint32]
    counts: NDArray[np.float64]
    cost: float
    is_optimal: bool
    reading: Reading | None = None


def find_partition(
    space: Space,
    method: Method,
    search: str = "auto",
    limits: Limits | None = None,
    numbers: Sequence[float] | None = None,
    *,
    who: str = "find_partition",
    cancel: Cancel | None = None,
    constraints: _core.Constraints | None = None,
) -> Found:
    """Partition a line of units."""
    limits = limits or Limits()
    if method.name in BASELINES:
        wanted = limits.n_parts or limits.max_parts
        weight = limits.min_weight(space.total_weight)
        starts = find_baseline(space, method.name, wanted, weight)
        if limits.n_parts is not None and len(starts) - 1 < limits.n_parts:
            raise NotPartitionableError(
                f"{who}: method={method.name!r} leaves n_parts={limits.n_parts} intervals only "
                f"{len(starts) - 1} that hold enough rows; use max_parts to allow fewer parts."
            )
        counts = space.counts(starts)
        cost = math.nan if method.reading is not None else partition_cost(counts, "modl")
        return Found(starts, counts, cost, False, method.reading)
    if method.reading is not None:
        return _read(method.reading, space, search, limits, who, cancel, constraints)
    if constraints is None and (granularity := chosen(method, numbers)) and space.n_units:
        places = quantile_places(space, granularity)
        if len(places) - 1 < space.n_units:
            coarse = space.joined_at(places)
            found = find_partition(coarse, method, search, limits, numbers, who=who, cancel=cancel)
            return replace(found, starts=places[found.starts].astype(np.uint32))
    if numbers is None:
        numbers = method.numbers(who, None)
    min_weight = limits.min_weight(space.total_weight)
    try:
        starts, counts, is_optimal = _core.search(
            _with_values(space) if method.reads_values else space.line,
            method.name,
            list(numbers),
            search,
            limits.n_parts or 0,
            limits.max_parts or 0,
            min_weight,
            cancel,
            constraints,
        )
    except _core.NotPossible:
        raise NotPartitionableError(explain_limits(who, space, limits, min_weight)) from None
    counts = space.counts(starts) if method.reads_values else counts
    own = numbers if method.judges_partitions else None
    # What is the optimum of a mixture need not be that of the classes, whose cost results carry.
    is_proven = bool(is_optimal) and not method.reads_values
    return Found(starts, counts, partition_cost(counts, method.criterion, own), is_proven)


def _with_values(space: Space) -> _core.Line:
    """Make the line of weights, of the sums of values and squares, and of the classes of units.

    Values have the mean 0 and the deviation 1, so that their unit does not matter; infinities
    count as the value next to them.
    """
    counts = space.counts()
    weights = counts.sum(axis=1)
    keys = space.keys.astype(np.float64)
    finite = keys[np.isfinite(keys)]
    if len(finite):
        keys = np.clip(keys, finite.min(), finite.max())
    away = keys - (weights * keys).sum() / weights.sum() if len(finite) else np.zeros(len(keys))
    spread = float(np.sqrt((weights * away**2).sum() / weights.sum()))
    away = away / spread if 0.0 < spread < math.inf else np.zeros(len(away))
    sums = weights * away, weights * away**2
    return _core.line_of_amounts(np.ascontiguousarray(np.column_stack([weights, *sums, counts])))


def _read(
    reading: Reading,
    space: Space,
    search: str,
    limits: Limits,
    who: str,
    cancel: Cancel | None,
    constraints: _core.Constraints | None,
) -> Found:
    """Partition a line of units of which a number is read."""
    try:
        read = reading.search(Asked(space, search, limits, cancel, constraints))
    except _core.NotPossible:
        weight = limits.min_weight(space.total_weight)
        raise NotPartitionableError(explain_limits(who, space, limits, weight)) from None
    counts = space.counts(read.starts)
    apart = counts[:0] if space.aside is None else space.aside.class_counts[space.aside.held]
    cost = read.reading.costs(counts, apart, len(apart) * LOG_2)[0]
    return Found(read.starts, counts, cost, read.is_optimal, read.reading)


def explain_limits(who: str, space: Space, limits: Limits, min_weight: float) -> str:
    """Name the limit in the way."""
    n_parts = limits.n_parts or 1
    if n_parts > space.n_units:
        return (
            f"{who}: n_parts must be at most the number of distinct values, {space.n_units}; "
            f"got {n_parts}. Use max_parts to allow fewer parts."
        )
    return (
        f"{who}: min_part_size leaves no way to make n_parts={n_parts} parts of a weight of at "
        f"least {min_weight:g} out of {space.total_weight:g}; lower one of the two."
    )


def partition_cost(
    counts: NDArray[np.float64], criterion: str, numbers: Sequence[float] | None = None
) -> float:
    """Cost of a partition, from the class weights of its parts; by default without parameters."""
    table = np.ascontiguousarray(counts, dtype=np.float64)
    if numbers is None:
        numbers = methods()[criterion].defaults
    return float(_core.cost(table, criterion, list(numbers)))


def level_of(cost: float, null_cost: float) -> float:
    """Level of a partition under MODL: the share of the null cost it saves, 0 for rounding.

    Costs may be below 0 where all rows together weigh less than one: the level stays in [0, 1].
    """
    level = 1.0 - cost / null_cost if null_cost > 0 else 0.0
    return min(level, 1.0) if level > 1e-12 else 0.0


def price_in_bits(cost: float, free_cost: float, method: Method) -> float:
    """Give what limits cost: bits for methods that count nats, else the method's own unit."""
    price = max(cost - free_cost, 0.0)
    return price / LOG_2 if method.unit == "nats" else price


def part_length(row: NDArray[np.float64]) -> float:
    """Measure one row of class weights under MODL: its description length L, in nats."""
    total = float(row.sum())
    if total == 0.0:
        return 0.0
    # A partition of one part costs log N + L.
    return partition_cost(row[None, :], "modl") - log(total)
