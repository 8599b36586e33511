"""What parts cost, from what was counted in them: one price for searches, edits, explanations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._search.aside import Aside
from partage._search.core import level_of, part_length, partition_cost
from partage._search.lengths import (
    garbage_null_structure,
    garbage_structure,
    group_structure,
    part_lengths,
)
from partage._search.methods import Method, methods
from partage._support.portable import LOG_2, exact_sum, log, logs
from partage._targets.tally import Tally

if TYPE_CHECKING:
    from partage._partitions.groups import Groups
    from partage._partitions.partition import Partition
    from partage._spaces.space import Space

BIT = LOG_2


@dataclass(frozen=True)
class Price(ABC):
    """What the parts of a column cost: under MODL, and under a criterion of the method's own.

    Attributes
    ----------
    criterion : str or None
        The method's own criterion; None where results carry the cost of MODL.
    params : dict or None
        Parameters of the criterion.
    """

    criterion: str | None = None
    params: Any = None

    @abstractmethod
    def modl(self, present: NDArray[np.float64], beside: Aside) -> tuple[float, float]:
        """Cost and cost of one part under MODL, in nats; other rows are described beside."""

    def own(
        self, judged: NDArray[np.float64], modl: tuple[float, float]
    ) -> tuple[float, float, float]:
        """Cost and cost of one part under the method's criterion; the level is always MODL's."""
        return costs_under(self.criterion, self.params, judged, modl)

    def level(self, modl: tuple[float, float], total: float) -> float:  # noqa: ARG002  # of classes
        """Level of costs under MODL; ``total`` is the weight of all rows."""
        return level_of(*modl)

    def judge(self, counts: NDArray[np.float64]) -> float:
        """Nats of what parts hold, by which rows beside them choose the one they join."""
        return exact_sum(map(part_length, counts))

    def numbers(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what the price reads of parts, from their counts."""
        return counts

    def units(self, space: Space) -> NDArray[np.float64]:
        """Give the same of each unit."""
        return space.counts()

    def changes(
        self,
        sets: NDArray[np.float64],
        gone: Sequence[int],
        new: Sequence[NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """Nats by which sets cost more where some give way to new ones, but for their places.

        ``new`` holds what is read of each new set, one row for each way to change.
        """
        costs = part_lengths(new[0])
        for rows in new[1:]:
            costs = costs + part_lengths(rows)
        return np.asarray(costs - part_lengths(sets[list(gone)]).sum())

    def gains(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Nats that each set saves by its own law, without the price of its place."""
        totals = counts.sum(axis=0)
        shares = totals / max(totals.sum(), np.finfo(float).tiny)
        prior = np.where(totals > 0, shares, 1.0)
        return np.asarray(-(counts * logs(prior)).sum(axis=1) - part_lengths(counts))


@dataclass(frozen=True)
class LinePrice(Price):
    """Price of the intervals of a line."""

    @classmethod
    def of(cls, method: Method, params: Any) -> LinePrice:
        """Price of the results of a method for intervals."""
        return cls(method.criterion, params) if method.has_own_cost else cls()

    def modl(self, present: NDArray[np.float64], beside: Aside) -> tuple[float, float]:
        """Cost and cost of one part under MODL, in nats."""
        return line_costs(present, beside)


@dataclass(frozen=True)
class ReadPrice(Price):
    """Price of parts of which a number is read; ``n_values`` of them may join in any way."""

    reading: Any = None
    n_values: int = 0

    def modl(self, present: NDArray[np.float64], beside: Aside) -> tuple[float, float]:
        """Cost and cost of one part, in nats."""
        return read_costs(self.reading, present, beside, self.n_values)

    def own(
        self, judged: NDArray[np.float64], modl: tuple[float, float]
    ) -> tuple[float, float, float]:
        """Cost, cost of one part and level under the same reading."""
        return *modl, self.level(modl, self.reading.weight(self.numbers(judged)))

    def level(self, modl: tuple[float, float], total: float) -> float:
        """Level on the scale of R²."""
        return float(self.reading.level(*modl, total))

    def judge(self, counts: NDArray[np.float64]) -> float:
        """Nats of parts alone."""
        return float(self.reading.costs(counts, counts[:0])[0])

    def numbers(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what is read of parts."""
        return np.asarray(self.reading.numbers(counts))

    def units(self, space: Space) -> NDArray[np.float64]:
        """Give the same of each unit."""
        return np.asarray(self.reading.units(space))

    def changes(
        self,
        sets: NDArray[np.float64],
        gone: Sequence[int],
        new: Sequence[NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """Nats by which sets cost more where some give way to new ones, but for their places."""
        return np.asarray(self.reading.changes(sets, gone, new))

    def gains(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what each set adds to what the parts tell of the ranks."""
        return np.asarray(self.reading.gains(counts))


@dataclass(frozen=True)
class GroupPrice(Price):
    """Price of groups of values, of which ordered ones form a line.

    ``pooled`` holds what the groups and one group cost without their rows, in nats, where rare
    values may form a garbage group.
    """

    n_values: int = 0
    is_ordered: bool = False
    pooled: tuple[float, float] | None = None

    def modl(self, present: NDArray[np.float64], beside: Aside) -> tuple[float, float]:
        """Cost and cost of one group under MODL, in nats."""
        return group_costs(present, beside, self.n_values, self.is_ordered, self.pooled)


def read_costs(
    reading: Any, present: NDArray[np.float64], beside: Aside, n_values: int = 0
) -> tuple[float, float]:
    """Cost and cost of one part of which a number is read; other rows are sets of their own."""
    parts = beside.merged(present)
    naming = beside.naming(len(parts))
    cost, null = reading.costs(parts, beside.apart_counts, naming, n_values)
    return float(cost), float(null)


def line_price(method: Method, params: Any) -> Price:
    """Price of the intervals that a method finds."""
    if method.reading is not None:
        return ReadPrice(reading=method.reading)
    return LinePrice.of(method, params)


def group_price(groups: Groups, fitted: Any) -> Price:
    """Price of some groups.

    ``fitted`` are the same groups with other counts, whose price of the groups themselves is taken
    where the counts of the values are not kept.
    """
    method = groups._method
    if method.reading is not None:
        return ReadPrice(
            reading=method.reading, n_values=0 if groups.is_ordered else groups.n_values
        )
    criterion = method.criterion if method.has_own_cost and not groups.is_ordered else None
    priced = groups if groups.units is not None else fitted
    pooled = _pooled(priced, present_of(priced), beside_of(priced))
    params = None if criterion is None else groups.method_params
    return GroupPrice(criterion, params, groups.n_values, groups.is_ordered, pooled)


def costs_in_groups(
    groups: Groups, present: NDArray[np.float64], beside: Aside
) -> tuple[float, float]:
    """Costs of other rows in unordered groups, whose values were described in training."""
    n_parts = groups.n_parts
    fitted = modl_costs(groups)
    inside = exact_sum(map(part_length, groups.counts)) + beside_of(groups).cost(n_parts)
    structure = fitted[0] - inside
    null_structure = fitted[1] - part_length(groups.totals())
    cost = structure + exact_sum(map(part_length, present)) + beside.cost(n_parts)
    everything = np.vstack([present, beside.counts]).sum(axis=0)
    return cost, null_structure + part_length(everything)


def structure_of_groups(groups: Groups) -> float:
    """Price groups under MODL, in nats, without what they hold; a garbage group is like others."""
    if groups.is_ordered:
        return structure_of_line(groups.counts)
    return group_structure(groups.n_parts, max(groups.n_values, 1))


def structure_of_line(counts: NDArray[np.float64]) -> float:
    """Price the cuts of a line under MODL, in nats, without what the parts hold."""
    return (
        partition_cost(counts, "modl") - exact_sum(map(part_length, counts))
        if counts.any()
        else 0.0
    )


def beside_of(partition: Partition) -> Aside:
    """Rows beside the parts of a partition: missing, then special values."""
    tally = partition.tally.take(slice(partition.n_parts, None))
    return Aside(tally, partition.rule.aside_parts)


def present_tally(partition: Partition) -> Tally:
    """Tally the parts without the rows that were merged into them."""
    beside = beside_of(partition)
    return partition.tally.take(slice(partition.n_parts)).removed(beside.tally, beside.parts)


def present_of(partition: Partition) -> NDArray[np.float64]:
    """Class weights of the parts without the rows that were merged into them."""
    return present_tally(partition).class_counts


def modl_costs(partition: Partition, fitted: Partition | None = None) -> tuple[float, float]:
    """Cost and cost of one part under MODL, in nats, for any method.

    ``fitted`` are the same parts with other counts; see ``group_price``.
    """
    price = partition._price(partition if fitted is None else fitted)
    return price.modl(present_of(partition), beside_of(partition))


def line_costs(present: NDArray[np.float64], beside: Aside) -> tuple[float, float]:
    """Cost and cost of one part of intervals under MODL; other rows are described beside."""
    everything = present.sum(axis=0)
    if not beside.is_empty:
        everything = everything + beside.counts.sum(axis=0)
    null = partition_cost(everything[None, :], "modl")
    if present.any():
        if beside.is_empty and len(present) == 1:
            return null, null
        return partition_cost(beside.merged(present), "modl") + beside.cost(len(present)), null
    return _costs_of_others(beside, null)


def _costs_of_others(beside: Aside, null: float) -> tuple[float, float]:
    """Cost and cost of one part where all rows lie beside the parts."""
    is_one = np.count_nonzero(beside.counts.any(axis=1)) == 1
    return null if is_one else beside.cost(1), null


def group_costs(
    present: NDArray[np.float64],
    beside: Aside,
    n_values: int,
    is_ordered: bool,
    pooled: tuple[float, float] | None,
) -> tuple[float, float]:
    """Cost and cost of one group under MODL; other rows are described beside.

    ``pooled`` holds what the groups and one group cost without their rows, in nats, where rare
    values may form a garbage group.
    """
    others = beside.counts.sum(axis=0)
    everything = part_length(present.sum(axis=0) + others)
    if n_values == 0:
        return _costs_of_others(beside, everything)
    if is_ordered:
        null_structure = log(present.sum() + others.sum())
        structure = partition_cost(present, "modl") - exact_sum(map(part_length, present))
    elif pooled is not None:
        structure, null_structure = pooled
    else:
        structure, null_structure = (group_structure(k, n_values) for k in (len(present), 1))
    cost = structure + exact_sum(map(part_length, beside.merged(present)))
    return cost + beside.cost(len(present)), null_structure + everything


def _pooled(groups: Any, present: NDArray[np.float64], beside: Aside) -> tuple[float, float] | None:
    """Cost of a partition with a garbage group, and of one group, without their rows."""
    if not groups._method.is_modl or groups.is_ordered or groups.n_values == 0:
        return None
    if groups.units is not None:
        structure = garbage_structure(groups.units, group_of_units(groups), len(present))
        return structure, garbage_null_structure(groups.units, present)
    # Without the counts of the values only the cost that was found is known.
    inside = exact_sum(map(part_length, groups.counts)) + beside.cost(len(present))
    everything = part_length(present.sum(axis=0) + beside.counts.sum(axis=0))
    return groups.cost - inside, groups.null_cost - everything


def group_of_units(groups: Any) -> NDArray[np.int64]:
    """Group of each value that is kept."""
    place = groups.rule.group_of
    return np.array([place[key] for key in groups.units.value_keys], dtype=np.int64)


def repriced(partition: Any, fitted: Partition | None = None) -> Any:
    """Give a partition the costs of its counts; ``fitted`` as in ``modl_costs``."""
    return partition._with_found(**own_costs(partition, fitted)[1])


def own_costs(
    partition: Partition, fitted: Partition | None = None
) -> tuple[tuple[float, float], dict[str, float]]:
    """Costs under MODL; then cost, cost of one part and level as the method gives them, by name."""
    price = partition._price(partition if fitted is None else fitted)
    present = present_of(partition)
    modl = price.modl(present, beside_of(partition))
    judge = price if present.any() or price.criterion is None else LinePrice()
    return modl, dict(
        zip(("cost", "null_cost", "level"), judge.own(partition.read_counts, modl), strict=True)
    )


def costs_under(
    criterion: str | None, params: Any, judged: NDArray[np.float64], modl: tuple[float, float]
) -> tuple[float, float, float]:
    """Cost and cost of one part under a criterion, None for MODL; the level is always MODL's."""
    level = level_of(*modl)
    if criterion is None:
        return *modl, level
    numbers = methods()[criterion].numbers("partition_cost", params)
    own = partition_cost(judged, criterion, numbers)
    return own, partition_cost(judged.sum(axis=0)[None, :], criterion, numbers), level
