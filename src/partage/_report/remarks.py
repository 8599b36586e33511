"""What a reader should look at first: columns that say too much, or that have moved."""

from __future__ import annotations

from collections.abc import Sequence

from partage._display.monitor import ALERT
from partage._report.facts import ColumnSummary, Remark
from partage._report.samples import CountedSample

LEAK = 0.75  # level from which one column alone says nearly everything
_MOST_NAMED = 20


def find_remarks(
    columns: Sequence[ColumnSummary], samples: Sequence[CountedSample]
) -> list[Remark]:
    """Warn of columns that alone say nearly everything, and of drift."""
    found = [
        Remark(
            f"says nearly everything about the {column.noun} on its own (level "
            f"{column.level:.2f}). Is it known before the {column.noun} is, or does it follow from "
            "it?",
            "warning",
            column.name,
        )
        for column in columns
        if column.level >= LEAK
    ]
    names = [sample.name for sample in samples]
    for column in columns:
        moved = [
            f"{name} (PSI {on.psi:.2f})"
            for name, on in zip(names, column.samples, strict=True)
            if on.psi > ALERT
        ]
        if moved:
            more = f" and {len(moved) - 3} more" if len(moved) > 3 else ""
            text = f"is distributed otherwise in {', '.join(moved[:3])}{more}."
            found.append(Remark(text, "warning", column.name))
    return _shortened(found)


def _shortened(found: list[Remark]) -> list[Remark]:
    """Keep the first ones, and count the others."""
    rest = len(found) - _MOST_NAMED
    if rest <= 0:
        return found
    return [*found[:_MOST_NAMED], Remark(f"{rest} more columns have such a warning.", "warning")]
