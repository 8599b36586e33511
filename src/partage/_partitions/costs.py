"""What parts cost, from what was counted in them: one price for searches, edits, explanations."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import key_of
from partage._search.aside import Aside
from partage._search.core import level_of, part_length, partition_cost
from partage._search.lengths import garbage_null_structure, garbage_structure, group_structure
from partage._search.methods import Method, methods

if TYPE_CHECKING:
    from partage._partitions.groups import Groups
    from partage._partitions.partition import Partition

BIT = math.log(2)


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


def group_price(groups: Groups, fitted: Any) -> GroupPrice:
    """Price of some groups.

    ``fitted`` are the same groups with other counts, whose price of the groups themselves is taken
    where the counts of the values are not kept.
    """
    method = groups._method
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
    inside = sum(map(part_length, groups.counts)) + beside_of(groups).cost(n_parts)
    structure = fitted[0] - inside
    null_structure = fitted[1] - part_length(groups.totals())
    cost = structure + sum(map(part_length, present)) + beside.cost(n_parts)
    everything = np.vstack([present, beside.counts]).sum(axis=0)
    return cost, null_structure + part_length(everything)


def structure_of_groups(groups: Groups) -> float:
    """Price groups under MODL, in nats, without what they hold; a garbage group is like others."""
    if groups.is_ordered:
        return structure_of_line(groups.counts)
    return group_structure(groups.n_parts, max(groups.n_values, 1))


def structure_of_line(counts: NDArray[np.float64]) -> float:
    """Price the cuts of a line under MODL, in nats, without what the parts hold."""
    return partition_cost(counts, "modl") - sum(map(part_length, counts)) if counts.any() else 0.0


def beside_of(partition: Partition) -> Aside:
    """Rows beside the parts of a partition: missing, then special values."""
    tally = partition.tally.take(slice(partition.n_parts, None))
    return Aside(tally, partition.rule.aside_parts)


def present_of(partition: Partition) -> NDArray[np.float64]:
    """Class weights of the parts without the rows that were merged into them."""
    beside = beside_of(partition)
    return _without_merged(partition.counts, beside.counts, beside)


def present_rows_of(partition: Partition) -> NDArray[np.int64]:
    """Rows of the parts without those that were merged into them."""
    beside = beside_of(partition)
    return _without_merged(partition.rows, beside.rows, beside)


def _without_merged(whole: NDArray[Any], merged: NDArray[Any], beside: Aside) -> NDArray[Any]:
    """Take what was merged out of the parts."""
    out = whole.copy()
    for amount, part in zip(merged, beside.parts, strict=True):
        if part is not None:
            out[part] -= amount
    return out


def modl_costs(partition: Partition, fitted: Partition | None = None) -> tuple[float, float]:
    """Cost and cost of one part under MODL, in nats, for any method.

    ``fitted`` are the same parts with other counts; see ``group_price``.
    """
    price = partition._price(partition if fitted is None else fitted)
    return price.modl(present_of(partition), beside_of(partition))


def line_costs(present: NDArray[np.float64], beside: Aside) -> tuple[float, float]:
    """Cost and cost of one part of intervals under MODL; other rows are described beside."""
    everything = (present.sum(axis=0) + beside.counts.sum(axis=0))[None, :]
    null = partition_cost(everything, "modl")
    if present.any():
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
        null_structure = math.log(present.sum() + others.sum())
        structure = partition_cost(present, "modl") - sum(map(part_length, present))
    elif pooled is not None:
        structure, null_structure = pooled
    else:
        structure, null_structure = (group_structure(k, n_values) for k in (len(present), 1))
    cost = structure + sum(map(part_length, beside.merged(present)))
    return cost + beside.cost(len(present)), null_structure + everything


def _pooled(groups: Any, present: NDArray[np.float64], beside: Aside) -> tuple[float, float] | None:
    """Cost of a partition with a garbage group, and of one group, without their rows."""
    if not groups._method.is_modl or groups.is_ordered or groups.n_values == 0:
        return None
    if groups.units is not None:
        structure = garbage_structure(groups.units, group_of_units(groups), len(present))
        return structure, garbage_null_structure(groups.units, present)
    # Without the counts of the values only the cost that was found is known.
    inside = sum(map(part_length, groups.counts)) + beside.cost(len(present))
    everything = part_length(present.sum(axis=0) + beside.counts.sum(axis=0))
    return groups.cost - inside, groups.null_cost - everything


def group_of_units(groups: Any) -> NDArray[np.int64]:
    """Group of each value that is kept."""
    place = groups.rule.group_of
    return np.array([place[key_of(value)] for value in groups.units.values], dtype=np.int64)


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
    judge = price if present.any() else LinePrice()
    return modl, dict(
        zip(("cost", "null_cost", "level"), judge.own(partition.counts, modl), strict=True)
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
