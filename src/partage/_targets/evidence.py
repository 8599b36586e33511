"""What classes weigh in rows of counts: shares, and weight of evidence for an event."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def class_shares(
    counts: NDArray[np.float64], totals: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Class shares of each row, and of all rows, which a row without weight has."""
    sizes = counts.sum(axis=1, keepdims=True)
    prior = totals / max(totals.sum(), np.finfo(float).tiny)
    return np.where(sizes > 0, counts / np.where(sizes > 0, sizes, 1.0), prior), prior


def weight_of_evidence(
    counts: NDArray[np.float64], totals: NDArray[np.float64], label: int
) -> NDArray[np.float64]:
    """Weight of evidence of each row for one class against the rest; 0 without weight."""
    event = counts[:, label]
    other = counts.sum(axis=1) - event
    n_event = totals[label]
    n_other = totals.sum() - n_event
    if n_event == 0 or n_other == 0:
        return np.zeros(len(counts))
    woe = np.log((event + 0.5) / n_event) - np.log((other + 0.5) / n_other)
    return np.asarray(np.where(counts.sum(axis=1) > 0, woe, 0.0))


def find_event(who: str, positive: Any, classes: NDArray[Any], default: int) -> int:
    """Position of the class that is the event: the default unless one is named."""
    if positive is None:
        return default
    labels = classes.tolist()
    if positive not in labels:
        raise ValueError(
            f"{who}: positive must be one of the classes {', '.join(map(repr, labels))}; "
            f"got {positive!r}."
        )
    if len(labels) > 2:
        raise ValueError(
            f"{who}: positive names the event of two classes; y holds {len(labels)}. Each class "
            "has its own evidence then."
        )
    return int(labels.index(positive))
