"""Joined units: blocks on which a search looks before it looks at the units themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def divided(edges: NDArray[np.uint32], starts: NDArray[Any], n_blocks: int) -> NDArray[np.uint32]:
    """Divide the blocks on both sides of each cut between parts, to so many more blocks."""
    cuts = starts[1:-1].astype(np.int64)
    beside = np.unique(np.concatenate([cuts - 1, cuts]))
    n_each = max(n_blocks // max(len(beside), 1), 2)
    widths = (edges[beside + 1] - edges[beside]).astype(np.int64)
    inside = edges[beside][:, None] + widths[:, None] * np.arange(n_each) // n_each
    return np.union1d(edges, inside.astype(np.uint32))


__all__ = ["divided"]
