"""How well sets of rows, in the order of their event rates, tell events from the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["gini_and_ks"]


def gini_and_ks(events: NDArray[np.float64], others: NDArray[np.float64]) -> tuple[float, float]:
    """Gini index and largest distance of sets; 0 where all rows are of one kind."""
    n_events, n_others = events.sum(), others.sum()
    if not n_events or not n_others:
        return 0.0, 0.0
    sizes = events + others
    rates = events / np.where(sizes > 0, sizes, 1.0)
    order = np.argsort(-rates, kind="stable")
    events, others = events[order] / n_events, others[order] / n_others
    # Pairs of an event and another row: the event lies in the riskier set, or both in one.
    below = 1.0 - others.cumsum()
    area = float((events * (below + others / 2.0)).sum())
    distance = float(np.abs(events.cumsum() - others.cumsum()).max())
    return max(2.0 * area - 1.0, 0.0), distance
