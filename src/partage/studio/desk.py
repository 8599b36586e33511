"""``Desk``: all columns of a sitting; takes commands, keeps versions, and hands them on."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from partage._partitions.partition import Partition
from partage.studio.commands import EDITS, Refused, do, resolve
from partage.studio.samples import KeptSample
from partage.studio.sheet import Sheet

__all__ = ["Conflict", "Desk"]


class Conflict(Exception):  # noqa: N818  # answered, not raised through
    """A column was changed since the page that asks has seen it."""


class Desk:
    """The columns of a table, each with its parts, and what was done to them.

    Attributes
    ----------
    model : FittedColumns
        The estimator that the parts are of.
    samples : list of KeptSample
        Other rows that every edit is judged on.
    is_read_only : bool
        Whether nothing may be changed.
    changed : callable
        Is given every command that was done, before it is answered.
    """

    def __init__(
        self,
        model: Any,
        *,
        source: str = "",
        samples: Sequence[KeptSample] = (),
        rows: Any = None,
        who: str = "",
        is_read_only: bool = False,
    ) -> None:
        self.model = model
        self.source = source
        self.samples = list(samples)
        self.rows = rows
        self.who = who
        self.is_read_only = is_read_only
        self.changed: Callable[[dict[str, Any]], None] = lambda _: None
        self.notes: list[str] = []
        self.lock = threading.RLock()
        self.kept: dict[Any, Any] = {}  # of views, by what they are of
        found = model.partitions_.values()
        ranked = sorted(found, key=lambda partition: -partition.level)
        self.sheets = {partition.name: Sheet.of(partition) for partition in ranked}

    @property
    def partitions(self) -> dict[str, Partition]:
        """Parts of the columns as they are now, in the order of the model."""
        return {name: self.sheets[name].partition for name in self.model.partitions_}

    def sheet(self, name: Any) -> Sheet:
        """Look a column up."""
        if not isinstance(name, str) or name not in self.sheets:
            raise Refused(f"there is no column {name!r}.")
        return self.sheets[name]

    def preview(self, asked: Mapping[str, Any]) -> Sheet:
        """Give a column as a command would leave it; nothing is changed."""
        sheet = self.sheet(asked.get("column"))
        self._check_version(sheet, asked)
        return self._done(sheet, _said(lambda: resolve(sheet, asked)))

    def do(self, asked: Mapping[str, Any]) -> Sheet:
        """Do a command of a page, and hand it on before it is answered."""
        if self.is_read_only:
            raise Refused("This studio is read-only.")
        with self.lock:
            sheet = self.sheet(asked.get("column"))
            self._check_version(sheet, asked)
            command = _said(lambda: resolve(sheet, asked))
            command |= {"column": sheet.name, "when": _now()}
            command["who"] = command.get("who") or self.who
            new = self._done(sheet, command)
            self.changed(command)
            self.sheets[sheet.name] = new
            return new

    def replay(self, command: Mapping[str, Any]) -> None:
        """Do a command that was kept, as it was done."""
        sheet = self.sheet(command.get("column"))
        self.sheets[sheet.name] = self._done(sheet, command)

    def _done(self, sheet: Sheet, command: Mapping[str, Any]) -> Sheet:
        """Do a command, and date it."""
        new: Sheet = _said(lambda: do(sheet, command))
        when = str(command.get("when", ""))
        if command["do"] in EDITS[:6] and when:
            history = new.partition.history
            last = replace(history[-1], when=when)
            dated = new.partition._with_found(history=(*history[:-1], last))
            new = replace(new, partition=dated)
        return replace(new, version=sheet.version + 1)

    def _check_version(self, sheet: Sheet, asked: Mapping[str, Any]) -> None:
        """Refuse a command of a page that shows an older state."""
        if asked.get("version") != sheet.version:
            raise Conflict(
                f"{sheet.name!r} was changed in another window. It is shown as it is now; what you "
                "did last here was not done."
            )

    def keep_last(self, slot: str, key: Any, make: Callable[[], Any]) -> Any:
        """Make something once, and keep the last of its kind only."""
        with self.lock:
            found = self.kept.get(slot)
        if found is None or found[0] != key:
            found = key, make()
            with self.lock:
                self.kept[slot] = found
        return found[1]

    def keep(self, key: Any, make: Callable[[], Any]) -> Any:
        """Make something once; the oldest of many are forgotten."""
        with self.lock:
            if key in self.kept:
                return self.kept[key]
        made = make()
        with self.lock:
            while len(self.kept) >= _MOST_KEPT:
                self.kept.pop(next(iter(self.kept)))
            self.kept[key] = made
        return made


_MOST_KEPT = 4_000


def _said(ask: Callable[[], Any]) -> Any:
    """Ask the library; its messages are the reasons of a refusal."""
    try:
        return ask()
    except Refused:
        raise
    except (ValueError, TypeError, LookupError) as error:
        raise Refused(_without_caller(str(error))) from error


def _without_caller(text: str) -> str:
    """Leave out who raised a message of the library: here the page speaks."""
    head, sign, rest = text.partition(": ")
    is_caller = sign and head.split(",")[0].replace(".", "").replace("_", "").isalnum()
    return rest if is_caller else text


def _now() -> str:
    """Time in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
