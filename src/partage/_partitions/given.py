"""Partitions that the user gives: taken under the name of their column, counted on its rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import CategoryColumn
from partage._data.column import NumberColumn
from partage._data.table import Table
from partage._partitions.partition import Partition
from partage._partitions.recount import recount_column
from partage._targets.target import TargetRows

__all__ = ["check_given_classes", "read_given", "take_given", "with_units", "with_values_of"]


def read_given(
    who: str, table: Table, index: int, partition: Partition
) -> NumberColumn | CategoryColumn:
    """Read a column for the partition that was given; one of another kind is refused."""
    try:
        column = partition.rule.read_from(who, table, index)
        partition.rule.check(who, column)
    except TypeError:
        raise TypeError(_misfit(who, table, index, partition)) from None
    found: NumberColumn | CategoryColumn = column
    return found


def _misfit(who: str, table: Table, index: int, partition: Partition) -> str:
    """Explain that a partition is of other values than its column."""
    name = table.names[index]
    is_measured = table.kind(index) == "numeric"
    held = table.column(who, index).kind.plural if is_measured else "categories"
    made_by = "discretize" if is_measured else "group"
    return (
        f"{who}: partitions[{name!r}] must fit its column; got {partition.rule.described}, and "
        f"column {name!r} holds {held}. Give a partition that {made_by} made of this column, or "
        "leave it out."
    )


def take_given(
    who: str, partition: Partition, column: NumberColumn | CategoryColumn, target: TargetRows
) -> Partition:
    """Take a partition under the name of its column, with the counts of the target."""
    kinds = partition.target.kind, target.target.kind
    if kinds[0] != kinds[1]:
        raise ValueError(
            f"{who}: partitions[{column.name!r}] must be of the target of y; it was made with a "
            f"target_type of {kinds[0]!r}, and y is of {kinds[1]!r}. Partition the column with "
            "this y, or set target_type."
        )
    check_given_classes(who, column.name, partition, target.classes)
    named = partition._renamed(column.name)
    counted: Partition = recount_column(who, named, column, target)
    return named if _is_counted_alike(named, counted) else counted


def check_given_classes(who: str, name: str, partition: Partition, classes: NDArray[Any]) -> None:
    """Refuse a partition that does not know a class."""
    known = partition.classes.tolist()
    new = [label for label in classes.tolist() if label not in known]
    if new:
        raise ValueError(
            f"{who}: partitions[{name!r}] must be of the classes of y; it was made with "
            f"{', '.join(map(repr, known))}, y has {new[0]!r} too. Partition the column with this "
            "y, or give y the same labels."
        )


def _is_counted_alike(one: Partition, other: Partition) -> bool:
    """Whether parts hold the same rows: what is known of one is then true of the other."""
    return np.array_equal(one.classes, other.classes) and one.tally.same_as(other.tally)


def with_values_of(
    who: str,
    partition: Partition,
    column: NumberColumn | CategoryColumn,
    target: TargetRows,
    n_bytes: int,
) -> Partition | None:
    """Give a partition, and those that its edits lead back to, the counts of the values again.

    None where the rows are not those that it holds. No more is kept than fits so much memory.
    """
    if partition.target.kind != target.target.kind:
        return None
    check_given_classes(who, column.name, partition, target.classes)
    counted: Partition = recount_column(who, partition, column, target)
    if not _is_counted_alike(partition, counted) or counted.units is None:
        return None
    states = [partition, *(edit.before for edit in partition.history)]
    borders = np.unique(np.concatenate([state.rule.border_keys for state in states]))
    return with_units(partition, counted.units.at_most(n_bytes, borders))


def with_units(partition: Partition, units: Any) -> Partition:
    """Give a partition, and those that its edits lead back to, the counts of values."""
    history: tuple[Any, ...] = ()
    for edit in partition.history:
        before = replace(edit.before._with_found(history=history), units=units)
        history = (*history, replace(edit, before=before))
    return replace(partition._with_found(history=history), units=units)
