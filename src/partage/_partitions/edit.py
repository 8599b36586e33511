"""Edits of partitions: each gives a new partition, its price in bits, and a way back."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import key_of
from partage._data.keys import keys_like, kind_message
from partage._data.table import read_column
from partage._partitions.costs import (
    BIT,
    beside_of,
    group_of_units,
    modl_costs,
    own_costs,
    present_of,
    present_rows_of,
)

if TYPE_CHECKING:
    from partage._partitions.groups import Groups
    from partage._partitions.intervals import Intervals
    from partage._partitions.partition import Partition
    from partage._spaces.units import Units


@dataclass(frozen=True)
class Edit:
    """One edit of a partition.

    Attributes
    ----------
    action : str
        What was done, such as ``"merge(2, 3)"``.
    price : float
        What it costs under MODL, in bits; negative where it saves.
    before : Intervals or Groups
        The partition before, to which ``undo`` returns.
    """

    action: str
    price: float
    before: Any

    def __repr__(self) -> str:
        return f"{self.action}: {self.price:+.2f} bits"


def undo(partition: Any, steps: int) -> Any:
    """Take edits back."""
    n_edits = len(partition.history)
    is_whole = isinstance(steps, numbers.Integral) and not isinstance(steps, bool)
    if not n_edits and is_whole and steps > 0:
        raise ValueError(
            f"{type(partition).__name__}.undo: there is nothing to undo; column "
            f"{partition.name!r} has no edits."
        )
    if not is_whole or not 0 <= steps <= n_edits:
        raise ValueError(
            f"{type(partition).__name__}.undo: steps must be a whole number of at most "
            f"{n_edits}, the edits of column {partition.name!r}; got {steps!r}."
        )
    return partition.history[n_edits - int(steps)].before if steps else partition


def _finish(before: Any, action: str, **changes: Any) -> Any:
    """Build the edited partition and put its price into its history."""
    # Nobody knows whether limits still hold, nor how far the optimum is.
    rough = replace(before, **changes, is_optimal=False, constraints={}, gap=None)
    modl = modl_costs(rough)
    cost, null_cost, level = own_costs(rough, modl)
    price = (modl[0] - modl_costs(before)[0]) / BIT
    history = (*before.history, Edit(action, price, before))
    total = before.price + price if before.price is not None and before.method == "modl" else None
    return replace(rough, cost=cost, null_cost=null_cost, level=level, history=history, price=total)


def _with_beside(
    before: Partition,
    present: NDArray[np.float64],
    rows: NDArray[np.int64],
    parts: Sequence[int | None],
) -> dict[str, Any]:
    """Fields of parts that rows beside them are merged into."""
    from partage._search.aside import Beside

    given = beside_of(before)
    beside = Beside(given.counts, given.rows, tuple(parts))
    return {
        "counts": beside.merged(present),
        "rows": beside.merged_rows(rows),
        "missing_part": beside.parts[0],
        "special_parts": beside.parts[1:],
    }


def _merged_again(before: Partition, present: NDArray[np.float64]) -> tuple[int | None, ...]:
    """Parts that merged rows join now: where they cost least."""
    from partage._search.aside import Beside, merge_beside
    from partage._search.core import part_length

    given = beside_of(before)
    apart = Beside(given.counts, given.rows, (None,) * len(given.parts))
    wanted = [part is not None for part in given.parts]
    return merge_beside(apart, present, wanted, lambda c: sum(map(part_length, c))).parts


def _check_part(who: str, partition: Partition, part: Any) -> int:
    """Check the number of a part."""
    is_whole = isinstance(part, numbers.Integral) and not isinstance(part, bool)
    if not is_whole or not 0 <= part < partition.n_parts:
        is_name = isinstance(part, str) and who.endswith(".merge")
        names = f", or one of {', '.join(map(repr, partition._labels_beside()))}"
        raise ValueError(
            f"{who}: a part of column {partition.name!r} must be a number from 0 to "
            f"{partition.n_parts - 1}{names if is_name else ''}; got {part!r}."
        )
    return int(part)


def _units(who: str, partition: Partition) -> Units:
    """Take the counts of the values, which some edits need."""
    if partition.units is None:
        raise ValueError(
            f"{who}: the counts of the values of column {partition.name!r} must be known; "
            "none were kept. Give the data again: recount(x, y)."
        )
    return partition.units


def merge(partition: Any, parts: tuple[Any, ...]) -> Any:
    """Merge neighbouring parts, any groups, or missing or special values with a part."""
    who = f"{type(partition).__name__}.merge"
    action = f"merge({', '.join(map(repr, parts))})"
    names = partition._labels_beside()
    beside = [part for part in parts if isinstance(part, str) and part in names]
    if beside:
        return _merge_beside(who, partition, parts, names.index(beside[0]), action)
    if hasattr(partition, "groups") and partition.method == "modl" and not partition.is_ordered:
        _units(who, partition)  # the code of groups depends on the frequencies of the values
    wanted = sorted({_check_part(who, partition, part) for part in parts})
    if len(wanted) < 2 or len(wanted) < len(parts):
        raise ValueError(f"{who}: at least two parts must be named, each once; got {action}.")
    is_line = not hasattr(partition, "groups") or partition.is_ordered
    if is_line and wanted != list(range(wanted[0], wanted[-1] + 1)):
        raise ValueError(f"{who}: parts must be neighbours to be merged; got {action}.")
    return _merge_parts(partition, wanted, action)


def _merge_parts(partition: Any, wanted: list[int], action: str) -> Any:
    first = wanted[0]
    # New number of each part: those that merge take the first one's.
    kept = [k for k in range(partition.n_parts) if k not in wanted[1:]]
    place = {k: i for i, k in enumerate(kept)} | dict.fromkeys(wanted, kept.index(first))
    present, rows = present_of(partition), present_rows_of(partition)
    homes = [None if p is None else place[p] for p in beside_of(partition).parts]
    new_present, new_rows = present[kept], rows[kept]
    new_present[place[first]] = present[wanted].sum(axis=0)
    new_rows[place[first]] = rows[wanted].sum()
    changes = _with_beside(partition, new_present, new_rows, homes)
    if hasattr(partition, "groups"):
        members: list[tuple[Any, ...]] = [()] * len(kept)
        for k, group in enumerate(partition.groups):
            members[place[k]] = (*members[place[k]], *group)
        garbage = None if partition.garbage is None else place[partition.garbage]
        absent = tuple((value, place[code]) for value, code in partition.absent)
        changes |= {"groups": tuple(members), "garbage": garbage, "absent": absent}
    else:
        changes["cut_keys"] = np.delete(partition.cut_keys, wanted[:-1])
    return _finish(partition, action, **changes)


def _merge_beside(who: str, partition: Any, parts: tuple[Any, ...], place: int, action: str) -> Any:
    """Put missing values, or those of one special value, into a part."""
    name = partition._labels_beside()[place]
    others = [part for part in parts if not isinstance(part, str) or part != name]
    if len(parts) != 2 or len(others) != 1:
        raise ValueError(f"{who}: {name!r} merges with one part; got {action}.")
    homes = [partition.missing_part, *partition.special_parts]
    homes[place] = _check_part(who, partition, others[0])
    present, rows = present_of(partition), present_rows_of(partition)
    return _finish(partition, action, **_with_beside(partition, present, rows, homes))


def set_cuts(
    intervals: Intervals,
    cuts: Any,
    who: str = "Intervals.set_cuts",
    action: str | None = None,
) -> Intervals:
    """Cut at other places."""
    keys = _read_cuts(who, intervals, cuts)
    units = _units(who, intervals)
    starts = np.concatenate(
        [[0], np.searchsorted(units.highs, keys, side="right"), [units.n_units]]
    ).astype(np.int64)
    if not units.is_exact:
        _check_between_units(who, intervals, units, keys, starts[1:-1])
    present = units.counts(starts)
    homes = _merged_again(intervals, present)
    changes = _with_beside(intervals, present, units.row_counts(starts), homes)
    shown = action or f"set_cuts({[_plain(cut) for cut in intervals.kind.show(keys)]!r})"
    edited: Intervals = _finish(intervals, shown, cut_keys=keys, **changes)
    return edited


def _plain(value: Any) -> Any:
    """Show a cut without NumPy's type."""
    return value.item() if isinstance(value, np.number) else str(value)


