"""The axes of a grid: partitions of single columns that are counted together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.costs import group_of_units, repriced
from partage._partitions.edit import with_aside
from partage._partitions.partition import Partition
from partage._partitions.value_groups import ValueGroups
from partage._spaces.space import Space
from partage._targets.tally import Tally


def _space(partition: Partition) -> Space:
    """Values of a column, which its own partition was found on."""
    assert partition.units is not None
    return partition.units


def parts_of_values(partition: Partition) -> NDArray[np.uint32]:
    """Part of each value of a column."""
    space = _space(partition)
    if not partition.rule.is_line:  # of a file, the space does not know
        return group_of_units(partition).astype(np.uint32)
    places = partition._border_places(space)
    parts = np.searchsorted(places, np.arange(space.n_units), side="right")
    # Parts that hold no value, between cuts a user gave, are none of a grid.
    return np.unique(parts, return_inverse=True)[1].astype(np.uint32)


def garbage_threshold(partition: Partition) -> float:
    """Least frequency of the values that the garbage group of a column leaves alone; 1 for none."""
    garbage = partition.rule.unseen_part
    space = _space(partition)
    if garbage is None or space.is_line:
        return 1.0
    weights = space.unit_weights()
    others = weights[group_of_units(partition) != garbage]
    rare = weights[weights < (others.min() if len(others) else np.inf)]
    return float(np.floor(rare.max()) + 1.0) if len(rare) else 1.0


def axis_of(own: Partition, part_of: NDArray[np.uint32], threshold: float) -> Partition:
    """Make the partition of a column that has these parts of its values."""
    space = _space(own)
    if space.is_line:
        inner = np.flatnonzero(np.diff(part_of)) + 1
        starts = np.concatenate([[0], inner, [space.n_units]]).astype(np.int64)
        rule: Any = own._rule_of_blocks(space, starts)
        return _with_parts(own, rule, space.tally(starts))
    return _grouped(own, part_of.astype(np.int64), threshold)


def _grouped(own: Partition, part_of: NDArray[np.int64], threshold: float) -> Partition:
    """Make groups, in the order that the target gives them."""
    space = _space(own)
    n_parts = int(part_of.max()) + 1
    order = own.target.order(space.joined(part_of, n_parts))
    place = np.empty(n_parts, dtype=np.int64)
    place[order] = np.arange(n_parts)
    part_of = place[part_of]
    members: list[list[Any]] = [[] for _ in range(n_parts)]
    for value, k in zip(space.values, part_of.tolist(), strict=True):
        members[k].append(value)
    rare = np.unique(part_of[space.unit_weights() < threshold])
    rule = own.rule.with_aside([None] * len(own.rule.aside_parts))
    assert isinstance(rule, ValueGroups)
    rule = replace(
        rule,
        groups=tuple(map(tuple, members)),
        garbage=int(rare[0]) if len(rare) == 1 else None,
        absent=(),
    )
    return _with_parts(own, rule, space.joined(part_of, n_parts))


def _with_parts(own: Partition, rule: Any, present: Tally) -> Partition:
    """Give a column other parts, beside which missing and special values stay apart."""
    changes = with_aside(own, rule, present, [None] * len(rule.aside_parts))
    found = replace(own, **changes)._with_found(
        is_optimal=False, gap=None, price=None, history=(), constraints={}
    )
    priced: Partition = repriced(found)
    return priced


__all__ = ["axis_of", "garbage_threshold", "parts_of_values"]
