"""Edits of groups: their values go elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from partage._data.categories import key_of
from partage._partitions.edit import (
    Note,
    check_part,
    finish,
    kept_units,
    merged_again,
    with_aside,
)

if TYPE_CHECKING:
    from partage._partitions.groups import Groups


def move(groups: Groups, value: Any, to: Any, note: Note) -> Groups:
    """Move one value into another group."""
    who = "Groups.move"
    home = _find_value(who, groups, value)
    k = check_part(who, groups, to)
    if home == k:
        raise ValueError(f"{who}: to must be another group than that of {value!r}; got {k}.")
    members = [
        [v for v in group if i != home or key_of(v) != key_of(value)]
        for i, group in enumerate(groups.groups)
    ]
    members[k].append(value)
    return _regroup(who, groups, members, f"move({value!r}, to={k})", note)


def split_group(groups: Groups, part: Any, at: Any, note: Note) -> Groups:
    """Take some values of a group out into a group of their own, behind it."""
    who = "Groups.split"
    k = check_part(who, groups, part)
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
    return _regroup(who, groups, members, f"split({k}, at={shown})", note)


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
    present = units.joined(home, len(kept))
    # The garbage group is where most of its values are now.
    votes = [sum(key_of(v) in garbage_values for v in group) for group in kept]
    garbage = int(np.argmax(votes)) if any(votes) else None
    absent = tuple(
        (value, min(code, len(kept) - 1)) for value, code in _absent_codes(groups, place)
    )
    homes = merged_again(groups, present)
    rule = replace(groups.rule, groups=tuple(kept), garbage=garbage, absent=absent)
    edited: Groups = finish(groups, action, note, **with_aside(groups, rule, present, homes))
    return edited


def _absent_codes(groups: Groups, place: dict[Any, int]) -> list[tuple[Any, int]]:
    """Codes of declared values that no row held: with a value of the group they had."""
    found = []
    for value, code in groups.absent:
        members = groups.groups[code]
        found.append((value, place[key_of(members[-1])]))
    return found
