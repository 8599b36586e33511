"""Groups that differ by one step: a group divided, a value in another group."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.costs import group_of_units
from partage._partitions.explain import MOST_SHOWN

_MOST_MOVES = 20_000_000  # numbers looked at for the moves of values


def value_moves(partition: Any) -> Iterator[tuple[str, float]]:
    """Best move of each group's values into another group."""
    units, n, price = partition.units, partition.n_parts, partition._price(partition)
    sets = price.numbers(partition.read_counts)
    if units is None or n < 2 or units.n_units * n * sets.shape[1] > _MOST_MOVES:
        return
    home = group_of_units(partition)
    read = price.units(units)
    sizes = np.bincount(home, minlength=n)
    prices = np.empty((len(home), n))
    for here, there in itertools.permutations(range(n), 2):
        leaving = home == here
        if leaving.any():
            new = sets[here] - read[leaving], sets[there] + read[leaving]
            prices[leaving, there] = price.changes(sets, [here, there], new)
    prices[np.arange(len(home)), home] = np.inf
    prices[sizes[home] == 1] = np.inf  # the group would be gone: a merge
    if partition.is_ordered:
        _only_at_borders(prices, home)
    for k in range(n):
        mine = np.flatnonzero((home == k) & np.isfinite(prices).any(axis=1))
        if len(mine):
            unit, to = np.unravel_index(int(np.argmin(prices[mine])), (len(mine), n))
            value = units.values[mine[unit]]
            edited = partition.move(value, to=int(to))
            yield f"move({value!r}, to={int(to)})", edited.history[-1].price


def _only_at_borders(prices: NDArray[np.float64], home: NDArray[np.int64]) -> None:
    """Forbid moves that would break the order of values."""
    allowed = np.zeros_like(prices, dtype=bool)
    for i in np.flatnonzero(np.diff(home)):
        allowed[i, home[i + 1]] = True
        allowed[i + 1, home[i]] = True
    prices[~allowed] = np.inf


def group_splits(partition: Any) -> Iterator[tuple[str, float]]:
    """Best divisions of groups in the order of the last class's share, or of means."""
    units = partition.units
    if units is None:
        return
    home, price = group_of_units(partition), partition._price(partition)
    read, sets = price.units(units), price.numbers(partition.read_counts)
    keys = partition.target.key(units.tally())
    found: list[tuple[float, int, NDArray[np.int64]]] = []
    for k in range(partition.n_parts):
        mine = np.flatnonzero(home == k)
        if len(mine) < 2:
            continue
        in_order = np.argsort(keys[mine], kind="stable")
        ordered = mine if partition.is_ordered else mine[in_order]
        sums = np.cumsum(read[ordered], axis=0)
        left, whole = sums[:-1], sums[-1]
        costs = price.changes(sets, [k], (left, whole - left))
        best = int(np.argmin(costs))
        found.append((float(costs[best]), k, ordered[best + 1 :]))
    for _, k, taken in sorted(found, key=lambda row: row[0])[:MOST_SHOWN]:
        values = [units.values[i] for i in taken]
        price = partition.split(k, at=values).history[-1].price
        named = ", ".join(repr(value) for value in values[:3])
        more = f", +{len(values) - 3} more" if len(values) > 3 else ""
        yield f"split({k}, at=[{named}{more}])", price
