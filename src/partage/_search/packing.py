"""Groups of given number and least weight, where a search by merges finds none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from partage._support.portable import exact_sum

_MOST_STEPS = 200_000  # of the search for a packing
_MOST_PASSES = 50


def pack(
    weights: NDArray[np.float64], n_groups: int, least: float
) -> tuple[list[int] | None, bool]:
    """Divide values into groups that weigh at least so much; and whether all ways were tried.

    The heaviest value goes first, each to the lightest group; then ways are tried one by one.
    """
    order = np.argsort(-weights, kind="stable").tolist()
    found = _heaviest_first(weights, order, n_groups, least)
    return (found, True) if found is not None else _try_all(weights, order, n_groups, least)


def _heaviest_first(
    weights: NDArray[np.float64], order: list[int], n_groups: int, least: float
) -> list[int] | None:
    sizes = np.zeros(n_groups)
    group_of = [0] * len(order)
    for value in order:
        group = int(np.argmin(sizes))
        sizes[group] += weights[value]
        group_of[value] = group
    return group_of if (sizes >= least).all() else None


def _try_all(
    weights: NDArray[np.float64], order: list[int], n_groups: int, least: float
) -> tuple[list[int] | None, bool]:
    """Try the groups of one value after the other, as long as the rest can fill what lacks."""
    sizes = [0.0] * n_groups
    group_of = [0] * len(order)
    rest = np.append(np.cumsum(weights[order][::-1])[::-1], 0.0).tolist()
    steps = 0

    def place(i: int) -> bool:
        nonlocal steps
        lack = exact_sum(max(least - size, 0.0) for size in sizes)
        if lack <= 0.0:
            for value in order[i:]:
                group_of[value] = 0
            return True
        steps += 1
        if lack > rest[i] * (1.0 + 1e-12) or i == len(order) or steps > _MOST_STEPS:
            return False
        tried = set()
        for group in range(n_groups):
            if sizes[group] >= least or sizes[group] in tried:
                continue  # a full group needs no more, and equal ones are alike
            tried.add(sizes[group])
            before = sizes[group]
            sizes[group] += float(weights[order[i]])
            group_of[order[i]] = group
            if place(i + 1):
                return True
            sizes[group] = before
        return False

    if len(order) > 500 or not place(0):
        return None, len(order) <= 500 and steps <= _MOST_STEPS
    return group_of, True


def improve(
    rows: NDArray[np.float64],
    group_of: NDArray[np.int64],
    n_groups: int,
    least: float,
    lengths: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> NDArray[np.int64]:
    """Move single values while that lowers the cost and every group keeps its least weight."""
    group_of = group_of.copy()
    counts = np.zeros((n_groups, rows.shape[1]))
    np.add.at(counts, group_of, rows)
    weights = rows.sum(axis=1)
    for _ in range(_MOST_PASSES):
        moved = False
        for value, row in enumerate(rows):
            home = int(group_of[value])
            if counts[home].sum() - weights[value] < least:
                continue
            now = lengths(counts)
            gains = now - lengths(counts + row)
            gains[home] = -np.inf
            best = int(np.argmax(gains))
            loss = lengths((counts[home] - row)[None])[0] - now[home]
            if gains[best] - loss > 1e-9:
                counts[home] -= row
                counts[best] += row
                group_of[value] = best
                moved = True
        if not moved:
            break
    return group_of


__all__ = ["improve", "pack"]
