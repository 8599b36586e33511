"""Unsupervised baselines: intervals of equal width and of equal frequency."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._spaces.space import Space

BASELINES = {
    "equal-width": "intervals of equal width, the class unseen",
    "equal-frequency": "intervals of equal frequency, the class unseen",
}
_N_PARTS = 10


def find_baseline(
    space: Space, method: str, n_parts: int | None, min_weight: float
) -> NDArray[np.uint32]:
    """First unit of each part, then the end; parts that would be empty are left out."""
    n = n_parts or _N_PARTS
    starts = _equal_width(space, n) if method == "equal-width" else _equal_frequency(space, n)
    inside = starts[(starts > 0) & (starts < space.n_units)]
    borders = np.unique(np.concatenate([[0], inside, [space.n_units]]))
    return _join_light(borders, space, min_weight).astype(np.uint32)


def _equal_width(space: Space, n: int) -> NDArray[np.int64]:
    """First unit above each of n - 1 edges."""
    if space.is_float:
        finite = space.keys[np.isfinite(space.keys)]
        if not len(finite):
            return np.empty(0, dtype=np.int64)
        shares = np.arange(1, n) / n
        edges: Any = finite[0] * (1 - shares) + finite[-1] * shares
    else:
        low, high = int(space.keys[0]), int(space.keys[-1])
        edges = np.array([low + (high - low) * i // n for i in range(1, n)], dtype=np.int64)
    return np.asarray(np.searchsorted(space.keys, edges, side="right"))


def _equal_frequency(space: Space, n: int) -> NDArray[np.int64]:
    """First unit after the border nearest to each quantile."""
    return space.quantiles(n)


def _join_light(borders: NDArray[np.int64], space: Space, min_weight: float) -> NDArray[np.int64]:
    """Join parts below the least weight with the next one, the last with the one before."""
    if min_weight <= 0 or len(borders) < 3:
        return borders
    weights = np.concatenate([[0.0], np.cumsum(space.unit_weights())])
    kept = [int(borders[0])]
    for border in borders[1:-1].tolist():
        if weights[border] - weights[kept[-1]] >= min_weight:
            kept.append(border)
    while len(kept) > 1 and weights[-1] - weights[kept[-1]] < min_weight:
        kept.pop()
    return np.array([*kept, int(borders[-1])])
