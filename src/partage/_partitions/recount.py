"""The same parts counted on other rows, as if they had been found there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from partage._data.categories import key_of
from partage._data.keys import keys_like
from partage._data.table import CategoryColumn, NumberColumn
from partage._partitions.costs import repriced
from partage._partitions.other_rows import target_like
from partage._search.aside import count_aside, take_special
from partage._spaces.make import space_of
from partage._spaces.space import Space, line_of
from partage._targets.tally import Tally
from partage._targets.target import TargetRows, check_lengths

if TYPE_CHECKING:
    from partage._partitions.groups import Groups
    from partage._partitions.intervals import Intervals


@dataclass(frozen=True)
class Recounted:
    """What a column holds beside the parts of a partition, and what changes of the parts."""

    aside: Tally
    changes: dict[str, Any]


def recount(partition: Any, x: Any, y: Any, sample_weight: Any) -> Any:
    """Count the same parts on other data, as if they had been fitted there."""
    who = f"{type(partition).__name__}.recount"
    target = target_like(who, partition, y, sample_weight)
    column = partition.rule.read(who, x)
    check_lengths(who, "x", len(column.missing_mask()), target)
    return recount_column(who, partition, column, target, refuses_unseen=True)


def recount_column(
    who: str,
    partition: Any,
    given: NumberColumn | CategoryColumn,
    target: TargetRows,
    *,
    refuses_unseen: bool = False,
) -> Any:
    """Count the same parts on a column that was read, and price them."""
    return repriced(count_column(who, partition, given, target, refuses_unseen=refuses_unseen))


def count_column(
    who: str,
    partition: Any,
    given: NumberColumn | CategoryColumn,
    target: TargetRows,
    *,
    refuses_unseen: bool = False,
    keeps_values: bool = True,
) -> Any:
    """Count the same parts on a column that was read, in the classes of its target.

    Values of no group join the garbage group; without one they are refused, or not counted. The
    costs stay those of the rows before. Unless ``keeps_values``, single values are not counted.
    """
    codes = partition.rule.assign(who, given)
    column = given.take(target.kept)
    if refuses_unseen:
        partition.rule.check_known(who, column)
    counted = partition._recounted(column, target, keeps_values=keeps_values)
    codes = codes if target.kept is None else codes[target.kept]
    found = target.tally(codes, len(partition.code_labels())).take(slice(partition.n_parts))
    return replace(
        partition,
        **counted.changes,
        found=partition.found.elsewhere(),
        target=partition.target.in_classes_of(target.target),
        tally=found.concat(counted.aside),
        averaged=None,
        curve=None,
    )


def recount_intervals(
    partition: Intervals, kept: NumberColumn, target: TargetRows, *, keeps_values: bool
) -> Recounted:
    """Count the distinct values, and missing and special ones."""
    rule = partition.rule
    column = keys_like("recount", kept, rule.kind)
    special = rule.special_places(kept)
    aside = count_aside(target, column.missing_mask(), special, len(rule.special_values))
    if not keeps_values:
        return Recounted(aside, {"units": None})
    space = space_of(column if special is None else column.without(special >= 0), target)
    units = space
    return Recounted(aside, {"units": units, "n_values": space.n_units})


def recount_groups(
    partition: Groups, kept: CategoryColumn, target: TargetRows, *, keeps_values: bool
) -> Recounted:
    """Count the values, of which unseen ones join the garbage group, and those beside."""
    rule = partition.rule
    column, special = take_special(kept, rule.special_values)
    aside = count_aside(target, kept.missing_mask(), special, len(rule.special_values))
    if not keeps_values:
        return Recounted(aside, _with_new_values(partition, kept))
    unseen = rule.unseen_values(kept)
    if rule.garbage is None:
        column, _ = take_special(column, tuple(unseen))
    elif unseen:
        rule = rule.with_values(rule.garbage, unseen)
    held = {key_of(value) for value in column.values}
    members = [value for group in rule.groups for value in group]
    absent = [value for value in members if key_of(value) not in held]
    space = space_of(column, target)
    units = _with_empty(space, absent)
    if rule.is_ordered:
        units = units.in_order(members)
    return Recounted(aside, {"units": units, "rule": rule, "n_values": len(members)})


def _with_new_values(partition: Groups, column: CategoryColumn) -> dict[str, Any]:
    """Put new values into the garbage group, where there is one; the counts of values go."""
    rule = partition.rule
    new = [value for value in column.values if key_of(value) not in rule.code_of]
    if not new or rule.garbage is None:
        return {"units": None}
    wider = rule.with_values(rule.garbage, new)
    return {"units": None, "rule": wider, "n_values": partition.n_values + len(new)}


def _with_empty(units: Space, absent: list[Any]) -> Space:
    """Append values that no row holds."""
    if not absent:
        return units
    counts = np.vstack([units.counts(), np.zeros((len(absent), int(units.line.n_classes)))])
    rows = None if units.rows is None else np.append(units.rows, np.zeros(len(absent), np.int64))
    keys = np.arange(len(counts))
    return Space(line_of(counts), keys, keys, rows, (*units.values, *absent))
