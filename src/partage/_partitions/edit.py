"""Edits of partitions: each gives a new partition, its price in bits, and a way back."""

from __future__ import annotations

import datetime
import numbers
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from partage._partitions.averages import averaged_after
from partage._partitions.costs import (
    BIT,
    beside_of,
    own_costs,
    present_tally,
)
from partage._search.aside import Aside, merge_aside
from partage._targets.tally import Tally

if TYPE_CHECKING:
    from partage._partitions.partition import Partition
    from partage._partitions.rule import Rule
    from partage._spaces.space import Space


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
    reason : str
        Why it was done; empty where nobody said.
    who : str
        Who did it; empty where nobody said.
    when : str
        When it was done, in UTC, as ``"2026-01-31T09:30:00+00:00"``; empty where not known.
    """

    action: str
    price: float
    before: Any
    reason: str = ""
    who: str = ""
    when: str = ""

    def __repr__(self) -> str:
        said = [f"for {self.reason!r}"] if self.reason else []
        said += [f"by {self.who}"] if self.who else []
        said += [f"on {self.when[:10]}"] if said and self.when else []
        return " ".join([f"{self.action}: {self.price:+.2f} bits", *said])


@dataclass(frozen=True)
class Note:
    """Why an edit is made, by whom and when."""

    reason: str = ""
    who: str = ""
    when: str = ""

    @classmethod
    def now(cls, caller: str, reason: Any, who: Any) -> Note:
        """Check what the user says of an edit, and note the time."""
        for name, said in (("reason", reason), ("who", who)):
            if not isinstance(said, str):
                raise TypeError(f"{caller}: {name} must be text; got {said!r}.")
        return cls(reason, who, datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"))


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


def finish(before: Any, action: str, note: Note, **changes: Any) -> Any:
    """Build the edited partition and put its price into its history."""
    # Nobody knows how far the optimum is now; `violations` says which limits do not hold.
    rough = replace(before, **changes)._with_found(is_optimal=False, gap=None)
    modl, costs = own_costs(rough)
    price = (modl[0] - before._modl_costs[0]) / BIT
    history = (*before.history, Edit(action, price, before, **vars(note)))
    known = before.price is not None and before._method.is_modl
    total = before.price + price if known else None
    return rough._with_found(**costs, history=history, price=total)


def with_aside(
    before: Any,
    rule: Rule,
    present: Tally,
    parts: Sequence[int | None],
) -> dict[str, Any]:
    """Fields of parts that rows beside them are merged into."""
    aside = Aside(beside_of(before).tally, tuple(parts))
    averaged = averaged_after(before, rule, present)
    if averaged is not None:
        beside = before.averaged.take(slice(before.n_parts, None))
        averaged = Aside(beside, tuple(parts)).around(averaged)
    return {
        "rule": rule.with_aside(parts),
        "tally": aside.around(present),
        "averaged": averaged,
    }


def merged_again(before: Partition, present: Tally) -> tuple[int | None, ...]:
    """Parts that merged rows join now: where they cost least."""
    given = beside_of(before)
    apart = Aside.apart(given.tally)
    wanted = [part is not None for part in given.parts]
    return merge_aside(apart, present, wanted, before._price(before).judge).parts


def check_part(who: str, partition: Partition, part: Any) -> int:
    """Check the number of a part."""
    is_whole = isinstance(part, numbers.Integral) and not isinstance(part, bool)
    if not is_whole or not 0 <= part < partition.n_parts:
        is_name = isinstance(part, str) and who.endswith(".merge")
        names = f", or one of {', '.join(map(repr, partition.rule.aside_labels()))}"
        raise ValueError(
            f"{who}: a part of column {partition.name!r} must be a number from 0 to "
            f"{partition.n_parts - 1}{names if is_name else ''}; got {part!r}."
        )
    return int(part)


def kept_units(who: str, partition: Partition) -> Space:
    """Take the counts of the values, which some edits need."""
    if partition.units is None:
        raise ValueError(
            f"{who}: the counts of the values of column {partition.name!r} must be known; "
            "none were kept. Give the data again: recount(x, y)."
        )
    return partition.units


def merge(partition: Any, parts: tuple[Any, ...], reason: str, who: str) -> Any:
    """Merge neighbouring parts, any groups, or missing or special values with a part."""
    caller = f"{type(partition).__name__}.merge"
    note = Note.now(caller, reason, who)
    action = f"merge({', '.join(map(repr, parts))})"
    names = partition.rule.aside_labels()
    beside = [part for part in parts if isinstance(part, str) and part in names]
    if beside:
        changes = _merge_aside(caller, partition, parts, names.index(beside[0]), action)
        return finish(partition, action, note, **changes)
    partition._check_values_kept(caller)
    wanted = sorted({check_part(caller, partition, part) for part in parts})
    if len(wanted) < 2 or len(wanted) < len(parts):
        raise ValueError(f"{caller}: at least two parts must be named, each once; got {action}.")
    if partition.rule.is_line and wanted != list(range(wanted[0], wanted[-1] + 1)):
        raise ValueError(f"{caller}: parts must be neighbours to be merged; got {action}.")
    return finish(partition, action, note, **_merge_parts(partition, wanted))


def _merge_parts(partition: Any, wanted: list[int]) -> dict[str, Any]:
    """Put neighbouring parts, or any groups, together."""
    first = wanted[0]
    # New number of each part: those that merge take the first one's.
    kept = [k for k in range(partition.n_parts) if k not in wanted[1:]]
    number = {k: i for i, k in enumerate(kept)} | dict.fromkeys(wanted, kept.index(first))
    place = [number[k] for k in range(partition.n_parts)]
    present = present_tally(partition).joined(np.array(place), len(kept))
    rule = partition.rule.joined(place)
    return with_aside(partition, rule, present, rule.aside_parts)


def _merge_aside(
    who: str, partition: Any, parts: tuple[Any, ...], place: int, action: str
) -> dict[str, Any]:
    """Put missing values, or those of one special value, into a part."""
    name = partition.rule.aside_labels()[place]
    others = [part for part in parts if not isinstance(part, str) or part != name]
    if len(parts) != 2 or len(others) != 1:
        raise ValueError(f"{who}: {name!r} merges with one part; got {action}.")
    homes = list(partition.rule.aside_parts)
    homes[place] = check_part(who, partition, others[0])
    present = present_tally(partition)
    return with_aside(partition, partition.rule, present, homes)


def set_apart(partition: Any, name: Any, reason: str, who: str) -> Any:
    """Give missing values, or those of one special value, a code of their own again."""
    caller = f"{type(partition).__name__}.set_apart"
    note = Note.now(caller, reason, who)
    rule = partition.rule
    merged = {
        label: i
        for i, (label, part) in enumerate(zip(rule.aside_labels(), rule.aside_parts, strict=True))
        if part is not None
    }
    if name not in merged:
        known = ", ".join(map(repr, merged)) or "none was"
        raise ValueError(
            f"{caller}: beside must name values that were merged with a part of column "
            f"{partition.name!r} ({known}); got {name!r}."
        )
    homes = list(rule.aside_parts)
    homes[merged[name]] = None
    changes = with_aside(partition, rule, present_tally(partition), homes)
    return finish(partition, f"set_apart({name!r})", note, **changes)
