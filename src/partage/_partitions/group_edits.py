"""Edits of groups: their values go elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from partage._data.categories import key_of
from partage._partitions.costs import group_of_units
from partage._partitions.edit import (
    Note,
    check_part,
    finish,
    kept_units,
    merged_again,
    with_aside,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from partage._partitions.groups import Groups

_MOST_SHOWN = 20  # values that the history of a column lists


def move(groups: Groups, value: Any, to: Any, note: Note) -> Groups:
    """Move one value, or several, into another group."""
    who = "Groups.move"
    values = _as_values(value)
    k = check_part(who, groups, to)
    wanted = {key_of(one) for one in values}
    homes = [_find_value(who, groups, one) for one in values]
    if not wanted:
        raise ValueError(f"{who}: value must name values of column {groups.name!r}; got none.")
    if k in homes:
        raise ValueError(
            f"{who}: to must be another group than that of {values[homes.index(k)]!r}; got {k}."
        )
    members = [list(group) for group in groups.groups]
    for home in set(homes):
        members[home] = [v for v in members[home] if key_of(v) not in wanted]
    members[k] += values
    return _regroup(who, groups, members, f"move({_shown(value)}, to={k})", note)


def _as_values(given: Any) -> list[Any]:
    """Take several values, or one."""
    return list(given) if isinstance(given, (list, tuple, set, frozenset)) else [given]


def _shown(given: Any) -> str:
    """Write values as a call has them; of many, the first."""
    values = _as_values(given)
    if len(values) > _MOST_SHOWN:
        return f"[{', '.join(map(repr, values[:_MOST_SHOWN]))}, +{len(values) - _MOST_SHOWN} more]"
    return repr(values if isinstance(given, (list, tuple, set, frozenset)) else given)


def split_group(groups: Groups, part: Any, at: Any, note: Note) -> Groups:
    """Take some values of a group out into a group of their own, behind it."""
    who = "Groups.split"
    k = check_part(who, groups, part)
    values = _as_values(at)
    wanted = {key_of(value) for value in values}
    for value in values:
        if _find_value(who, groups, value) != k:
            raise ValueError(f"{who}: at must hold values of group {k}; got {value!r}.")
    rest = [v for v in groups.groups[k] if key_of(v) not in wanted]
    if not wanted or not rest:
        raise ValueError(f"{who}: some values of group {k} must go and some must stay; got {at!r}.")
    taken = [v for v in groups.groups[k] if key_of(v) in wanted]
    members = [*map(list, groups.groups[:k]), rest, taken, *map(list, groups.groups[k + 1 :])]
    return _regroup(who, groups, members, f"split({k}, at={_shown(at)})", note)


def _find_value(who: str, groups: Groups, value: Any) -> int:
    """Group of a value."""
    key = key_of(value)
    code = groups.rule.code_of.get(key)
    if code is not None and all(key_of(absent) != key for absent, _ in groups.absent):
        return code
    raise ValueError(
        f"{who}: value must be one of the {groups.n_values} values of column {groups.name!r}; "
        f"got {value!r}."
    )


def _regroup(who: str, groups: Groups, members: list[list[Any]], action: str, note: Note) -> Groups:
    """Build groups from their values; a group without values is gone."""
    units = kept_units(who, groups)
    rank = {key: i for i, key in enumerate(units.value_keys)}
    # Places of the values of each group, in the order of the values.
    places = [sorted(rank[key_of(value)] for value in group) for group in members if group]
    kept = [tuple(units.values[i] for i in group) for group in places]
    home = np.empty(units.n_units, dtype=np.int64)
    for k, group in enumerate(places):
        home[group] = k
    if groups.is_ordered and (np.diff(home) < 0).any():
        raise ValueError(f"{who}: groups of ordered values must be ranges of them; got {action}.")
    present = units.joined(home, len(kept))
    garbage = None
    if groups.garbage is not None:
        # The garbage group is where most of its values are now.
        inside = [rank[key_of(value)] for value in groups.groups[groups.garbage]]
        votes = np.bincount(home[inside], minlength=len(kept))
        garbage = int(np.argmax(votes)) if votes.any() else None
    absent = tuple(
        (value, min(int(code), len(kept) - 1)) for value, code in _absent_codes(groups, rank, home)
    )
    homes = merged_again(groups, present)
    rule = replace(groups.rule, groups=tuple(kept), garbage=garbage, absent=absent)
    edited: Groups = finish(groups, action, note, **with_aside(groups, rule, present, homes))
    return edited


def _absent_codes(
    groups: Groups, rank: dict[Any, int], home: NDArray[np.int64]
) -> list[tuple[Any, int]]:
    """Codes of declared values that no row held: with a value of the group they had."""
    return [
        (value, int(home[rank[key_of(groups.groups[code][-1])]])) for value, code in groups.absent
    ]


def check_locked(groups: Groups, locked: Sequence[Any]) -> NDArray[np.int64]:
    """Group of each value that stays where it is; -1 for the others."""
    who = "Groups.optimize"
    wanted = sorted({check_part(who, groups, part) for part in locked})
    if wanted and groups.is_ordered:
        raise ValueError(
            f"{who}: locked is for groups of values without an order; those of column "
            f"{groups.name!r} have one. Leave it out."
        )
    if wanted and len(wanted) == groups.n_parts:
        raise ValueError(f"{who}: locked must leave a group to change; got all {len(wanted)}.")
    home = group_of_units(groups)
    return np.where(np.isin(home, wanted), home, -1)


def with_locked(groups: Groups, found: Groups, outside: NDArray[np.int64]) -> dict[str, Any]:
    """Put groups that were locked beside those that were found, all in the order of the target."""
    units = kept_units("Groups.optimize", groups)
    locked = np.unique(outside[outside >= 0])
    place = {key_of(v): k for k, group in enumerate(found.groups) for v in group}
    n_found = found.n_parts
    number = {k: n_found + i for i, k in enumerate(locked.tolist())}
    home = np.array(
        [
            place[key_of(value)] if k < 0 else number[k]
            for value, k in zip(units.values, outside.tolist(), strict=True)
        ],
        dtype=np.int64,
    )
    n_all = n_found + len(locked)
    order = groups.target.order(units.joined(home, n_all))
    rank = np.empty(n_all, dtype=np.int64)
    rank[order] = np.arange(n_all)
    members: list[tuple[Any, ...]] = [()] * n_all
    for k, group in enumerate(found.groups):
        members[rank[k]] = group
    for k in locked.tolist():
        members[rank[number[k]]] = groups.groups[k]
    garbage = None if found.garbage is None else int(rank[found.garbage])
    if garbage is None and groups.garbage in number:
        garbage = int(rank[number[groups.garbage]])
    present = units.joined(rank[home], n_all)
    rule = replace(groups.rule, groups=tuple(members), garbage=garbage, absent=())
    return with_aside(groups, rule, present, merged_again(groups, present))
