"""What moved between the fitted rows and other rows, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice

from partage._display.monitor import WARNING
from partage._report.facts import ColumnSummary, OnSample, Remark
from partage._report.words import write_percent
from partage._support.portable import log

_LEAST_TERM = 0.02  # that a part must add to the index for its share to have moved
_FAR = 4.0  # standard errors between two rates
_LEAST_ROWS = 50  # of a part whose rate is compared
_LEAST_LEVEL = 0.005  # that is expected, for less to be a loss
_LOST = 0.5
_MOST_OF_COLUMN = 4
_LONGEST = 60


def find_moves(
    columns: Sequence[ColumnSummary], names: Sequence[str], event: int | None
) -> list[Remark]:
    """Say which parts grew or shrank, whose event rate changed, and what says less than it did."""
    found = []
    shifts = [_shift(columns[0], i, event) for i in range(len(names))]
    for name, (before, after) in zip(names, shifts, strict=True):
        if abs(after - before) > 0:
            verb = "rose" if after > before else "fell"
            text = f"in {name}: the event rate of all rows {verb} from {write_percent(before)} to "
            found.append(Remark(text + write_percent(after), "moved"))
    for column in sorted(columns, key=lambda one: -(one.drift or 0.0)):
        for name, on, shift in zip(names, column.samples, shifts, strict=True):
            texts = [*_shares(column, on), *_rates(column, on, event, shift), *_level(on)]
            found += [
                Remark(f"in {name}: {text}", "moved", column.name)
                for text in islice(texts, _MOST_OF_COLUMN)
            ]
    return found


def _shift(column: ColumnSummary, i: int, event: int | None) -> tuple[float, float]:
    """Event rate of all rows, before and after, where they differ by more than chance explains."""
    on = column.samples[i]
    if event is None or not on.counts:
        return 0.0, 0.0
    n, m = (sum(map(sum, counts)) for counts in ([p.counts for p in column.parts], on.counts))
    if min(n, m) < _LEAST_ROWS:
        return 0.0, 0.0
    before = sum(part.counts[event] for part in column.parts) / n
    after = sum(counts[event] for counts in on.counts) / m
    return (before, after) if _far(before, after, n, m) > _FAR else (0.0, 0.0)


def _far(before: float, after: float, n: float, m: float) -> float:
    """Count the standard errors between two rates."""
    both = (before * n + after * m) / (n + m)
    error = math.sqrt(both * (1 - both) * (1 / n + 1 / m))
    return abs(after - before) / error if error > 0 else 0.0


def _shifted(rate: float, shift: tuple[float, float]) -> float:
    """Rate that a part would have if its odds had changed as those of all rows."""
    before, after = shift
    if not 0 < before < 1 or not 0 < after < 1 or not 0 < rate < 1:
        return rate
    odds = rate / (1 - rate) * (after / (1 - after)) / (before / (1 - before))
    return odds / (1 + odds)


def _shares(column: ColumnSummary, on: OnSample) -> list[str]:
    """Say which parts hold another share of the rows, the farthest first."""
    if on.psi <= WARNING:
        return []
    total = sum(on.rows) or 1
    moved = []
    for part, rows in zip(column.parts, on.rows, strict=True):
        before, after = part.share, rows / total
        term = (after - before) * log((after + 1e-6) / (before + 1e-6))
        if term > _LEAST_TERM:
            verb = "grew" if after > before else "shrank"
            text = f"{_name(part.label)} {verb} from {write_percent(before)} to "
            moved.append((term, f"{text}{write_percent(after)} of the rows"))
    return [text for _, text in sorted(moved, key=lambda pair: -pair[0])]


def _rates(
    column: ColumnSummary, on: OnSample, event: int | None, shift: tuple[float, float]
) -> list[str]:
    """Say in which parts the event rate changed by more than that of all rows and chance."""
    if event is None or not on.counts or len(column.parts) < 2:
        return []
    moved = []
    for part, counts in zip(column.parts, on.counts, strict=True):
        n, m = sum(part.counts), sum(counts)
        if min(n, m) < _LEAST_ROWS:
            continue
        before, after = part.counts[event] / n, counts[event] / m
        # Near its old rate, or moved as that of all rows: neither is news of the part.
        far = min(_far(rate, after, n, m) for rate in (before, _shifted(before, shift)))
        if far > _FAR:
            rates = f"was {write_percent(before)}, is {write_percent(after)}"
            moved.append((far, f"the event rate of {_name(part.label)} {rates}"))
    return [text for _, text in sorted(moved, key=lambda pair: -pair[0])]


def _level(on: OnSample) -> list[str]:
    """Say where the parts say less than they would at as many rows."""
    if on.level is None or on.expected_level is None or on.expected_level < _LEAST_LEVEL:
        return []
    if on.level >= _LOST * on.expected_level or on.lost < _FAR:
        return []
    return [f"it says less than it did: level {on.level:.3f}, expected {on.expected_level:.3f}"]


def _name(label: str) -> str:
    """Name a part in a sentence."""
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"
