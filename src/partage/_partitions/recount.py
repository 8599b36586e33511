"""Partitions that the user gives: taken under the name of their column, counted on its rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import Categories, type_of
from partage._data.column import Column
from partage._data.keys import keys_like
from partage._data.table import Table
from partage._partitions.edit import Edit
from partage._partitions.groups import Groups
from partage._partitions.intervals import Intervals
from partage._partitions.new_data import recount_column
from partage._partitions.partition import Partition
from partage._targets.target import TargetRows

__all__ = ["check_given_classes", "read_given", "read_like", "take_given"]


def read_like(who: str, table: Table, index: int, partition: Partition) -> Column | Categories:
    """Read a column as a partition of it needs."""
    if isinstance(partition, Groups):
        return table.categories(who, index)
    assert isinstance(partition, Intervals)
    return table.column(who, index, partition.kind)


def read_given(who: str, table: Table, index: int, partition: Partition) -> Column | Categories:
    """Read a column for the partition that was given; one of another kind is refused."""
    try:
        column = read_like(who, table, index, partition)
        _check_values(who, column, partition)
    except TypeError:
        raise TypeError(_misfit(who, table, index, partition)) from None
    return column


def _check_values(who: str, column: Column | Categories, partition: Partition) -> None:
    """Refuse values that the parts cannot hold."""
    if isinstance(partition, Intervals):
        assert isinstance(column, Column)
        keys_like(who, column, partition.kind)
    elif isinstance(partition, Groups):
        assert isinstance(column, Categories)
        types = {type_of(value) for value in column.values}
        known = partition._types | {type_of(value) for value in partition.special_values}
        if types and known and not types & known:
            raise TypeError


def _misfit(who: str, table: Table, index: int, partition: Partition) -> str:
    """Explain that a partition is of other values than its column."""
    name = table.names[index]
    is_measured = table.kind(index) == "numeric"
    held = table.column(who, index).kind.plural if is_measured else "categories"
    got = (
        f"intervals of {partition.kind.plural}"
        if isinstance(partition, Intervals)
        else f"groups such as {partition.labels()[0]}"
    )
    made_by = "discretize" if is_measured else "group"
    return (
        f"{who}: partitions[{name!r}] must fit its column; got {got}, and column {name!r} holds "
        f"{held}. Give a partition that {made_by} made of this column, or leave it out."
    )


def take_given(
    who: str, partition: Partition, column: Column | Categories, target: TargetRows
) -> Partition:
    """Take a partition under the name of its column, with the counts of the target."""
    check_given_classes(who, column.name, partition, target.classes)
    named = _renamed(partition, column.name)
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


def _renamed(partition: Partition, name: str) -> Partition:
    """Give a partition another name, and those that its edits lead back to."""
    if partition.name == name:
        return partition
    history: tuple[Edit, ...] = ()
    for edit in partition.history:
        before = replace(edit.before, name=name, history=history)
        history = (*history, replace(edit, before=before))
    return replace(partition, name=name, history=history)


def _is_counted_alike(one: Partition, other: Partition) -> bool:
    """Whether parts hold the same rows: what is known of one is then true of the other."""
    fields = ("classes", "counts", "missing_counts", "special_counts", "rows", "special_rows")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in fields) and (
        one.missing_rows == other.missing_rows
    )
