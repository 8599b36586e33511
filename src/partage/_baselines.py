"""Unsupervised baselines: intervals of equal width and of equal frequency."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partage._spaces import LineSpace

BASELINES = {
    "equal-width": "intervals of equal width, the class unseen",
    "equal-frequency": "intervals of equal frequency, the class unseen",
}
_N_PARTS = 10


def find_baseline(space: LineSpace, method: str, n_parts: int | None) -> NDArray[np.uint32]:
    """First unit of each part, then the end; parts that would be empty are left out."""
    n = n_parts or _N_PARTS
    if method == "equal-width":
        finite = space.values[np.isfinite(space.values)] if space.is_float else space.values
        edges = np.linspace(finite[0], finite[-1], n + 1)[1:-1] if len(finite) else np.empty(0)
        starts = np.searchsorted(space.values, edges, side="right")
    else:
        weights = np.cumsum(space.unit_weights())
        wanted = weights[-1] * np.arange(1, n) / n
        # The border nearest to each quantile.
        after = np.minimum(np.searchsorted(weights, wanted), len(weights) - 1)
        before = np.maximum(after - 1, 0)
        nearer = wanted - weights[before] <= weights[after] - wanted
        starts = np.where(nearer, before, after) + 1
    inside = starts[(starts > 0) & (starts < space.n_units)]
    return np.unique(np.concatenate([[0], inside, [space.n_units]])).astype(np.uint32)
