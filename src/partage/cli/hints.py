"""Columns of text that look like something else, and what to do about them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_N_FIRST_ROWS = 10_000  # that a column is judged by
_NUMBER = r"^\s*[+-]?\d+(,\d+)?([eE][+-]?\d+)?\s*$"
_DATE = r"^\s*(\d{1,2}([/.-])\d{1,2}[/.-](\d{4}|\d{2})|\d{4}[/.]\d{1,2}[/.]\d{1,2})([ T].*)?$"
_INSTANT = r"^\s*\d{4}-\d{2}-\d{2}([T ].*)?$"


def hints(frame: pl.DataFrame, skipped: Collection[str], has_decimal_comma: bool) -> list[str]:
    """Say of text columns, other than some, that they look like numbers or dates."""
    import polars as pl

    found = []
    for name, dtype in frame.schema.items():
        if dtype != pl.String or name in skipped:
            continue
        present = frame[name].drop_nulls().head(_N_FIRST_ROWS)
        if not present.is_empty():
            found += [text for text in (_hint(name, present, has_decimal_comma),) if text]
    return found


def _hint(name: str, present: pl.Series, has_decimal_comma: bool) -> str:
    """Say what a column looks like; nothing of ordinary text."""
    taken = f"{name!r} was taken as categories but looks like"
    if not has_decimal_comma and present.str.contains(",").any() and _match(present, _NUMBER):
        return f"{taken} numbers with decimal commas; pass --decimal-comma."
    if _match(present, _DATE):
        return f"{taken} dates; write them as 2024-01-31 to have them cut into intervals."
    if _match(present, _INSTANT):
        return (
            f"{taken} dates that cannot all be read; write all as 2024-01-31, or all as "
            "2024-01-31T13:30+01:00, to have them cut into intervals."
        )
    return ""


def _match(present: pl.Series, pattern: str) -> bool:
    """Whether all values match a pattern."""
    return bool(present.str.contains(pattern).all())
