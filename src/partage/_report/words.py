"""Numbers and sentences of a report's page."""

from __future__ import annotations

import datetime
import zoneinfo

import numpy as np

from partage._data.column import Kind
from partage._display.tables import NO_INFORMATION
from partage._report.facts import Before, ColumnSummary


def zone_of_charts(zone: str) -> str:
    """Name a zone as browsers know it: by its place; else UTC."""
    try:
        return zoneinfo.ZoneInfo(zone).key if zone else "UTC"
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return "UTC"


def place_text(value: float, before: Before) -> str:
    """Write a position on the axis of a column."""
    if before.zone:
        milliseconds = np.array([round(value)], dtype=np.int64)
        return str(Kind("datetime", "ms", before.zone).show(milliseconds)[0])
    if before.is_time:
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=value)
        text = moment.isoformat(sep=" ", timespec="seconds")
        return text.removesuffix(" 00:00:00")
    return f"{value:,.6g}"


def write_number(value: float) -> str:
    """Write a count; weights that are not integers with two digits."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def write_percent(share: float) -> str:
    """Write a share with a digit, or two where it is small."""
    return f"{share:.2%}" if 0 < share < 0.01 else f"{share:.1%}"


def verdict(column: ColumnSummary) -> str:
    """Sum up a column in a sentence."""
    if column.is_useless:
        nothing = NO_INFORMATION.replace("class", column.noun)
        why = "" if column.why in ("", nothing) else f": {column.why}"
        return f"This column says nothing about the {column.noun}{why}."
    groups = column.kind in ("categorical", "ordered")
    noun = ("group" if groups else "interval") + ("" if column.n_parts == 1 else "s")
    text = f"{column.n_parts} {noun} keep the information of {write_number(column.n_values)} values"
    text += f" about the {column.noun}"
    if column.bits_saved is not None and column.bits is not None:
        text += (
            f", and save {write_number(round(column.bits_saved))} of the "
            f"{write_number(round(column.bits))} bits that describing it takes"
        )
    proof = "No other partition costs less." if column.is_optimal else f"Cost: {column.proof}."
    if column.n_parts == 1 and column.missing:
        only = f"Only whether the value is missing is informative about the {column.noun}."
        return f"{only} {proof}".strip()
    return f"{text}. {proof}".strip()