def _read_cuts(who: str, intervals: Intervals, cuts: Any, what: str = "cuts") -> NDArray[Any]:
    """Keys of cuts that the user gave; text of ISO 8601 tells times."""
    if len(cuts) == 0:
        return np.asarray(intervals.cut_keys[:0])
    try:
        given = read_column(who, cuts, intervals.name, intervals.kind)
        keys = keys_like(who, given, intervals.kind).keys
    except TypeError:
        message = kind_message(who, what, intervals.name, list(cuts), intervals.kind)
        raise TypeError(message) from None
    if given.missing_mask().any():
        raise ValueError(f"{who}: {what} must not be missing; got {list(cuts)!r}.")
    if (np.diff(keys) <= 0).any():
        raise ValueError(f"{who}: cuts must increase, none twice; got {list(cuts)!r}.")
    return np.ascontiguousarray(keys)


def _check_between_units(
    who: str, intervals: Intervals, units: Units, keys: NDArray[Any], starts: NDArray[np.int64]
) -> None:
    """Refuse a cut inside a range of values whose counts were joined."""
    for key, start in zip(keys, starts, strict=True):
        if start < units.n_units and units.lows[start] <= key:
            low, high = intervals.kind.show(units.lows)[start], intervals.kind.show(units.highs)
            raise ValueError(
                f"{who}: column {intervals.name!r} has too many values to keep each; those from "
                f"{low} to {high[start]} are counted together. Cut outside, or give the data "
                "again: recount(x, y)."
            )


