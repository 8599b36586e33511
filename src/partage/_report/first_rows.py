"""Columns of a table that an engine holds, understood by its first rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw

from partage._data.understanding import Decision, Understanding, quoted, understand
from partage._report.facts import Remark
from partage._report.readings import remarks_of
from partage._report.target import find_class
from partage._support.speaking import Speaker

__all__ = ["Looked", "find_event", "look_at_first"]

N_FIRST = 10_000  # rows that are looked at
_KINDS = {"number": "numeric", "time": "datetime"}


@dataclass(frozen=True)
class Looked:
    """What is left out, and what the user should know of the other columns."""

    left_out: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


def look_at_first(
    frame: nw.LazyFrame[Any],
    *,
    skipped: Collection[str] = (),
    kinds: Mapping[str, str] | None = None,
    kept: Collection[str] = (),
) -> Looked:
    """Look at the first rows of every column.

    Lists, identifiers and free text are left out. An engine converts no text: columns that would
    be read as something else are named, with the remedy.
    """
    first = frame.head(N_FIRST).collect(backend="polars").to_native()
    found = understand(first, skipped=skipped, kinds=kinds, kept=kept)
    empty = {name for name in first.columns if first[name].null_count() == len(first)}
    decisions = [
        _as_of_engine(one, found, len(first)) for one in found.decisions if one.column not in empty
    ]
    silent = [name for name in found.conversions if name not in {one.column for one in decisions}]
    decisions += [_not_read(name, found) for name in silent]
    left_out = [name for name in found.left_out if name not in empty]
    return Looked(left_out, remarks_of(decisions))


def _as_of_engine(decision: Decision, found: Understanding, n_rows: int) -> Decision:
    """Say what follows for a table that is not in memory."""
    if decision.action == "converted":
        return _not_read(decision.column, found)
    if decision.action == "left out" and n_rows == N_FIRST:
        return replace(decision, reason=f"{decision.reason}, by the first {n_rows:,} rows")
    return decision


def _not_read(name: str, found: Understanding) -> Decision:
    """Name a column that an engine takes as it is written."""
    made = found.conversions[name]
    what = "yes and no in several spellings" if made.style is None else made.style.words()
    reason = (
        f"holds {what}, which an engine does not read: it is taken as it is written. Convert it in "
        "the file, or leave out --engine"
    )
    return Decision(name, "proposed", reason, f"--drop {quoted(name)} leaves it out")


def find_event(
    speaker: Speaker, frame: nw.LazyFrame[Any], target: str, positive: str | None
) -> Any:
    """Find the class that a text names, among those of a table that is not in memory."""
    if positive is None:
        return None
    classes = frame.select(nw.col(target)).unique().head(N_FIRST).collect(backend="polars")
    return find_class(speaker, classes[target].to_native(), positive)
