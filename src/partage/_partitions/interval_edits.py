"""Edits of intervals: their cuts are placed elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.cut_text import cut_source, cut_text
from partage._data.keys import keys_below, keys_like, kind_message
from partage._data.table import read_column
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

    from partage._partitions.intervals import Intervals
    from partage._spaces.space import Space


def set_cuts(
    intervals: Intervals,
    cuts: Any,
    note: Note,
    who: str = "Intervals.set_cuts",
    action: str | None = None,
) -> Intervals:
    """Cut at other places."""
    keys = _read_cuts(who, intervals, cuts)
    units = kept_units(who, intervals)
    starts = np.concatenate(
        [[0], np.searchsorted(units.highs, keys, side="right"), [units.n_units]]
    ).astype(np.int64)
    if not units.is_exact:
        _check_between_units(who, intervals, units, keys, starts[1:-1])
    present = units.tally(starts)
    homes = merged_again(intervals, present)
    rule = replace(intervals.rule, cut_keys=keys)
    changes = with_aside(intervals, rule, present, homes)
    shown = ", ".join(map(cut_source, intervals.kind.show(keys)))
    edited: Intervals = finish(intervals, action or f"set_cuts([{shown}])", note, **changes)
    return edited


def _read_cuts(who: str, intervals: Intervals, cuts: Any, what: str = "cuts") -> NDArray[Any]:
    """Keys of cuts that the user gave; times may be text of ISO 8601."""
    if len(cuts) == 0:
        return np.asarray(intervals.cut_keys[:0])
    try:
        given = read_column(who, cuts, intervals.name, intervals.kind)
        keys_like(who, given, intervals.kind)  # refuses other kinds and zones
    except TypeError:
        message = kind_message(who, what, intervals.name, list(cuts), intervals.kind)
        raise TypeError(message) from None
    if given.missing_mask().any():
        raise ValueError(f"{who}: {what} must not be missing; got {list(cuts)!r}.")
    keys = keys_below(given, intervals.kind)
    if (np.diff(keys) <= 0).any():
        raise ValueError(f"{who}: cuts must increase, none twice; got {list(cuts)!r}.")
    return np.ascontiguousarray(keys)


def _check_between_units(
    who: str, intervals: Intervals, units: Space, keys: NDArray[Any], starts: NDArray[np.int64]
) -> None:
    """Refuse a cut inside a range of values whose counts were joined."""
    for key, start in zip(keys, starts, strict=True):
        if start < units.n_units and units.lows[start] <= key:
            low, high = (
                cut_text(intervals.kind.show(ends[start : start + 1])[0])
                for ends in (units.lows, units.highs)
            )
            raise ValueError(
                f"{who}: column {intervals.name!r} has too many values to keep each; those from "
                f"{low} to {high} are counted together. Cut outside, or give the data "
                "again: recount(x, y)."
            )


def split_interval(intervals: Intervals, part: Any, at: Any, note: Note) -> Intervals:
    """Add a cut inside a part."""
    who = "Intervals.split"
    k = check_part(who, intervals, part)
    (key,) = _read_cuts(who, intervals, [at], "at")
    low = intervals.cut_keys[k - 1] if k else None
    high = intervals.cut_keys[k] if k < intervals.n_parts - 1 else None
    if (low is not None and key <= low) or (high is not None and key >= high):
        raise ValueError(
            f"{who}: at must lie inside part {k}, {intervals.labels()[k]}; got {at!r}."
        )
    cuts = np.sort(np.append(intervals.cut_keys, key))
    (shown,) = map(cut_source, intervals.kind.show(np.array([key], dtype=cuts.dtype)))
    return set_cuts(intervals, intervals.kind.show(cuts), note, who, f"split({k}, at={shown})")


def check_locked(intervals: Intervals, locked: Sequence[Any]) -> tuple[Any, ...]:
    """Take cuts that stay: some of those that there are."""
    who = "Intervals.optimize"
    keys = _read_cuts(who, intervals, list(locked), "locked")
    if not np.isin(keys, intervals.cut_keys).all():
        raise ValueError(
            f"{who}: locked must hold cuts of column {intervals.name!r}, "
            f"{', '.join(intervals.rule.border_texts()) or 'which has none'}; got {list(locked)!r}."
        )
    return tuple(intervals.kind.show(keys))
