"""The axes of a grid: partitions of single columns that are counted together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import CategoryColumn, key_of
from partage._data.column import NumberColumn
from partage._partitions.costs import group_of_units, repriced
from partage._partitions.edit import with_aside
from partage._partitions.partition import Partition
from partage._partitions.value_groups import ValueGroups
from partage._search.grids import GridRows
from partage._spaces.space import Space
from partage._targets.tally import Tally
from partage._targets.target import TargetRows

Column = NumberColumn | CategoryColumn
_MANY = 20_000  # values beyond which looking them up in order is quicker


def joint_rows(
    who: str, columns: Sequence[Column], own: Sequence[Partition], rows: TargetRows, has_y: bool
) -> GridRows:
    """Code the rows of columns by the values of their own partitions."""
    codes, n_values, n_aside = [], [], []
    for column, partition in zip(columns, own, strict=True):
        axis, sets = value_codes(who, column.take(rows.kept), partition)
        codes.append(axis)
        n_values.append(_space(partition).n_units)
        n_aside.append(sets)
    return GridRows(
        np.ascontiguousarray(np.vstack(codes)),
        tuple(n_values),
        tuple(n_aside),
        tuple(_space(partition).is_line for partition in own),
        rows.codes if has_y else None,
        rows.weights,
        rows.n_classes if has_y else 1,
    )


def _space(partition: Partition) -> Space:
    """Values of a column, which its own partition was found on."""
    assert partition.units is not None
    return partition.units


def value_codes(
    who: str, column: Column, partition: Partition, ends: NDArray[Any] | None = None
) -> tuple[NDArray[np.uint32], int]:
    """Value of each row, then the sets aside that hold rows; and how many these are.

    ``ends`` are the greatest keys of ranges of numbers that count as one value.
    """
    space = _space(partition)
    parts = partition.rule.assign(who, column)
    is_aside = parts >= partition.n_parts
    if isinstance(column, NumberColumn):
        if ends is None:
            codes = _ranks(space.keys, column.keys + 0)
        else:
            codes = column.assign(np.ascontiguousarray(ends), 0)
    else:
        place = {key_of(value): i for i, value in enumerate(space.values)}
        lookup = [place.get(key_of(value), 0) for value in column.values]
        codes = np.array([*lookup, 0], dtype=np.int64)[column.codes]
    if not is_aside.any():
        return codes.astype(np.uint32), 0
    kinds, sets = np.unique(parts[is_aside], return_inverse=True)
    codes[is_aside] = (space.n_units if ends is None else len(ends) + 1) + sets
    return codes.astype(np.uint32), len(kinds)


def _ranks(values: NDArray[Any], keys: NDArray[Any]) -> NDArray[np.int64]:
    """Place of each key among the sorted values; in their order, where there are many."""
    if len(values) < _MANY:
        return np.searchsorted(values, keys)
    order = np.argsort(keys)
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.searchsorted(values, keys[order])
    return ranks


def parts_of_values(partition: Partition) -> NDArray[np.uint32]:
    """Part of each value of a column."""
    space = _space(partition)
    if not space.is_line:
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


__all__ = [
    "Column",
    "axis_of",
    "garbage_threshold",
    "joint_rows",
    "parts_of_values",
    "value_codes",
]
