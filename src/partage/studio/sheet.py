"""``Sheet``: what a sitting knows of a column: its parts, the way back, what was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from partage._data.categories import key_of
from partage._partitions.partition import Partition
from partage._saving.partitions import from_dict
from partage._saving.plain import settings_from_plain, settings_to_plain
from partage._saving.plain import value_from_plain as read_value
from partage._saving.plain import value_to_plain as write_value
from partage._search.limits import RULES
from partage.exceptions import PartageError

STATUSES = ("proposed", "reviewed", "signed")
LIMITS = tuple(name for name in RULES if name not in ("user_cuts", "candidate_cuts"))


@dataclass(frozen=True)
class Sheet:
    """One column on the desk.

    Attributes
    ----------
    partition : Partition
        Its parts now; their history leads back to those that were found.
    redo : tuple of Partition
        Parts that ``undo`` left, the next one last.
    locks : tuple
        Cuts that stay, or a value of each group that does.
    limits : mapping
        What the parts must satisfy, by the names of the limits of a fit.
    version : int
        Number of changes, by which two windows know of each other.
    """

    partition: Partition
    redo: tuple[Partition, ...] = ()
    status: str = "proposed"
    note: str = ""
    locks: tuple[Any, ...] = ()
    limits: Mapping[str, Any] = field(default_factory=dict)
    version: int = 0
    signed: Mapping[str, str] = field(default_factory=dict)  # who, and when

    @classmethod
    def of(cls, partition: Partition) -> Sheet:
        """Lay out a column as it was found."""
        asked = {name: value for name, value in partition.constraints.items() if name in LIMITS}
        return cls(partition, limits=asked)

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.partition.name

    @property
    def start(self) -> Partition:
        """The parts before all edits: the optimum, as the fit found it."""
        history = self.partition.history
        return history[0].before if history else self.partition

    @property
    def judged(self) -> Partition:
        """The parts under the limits of the sheet and with its locks, for their violations."""
        asked = dict(self.limits)
        if self.partition.rule.is_measured and self.locks:
            asked["user_cuts"] = self.locks
        return self.partition._with_found(constraints=asked)

    def locked(self) -> list[Any]:
        """Say what a search keeps: cuts, or the numbers of groups."""
        rule = self.partition.rule
        if rule.is_measured:
            return [cut for cut in self.locks if rule.has_borders([cut])]
        if not self.locks:
            return []
        place = {key_of(v): k for k, group in enumerate(rule.members()) for v in group}
        return sorted({place[key_of(v)] for v in self.locks if key_of(v) in place})

    def edited(self, partition: Partition) -> Sheet:
        """Take other parts; what was undone is gone."""
        return replace(self, partition=partition, redo=())

    def to_plain(self) -> dict[str, Any]:
        """Write what the partition does not hold; what is empty is left out."""
        found = {
            "status": "" if self.status == STATUSES[0] else self.status,
            "note": self.note,
            "locks": [write_value(one) for one in self.locks],
            "limits": settings_to_plain(self.limits),
            "signed": dict(self.signed),
            "version": self.version,
            "redo": self._redo_to_plain(),
        }
        return {key: value for key, value in found.items() if value}

    def _redo_to_plain(self) -> dict[str, Any] | None:
        """Write the parts that the last redo leads to; their edits hold those between."""
        if not self.redo:
            return None
        last = self.redo[0]
        edits = last.history[-len(self.redo) :]
        return replace(last._with_found(history=edits, gap=last.gap), units=None).to_dict()

    def restored(self, plain: Mapping[str, Any]) -> Sheet:
        """Read what `to_plain` wrote."""
        status = str(plain.get("status") or STATUSES[0])
        limits = settings_from_plain(plain.get("limits") or {})
        return replace(
            self,
            status=status if status in STATUSES else STATUSES[0],
            note=str(plain.get("note", "")),
            locks=tuple(map(read_value, plain.get("locks") or ())),
            limits={name: value for name, value in limits.items() if name in LIMITS},
            signed={str(k): str(v) for k, v in (plain.get("signed") or {}).items()},
            version=int(plain.get("version", 0)),
            redo=_read_redo(self.partition, plain.get("redo")),
        )


def _read_redo(partition: Partition, plain: Any) -> tuple[Partition, ...]:
    """Read the parts that were undone; none where they do not follow from these."""
    if not isinstance(plain, Mapping):
        return ()
    try:
        last: Any = from_dict(dict(plain))
    except (PartageError, TypeError, ValueError):
        return ()
    steps = [*(edit.before for edit in last.history), last]
    if not np.array_equal(steps[0].counts, partition.counts):  # of other rows
        return ()
    found = [partition]
    for edit, after in zip(last.history, steps[1:], strict=True):
        edits = (*found[-1].history, replace(edit, before=found[-1]))
        whole = after._with_found(history=edits, gap=after.gap)
        found.append(replace(whole, units=partition.units))
    return tuple(found[:0:-1])
