"""The values of a category: found by their text, with their group and what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from partage._partitions.costs import group_of_units
from partage.studio.commands import Refused
from partage.studio.desk import Desk
from partage.studio.sheet import Sheet

__all__ = ["show_values"]

_MOST_SHOWN = 200
_LONGEST = 200  # letters of a value


def show_values(desk: Desk, sheet: Sheet, asked: Mapping[str, str]) -> dict[str, Any]:
    """Find values whose text holds all words, the most frequent first."""
    partition = sheet.partition
    units = partition.units
    if units is None or not units.values:
        return {"values": [], "n": 0, "most": _MOST_SHOWN}
    texts = desk.keep(
        ("texts", sheet.name), lambda: [str(value).casefold() for value in units.values]
    )
    home = group_of_units(partition)
    held = np.ones(units.n_units, dtype=bool)
    words = asked.get("q", "").casefold().split()
    if words:
        held &= np.array([all(word in text for word in words) for text in texts])
    if asked.get("group"):
        if not asked["group"].isdecimal():
            raise Refused("group must be a whole number.")
        held &= home == int(asked["group"])
    weights = desk.keep(("weights", sheet.name), units.unit_weights)
    found = np.flatnonzero(held)
    order = found[np.lexsort((found, -weights[found]))][:_MOST_SHOWN]
    tally = units.tally().take(order) if units.sums is None else None
    told = None if tally is None else partition.target.describe(tally, partition.total())
    return {
        "n": len(found),
        "most": _MOST_SHOWN,
        "values": [
            {
                "i": int(i),
                "t": str(units.values[i])[:_LONGEST],
                "g": int(home[i]),
                "w": float(weights[i]),
                "rate": None if told is None else _rate(partition, told, k),
            }
            for k, i in enumerate(order.tolist())
        ],
    }


def _rate(partition: Any, told: Any, k: int) -> float | None:
    """Rate of the event among the rows of a value, of two classes."""
    if len(partition.classes) != 2:
        return None
    return float(told.rates[k][partition.event])