def split_interval(intervals: Intervals, part: Any, at: Any) -> Intervals:
    """Add a cut inside a part."""
    who = "Intervals.split"
    k = _check_part(who, intervals, part)
    (key,) = _read_cuts(who, intervals, [at], "at")
    low = intervals.cut_keys[k - 1] if k else None
    high = intervals.cut_keys[k] if k < intervals.n_parts - 1 else None
    if (low is not None and key <= low) or (high is not None and key >= high):
        raise ValueError(
            f"{who}: at must lie inside part {k}, {intervals.labels()[k]}; got {at!r}."
        )
    cuts = np.sort(np.append(intervals.cut_keys, key))
    return set_cuts(intervals, intervals.kind.show(cuts), who, f"split({k}, at={at!r})")


def move(groups: Groups, value: Any, to: Any) -> Groups:
    """Move one value into another group."""
    who = "Groups.move"
    home = _find_value(who, groups, value)
    k = _check_part(who, groups, to)
    if home == k:
        raise ValueError(f"{who}: to must be another group than that of {value!r}; got {k}.")
    members = [
        [v for v in group if i != home or key_of(v) != key_of(value)]
        for i, group in enumerate(groups.groups)
    ]
    members[k].append(value)
    return _regroup(who, groups, members, f"move({value!r}, to={k})")


def split_group(groups: Groups, part: Any, at: Any) -> Groups:
    """Take some values of a group out into a group of their own, behind it."""
    who = "Groups.split"
    k = _check_part(who, groups, part)
    values = at if isinstance(at, (list, tuple, set, frozenset)) else [at]
    wanted = {key_of(value) for value in values}
    for value in values:
        if _find_value(who, groups, value) != k:
            raise ValueError(f"{who}: at must hold values of group {k}; got {value!r}.")
    rest = [v for v in groups.groups[k] if key_of(v) not in wanted]
    if not wanted or not rest:
        raise ValueError(f"{who}: some values of group {k} must go and some must stay; got {at!r}.")
    taken = [v for v in groups.groups[k] if key_of(v) in wanted]
    members = [*map(list, groups.groups[:k]), rest, taken, *map(list, groups.groups[k + 1 :])]
    shown = repr(list(values)) if isinstance(at, (list, tuple, set, frozenset)) else repr(at)
    return _regroup(who, groups, members, f"split({k}, at={shown})")


def _find_value(who: str, groups: Groups, value: Any) -> int:
    """Group of a value."""
    key = key_of(value)
    code = groups._code_of.get(key)
    if code is not None and all(key_of(absent) != key for absent, _ in groups.absent):
        return code
    raise ValueError(
        f"{who}: value must be one of the {groups.n_values} values of column {groups.name!r}; "
        f"got {value!r}."
    )


def _regroup(who: str, groups: Groups, members: list[list[Any]], action: str) -> Groups:
    """Build groups from their values; a group without values is gone."""
    units = _units(who, groups)
    garbage_values = (
        set() if groups.garbage is None else set(map(key_of, groups.groups[groups.garbage]))
    )
    rank = {key_of(value): i for i, value in enumerate(units.values)}
    kept = [
        tuple(sorted(group, key=lambda value: rank[key_of(value)])) for group in members if group
    ]
    place = {key_of(v): k for k, group in enumerate(kept) for v in group}
    home = np.array([place[key_of(value)] for value in units.values], dtype=np.int64)
    if groups.is_ordered and (np.diff(home) < 0).any():
        raise ValueError(f"{who}: groups of ordered values must be ranges of them; got {action}.")
    counts = np.zeros((len(kept), len(groups.classes)))
    np.add.at(counts, home, units.counts())
    unit_rows = units.row_counts(np.arange(units.n_units + 1))
    rows = np.bincount(home, unit_rows, minlength=len(kept)).astype(np.int64)
    # The garbage group is where most of its values are now.
    votes = [sum(key_of(v) in garbage_values for v in group) for group in kept]
    garbage = int(np.argmax(votes)) if any(votes) else None
    absent = tuple(
        (value, min(code, len(kept) - 1)) for value, code in _absent_codes(groups, place)
    )
    homes = _merged_again(groups, counts)
    changes = _with_beside(groups, counts, rows, homes)
    edited: Groups = _finish(
        groups, action, groups=tuple(kept), garbage=garbage, absent=absent, **changes
    )
    return edited


def _absent_codes(groups: Groups, place: dict[Any, int]) -> list[tuple[Any, int]]:
    """Codes of declared values that no row held: with a value of the group they had."""
    found = []
    for value, code in groups.absent:
        members = groups.groups[code]
        found.append((value, place[key_of(members[-1])]))
    return found


__all__ = ["Edit", "group_of_units", "merge", "move", "set_cuts", "split_group", "split_interval"]
