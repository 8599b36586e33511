"""Parts that are looked for again: from the counts that were kept, under other limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.cut_text import cut_source
from partage._partitions.costs import beside_of
from partage._partitions.edit import Note, finish, kept_units
from partage._partitions.find import find_parts, finder_of
from partage._partitions.partition import Partition
from partage._search.limits import RULES, Limits, check_limits
from partage._spaces.space import Space
from partage._targets.target import TargetRows

__all__ = ["find_again"]

_OWN = ("user_cuts",)  # locked cuts are these


def find_again(partition: Any, locked: Any, given: Mapping[str, Any], reason: str, who: str) -> Any:
    """Look for the best parts under limits, with what is locked."""
    caller = f"{type(partition).__name__}.optimize"
    note = Note.now(caller, reason, who)
    units = kept_units(caller, partition)
    kept, outside = partition._as_locked(tuple(locked))
    limits = _limits(caller, partition, given)
    searched = replace(
        limits,
        **kept,
        **_fewer(limits, len(np.unique(outside[outside >= 0]))),
        # A share is one of all rows, missing and special ones included.
        min_part_size=None
        if limits.min_part_size is None
        else limits.min_weight(float(partition.total().weight[0])),
    )
    found = _search(caller, partition, units, searched, outside)
    changes: dict[str, Any] = {
        "rule": found.rule,
        "tally": found.tally,
        "target": found.target,
        "averaged": found.averaged,
        "curve": found.curve,
    }
    if (outside >= 0).any():
        changes |= partition._with_locked(found, outside)
    edited = finish(partition, _action(given, locked), note, **changes)
    is_whole = units.is_exact and not (outside >= 0).any()
    return edited._with_found(
        constraints={**found.constraints, **limits.given(), **_trend(found)},
        is_optimal=found.is_optimal and is_whole,
        gap=found.found.gap if is_whole else None,
    )


def _trend(found: Any) -> dict[str, Any]:
    """Trend that was found, where one was asked for."""
    return {key: found.constraints[key] for key in ("monotonic",) if key in found.constraints}


def _limits(caller: str, partition: Any, given: Mapping[str, Any]) -> Limits:
    """Limits of the parts, with those that are given anew."""
    known = [name for name in RULES if name not in _OWN]
    for name in given:
        if name not in known:
            raise TypeError(f"{caller}: limits must be among {', '.join(known)}; got {name!r}.")
    old = {name: value for name, value in partition.constraints.items() if name in known}
    return check_limits(caller, **(old | dict(given))).of(partition.name)


def _fewer(limits: Limits, n: int) -> dict[str, Any]:
    """Leave room for groups that are locked."""
    return {
        name: None if value is None else max(int(value) - n, 1)
        for name, value in (("n_parts", limits.n_parts), ("max_parts", limits.max_parts))
    }


def _search(
    caller: str, partition: Any, units: Space, limits: Limits, outside: NDArray[np.int64]
) -> Partition:
    """Find the parts of the units that are not locked."""
    beside = beside_of(partition)
    space = replace(units, aside=beside.tally)
    if (outside >= 0).any():
        space = space.at(np.flatnonzero(outside < 0))
    column = partition._column_of(space)
    settings = partition._settings()
    rows = TargetRows(partition.target, np.zeros(0, dtype=np.uint16))
    finder = finder_of(column)(caller, settings, column, space, rows, limits)
    wanted = [part is not None for part in beside.parts]
    return find_parts(finder, limits, partition.special_values, wanted, library=partition.library)


def _action(given: Mapping[str, Any], locked: Any) -> str:
    """Write the edit as a call."""
    shown = {name: value for name, value in given.items() if value is not None}
    parts = [f"{name}={value!r}" for name, value in shown.items()]
    if len(locked):
        parts.append(f"locked=[{', '.join(map(cut_source, locked))}]")
    return f"optimize({', '.join(parts)})"
