"""Intervals that differ by one step: a part cut in two, a cut at another place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.cut_places import place_cut, round_cut
from partage._data.cut_text import cut_source
from partage._partitions.costs import BIT, beside_of, present_of
from partage._partitions.edit import kept_units
from partage._search.lengths import line_structure


def _part_units(partition: Any) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.float64]]]:
    """Units of each part, with the sums of their counts from the left."""
    units = partition.units
    starts = np.concatenate(
        [[0], np.searchsorted(units.highs, partition.cut_keys, side="right"), [units.n_units]]
    ).astype(np.int64)
    read = partition._price(partition).units(units)
    for k in range(partition.n_parts):
        inside = np.arange(starts[k], starts[k + 1] + 1)
        if len(inside) > 2:
            yield k, inside, np.cumsum(read[inside[:-1]], axis=0)


def _cut_at(partition: Any, unit: int) -> str:
    """Write the cut before a unit."""
    return _shown(partition, _key_before(partition, unit))


def _shown(partition: Any, key: Any) -> str:
    """Write a cut as an edit takes it."""
    kind = partition.kind
    return cut_source(kind.show(np.array([key], dtype=kind.dtype))[0])


def interval_splits(partition: Any) -> Iterator[tuple[str, float]]:
    """Best split of each part."""
    if partition.units is None:
        return
    n, totals = partition.n_parts, partition.counts.sum(axis=0)
    growth = line_structure(n + 1, totals) - line_structure(n, totals) if totals.any() else 0.0
    price = partition._price(partition)
    sets = _sets(partition)
    # Merged rows may follow the better half: their price is left as it is.
    for k, inside, sums in _part_units(partition):
        left, whole = sums[:-1], sums[-1]
        extra = sets[k] - whole
        costs = price.changes(sets, [k], (left + extra, whole - left))
        if extra.any():
            costs = np.minimum(costs, price.changes(sets, [k], (left, whole - left + extra)))
        best = int(np.argmin(costs))
        cut = _cut_at(partition, int(inside[best + 1]))
        yield f"split({k}, at={cut})", float(costs[best] + growth) / BIT


def cut_moves(partition: Any) -> Iterator[tuple[str, float]]:
    """Best other place of each cut, the others as they are."""
    if partition.units is None or partition.n_parts < 2:
        return
    units = partition.units
    starts = np.searchsorted(units.highs, partition.cut_keys, side="right")
    borders = np.concatenate([[0], starts, [units.n_units]]).astype(np.int64)
    price = partition._price(partition)
    sets, read = _sets(partition), price.units(units)
    extra = sets[: partition.n_parts] - price.numbers(present_of(partition))
    for i in range(partition.n_parts - 1):
        inside = np.arange(borders[i], borders[i + 2] + 1)
        if len(inside) < 3:
            continue
        sums = np.cumsum(read[inside[:-1]], axis=0)
        left, whole = sums[:-1], sums[-1]
        costs = price.changes(sets, [i, i + 1], (left + extra[i], whole - left + extra[i + 1]))
        places = inside[1:-1]
        costs = np.where(places == borders[i + 1], np.inf, costs)
        if not np.isfinite(costs).any():
            continue
        best = int(np.argmin(costs))
        cut = _cut_at(partition, int(places[best]))
        old = _shown(partition, partition.cut_keys[i])
        yield f"cut {old} moved to {cut}", float(costs[best]) / BIT


def _sets(partition: Any) -> NDArray[np.float64]:
    """Give what the price reads of the parts, then of the rows beside them."""
    apart = beside_of(partition).apart_counts
    found: NDArray[np.float64] = partition._price(partition).numbers(
        np.vstack([partition.read_counts, apart])
    )
    return found


def cut_near(partition: Any, position: float, reach: float) -> Any:
    """Give the cut nearest to a place on the axis, or the roundest one within reach of it."""
    units = kept_units("Intervals.set_cuts", partition)
    places = partition.kind.positions(units.highs)
    first, last = (
        int(np.clip(np.searchsorted(places, end, side="right"), 1, max(units.n_units - 1, 1)))
        for end in (position - reach, position + reach)
    )
    if reach <= 0.0 or units.n_units < 2:
        return _shown_cut(partition, _key_before(partition, first))
    _, key = round_cut(partition.kind, units.highs[first - 1].item(), units.lows[last].item())
    place = int(np.searchsorted(units.highs, key, side="left"))
    if place < units.n_units and units.lows[place] <= key < units.highs[place]:
        key = _key_before(partition, min(place + 1, units.n_units - 1))  # values counted together
    return _shown_cut(partition, key)


def cut_stepped(partition: Any, index: int, by: int) -> Any:
    """Give the place of a cut that moves over so many values."""
    units = kept_units("Intervals.set_cuts", partition)
    place = int(np.searchsorted(units.highs, partition.cut_keys[index], side="right")) + by
    return _shown_cut(partition, _key_before(partition, min(max(place, 1), units.n_units - 1)))


def _key_before(partition: Any, unit: int) -> Any:
    """Key of the cut before a unit, where the style of the partition places it."""
    units = partition.units
    if units.n_units < 2:
        return units.highs[0].item()
    low, high = units.highs[unit - 1].item(), units.lows[unit].item()
    return place_cut(partition.kind, low, high, partition.rule.cut_style)


def _shown_cut(partition: Any, key: Any) -> Any:
    """Give a cut as the user knows it."""
    return partition.kind.show(np.array([key], dtype=partition.kind.dtype))[0]
